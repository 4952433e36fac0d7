"""What happens in a quest game."""

from __future__ import annotations

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.core.values import sealed, value
from roundtable.games.quests.roles import Card, Glimpse, Role


@value
class RoleDealt(Event):
    """A seat's card and all it is told with it; heard by that seat alone."""

    seat: Seat
    role: Role = sealed()
    sees: tuple[Glimpse, ...] = sealed()
    roles_in_game: tuple[Role, ...] = sealed()
    notices: tuple[str, ...] = sealed()
    is_assassin: bool = sealed()


@value
class LeaderNamed(Event):
    """The lead goes to a seat, for the given proposal of this quest."""

    seat: Seat
    attempt: int


@value
class TeamProposed(Event):
    leader: Seat
    quest: int
    team: frozenset[Seat]
    excalibur: Seat | None = None


@value
class ProposalMissed(Event):
    """The leader named no team in time: it counts as rejected (C5)."""

    leader: Seat


@value
class BallotCast(Event):
    """A seat has voted; how is not public yet (A12)."""

    seat: Seat


@value
class BallotMarked(Event):
    """How a seat votes as things stand; heard by that seat alone."""

    seat: Seat
    approve: bool = sealed()


@value
class VotesCounted(Event):
    """All votes, by seat."""

    ballots: tuple[bool, ...]
    approved: bool


@value
class CardChosen(Event):
    """The card a seat laid face down; heard by that seat alone."""

    seat: Seat
    card: Card = sealed()


@value
class QuestResolved(Event):
    """How many cards of each kind lay on the table. Who laid which is not said (A18)."""

    quest: int
    team: frozenset[Seat]
    successes: int
    fails: int
    reverses: int
    succeeded: bool


@value
class SidesRevealed(Event):
    """Three quests have succeeded: everyone sees who is Evil, and who holds the dagger (A21)."""

    evil: tuple[Seat, ...]
    assassin: Seat


QUEST_EVENTS: tuple[type[Event], ...] = (
    RoleDealt,
    LeaderNamed,
    TeamProposed,
    ProposalMissed,
    BallotCast,
    BallotMarked,
    VotesCounted,
    CardChosen,
    QuestResolved,
    SidesRevealed,
)
