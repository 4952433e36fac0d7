"""What bots say in Saviom: whom they suspect, who they are or pretend to be, and what the Seer saw."""

from __future__ import annotations

from dataclasses import replace

from roundtable.core.chance import Chance, pick
from roundtable.core.policy import Face, Heard, Phrasing, is_asked_why, opinion
from roundtable.core.seats import Seat
from roundtable.games.saviom.bots.careful import cleared, seen_wolves, spared_by, wanted_on_trial
from roundtable.games.saviom.bots.hearsay import Hearsay, hearsay, seers_claimed, visions_claimed
from roundtable.games.saviom.setup import Role, Side
from roundtable.games.saviom.state import SaviomState

BLUFFING = 5  # a Wolf who could pass for the Seer does so in one remark out of so many
CLAIMING = 6  # one remark in so many is a claim to be a plain Citizen
TRUSTING = 3  # and one in so many of the rest is a word of trust
CITIZEN_CLAIM = Phrasing("i_am", word=Role.CITIZEN)


def speech(view: SaviomState, seat: Seat, heard: Heard, chance: Chance, face: Face | None = None) -> Phrasing | None:
    """What the player on this seat says to all."""
    told = hearsay(view, seat, heard)
    if view.accused == seat:
        return Phrasing("i_am", word=claimed_on_trial(view, seat, heard))
    if view.roles[seat] is Role.SEER and (claim := seers_word(view, seat, heard, told)):
        return claim
    face = face or face_of(view, seat, told)
    if is_asked_why(heard, seat):
        return opinion(replace(face, told=()), chance, TRUSTING)
    if is_bluffing(view, seat, heard, chance):
        return Phrasing("i_examined", pick(chance, sorted(view.alive - view.pack)), Side.WOLVES)
    if seat not in told.seers and CITIZEN_CLAIM not in face.told and chance.below(CLAIMING) == 0:
        return CITIZEN_CLAIM
    return opinion(face, chance, TRUSTING)


def claimed_on_trial(view: SaviomState, seat: Seat, heard: Heard) -> Role:
    """On trial the Seer and the Protector say who they are. Wolves stay with what they claimed."""
    if view.roles[seat] is not Role.WOLF:
        return view.roles[seat]
    return Role.SEER if seat in seers_claimed(heard) else Role.CITIZEN


def seers_word(view: SaviomState, seat: Seat, heard: Heard, told: Hearsay) -> Phrasing | None:
    """The Seer names a living Wolf, contradicts a false Seer, and is silent about the rest to stay alive."""
    named = {vision.target for vision in visions_claimed(heard) if vision.seer == seat}
    if unnamed := sorted(seen_wolves(view) - named):
        return Phrasing("i_examined", unnamed[0], Side.WOLVES)
    if told.seers - {seat} and seat not in told.seers:
        return Phrasing("i_am", word=Role.SEER)
    return None


def is_bluffing(view: SaviomState, seat: Seat, heard: Heard, chance: Chance) -> bool:
    """Whether a Wolf passes for the Seer now: after a night, where there may be a Seer and no one else claims to be."""
    has_slept = view.phase.number > 1
    could = view.roles[seat] is Role.WOLF and Role.SEER in view.setup.all_roles and not seers_claimed(heard)
    return could and has_slept and chance.below(BLUFFING) == 0


def face_of(view: SaviomState, seat: Seat, told: Hearsay) -> Face:
    """Whom this player accuses or would accuse by rules of thumb, and whom it would speak for."""
    accused = view.accusations.get(seat)
    wanted = [accused] if accused is not None else sorted(wanted_on_trial(view, seat, told) - {seat})
    others = sorted(view.alive - {seat})
    friends = sorted((cleared(view, seat) | told.innocent) & view.alive - {seat})
    trusted = friends or [other for other in others if other not in (*wanted, *spared_by(view, seat))] or others
    return Face(suspects=wanted, trusted=trusted)
