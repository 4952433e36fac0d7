"""What a game tells the sage: how others play it, which moves are worth a thought, and who has something to hide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from roundtable.belief.contract import Belief, Floats, Model
from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK
from roundtable.core.options import Options
from roundtable.core.policy import Face, Phrasing
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup

MOST_TEAMS = 12  # that are valued at a time
CLEAR = 0.1  # by which a seat's chance has to differ from the average before anyone speaks of it
ALIKE = 0.01  # chances that differ by less are spoken of alike

Choice = Move | None  # None is to do nothing now


class Disguise(NamedTuple):
    """Another player in the same seat, which this one pretends to be."""

    heard: tuple[Event, ...]
    """What that player would have heard."""
    share: float = 1.0
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

    def talks_by_belief(self, setup: Setup) -> bool:
        """Whether an onlooker's belief is quick enough at this table to talk by."""
        ...

    def face(self, seat: Seat, onlooker: Belief) -> Face | None:
        """How a plain player in this seat would judge, from public events and the seat's own claims. The bot speaks by
        it, whatever its role is. None: it speaks by rules of thumb."""
        ...


def furthest_out(chances: Mapping[Seat, float]) -> tuple[list[Seat], list[Seat]]:
    """The likeliest seats where they are clearly above the average, and the least likely where clearly below; ties
    included."""
    mean, most, least = sum(chances.values()) / len(chances), max(chances.values()), min(chances.values())
    above = [seat for seat, chance in chances.items() if most > mean + CLEAR and chance > most - ALIKE]
    below = [seat for seat, chance in chances.items() if least < mean - CLEAR and chance < least + ALIKE]
    return above, below


def told_lately(seat: Seat, onlooker: Belief) -> frozenset[Phrasing]:
    """What a seat has said to all since something was last proved."""
    return frozenset(
        Phrasing(said.phrase, said.about, said.word)
        for said in onlooker.latest_remarks
        if said.seat == seat and said.channel == OPEN_TALK
    )
