"""What follows from a choice: the reason if it ends the game, and otherwise NOT_OVER."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.saviom.compiled.phases import (
    NO_WOLF_LEFT,
    QUIET,
    WOLVES_AT_PARITY,
    deal,
    is_at_parity,
    is_condemned,
    is_majority,
)
from roundtable.games.saviom.compiled.state import MOST_SEATS, NOBODY, PROTECTOR, SEER, WOLF, without
from roundtable.games.saviom.compiled.vector_env.state import (
    BY_NIGHT,
    DAY,
    DEFENSE,
    NIGHT,
    NO_CREW,
    VERDICT,
    Now,
    Rules,
)
from roundtable.kernels.actions import WAIT
from roundtable.kernels.chance import seed_luck
from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.turns import ask_all, ask_next


@compiled
def begin_game(rules: Rules, now: Now, seed: np.uint64, number: int) -> None:
    now.number = number
    seed_luck(now, seed, number)
    deal(rules, NO_CREW, now)
    now.accused = now.last_trial = now.ward_tonight = now.inspected = NOBODY
    now.eliminate = now.save = 0
    for seat in range(MOST_SEATS):
        now.accusations[seat] = now.hunts[seat] = now.last_accusations[seat] = now.death[seat] = NOBODY
    begin_phase(now, NIGHT if rules.begins_by_night else DAY, now.alive)


@compiled
def begin_phase(now: Now, stage: int, asked: int) -> None:
    now.phase += 1
    ask_all(now, stage, asked)


@compiled
def take(rules: Rules, now: Now, choice: int) -> int:
    """Mark a choice; after the last seat of a phase, time is up."""
    if choice != WAIT:
        mark(rules, now, choice)
    now.asked = without(now.asked, now.turn)
    if now.asked:
        ask_next(now)
        return NOT_OVER
    if now.stage == DAY:
        return count_accusations(rules, now)
    if now.stage == DEFENSE:
        return count_verdicts(rules, now)
    return end_night(rules, now)


@compiled
def mark(rules: Rules, now: Now, choice: int) -> None:
    if now.stage == DAY:
        now.accusations[now.turn] = choice - rules.accuse
    elif now.stage == DEFENSE and choice == rules.judge:
        now.eliminate |= 1 << now.turn
    elif now.stage == DEFENSE:
        now.save |= 1 << now.turn
    elif now.roles[now.turn] == WOLF:
        now.hunts[now.turn] = choice - rules.hunt
    elif now.roles[now.turn] == SEER:
        now.inspected = choice - rules.inspect
    elif now.roles[now.turn] == PROTECTOR and choice < rules.protect + rules.seats:
        now.ward_tonight = choice - rules.protect


@compiled
def named_by_most(rules: Rules, choices: Any, out_of: int) -> int:
    """S6, S8: whom more than half name; `out_of` is of how many, or 0 for as many as were cast."""
    cast = 0
    for seat in range(rules.seats):
        cast += choices[seat] != NOBODY
    for target in range(rules.seats):
        votes = 0
        for seat in range(rules.seats):
            votes += choices[seat] == target
        if votes and is_majority(votes, out_of if out_of else cast):
            return target
    return NOBODY


@compiled
def count_accusations(rules: Rules, now: Now) -> int:
    """S6."""
    now.accused = named_by_most(rules, now.accusations, 0 if rules.trial_by_cast else now.alive.bit_count())
    for seat in range(rules.seats):
        now.last_accusations[seat] = now.accusations[seat]
    if now.accused == NOBODY:
        return end_day(rules, now, False)
    now.last_trial = now.accused
    now.eliminate = now.save = 0
    begin_phase(now, DEFENSE, without(now.alive, now.accused))
    return NOT_OVER


@compiled
def count_verdicts(rules: Rules, now: Now) -> int:
    """S7."""
    is_gone = is_condemned(now.eliminate.bit_count(), now.save.bit_count())
    if is_gone:
        die(now, now.accused, VERDICT)
        why = why_won(now)
        if why != NOT_OVER:
            return why
    return end_day(rules, now, is_gone)


@compiled
def end_day(rules: Rules, now: Now, somebody_died: bool) -> int:
    """S15."""
    now.quiet = 0 if somebody_died else now.quiet + 1
    now.accused = NOBODY
    for seat in range(rules.seats):
        now.accusations[seat] = NOBODY
    if now.quiet >= rules.quiet_limit:
        return QUIET
    begin_phase(now, NIGHT, now.alive)
    return NOT_OVER


@compiled
def end_night(rules: Rules, now: Now) -> int:
    """S8 to S11."""
    if now.inspected != NOBODY:
        now.seen |= 1 << now.inspected
        now.seen_wolves |= (now.roles[now.inspected] == WOLF) << now.inspected
    hunters = (now.wolves & now.alive).bit_count()
    killed = named_by_most(rules, now.hunts, 0 if rules.kill_by_cast else hunters)
    if killed == now.ward_tonight:
        killed = NOBODY
    now.ward, now.ward_tonight, now.inspected = now.ward_tonight, NOBODY, NOBODY
    for seat in range(rules.seats):
        now.hunts[seat] = NOBODY
    now.quiet = now.quiet + 1 if killed == NOBODY else 0
    if killed != NOBODY:
        die(now, killed, BY_NIGHT)
        why = why_won(now)
        if why != NOT_OVER:
            return why
    if now.quiet >= rules.quiet_limit:
        return QUIET
    begin_phase(now, DAY, now.alive)
    return NOT_OVER


@compiled
def die(now: Now, seat: int, cause: int) -> None:
    now.alive = without(now.alive, seat)
    now.death[seat] = cause


@compiled
def why_won(now: Now) -> int:
    """S13."""
    wolves = (now.wolves & now.alive).bit_count()
    if wolves == 0:
        return NO_WOLF_LEFT
    return WOLVES_AT_PARITY if is_at_parity(wolves, now.alive.bit_count()) else NOT_OVER


@compiled
def reward(now: Now, seat: int, why: int) -> int:
    if why == QUIET:
        return 0
    return 1 if (now.roles[seat] == WOLF) == (why == WOLVES_AT_PARITY) else -1
