"""What a seat knows of a game of Saviom, as a row of numbers."""

from __future__ import annotations

from typing import Any

from roundtable.games.saviom.compiled.choices import allow
from roundtable.games.saviom.compiled.phases import DEFENSE
from roundtable.games.saviom.compiled.state import AT, NOBODY, PROTECTOR, SEER, WOLF, Now, Rules, has
from roundtable.games.saviom.environment import CAUSES
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.layout import HIGHEST


@compiled
def write_row(rules: Rules, now: Now, seat: int, row: Any) -> None:
    row[:] = 0
    write_own(rules, now, seat, row)
    place = rules.place
    row[place[AT.phase] + now.stage] = 1
    row[place[AT.phase_number]] = min(now.phase, HIGHEST)
    row[place[AT.quiet]] = min(now.quiet, HIGHEST)
    allow(row, place[AT.alive], now.alive)
    write_choices(rules, row, place[AT.accusations], now.accusations)
    write_seat(row, place[AT.accused], now.accused)
    write_choices(rules, row, place[AT.last_accusations], now.last_accusations)
    write_seat(row, place[AT.last_trial], now.last_trial)
    for other in range(rules.seats):
        if now.stage != DEFENSE or now.why != NOT_OVER:  # until then verdicts are secret (S7)
            row[place[AT.last_verdicts] + other] = has(now.eliminate, other) - has(now.save, other)
        if now.death[other] != NOBODY:
            row[place[AT.deaths] + other * len(CAUSES) + now.death[other]] = 1
            if rules.fates:
                row[place[AT.fates] + other * rules.fates + fate(rules, now, other)] = 1


@compiled
def write_own(rules: Rules, now: Now, seat: int, row: Any) -> None:
    place, role = rules.place, now.roles[seat]
    row[place[AT.seat] + seat] = 1
    row[place[AT.role] + role] = 1
    if now.stage == DEFENSE and now.accused != NOBODY:
        row[place[AT.own_verdict]] = has(now.eliminate, seat) - has(now.save, seat)
    if role == WOLF:
        allow(row, place[AT.pack], now.wolves)
        if has(now.alive, seat):
            write_choices(rules, row, place[AT.hunts], now.hunts)
    if role == PROTECTOR:
        write_seat(row, place[AT.protects], now.ward_tonight)
        write_seat(row, place[AT.protected_last], now.ward)
    if role == SEER:
        write_seat(row, place[AT.inspects], now.inspected)
        for other in range(rules.seats):
            if has(now.seen, other):
                row[place[AT.visions] + other] = 1 if has(now.seen_wolves, other) else -1
    write_seat(row, place[AT.suspects], now.suspicions[seat])


@compiled
def write_seat(row: Any, first: int, seat: int) -> None:
    if seat != NOBODY:
        row[first + seat] = 1


@compiled
def write_choices(rules: Rules, row: Any, first: int, choices: Any) -> None:
    for seat in range(rules.seats):
        if choices[seat] != NOBODY:
            row[first + seat * rules.seats + choices[seat]] = 1


@compiled
def fate(rules: Rules, now: Now, seat: int) -> int:
    """S11: the role, or the side, of which the Wolves' comes first."""
    return now.roles[seat] if rules.fates > 2 else int(now.roles[seat] != WOLF)
