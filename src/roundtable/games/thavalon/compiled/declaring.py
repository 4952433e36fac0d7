"""Who may declare: Arthur and Agravaine, while a team is proposed, stands, or before the assassination (T16, T21)."""

from __future__ import annotations

from roundtable.games.quests.compiled.state import Now
from roundtable.games.thavalon.compiled.rules import Rules
from roundtable.games.thavalon.compiled.words import AGRAVAINE, ARTHUR
from roundtable.kernels.compiling import compiled


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
def with_gap(team: int, seat: int) -> int:
    """A team of one seat fewer as the same team round this seat."""
    lower = (1 << seat) - 1
    return team & lower | (team & ~lower) << 1
