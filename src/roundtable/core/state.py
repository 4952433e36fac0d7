"""The state of a table: one type for the truth and for what a seat knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from roundtable.core import events as happened
from roundtable.core.events import Event, Outcome
from roundtable.core.seats import NOBODY, Audience, Seat, only
from roundtable.core.setup import Setup

S = TypeVar("S", bound="TableState")


class Phase(NamedTuple):
    """What the table waits for now; always public."""

    number: int
    name: str
    awaited: frozenset[Seat]
    seconds: int | None


class Floor(NamedTuple):
    """Who speaks and who hears in a channel."""

    speakers: frozenset[Seat]
    hearers: Audience


SEATING = Phase(0, "seating", frozenset(), None)


@dataclass(kw_only=True, eq=False, repr=False)
class TableState:
    """The fold of a table's events: of all of them it is the truth, of those one listener heard it is their view.

    A view obeys three laws: it forgets nothing it was told, the same events give the same view, and it stays
    valid after the end. Only absorbers write to a state, and only to a copy that has not been handed out.
    """

    setup: Setup
    commitment: str = ""
    phase: Phase = SEATING
    floors: dict[str, Floor] = field(default_factory=dict)
    countdown: int | None = None
    is_paused: bool = False
    wants_countdown: frozenset[Seat] = frozenset()
    wants_call_off: frozenset[Seat] = frozenset()
    outcome: Outcome | None = None

    def __repr__(self) -> str:
        """What is public: a state holds secrets, and must be safe to log."""
        return f"<{type(self).__name__} of {self.setup.game}: phase {self.phase.number} ({self.phase.name})>"

    def copy(self: S) -> S:
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__.copy()
        return twin

    @property
    def has_clock(self) -> bool:
        return self.phase.seconds is not None or self.countdown is not None

    def writable_copy(self: S) -> S:
        """A copy with dictionaries of its own, for callers that may write into it."""
        twin = self.copy()
        twin.__dict__.update({name: dict(part) for name, part in self.__dict__.items() if type(part) is dict})
        return twin

    def facts(self) -> dict[str, Any]:
        """Every field by name, for comparing and encoding."""
        return dict(self.__dict__)


Absorbers = Mapping[type[Event], Callable[[Any, Any], None]]


def _phase_began(state: TableState, event: happened.PhaseBegan) -> None:
    state.phase = Phase(event.number, event.name, event.awaited, event.seconds)
    state.countdown = None
    state.wants_countdown = NOBODY


def _floor_given(state: TableState, event: happened.FloorGiven) -> None:
    state.floors = {**state.floors, event.channel: Floor(event.speakers, event.hearers)}


def _table_opened(state: TableState, event: happened.TableOpened) -> None:
    state.commitment = event.commitment


def _countdown_asked(state: TableState, event: happened.CountdownAsked) -> None:
    state.wants_countdown |= only(event.seat)


def _countdown_started(state: TableState, event: happened.CountdownStarted) -> None:
    state.countdown = event.seconds


def _clock_paused(state: TableState, event: happened.ClockPaused) -> None:
    state.is_paused = True


def _clock_resumed(state: TableState, event: happened.ClockResumed) -> None:
    state.is_paused = False


def _call_off_asked(state: TableState, event: happened.CallOffAsked) -> None:
    state.wants_call_off |= only(event.seat)


def _game_ended(state: TableState, event: happened.GameEnded) -> None:
    state.outcome = event.outcome


def no_change(state: TableState, event: Event) -> None:
    """For events that are heard and change nothing that stands on the table."""


# What each event that any game may have writes down.
ABSORB_COMMON: Absorbers = {
    happened.TableOpened: _table_opened,
    happened.SeedSealed: no_change,
    happened.EntropyContributed: no_change,
    happened.PhaseBegan: _phase_began,
    happened.FloorGiven: _floor_given,
    happened.Said: no_change,
    happened.Remarked: no_change,
    happened.CountdownAsked: _countdown_asked,
    happened.CountdownStarted: _countdown_started,
    happened.ClockPaused: _clock_paused,
    happened.ClockResumed: _clock_resumed,
    happened.ClockExtended: no_change,
    happened.CallOffAsked: _call_off_asked,
    happened.GameEnded: _game_ended,
    happened.SecretsRevealed: no_change,
}
