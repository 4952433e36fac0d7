"""The phases of Saviom: what follows from accusations, verdicts and a night (S1 to S15).

The same as in games/saviom/game.py, over whole numbers. Each function gives the reason if the game ends, or NOT_OVER.
"""

from __future__ import annotations

from typing import Any

from roundtable.games.saviom import formulas
from roundtable.games.saviom.compiled.state import (
    CITIZEN,
    NOBODY,
    PROTECTOR,
    SEER,
    WOLF,
    Now,
    Rules,
    first_of,
    named_most,
    votes_for,
    without,
)
from roundtable.games.saviom.environment import CAUSES
from roundtable.kernels.chance import fraction, split
from roundtable.kernels.compiling import compiled, hot
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.positions import DEALT
from roundtable.kernels.turns import open_phase

REASONS = ("no_wolf_left", "wolves_at_parity", "quiet")
NO_WOLF_LEFT, WOLVES_AT_PARITY, QUIET = range(len(REASONS))
WINNER = (0, 1, -1)  # by reason
DAY, DEFENSE, NIGHT = range(3)  # in the order of the row's phases
VERDICT, BY_NIGHT = CAUSES.index("verdict"), CAUSES.index("night")

is_majority = compiled(formulas.is_majority)
is_condemned = compiled(formulas.is_condemned)
is_at_parity = compiled(formulas.is_at_parity)


# The start


@compiled
def deal(rules: Rules, now: Now) -> None:
    """S1: every seating of the roles is equally likely; Fisher and Yates, all from one fraction."""
    roles, seats = now.roles, rules.seats
    for card in range(seats):
        roles[card] = CITIZEN
    for card in range(rules.wolves):
        roles[card] = WOLF
    for card in range(rules.protectors):
        roles[rules.wolves + card] = PROTECTOR
    for card in range(rules.seers):
        roles[rules.wolves + rules.protectors + card] = SEER
    part, wolves, now.protector, now.seer = fraction(now), 0, NOBODY, NOBODY
    for last in range(seats - 1, -1, -1):
        other, part = split(part, last + 1)
        roles[last], roles[other] = roles[other], roles[last]
        wolves |= (roles[last] == WOLF) << last
        if roles[last] == SEER:
            now.seer = last
        if roles[last] == PROTECTOR:
            now.protector = last
    now.wolves = wolves


@compiled
def read_deal(rules: Rules, now: Now) -> None:
    """What follows from who is who."""
    now.wolves, now.protector, now.seer = 0, NOBODY, NOBODY
    for seat in range(rules.seats):
        now.wolves |= (now.roles[seat] == WOLF) << seat
        if now.roles[seat] == SEER:
            now.seer = seat
        if now.roles[seat] == PROTECTOR:
            now.protector = seat


@compiled
def begin(rules: Rules, now: Now, crew: Any) -> None:
    """The first phase after the deal."""
    now.alive = (1 << rules.seats) - 1
    for seat in range(rules.seats):
        now.living[seat] = seat
    seat_bots(rules, now, crew)
    now.phase = now.length = now.quiet = now.seen = now.seen_wolves = 0
    now.ward = now.ward_tonight = now.inspected = NOBODY
    if now.remembers:
        now.accused = now.last_trial = NOBODY
        now.eliminate = now.save = 0
        for seat in range(rules.seats):
            now.last_accusations[seat] = now.death[seat] = NOBODY
            now.accusations[seat] = now.hunts[seat] = now.suspicions[seat] = NOBODY
    if rules.begins_by_night:
        open_phase(now, NIGHT, now.alive)
    else:
        open_day(now)


@compiled
def take_up(rules: Rules, now: Now, crew: Any) -> None:
    """Go on from a position."""
    read_deal(rules, now)
    if now.stage == DEALT:
        begin(rules, now, crew)
        return
    now.length = 0
    seat_bots(rules, now, crew)
    count_living(now)


@compiled
def seat_bots(rules: Rules, now: Now, crew: Any) -> None:
    """Careful players by seat, or by the side that they were dealt."""
    citizens = (1 << rules.seats) - 1 & ~now.wolves
    now.careful = crew.careful | (citizens if crew.first_side else 0) | (now.wolves if crew.second_side else 0)
    now.remembers = crew.remembers


@compiled
def second_side(now: Now) -> int:
    return now.wolves


# Day and defense


@hot
def open_day(now: Now) -> None:
    if now.careful:
        now.first, now.apart, now.apart_in_turn = NOBODY, 0, 0
    open_phase(now, DAY, now.alive)


@compiled
def tally_of(rules: Rules, choices: Any) -> tuple[int, int, int]:
    """The votes in a tally, the most for one seat, and how many were cast."""
    tally, most, cast = 0, 0, 0
    for seat in range(rules.seats):
        if choices[seat] != NOBODY:
            tally += 1 << (4 * choices[seat])
            most = max(most, votes_for(tally, choices[seat]))
            cast += 1
    return tally, most, cast


@hot
def count_accusations(rules: Rules, now: Now, tally: int, most: int, cast: int) -> int:
    """S6: more than half puts a player on trial."""
    accused = NOBODY
    if most and is_majority(most, cast if rules.trial_by_cast else now.alive.bit_count()):
        accused = named_most(tally, most)
    if now.remembers:
        for seat in range(rules.seats):
            now.last_accusations[seat] = now.accusations[seat]
    if accused == NOBODY:
        return end_day(rules, now)
    now.accused = now.last_trial = accused
    now.eliminate = now.save = 0
    open_phase(now, DEFENSE, without(now.alive, accused))
    return NOT_OVER


@hot
def count_verdicts(rules: Rules, now: Now) -> int:
    """S7."""
    if not is_condemned(now.eliminate.bit_count(), now.save.bit_count()):
        return end_day(rules, now)
    why = bury(rules, now, now.accused, VERDICT)
    if why == NOT_OVER:
        fall_night(rules, now)
    return why


@hot
def end_day(rules: Rules, now: Now) -> int:
    """S15: a day without a death."""
    now.quiet += 1
    fall_night(rules, now)
    return QUIET if now.quiet >= rules.quiet_limit else NOT_OVER


@hot
def fall_night(rules: Rules, now: Now) -> None:
    if now.remembers:
        now.accused = NOBODY
        for seat in range(rules.seats):
            now.accusations[seat] = NOBODY
    if now.quiet < rules.quiet_limit:
        open_phase(now, NIGHT, now.alive)


# Night


@compiled
def whom_wolves_kill(rules: Rules, now: Now, tally: int, most: int, cast: int) -> int:
    """S8: whom more than half of the Wolves name."""
    out_of = cast if rules.kill_by_cast else (now.wolves & now.alive).bit_count()
    return named_most(tally, most) if most and is_majority(most, out_of) else NOBODY


@hot
def end_night(rules: Rules, now: Now, victim: int) -> int:
    """S8 to S11: all at once."""
    if now.inspected != NOBODY:  # S10: even if the Seer dies in that night
        now.seen |= 1 << now.inspected
        now.seen_wolves |= now.wolves & 1 << now.inspected
    now.ward = now.ward_tonight
    now.inspected = now.ward_tonight = NOBODY
    if now.remembers:
        for seat in range(rules.seats):
            now.hunts[seat] = now.suspicions[seat] = NOBODY
    if victim == NOBODY or victim == now.ward:
        now.quiet += 1
        if now.quiet >= rules.quiet_limit:
            return QUIET
        open_day(now)
        return NOT_OVER
    why = bury(rules, now, victim, BY_NIGHT)
    if why == NOT_OVER:
        open_day(now)
    return why


@compiled
def wards(rules: Rules, now: Now) -> int:
    """S9: whom the Protector may choose; with three alive there is always one."""
    able = now.alive if rules.protect_self else without(now.alive, now.protector)
    return able if rules.protect_twice or now.ward == NOBODY else without(able, now.ward)


# Death and victory


@compiled
def bury(rules: Rules, now: Now, gone: int, cause: int) -> int:
    """S13: after every death, and before anything else."""
    now.quiet = 0
    now.alive = without(now.alive, gone)
    if now.remembers:
        now.death[gone] = cause
        forget(rules, now, gone)
    count_living(now)
    wolves = (now.wolves & now.alive).bit_count()
    if wolves == 0:
        return NO_WOLF_LEFT
    return WOLVES_AT_PARITY if is_at_parity(wolves, now.alive.bit_count()) else NOT_OVER


@compiled
def forget(rules: Rules, now: Now, gone: int) -> None:
    """The accusations by and against who is gone."""
    for seat in range(rules.seats):
        if seat == gone or now.accusations[seat] == gone:
            now.accusations[seat] = NOBODY


@compiled
def count_living(now: Now) -> None:
    living, waiting, place = now.living, now.alive, 0
    while waiting:
        living[place] = first_of(waiting)
        waiting &= waiting - 1
        place += 1


@compiled
def side_of(why: int) -> int:
    """The side that wins by this, or -1."""
    return WINNER[why]
