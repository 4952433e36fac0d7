"""What the acting seat may choose, and what it knows."""

from __future__ import annotations

from typing import Any

from roundtable.games.saviom.compiled.state import MOST_SEATS, NOBODY, PROTECTOR, SEER, WOLF, has, without
from roundtable.games.saviom.compiled.vector_env.state import AT, DAY, DEFENSE, Now, Rules
from roundtable.games.saviom.environment import CAUSES
from roundtable.kernels.actions import WAIT
from roundtable.kernels.compiling import compiled
from roundtable.kernels.layout import HIGHEST


@compiled
def write_mask(rules: Rules, now: Now, mask: Any) -> None:
    """To wait is always allowed."""
    mask[:] = 0
    mask[WAIT] = 1
    others = without(now.alive, now.turn)
    if now.stage == DAY:
        allow(mask, rules.accuse, others)
    elif now.stage == DEFENSE:
        mask[rules.judge] = mask[rules.judge + 1] = 1
    elif now.roles[now.turn] == WOLF:
        allow(mask, rules.hunt, now.alive & ~now.wolves)
    elif now.roles[now.turn] == SEER:
        allow(mask, rules.inspect, others)
    elif now.roles[now.turn] == PROTECTOR and wards(rules, now):
        allow(mask, rules.protect, wards(rules, now))
    else:
        allow(mask, rules.suspect, others)


@compiled
def wards(rules: Rules, now: Now) -> int:
    """S9."""
    able = now.alive if rules.protect_self else without(now.alive, now.turn)
    return able if rules.protect_twice or now.ward == NOBODY else without(able, now.ward)


@compiled
def allow(mask: Any, first: int, seats: int) -> None:
    for seat in range(MOST_SEATS):
        if has(seats, seat):
            mask[first + seat] = 1


# What it knows


@compiled
def write_row(rules: Rules, now: Now, row: Any) -> None:
    row[:] = 0
    write_own(rules, now, row)
    place, seats = rules.place, rules.seats
    row[place[AT.phase] + now.stage] = 1
    row[place[AT.phase_number]] = min(now.phase, HIGHEST)
    row[place[AT.quiet]] = min(now.quiet, HIGHEST)
    allow(row, place[AT.alive], now.alive)
    write_choices(rules, row, place[AT.accusations], now.accusations)
    if now.accused != NOBODY:
        row[place[AT.accused] + now.accused] = 1
    write_choices(rules, row, place[AT.last_accusations], now.last_accusations)
    if now.last_trial != NOBODY:
        row[place[AT.last_trial] + now.last_trial] = 1
    for seat in range(seats):
        if now.stage != DEFENSE:  # until then verdicts are secret (S7)
            row[place[AT.last_verdicts] + seat] = has(now.eliminate, seat) - has(now.save, seat)
        if now.death[seat] != NOBODY:
            row[place[AT.deaths] + seat * len(CAUSES) + now.death[seat]] = 1
            if rules.fates:
                row[place[AT.fates] + seat * rules.fates + fate(rules, now, seat)] = 1


@compiled
def write_own(rules: Rules, now: Now, row: Any) -> None:
    place, role = rules.place, now.roles[now.turn]
    row[place[AT.seat] + now.turn] = 1
    row[place[AT.role] + role] = 1
    if role == WOLF:
        allow(row, place[AT.pack], now.wolves)
        write_choices(rules, row, place[AT.hunts], now.hunts)
    if role == PROTECTOR and now.ward != NOBODY:
        row[place[AT.protected_last] + now.ward] = 1
    if role == SEER:
        for seat in range(rules.seats):
            if has(now.seen, seat):
                row[place[AT.visions] + seat] = 1 if has(now.seen_wolves, seat) else -1


@compiled
def write_choices(rules: Rules, row: Any, first: int, choices: Any) -> None:
    for seat in range(rules.seats):
        if choices[seat] != NOBODY:
            row[first + seat * rules.seats + choices[seat]] = 1


@compiled
def fate(rules: Rules, now: Now, seat: int) -> int:
    """S11: the role, or the side, of which the Wolves' comes first."""
    return now.roles[seat] if rules.fates > 2 else int(now.roles[seat] != WOLF)
