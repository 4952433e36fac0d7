"""What a game tells the sage: how others play it, which moves are worth a thought, and who has something to hide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from roundtable.belief.contract import Belief, Floats, Model
from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup

MOST_TEAMS = 12  # that are valued at a time

Choice = Move | None  # None is to do nothing now


class Disguise(NamedTuple):
    """Another player in the same seat, which this one pretends to be."""

    heard: tuple[Event, ...]
    """What that player would have heard."""
    share: float
    """How often this one does as that player would."""


class Strategy(Protocol):
    """A game's part for the bot `sage` (`GameSpec.sage`)."""

    def model(self, setup: Setup) -> Model:
        """How other players act; a new model for each belief."""
        ...

    def candidates(self, view: Any, options: Options, belief: Belief) -> list[Choice]:
        """The moves worth a thought. With fewer than two there is nothing to decide, and rules of thumb do."""
        ...

    def deals_for(self, view: Any, deals: int) -> int:
        """How many deals a decision wants, where the level has so many."""
        ...

    def stakes(self, view: Any) -> float:
        """How much of what a decision is worth shows in its value: one ballot of many changes little."""
        ...

    def plays_on(self, view: Any) -> bool:
        """Whether this decision is valued by games played on, where they can be, and not by what is foreseen."""
        ...

    def decisive(self, view: Any, seat: Seat, positions: Any, rng: np.random.Generator) -> None:
        """Write into positions in machine code, one for each deal, what others choose in the same phase, where a move
        is worth what it changes when it decides. They choose for themselves where nothing is written."""
        ...

    def scores(self, view: Any, seat: Seat, belief: Belief) -> Mapping[str, float]:
        """What a game played on is worth to the seat that ends for one of these reasons, where the bots that play on
        end it as its real players would not; elsewhere a win is worth 1."""
        ...

    def doubt(self, view: Any, seat: Seat, belief: Belief) -> float:
        """How far a decision goes by what is foreseen as well, since the bots that play on are unlike the real players:
        from 0 for not at all to 1 for altogether."""
        ...

    def foresee(self, view: Any, seat: Seat, moves: Sequence[Choice], deals: Sequence[Any]) -> Floats | None:
        """The chance that the seat wins after each move, without playing on: [move, deal]. None where rules of thumb
        do as well."""
        ...

    def needs_onlooker(self, setup: Setup) -> bool:
        """Whether `solve` needs an onlooker's belief at this table. It is kept from the beginning: to hear a whole game
        at once takes too long for one decision."""
        ...

    def solve(self, view: Any, seat: Seat, onlooker: Belief | None) -> Mapping[Choice, float]:
        """How likely each move is in an exact solution, where the rest of the game is small enough; empty elsewhere."""
        ...

    def disguise(self, view: Any, seat: Seat, heard: Sequence[Event], belief: Belief) -> Disguise | None:
        """Which player the seat pretends to be in this decision; None where it has nothing to hide."""
        ...
