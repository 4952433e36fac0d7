"""Arthur and Agravaine declare, while a team is proposed, stands, or before the assassination (T16, T21)."""

from __future__ import annotations

from roundtable.core.seats import CLOCK
from roundtable.lab.kernels.careful.thavalon import declares
from roundtable.lab.kernels.chance import below, fraction, split
from roundtable.lab.kernels.compiling import compiled
from roundtable.lab.kernels.pages import WAIT, Pages, lean, note
from roundtable.lab.kernels.quests import Now, is_careful
from roundtable.lab.kernels.thavalon.table import Rules
from roundtable.lab.kernels.words import AGRAVAINE, ARTHUR, DECLARE_AGRAVAINE, DECLARE_ARTHUR, EXPIRE, GO_ON


@compiled
def arthur_may_declare(now: Now) -> bool:
    """T16: exactly two quests have failed and at most one has succeeded."""
    return now.arthur < 0 and now.failures == 2 and now.successes <= 1


@compiled
def may_declare_as_arthur(now: Now, seat: int) -> bool:
    return now.where[ARTHUR] == 1 << seat and arthur_may_declare(now)


@compiled
def may_turn(now: Now, seat: int) -> bool:
    """T21: Agravaine must have been on that quest."""
    return now.window != 0 and now.where[AGRAVAINE] & now.window_team == 1 << seat


@compiled
def may_declare(now: Now, seat: int) -> bool:
    return may_declare_as_arthur(now, seat) or may_turn(now, seat)


@compiled
def may_anyone_declare(now: Now) -> bool:
    can_turn = now.window != 0 and now.where[AGRAVAINE] & now.window_team != 0
    return can_turn or (now.where[ARTHUR] != 0 and arthur_may_declare(now))


@compiled
def declare(now: Now, pages: Pages, seat: int) -> None:
    """A declaration holds for the round: at random it names any of the round's phases so far."""
    phase, is_arthur = now.phase, now.where[ARTHUR] == 1 << seat
    verb = DECLARE_ARTHUR if is_arthur else DECLARE_AGRAVAINE
    if is_careful(now, seat):
        lean(pages, phase, verb, 0, 0, 0, 1)
    else:
        phase -= below(now, phase - now.round_began + 1)
    now.length += 1
    note(pages, seat, phase, verb, 0, 0, 0)
    if is_arthur:
        now.arthur = seat
        now.news += 1
    else:
        now.successes -= 1
        now.failures += 1
        now.window = 0


# Windows


@compiled
def stand(rules: Rules, now: Now, pages: Pages) -> bool:
    """T21: whether the proposal stands until its vote, with nobody declaring."""
    now.phase += 1
    if rules.clock and not may_anyone_declare(now):
        return time_is_up(now, pages)
    if does_somebody_declare(rules, now, pages, True):
        return False
    return time_is_up(now, pages) if rules.clock else True


@compiled
def reckon(rules: Rules, now: Now, pages: Pages) -> None:
    """T21: before the assassination Agravaine may still turn the third success."""
    now.phase += 1
    if not does_somebody_declare(rules, now, pages, False) and rules.clock:
        time_is_up(now, pages)
    now.window = 0


@compiled
def does_somebody_declare(rules: Rules, now: Now, pages: Pages, has_team: bool) -> bool:
    """Everybody is asked in turn; without a clock they say that they have nothing to declare."""
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_turn(now, seat) or (has_team and may_declare_as_arthur(now, seat)):
            will = declares(rules, now, seat, has_team) if is_careful(now, seat) else rules.clock or below(now, 2) == 0
            if will:
                declare(now, pages, seat)
                return True
            if rules.clock:
                note(pages, seat, now.phase, WAIT, 0, 0, 0)
        if not rules.clock:
            now.length += 1
            if is_careful(now, seat):
                lean(pages, now.phase, GO_ON, 0, 0, 0, 1)
            note(pages, seat, now.phase, GO_ON, 0, 0, 0)
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
def time_is_up(now: Now, pages: Pages) -> bool:
    now.length += 1
    note(pages, CLOCK, now.phase, EXPIRE, 0, 0, 0)
    return True
