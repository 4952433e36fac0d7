"""What a seat may do in Saviom: accuse and judge by day, and something for everyone at night."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.actions import Move
from roundtable.core.options import Options, one_of
from roundtable.core.seats import Seat, only
from roundtable.games.saviom.actions import (
    Accuse,
    Hunt,
    Inspect,
    Judge,
    LockIn,
    Protect,
    Surrender,
    Suspect,
    WithdrawAccusation,
)
from roundtable.games.saviom.setup import Role
from roundtable.games.saviom.state import SaviomState


def options_of(state: SaviomState, seat: Seat) -> Options:
    """All that this seat may do now, from what it may know."""
    if seat not in state.alive or seat in state.leaving:
        return ()
    surrender = plain(Surrender, state.phase.number)
    match state.phase.name:
        case "day":
            return day_options(state, seat) + surrender
        case "defense":
            return defense_options(state, seat) + surrender
        case _:
            return night_options(state, seat) + surrender


@lru_cache(maxsize=1 << 14)
def aim(kind: type[Move], phase: int, targets: frozenset[Seat]) -> Options:
    """One of these targets, for a move that names one."""
    return one_of([kind(phase=phase, target=target) for target in sorted(targets)])  # type: ignore[call-arg]


@lru_cache(maxsize=1 << 14)
def others(living: frozenset[Seat], seat: Seat) -> frozenset[Seat]:
    """All but this seat; the same set again for the same question, so that `aim` finds it at a glance."""
    return living - only(seat)


@lru_cache(maxsize=1 << 12)
def plain(kind: type[Move], phase: int) -> Options:
    return one_of([kind(phase=phase)])


@lru_cache(maxsize=1 << 12)
def verdicts(phase: int) -> Options:
    return one_of([Judge(phase=phase, eliminate=True), Judge(phase=phase, eliminate=False)])


def day_options(state: SaviomState, seat: Seat) -> Options:
    """S6; a player cannot accuse themself."""
    if seat in state.locked:
        return ()
    phase = state.phase.number
    options = aim(Accuse, phase, others(state.alive, seat))
    if seat in state.accusations:
        options += plain(WithdrawAccusation, phase) + lock_options(state)
    return options


def defense_options(state: SaviomState, seat: Seat) -> Options:
    """S7: everyone but the accused judges."""
    if seat == state.accused or seat in state.locked:
        return ()
    options = verdicts(state.phase.number)
    return options + lock_options(state) if seat in state.verdicts else options


def lock_options(state: SaviomState) -> Options:
    return plain(LockIn, state.phase.number) if state.setup.early_end else ()


def night_options(state: SaviomState, seat: Seat) -> Options:
    """S8 to S11: everyone has something to tap, and with `early_end` may hold to it."""
    if seat in state.locked:
        return ()
    choices = night_choices(state, seat)
    return choices + lock_options(state) if has_chosen(state, seat) else choices


def has_chosen(state: SaviomState, seat: Seat) -> bool:
    """Whether a seat has made its choice of the night; a suspect counts as one (S11)."""
    return any(seat in made for made in (state.hunts, state.protections, state.inspections, state.suspicions))


def night_choices(state: SaviomState, seat: Seat) -> Options:
    phase = state.phase.number
    rest = others(state.alive, seat)
    match state.roles[seat]:
        case Role.WOLF:
            return aim(Hunt, phase, state.alive - state.pack)
        case Role.PROTECTOR:
            wards = aim(Protect, phase, may_protect(state, seat))
            return wards + aim(Suspect, phase, rest) if seat in state.protections or not wards else wards
        case Role.SEER:
            seen = aim(Inspect, phase, rest)
            return seen + aim(Suspect, phase, rest) if seat in state.inspections else seen
        case _:
            return aim(Suspect, phase, rest)


def may_protect(state: SaviomState, seat: Seat) -> frozenset[Seat]:
    """S9."""
    wards = state.alive if state.setup.protect_self else others(state.alive, seat)
    return wards if state.setup.protect_twice else wards - {state.protected_last.get(seat)}
