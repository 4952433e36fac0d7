"""Bots at a table of Saviom: all choices of a phase in bulk, to the end of the game; or the turn of one seat."""

from __future__ import annotations

from roundtable.core.seats import CLOCK
from roundtable.games.saviom.compiled.careful import (
    ELIMINATE,
    SAVE,
    hunted,
    inspected,
    protected,
    remember,
    verdict,
    wanted_on_trial,
)
from roundtable.games.saviom.compiled.choices import phase_is_over
from roundtable.games.saviom.compiled.phases import (
    DAY,
    DEFENSE,
    NIGHT,
    count_accusations,
    count_verdicts,
    end_night,
    tally_of,
    wards,
    whom_wolves_kill,
)
from roundtable.games.saviom.compiled.state import (
    ACCUSE,
    EXPIRE,
    HUNT,
    INSPECT,
    JUDGE,
    MOST_SEATS,
    NOBODY,
    PROTECT,
    SUSPECT,
    Now,
    Rules,
    any_of,
    first_of,
    has,
    lean_to,
    votes_for,
    without,
)
from roundtable.kernels.chance import fraction, split
from roundtable.kernels.compiling import compiled, hot
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.trace import WAIT, TraceRow, note

DRAWS = 6  # from one fraction, with bounds up to 11


@compiled
def play_on(rules: Rules, now: Now, trace: TraceRow) -> int:
    """To the end of the game; gives the reason."""
    why = NOT_OVER
    while why == NOT_OVER:
        if now.stage == NIGHT:
            why = night(rules, now, trace)
        if now.stage == DAY:
            why = day(rules, now, trace)
        if now.stage == DEFENSE:
            why = trial(rules, now, trace)
    return why


@compiled
def bot_turn(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    """The choice of one seat, and what follows."""
    if now.stage == DAY:
        accuse(rules, now, trace, seat)
    elif now.stage == DEFENSE:
        judge(rules, now, trace, seat)
    elif has(now.wolves, seat):
        tally, most, _ = tally_of(rules, now.hunts)
        now.hunts[seat] = hunt(now, trace, seat, tally, most)
    elif seat == now.seer:
        inspect(now, trace)
    elif seat == now.protector:
        protect(rules, now, trace)
    else:
        now.suspicions[seat] = choose(now, trace, seat, SUSPECT, without(now.alive, seat))
    return phase_is_over(rules, now, seat)


@compiled
def choose(now: Now, trace: TraceRow, seat: int, verb: int, targets: int) -> int:
    """One of these, each equally likely; where there is none, the seat does nothing."""
    if trace.are_kept and has(now.careful, seat):
        lean_to(trace, now.phase, verb, targets)
    if targets == 0:
        note(trace, seat, now.phase, WAIT, 0, 0, 0)
        return NOBODY
    target = any_of(now, targets) if targets & (targets - 1) else first_of(targets)
    note(trace, seat, now.phase, verb, target, 0, 0)
    return target


@compiled
def time_is_up(now: Now, trace: TraceRow, moves: int) -> None:
    now.length += moves + 1
    note(trace, CLOCK, now.phase, EXPIRE, 0, 0, 0)


# Day and defense


@hot
def day(rules: Rules, now: Now, trace: TraceRow) -> int:
    """S6: all who have not accused yet."""
    if now.careful == 0 and now.asked == now.alive and not now.remembers:
        tally, most, cast = accuse_at_random(now, trace)
    else:
        tally, most, cast = accuse_in_turn(rules, now, trace)
    time_is_up(now, trace, cast)
    return count_accusations(rules, now, tally, most, cast)


@compiled
def accuse_at_random(now: Now, trace: TraceRow) -> tuple[int, int, int]:
    """Where no seat heeds the others, the order does not matter."""
    living, many = now.living, now.alive.bit_count()
    tally, most, part = 0, 0, 0
    for place in range(many):
        if place % DRAWS == 0:
            part = fraction(now)
        other, part = split(part, many - 1)
        target = living[other + (other >= place)]
        tally += 1 << (4 * target)
        most = max(most, votes_for(tally, target))
        note(trace, living[place], now.phase, ACCUSE, target, 0, 0)
    return tally, most, many


@compiled
def accuse_in_turn(rules: Rules, now: Now, trace: TraceRow) -> tuple[int, int, int]:
    """In a random order; careful seats heed what was said before."""
    tally, most, cast, waiting = 0, 0, 0, now.asked
    if waiting != now.alive:
        tally, most, cast = tally_of(rules, now.accusations)
        now.length -= cast  # these were made before
    while waiting:
        seat = any_of(now, waiting)
        waiting = without(waiting, seat)
        target = accuse(rules, now, trace, seat)
        if target != NOBODY:
            tally += 1 << (4 * target)
            most = max(most, votes_for(tally, target))
            cast += 1
    return tally, most, cast


@compiled
def accuse(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    targets = wanted_on_trial(rules, now, seat) if has(now.careful, seat) else without(now.alive, seat)
    target = choose(now, trace, seat, ACCUSE, targets)
    if target != NOBODY and now.careful:
        remember(now, seat, target)
    if now.remembers:
        now.accusations[seat] = target
    return target


@hot
def trial(rules: Rules, now: Now, trace: TraceRow) -> int:
    """S7: everyone else says save or eliminate, and hears of no other verdict before the end."""
    waiting, cast = now.asked, now.asked.bit_count()
    while waiting:
        seat = first_of(waiting)
        waiting = without(waiting, seat)
        judge(rules, now, trace, seat)
    time_is_up(now, trace, cast)
    return count_verdicts(rules, now)


@hot
def judge(rules: Rules, now: Now, trace: TraceRow, seat: int) -> None:
    verdicts = verdict(rules, now, seat, now.accused) if has(now.careful, seat) else SAVE | ELIMINATE
    eliminates = choose(now, trace, seat, JUDGE, verdicts)
    now.eliminate |= eliminates << seat
    now.save |= (1 - eliminates) << seat


# Night


@hot
def night(rules: Rules, now: Now, trace: TraceRow) -> int:
    """S8 to S11: only Wolves heed one another, so they are asked first, in any order."""
    asked = now.asked
    victim = hunt_in_turn(rules, now, trace)
    if now.seer != NOBODY and has(asked, now.seer):
        inspect(now, trace)
    if now.protector != NOBODY and has(asked, now.protector):
        protect(rules, now, trace)
    if trace.are_kept:
        suspect(now, trace)
    time_is_up(now, trace, asked.bit_count())
    return end_night(rules, now, victim)


@compiled
def hunt_in_turn(rules: Rules, now: Now, trace: TraceRow) -> int:
    tally, most, cast, waiting = 0, 0, 0, now.wolves & now.asked
    if now.asked != now.alive:
        tally, most, cast = tally_of(rules, now.hunts)
    while waiting:
        seat = any_of(now, waiting) if now.careful else first_of(waiting)
        waiting = without(waiting, seat)
        target = hunt(now, trace, seat, tally, most)
        tally += 1 << (4 * target)
        most = max(most, votes_for(tally, target))
        cast += 1
    return whom_wolves_kill(rules, now, tally, most, cast)


@hot
def hunt(now: Now, trace: TraceRow, seat: int, tally: int, most: int) -> int:
    prey = now.alive & ~now.wolves
    return choose(now, trace, seat, HUNT, hunted(prey, tally, most) if has(now.careful, seat) else prey)


@hot
def inspect(now: Now, trace: TraceRow) -> None:
    """S10."""
    others = without(now.alive, now.seer)
    targets = inspected(now, others) if has(now.careful, now.seer) else others
    now.inspected = choose(now, trace, now.seer, INSPECT, targets)


@hot
def protect(rules: Rules, now: Now, trace: TraceRow) -> None:
    """S9."""
    able = wards(rules, now)
    targets = protected(now, able, now.protector) if has(now.careful, now.protector) else able
    now.ward_tonight = choose(now, trace, now.protector, PROTECT, targets)


@compiled
def suspect(now: Now, trace: TraceRow) -> None:
    """S11: what everyone else taps changes nothing, so it is drawn only where it is written down, with other dice."""
    luck0, luck1 = now.luck0, now.luck1
    now.luck0, now.luck1 = luck1, ~luck0
    for seat in range(MOST_SEATS):
        is_busy = has(now.wolves, seat) or seat == now.seer or seat == now.protector
        if has(now.asked, seat) and not is_busy:
            choose(now, trace, seat, SUSPECT, without(now.alive, seat))
    now.luck0, now.luck1 = luck0, luck1
