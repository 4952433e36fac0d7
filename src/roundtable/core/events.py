"""What can happen at any table, whatever is played there. Every event says who may hear it."""

from __future__ import annotations

from roundtable.core.seats import Audience, Seat
from roundtable.core.setup import Setup
from roundtable.core.values import Uncached, Value, sealed, value


@value
class Event(Value):
    """Something that happened. `audience` has no default: nothing is heard by accident."""

    audience: Audience


@value
class Outcome(Value):
    """How a game ended: the winning side and its seats (none when called off or undecided), and why."""

    winner: str | None
    seats: tuple[Seat, ...]
    reason: str


@value
class TableOpened(Event, metaclass=Uncached):
    """The table stands: what is played, and the commitment to the seed that will deal (C1)."""

    setup: Setup
    commitment: str


@value
class SeedSealed(Event, metaclass=Uncached):
    """The seed itself; it has no audience until the game is over."""

    seed: str = sealed()


@value
class EntropyContributed(Event, metaclass=Uncached):
    """A player added randomness to the deal, after the commitment and before the deal."""

    seat: Seat
    entropy: str


@value
class PhaseBegan(Event):
    """The table waits for something. Who is awaited follows from public facts alone (C8)."""

    number: int
    name: str
    awaited: frozenset[Seat]
    seconds: int | None


@value
class FloorGiven(Event):
    """Who may speak in a channel from now on, and who hears it. No speakers: the channel is closed."""

    channel: str
    speakers: frozenset[Seat]
    hearers: Audience


@value
class Said(Event, metaclass=Uncached):
    """A line of talk."""

    seat: Seat
    channel: str
    text: str = sealed()


@value
class Remarked(Event):
    """A claim or a short remark out of the phrase book of the game."""

    seat: Seat
    channel: str
    phrase: str = sealed()
    about: Seat | None = sealed()
    word: str | None = sealed()


@value
class CountdownAsked(Event):
    seat: Seat


@value
class CountdownStarted(Event):
    """A phase without a deadline has one now (C6)."""

    seconds: int


@value
class ClockPaused(Event):
    pass


@value
class ClockResumed(Event):
    pass


@value
class ClockExtended(Event):
    seconds: int


@value
class CallOffAsked(Event):
    seat: Seat


@value
class GameEnded(Event):
    outcome: Outcome


@value
class SecretsRevealed(Event, metaclass=Uncached):
    """The game is over: every fact that was private, with its place among all facts (A22, S14, C7).

    Private talk stays private: it is not a fact of the game.
    """

    secret_facts: tuple[tuple[int, Event], ...]


COMMON_EVENTS: tuple[type[Event], ...] = (
    TableOpened,
    SeedSealed,
    EntropyContributed,
    PhaseBegan,
    FloorGiven,
    Said,
    Remarked,
    CountdownAsked,
    CountdownStarted,
    ClockPaused,
    ClockResumed,
    ClockExtended,
    CallOffAsked,
    GameEnded,
    SecretsRevealed,
)
