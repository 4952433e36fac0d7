"""What players of Saviom make of claims: a Seer is believed until another player claims to be it; a liar is a Wolf."""

from __future__ import annotations

from typing import NamedTuple

from roundtable.core.game import OPEN_TALK
from roundtable.core.policy import Heard
from roundtable.core.seats import Seat
from roundtable.games.saviom.setup import Role, Side
from roundtable.games.saviom.state import SaviomState

WOLF_WORDS = frozenset((Role.WOLF, Side.WOLVES))


class Vision(NamedTuple):
    """What a player says to have seen as the Seer."""

    seer: Seat
    target: Seat
    is_wolf: bool


class Hearsay(NamedTuple):
    """What one seat believes of what it heard."""

    wolves: frozenset[Seat] = frozenset()  # who is said to be a Wolf, or has lied
    innocent: frozenset[Seat] = frozenset()
    seers: frozenset[Seat] = frozenset()  # who claims to be the Seer, believed or not


NO_HEARSAY = Hearsay()


def visions_claimed(heard: Heard) -> list[Vision]:
    return [
        Vision(said.seat, said.about, said.word in WOLF_WORDS)
        for said in heard
        if said.phrase == "i_examined" and said.channel == OPEN_TALK and said.about is not None
    ]


def seers_claimed(heard: Heard) -> frozenset[Seat]:
    """Who has claimed to be the Seer, in so many words or by telling what they saw."""
    open_talk = [said for said in heard if said.channel == OPEN_TALK]
    named = {said.seat for said in open_talk if said.phrase == "i_am" and said.word == Role.SEER}
    return frozenset(named | {vision.seer for vision in visions_claimed(heard)})


def hearsay(view: SaviomState, seat: Seat, heard: Heard) -> Hearsay:
    """What this seat believes. Two Seers contradict each other, and then neither is believed; one who says something of
    another player that this seat knows to be false has lied."""
    if not heard:
        return NO_HEARSAY
    seers, visions = seers_claimed(heard), visions_claimed(heard)
    liars = frozenset(claimant for claimant in seers - {seat} if is_liar(view, seat, claimant, visions))
    believed = seers - liars - {seat}
    told = [vision for vision in visions if vision.seer in believed] if len(believed) == 1 else []
    wolves = frozenset([vision.target for vision in told if vision.is_wolf])
    innocent = frozenset([vision.target for vision in told if not vision.is_wolf])
    return Hearsay((wolves | liars) & view.alive, innocent - wolves, seers)


def is_liar(view: SaviomState, seat: Seat, claimant: Seat, visions: list[Vision]) -> bool:
    """Whether this seat knows that the claimant is not the Seer, or has not seen what they say."""
    if view.roles[seat] is Role.SEER or Role.SEER not in view.setup.all_roles:
        return True
    return any(
        vision.is_wolf is not truth
        for vision in visions
        if vision.seer == claimant and (truth := is_wolf(view, seat, vision.target)) is not None
    )


def is_wolf(view: SaviomState, seat: Seat, other: Seat) -> bool | None:
    """Whether the other is a Wolf, as far as this seat knows."""
    if other == seat:
        return view.roles[seat] is Role.WOLF
    fate = view.fates.get(other)
    return None if fate is None else fate in WOLF_WORDS
