"""The contract of a game: its types, its reducer and its functions; and the transitions between its states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.events import (
    Event,
    FloorGiven,
    GameEnded,
    Outcome,
    PhaseBegan,
    Remarked,
    Said,
    SecretsRevealed,
    TableOpened,
)
from roundtable.core.options import Options
from roundtable.core.phrases import COMMON_PHRASES, Phrase
from roundtable.core.seats import EVERYONE, NOBODY, Audience, Seat, all_seats
from roundtable.core.setup import Setup
from roundtable.core.state import Absorbers, TableState
from roundtable.core.values import Value

S = TypeVar("S", bound=TableState)
D = TypeVar("D")

TALK = (Said, Remarked)
TOLD = "told"  # how a game ended of which the host said no more than who won
UNTOLD = "untold"  # how a game ended that was only dealt, where the host said nothing
UNDECIDED: tuple[tuple[None, str], ...] = ((None, "no_winner"), (None, UNTOLD))
OPEN_TALK = "table"  # the channel that everyone hears


class Game(ABC, Generic[S, D]):
    """The rules of one game, without state, clock, randomness or I/O of their own."""

    name: ClassVar[str]
    setup_type: ClassVar[type[Setup]]
    events: ClassVar[tuple[type[Event], ...]]
    actions: ClassVar[tuple[type[Action], ...]]
    parts: ClassVar[tuple[type[Value], ...]] = ()
    """Values that occur inside events, and the rounds of a setup."""
    sides: ClassVar[tuple[str, ...]] = ()
    """The sides that can win; none where that is not known before the end."""
    endings: ClassVar[tuple[tuple[str | None, str], ...]] = ()
    """How it can end: winner and reason, with `outcome.<reason>` in the catalogues; for games that are announced."""
    words: ClassVar[frozenset[str]] = frozenset()
    """What players can claim about one another: roles, sides, cards."""
    phrases: ClassVar[Mapping[str, Phrase]] = COMMON_PHRASES
    """The phrase book: claims and remarks, each with `claim.<name>` or `remark.<name>` in the catalogues."""
    timed_phases: ClassVar[frozenset[str]] = frozenset()
    """Phases that last until their time is up, even when every seat has answered: doing nothing is a choice in them."""
    open_phases: ClassVar[Mapping[str, int]] = {}
    """Phases in which everyone can tell which seats are asked (those that are awaited), and which hear something in
    private: so the lengths of messages have to hide what it is, but not whether there is something. Whether a seat's
    options are those of the last such phase in which it was asked follows from public facts as well. For each, how many
    bytes hide what a seat is asked; 0 where that is the same for every role."""
    absorb: ClassVar[Absorbers]
    """What each event writes down: the one reducer behind the truth and every view."""

    catalogues: tuple[str, ...] = ()
    """Packages with the game's catalogues, from its `GameSpec`: refusals use the words of the game."""

    @abstractmethod
    def blank(self, setup: Setup) -> S:
        """The state of a table at which nothing has happened yet."""

    @abstractmethod
    def deal(self, setup: Setup, chance: Chance) -> D:
        """Who gets what: a pure function of the setup and of chance."""

    @abstractmethod
    def begin(self, now: Transition[S], deal: D) -> None:
        """Hand out a deal and start the first phase."""

    @abstractmethod
    def read_deal(self, events: Sequence[Event]) -> D:
        """The deal that these events handed out."""

    def can_deal(self, setup: Setup, deal: D) -> bool:
        """Whether the setup could have come to this deal."""
        return True

    @abstractmethod
    def options(self, state: S, seat: Seat) -> Options:
        """What this seat may do now; the same whether asked of the truth or of the seat's own view."""

    def endings_of(self, setup: Setup) -> tuple[tuple[str | None, str], ...]:
        """Those of `endings` that a game with this setup can have."""
        return self.endings

    def announceable(self, setup: Setup) -> tuple[tuple[str | None, str], ...]:
        """The endings that a host can announce: those of the game, each side without a reason, and none."""
        return (*self.endings_of(setup), *((side, TOLD) for side in self.sides), *UNDECIDED)

    def may_wait(self, state: S, seat: Seat) -> bool:
        """Whether this seat may do nothing now: the phase does not await it, or lasts until its time is up."""
        return seat not in state.phase.awaited or state.phase.name in self.timed_phases

    @abstractmethod
    def decide(self, now: Transition[S], seat: Seat, move: Move) -> None:
        """What follows from a legal move."""

    @abstractmethod
    def expire(self, now: Transition[S], chance: Chance) -> None:
        """What follows when the time of the current phase is up (C5)."""

    def seats_of(self, state: S, winner: str) -> tuple[Seat, ...]:
        """The seats of a side, asked of the truth when a game ends."""
        raise KeyError(winner)


class Transition(Generic[S]):
    """The events that follow from one action, with the state after each of them."""

    __slots__ = ("_absorb", "_game", "events", "state")

    def __init__(self, game: Game[S, D], state: S) -> None:
        self._game = game
        self._absorb = game.absorb
        self.state = state.copy()
        self.events: list[Event] = []

    @property
    def words(self) -> frozenset[str]:
        """What players can claim about one another in this game."""
        return self._game.words

    @property
    def phrases(self) -> Mapping[str, Phrase]:
        """The phrase book of this game."""
        return self._game.phrases

    @property
    def announceable(self) -> tuple[tuple[str | None, str], ...]:
        """The endings that a host can announce."""
        return self._game.announceable(self.state.setup)

    def emit(self, event: Event) -> None:
        self.events.append(event)
        self._absorb[event.__class__](self.state, event)

    def begin_phase(self, name: str, awaited: frozenset[Seat], seconds: int | None) -> None:
        number = self.state.phase.number + 1
        self.emit(PhaseBegan(audience=EVERYONE, number=number, name=name, awaited=awaited, seconds=seconds))

    def give_floor(self, channel: str, speakers: frozenset[Seat], hearers: Audience) -> None:
        """Say who may speak in a channel, to those who hear it and those who just did; silent where nothing changes."""
        standing = self.state.floors.get(channel)
        if standing == (speakers, hearers):
            return
        audience = hearers
        if standing is not None and isinstance(audience, frozenset) and isinstance(standing.hearers, frozenset):
            audience |= standing.hearers
        self.emit(FloorGiven(audience=audience, channel=channel, speakers=speakers, hearers=hearers))

    def end(self, winner: str | None, reason: str) -> None:
        """The game is over: private channels close, and everyone may talk."""
        for channel, floor in self.state.floors.items():
            if channel != OPEN_TALK:
                self.give_floor(channel, NOBODY, floor.hearers)
        self.give_floor(OPEN_TALK, all_seats(self.state.setup.seats), EVERYONE)
        seats = () if winner is None else self._game.seats_of(self.state, winner)
        named = (
            None if winner is None else str(winner)
        )  # a plain string, as it is read from a record, so that both are one value
        self.emit(GameEnded(audience=EVERYONE, outcome=Outcome(winner=named, seats=seats, reason=reason)))


def evolve(game: Game[S, D], state: S, events: Iterable[Event]) -> S:
    """The state after these events; the one given stays as it was."""
    after = state.copy()
    for event in events:
        game.absorb[event.__class__](after, event)
    return after


def fold(game: Game[S, D], events: Iterable[Event]) -> S:
    """All that these events tell: of a whole record the truth, of what one listener heard their view."""
    state: S | None = None
    for event in events:
        if isinstance(event, TableOpened):
            state = game.blank(event.setup)
        if state is None:
            raise ValueError("A record begins with TableOpened.")
        game.absorb[event.__class__](state, event)
    if state is None:
        raise ValueError("Nothing has happened at this table yet.")
    return state


def with_secrets(heard: Iterable[Event]) -> list[Event]:
    """The whole record, facts only, from what any one listener heard of a finished game."""
    facts: dict[int, Event] = {}
    public = []
    for event in heard:
        if isinstance(event, SecretsRevealed):
            facts = dict(event.secret_facts)
        if event.audience is EVERYONE and is_fact(event):
            public.append(event)
    rest = iter(public)
    return [facts[place] if place in facts else next(rest) for place in range(len(facts) + len(public))]


def is_fact(event: Event) -> bool:
    """Talk is heard and gone; everything else is a fact of the game."""
    return not isinstance(event, TALK)
