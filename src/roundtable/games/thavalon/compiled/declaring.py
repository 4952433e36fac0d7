"""Arthur and Agravaine declare, while a team is proposed, stands, or before the assassination (T16, T21)."""

from __future__ import annotations

from roundtable.core.seats import CLOCK
from roundtable.games.quests.compiled.kernel import Now, is_careful
from roundtable.games.quests.compiled.words import EXPIRE
from roundtable.games.thavalon.compiled.careful import declares
from roundtable.games.thavalon.compiled.rules import Rules
from roundtable.games.thavalon.compiled.words import AGRAVAINE, ARTHUR, DECLARE_AGRAVAINE, DECLARE_ARTHUR, GO_ON
from roundtable.kernels.chance import below, fraction, split
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import WAIT, TraceRow, lean, note


@compiled
def arthur_may_declare(rules: Rules, now: Now) -> bool:
    """T16: exactly two quests have failed and at most one has succeeded."""
    return rules.declarations and now.arthur < 0 and now.failures == 2 and now.successes <= 1


@compiled
def may_declare_as_arthur(rules: Rules, now: Now, seat: int) -> bool:
    return now.where[ARTHUR] == 1 << seat and arthur_may_declare(rules, now)


@compiled
def may_turn(now: Now, seat: int) -> bool:
    """T21: Agravaine must have been on that quest."""
    return now.window != 0 and now.where[AGRAVAINE] & now.window_team == 1 << seat


@compiled
def may_declare(rules: Rules, now: Now, seat: int) -> bool:
    return may_declare_as_arthur(rules, now, seat) or may_turn(now, seat)


@compiled
def may_anyone_declare(rules: Rules, now: Now) -> bool:
    can_turn = now.window != 0 and now.where[AGRAVAINE] & now.window_team != 0
    return can_turn or (now.where[ARTHUR] != 0 and arthur_may_declare(rules, now))


@compiled
def declare(now: Now, trace: TraceRow, seat: int) -> None:
    """A declaration holds for the round: at random it names any of the round's phases so far."""
    phase, is_arthur = now.phase, now.where[ARTHUR] == 1 << seat
    verb = DECLARE_ARTHUR if is_arthur else DECLARE_AGRAVAINE
    if is_careful(now, seat):
        lean(trace, phase, verb, 0, 0, 0, 1)
    else:
        phase -= below(now, phase - now.round_began + 1)
    now.length += 1
    note(trace, seat, phase, verb, 0, 0, 0)
    if is_arthur:
        now.arthur = seat
        now.news += 1
    else:
        now.successes -= 1
        now.failures += 1
        now.window = 0


# Windows


@compiled
def stand(rules: Rules, now: Now, trace: TraceRow) -> bool:
    """T21: whether the proposal stands until its vote, without a declaration."""
    now.phase += 1
    if rules.clock and not may_anyone_declare(rules, now):
        return time_is_up(now, trace)
    if does_somebody_declare(rules, now, trace, True):
        return False
    return time_is_up(now, trace) if rules.clock else True


@compiled
def reckon(rules: Rules, now: Now, trace: TraceRow) -> None:
    """T21: before the assassination Agravaine may still turn the third success."""
    now.phase += 1
    if not does_somebody_declare(rules, now, trace, False) and rules.clock:
        time_is_up(now, trace)
    now.window = 0


@compiled
def does_somebody_declare(rules: Rules, now: Now, trace: TraceRow, has_team: bool) -> bool:
    """Everyone is asked in turn; without a clock they say that they have nothing to declare."""
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_turn(now, seat) or (has_team and may_declare_as_arthur(rules, now, seat)):
            will = declares(rules, now, seat, has_team) if is_careful(now, seat) else rules.clock or below(now, 2) == 0
            if will:
                declare(now, trace, seat)
                return True
            if rules.clock:
                note(trace, seat, now.phase, WAIT, 0, 0, 0)
        if not rules.clock:
            now.length += 1
            if is_careful(now, seat):
                lean(trace, now.phase, GO_ON, 0, 0, 0, 1)
            note(trace, seat, now.phase, GO_ON, 0, 0, 0)
    return False


@compiled
def shuffle_order(rules: Rules, now: Now) -> None:
    """In which order the bots are asked."""
    order, part = now.order, fraction(now)
    for last in range(rules.seats):
        other, part = split(part, last + 1)
        order[last] = order[other]
        order[other] = last


@compiled
def time_is_up(now: Now, trace: TraceRow) -> bool:
    now.length += 1
    note(trace, CLOCK, now.phase, EXPIRE, 0, 0, 0)
    return True
