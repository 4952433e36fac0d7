"""What happens in THavalon besides teams, votes and cards."""

from __future__ import annotations

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.core.values import value


@value
class WindowOpened(Event):
    """A quest succeeded despite a Fail: it may still be declared failed. Public facts alone open this (T21)."""

    quest: int


@value
class WindowClosed(Event):
    quest: int


@value
class AgravaineDeclared(Event):
    """That quest has failed after all."""

    seat: Seat
    quest: int


@value
class ArthurDeclared(Event):
    """From now on this vote counts twice, and this seat goes on no team before the fifth quest."""

    seat: Seat


@value
class TeamWithdrawn(Event):
    """A declaration came: the same leader proposes again. Votes already cast are discarded unseen (T16, T21)."""

    leader: Seat


@value
class TeamSent(Event):
    """Which of two paired teams goes (T14)."""

    leader: Seat
    quest: int
    team: frozenset[Seat]


@value
class WentOn(Event):
    """A seat has nothing to declare; heard by that seat alone, so that other players cannot see who hesitates (C8)."""

    seat: Seat


@value
class TargetCalled(Event):
    """The Assassin's call: as whom, and which seats. Nothing was called in time where `called_as` is None."""

    assassin: Seat
    called_as: str | None
    seats: tuple[Seat, ...]


THAVALON_EVENTS: tuple[type[Event], ...] = (
    WindowOpened,
    WindowClosed,
    AgravaineDeclared,
    ArthurDeclared,
    TeamWithdrawn,
    TeamSent,
    WentOn,
    TargetCalled,
)
