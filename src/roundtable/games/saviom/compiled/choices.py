"""Saviom a choice at a time: what a number stands for, and which numbers a seat may choose."""

from __future__ import annotations

from typing import Any

from roundtable.games.saviom.compiled.careful import remember
from roundtable.games.saviom.compiled.phases import (
    DAY,
    DEFENSE,
    count_accusations,
    count_verdicts,
    end_night,
    tally_of,
    wards,
    whom_wolves_kill,
)
from roundtable.games.saviom.compiled.state import MOST_SEATS, PROTECTOR, SEER, WOLF, Now, Rules, has, without
from roundtable.kernels.actions import WAIT
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER


@compiled
def take(rules: Rules, now: Now, seat: int, choice: int) -> int:
    """What follows from a seat's choice."""
    if choice != WAIT:
        mark(rules, now, seat, choice)
    return phase_is_over(rules, now, seat)


@compiled
def phase_is_over(rules: Rules, now: Now, seat: int) -> int:
    """The seat has chosen; after the last of a phase, time is up."""
    now.asked = without(now.asked, seat)
    if now.asked:
        return NOT_OVER
    if now.stage == DAY:
        tally, most, cast = tally_of(rules, now.accusations)
        return count_accusations(rules, now, tally, most, cast)
    if now.stage == DEFENSE:
        return count_verdicts(rules, now)
    tally, most, cast = tally_of(rules, now.hunts)
    return end_night(rules, now, whom_wolves_kill(rules, now, tally, most, cast))


@compiled
def mark(rules: Rules, now: Now, seat: int, choice: int) -> None:
    role = now.roles[seat]
    if now.stage == DAY:
        now.accusations[seat] = choice - rules.accuse
        if now.careful:
            remember(now, seat, choice - rules.accuse)
    elif now.stage == DEFENSE:
        now.eliminate |= (choice == rules.judge) << seat
        now.save |= (choice != rules.judge) << seat
    elif role == WOLF:
        now.hunts[seat] = choice - rules.hunt
    elif role == SEER:
        now.inspected = choice - rules.inspect
    elif role == PROTECTOR and choice < rules.protect + rules.seats:
        now.ward_tonight = choice - rules.protect
    else:
        now.suspicions[seat] = choice - rules.suspect


@compiled
def write_mask(rules: Rules, now: Now, seat: int, mask: Any) -> None:
    """A one for every number that the seat may choose; to wait is always allowed."""
    mask[:] = 0
    mask[WAIT] = 1
    others, role = without(now.alive, seat), now.roles[seat]
    if not has(now.asked, seat):
        return
    if now.stage == DAY:
        allow(mask, rules.accuse, others)
    elif now.stage == DEFENSE:
        mask[rules.judge] = mask[rules.judge + 1] = 1
    elif role == WOLF:
        allow(mask, rules.hunt, now.alive & ~now.wolves)
    elif role == SEER:
        allow(mask, rules.inspect, others)
    elif role == PROTECTOR and wards(rules, now):
        allow(mask, rules.protect, wards(rules, now))
    else:
        allow(mask, rules.suspect, others)


@compiled
def allow(mask: Any, first: int, seats: int) -> None:
    for seat in range(MOST_SEATS):
        if has(seats, seat):
            mask[first + seat] = 1
