"""What happens in Avalon besides teams, votes and cards."""

from __future__ import annotations

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.core.values import sealed, value
from roundtable.games.quests.roles import Card, Side


@value
class LadyGiven(Event):
    """A seat holds the Lady of the Lake from now on."""

    seat: Seat


@value
class LoyaltyExamined(Event):
    """Everyone sees who was examined."""

    holder: Seat
    target: Seat


@value
class LoyaltyShown(Event):
    """The side of the player examined; heard by the holder alone."""

    holder: Seat
    target: Seat
    side: Side = sealed()


@value
class LadyUnused(Event):
    holder: Seat


@value
class ExcaliburUsed(Event):
    """Everyone sees whose card was turned."""

    holder: Seat
    target: Seat


@value
class CardShown(Event):
    """What the card was before it was turned; heard by Excalibur's holder alone."""

    holder: Seat
    target: Seat
    card: Card = sealed()


@value
class ExcaliburUnused(Event):
    holder: Seat


@value
class MerlinShot(Event):
    """The Assassin's choice; None if none was made in time."""

    assassin: Seat
    target: Seat | None


AVALON_EVENTS: tuple[type[Event], ...] = (
    LadyGiven,
    LoyaltyExamined,
    LoyaltyShown,
    LadyUnused,
    ExcaliburUsed,
    CardShown,
    ExcaliburUnused,
    MerlinShot,
)
