"""What an environment needs from a game: its moves by number, and what a seat knows as a row of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.core.state import TableState
from roundtable.kernels.layout import Layout, Sheet


class Notes(Protocol):
    """What a seat writes down of a game, as numbers."""

    sheet: Sheet

    def write(self, view: Any, heard: Iterable[Event]) -> None:
        """Bring the sheet up to date from the seat's view and from what it has heard since the last time."""
        ...


def awaited_by_phase(state: TableState) -> frozenset[Seat]:
    return state.phase.awaited


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A game as learners see it."""

    moves: Callable[[Any], Iterable[Move]]
    """From a setup, every move that its table can ever offer, in a fixed order; the phase of each is `NO_PHASE`."""
    layout: Callable[[Any], Layout]
    """From a setup, the parts of a seat's row."""
    notes: Callable[[Any, Layout, Seat], Notes]
    """From setup, layout and seat, empty notes."""
    awaited: Callable[[Any], frozenset[Seat]] = awaited_by_phase
    """Whom to ask now, from public facts alone (C8)."""
    may_idle: bool = False
    """Whether an awaited seat may wait; elsewhere a default would be played for it (C5)."""
