"""What THavalon's players ask for besides teams, votes and cards."""

from __future__ import annotations

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.values import value


@value
class DeclareArthur(Move):
    """T16."""


@value
class DeclareAgravaine(Move):
    """T21."""


@value
class GoOn(Move):
    """A seat has nothing to declare; at a table without a clock the game goes on when all have said so (T21)."""


@value
class CallMerlin(Move):
    target: Seat


@value
class CallNimue(Move):
    target: Seat


@value
class CallLovers(Move):
    targets: frozenset[Seat]


@value
class CallNobody(Move):
    """T23: the call that there is no target at all, where the table plays it."""


THAVALON_ACTIONS: tuple[type[Move], ...] = (
    DeclareArthur,
    DeclareAgravaine,
    GoOn,
    CallMerlin,
    CallNimue,
    CallLovers,
    CallNobody,
)
