"""Day, defense and night in Saviom, compiled: the same as in games/saviom/game.py, over whole numbers."""

from __future__ import annotations

from roundtable.core.seats import CLOCK
from roundtable.games.saviom import formulas
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
from roundtable.games.saviom.compiled.state import (
    ACCUSE,
    CITIZEN,
    EXPIRE,
    HUNT,
    INSPECT,
    JUDGE,
    MOST_SEATS,
    NOBODY,
    PROTECT,
    PROTECTOR,
    SEER,
    SUSPECT,
    WOLF,
    Now,
    Rules,
    any_of,
    first_of,
    has,
    lean_to,
    named_most,
    votes_for,
    without,
)
from roundtable.kernels.chance import fraction, split
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER, CarefulSeats
from roundtable.kernels.trace import WAIT, TraceRow, note

REASONS = ("no_wolf_left", "wolves_at_parity", "quiet")
NO_WOLF_LEFT, WOLVES_AT_PARITY, QUIET = range(len(REASONS))
DRAWS = 6  # from one fraction, with bounds up to 11

is_majority = compiled(formulas.is_majority)
is_condemned = compiled(formulas.is_condemned)
is_at_parity = compiled(formulas.is_at_parity)


@compiled
def play(rules: Rules, careful_seats: CarefulSeats, now: Now, trace: TraceRow) -> int:
    """One game from the deal to its end; why it ended."""
    deal(rules, careful_seats, now)
    ended = NOT_OVER
    if not rules.begins_by_night:
        ended = day(rules, now, trace)
    while ended == NOT_OVER:
        ended = night(rules, now, trace)
        if ended == NOT_OVER:
            ended = day(rules, now, trace)
    return ended


@compiled
def deal(rules: Rules, careful_seats: CarefulSeats, now: Now) -> None:
    """S1: every seating of the roles is equally likely; Fisher and Yates, all from one fraction."""
    roles, living, seats = now.roles, now.living, rules.seats
    for card in range(seats):
        roles[card] = CITIZEN
        living[card] = card
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
    everyone = (1 << seats) - 1
    now.wolves, now.alive = wolves, everyone
    now.careful = (
        careful_seats.seats
        | (everyone & ~wolves if careful_seats.first_side else 0)
        | (wolves if careful_seats.second_side else 0)
    )
    now.phase = now.length = now.quiet = now.seen = now.seen_wolves = 0
    now.ward = NOBODY


# Day and defense


@compiled
def day(rules: Rules, now: Now, trace: TraceRow) -> int:
    accused = accuse(rules, now, trace)
    if accused != NOBODY and judge(rules, now, trace, accused):
        return bury(now, accused)
    return stay_quiet(rules, now)


@compiled
def accuse(rules: Rules, now: Now, trace: TraceRow) -> int:
    """S6: more than half puts a player on trial."""
    now.phase += 1
    tally, most, cast = accuse_with_care(rules, now, trace) if now.careful else accuse_at_random(now, trace)
    time_is_up(now, trace, cast)
    is_tried = is_majority(most, cast if rules.trial_by_cast else now.alive.bit_count())
    return named_most(tally, most) if is_tried else NOBODY


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
def accuse_with_care(rules: Rules, now: Now, trace: TraceRow) -> tuple[int, int, int]:
    """In a random order; careful seats heed what was said before."""
    tally, most, cast, waiting = 0, 0, 0, now.alive
    now.first, now.apart, now.apart_in_turn = NOBODY, 0, 0
    while waiting:
        seat = any_of(now, waiting)
        waiting = without(waiting, seat)
        targets = wanted_on_trial(rules, now, seat) if has(now.careful, seat) else without(now.alive, seat)
        target = choose(now, trace, seat, ACCUSE, targets)
        if target != NOBODY:
            remember(now, seat, target)
            tally += 1 << (4 * target)
            most = max(most, votes_for(tally, target))
            cast += 1
    return tally, most, cast


@compiled
def judge(rules: Rules, now: Now, trace: TraceRow, accused: int) -> bool:
    """S7: everyone else says save or eliminate, and hears of no other verdict before the end."""
    now.phase += 1
    waiting, eliminate, cast = without(now.alive, accused), 0, 0
    while waiting:
        seat = first_of(waiting)
        waiting = without(waiting, seat)
        verdicts = verdict(rules, now, seat, accused) if has(now.careful, seat) else SAVE | ELIMINATE
        eliminate += choose(now, trace, seat, JUDGE, verdicts)
        cast += 1
    time_is_up(now, trace, cast)
    return is_condemned(eliminate, cast - eliminate)


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


# Night


@compiled
def night(rules: Rules, now: Now, trace: TraceRow) -> int:
    """S8 to S11: all at once. Only Wolves heed one another, so they are asked first, in any order."""
    now.phase += 1
    victim = hunt(now, trace)
    seen = inspect(now, trace)
    ward = protect(rules, now, trace)
    if trace.are_kept:
        suspect(now, trace, ward)
    time_is_up(now, trace, now.alive.bit_count())
    if seen != NOBODY:  # S10: even if the Seer dies in that night
        now.seen |= 1 << seen
        now.seen_wolves |= now.wolves & 1 << seen
    now.ward = ward
    return stay_quiet(rules, now) if victim in (NOBODY, ward) else bury(now, victim)


@compiled
def hunt(now: Now, trace: TraceRow) -> int:
    """S8: whom more than half of the Wolves name."""
    wolves, prey = now.wolves & now.alive, now.alive & ~now.wolves
    tally, most, waiting = 0, 0, wolves
    while waiting:
        seat = any_of(now, waiting) if now.careful else first_of(waiting)
        waiting = without(waiting, seat)
        targets = hunted(prey, tally, most) if has(now.careful, seat) else prey
        target = choose(now, trace, seat, HUNT, targets)
        tally += 1 << (4 * target)
        most = max(most, votes_for(tally, target))
    return named_most(tally, most) if is_majority(most, wolves.bit_count()) else NOBODY


@compiled
def inspect(now: Now, trace: TraceRow) -> int:
    """S10."""
    if now.seer == NOBODY or not has(now.alive, now.seer):
        return NOBODY
    others = without(now.alive, now.seer)
    targets = inspected(now, others) if has(now.careful, now.seer) else others
    return choose(now, trace, now.seer, INSPECT, targets)


@compiled
def protect(rules: Rules, now: Now, trace: TraceRow) -> int:
    """S9; with three alive there is always a player whom the Protector may choose."""
    if now.protector == NOBODY or not has(now.alive, now.protector):
        return NOBODY
    wards = now.alive if rules.protect_self else without(now.alive, now.protector)
    if not rules.protect_twice and now.ward != NOBODY:
        wards = without(wards, now.ward)
    targets = protected(now, wards, now.protector) if has(now.careful, now.protector) else wards
    return choose(now, trace, now.protector, PROTECT, targets)


@compiled
def suspect(now: Now, trace: TraceRow, ward: int) -> None:
    """S11: what everyone else taps changes nothing, so it is drawn only where it is written down, with other dice."""
    luck0, luck1 = now.luck0, now.luck1
    now.luck0, now.luck1 = luck1, ~luck0
    for seat in range(MOST_SEATS):
        is_busy = has(now.wolves, seat) or seat == now.seer or seat == now.protector
        if has(now.alive, seat) and not is_busy:
            choose(now, trace, seat, SUSPECT, without(now.alive, seat))
    now.luck0, now.luck1 = luck0, luck1


# Death and victory


@compiled
def stay_quiet(rules: Rules, now: Now) -> int:
    """S15."""
    now.quiet += 1
    return QUIET if now.quiet >= rules.quiet_limit else NOT_OVER


@compiled
def bury(now: Now, gone: int) -> int:
    """S13: after every death, and before anything else."""
    now.quiet = 0
    now.alive = without(now.alive, gone)
    living, waiting, place = now.living, now.alive, 0
    while waiting:
        living[place] = first_of(waiting)
        waiting &= waiting - 1
        place += 1
    wolves = (now.wolves & now.alive).bit_count()
    if wolves == 0:
        return NO_WOLF_LEFT
    return WOLVES_AT_PARITY if is_at_parity(wolves, place) else NOT_OVER
