"""A compiled game: its transitions in machine code, played out in bulk, from the deal or from any position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from roundtable.core.actions import Move
from roundtable.core.errors import SetupError, StudyError
from roundtable.core.setup import Setup
from roundtable.core.state import TableState
from roundtable.kernels.compiling import announced
from roundtable.kernels.contract import NOT_OVER, Batch, Crew, GameTrace, TraceStep, Words, check_numbers, crew_of
from roundtable.kernels.positions import DEALT, Positions, as_words, mark_of
from roundtable.kernels.trace import WriteAction, blank_trace, read_steps

NO_POSITIONS = np.zeros((0, 0), np.uint64)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledGame:
    """The parts of a compiled game, and what Python calls. `position` is the part of `table` that is kept."""

    setup_type: type[Setup]
    sides: tuple[str, ...]
    reasons: tuple[str, ...]
    roles: tuple[str, ...]
    position: np.dtype[Any]
    table: np.dtype[Any]
    rules_of: Callable[[Any], Any]
    action_of: WriteAction
    read_deal: Callable[[Any, Any], Any]
    """From a position and a setup, the deal as the engine takes it."""
    write_deals: Callable[[Any, Any], None]
    """Into positions: deals as the engine takes them, or as arrays."""
    write_state: Callable[[Any, Any], None]
    """Into a position: where the table stands, by a state or a view of the engine."""
    play: Callable[..., None]
    step: Callable[[Any], int]
    """A choice in each game of a `kernels.frame.Frame`, by its row."""
    blank_trace: Callable[[bool], Any] = blank_trace
    draws_after: tuple[type[Move], ...] | None = None
    """Moves after which chance may be asked when time is up, as it may be where the last seat waits; None for never."""
    most_phases: int | None = None  # that can be written down of one game
    is_compiled: ClassVar[bool] = True

    @property
    def game(self) -> str:
        return self.setup_type.game

    @property
    def words(self) -> Words:
        return Words(self.sides, self.reasons, self.roles)

    def tables(self, setup: Setup) -> Any:
        if setup.game != self.game:
            raise SetupError("setup/game", "kernel", name=self.game, found=setup.game)
        setup.require_ready()
        return self.rules_of(setup)

    # Whole games

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> Batch:
        """Play the games with the numbers first to first + count - 1."""
        return self._play(setup, crew_of(bots, setup.seats), seed, first, count)[0]

    def run_from(self, setup: Setup, positions: Positions, bots: Sequence[str], seed: int, count: int = 1) -> Batch:
        """Play `count` games from each position. Every part of the batch has a row for each position, and in it one
        for each game: `batch.won[position, game, seat]`."""
        crew = crew_of(bots, setup.seats)
        self.require_positions(setup, positions)
        batch, _ = self._play(setup, crew, seed, 0, len(positions) * count, as_words(positions))
        return batch.shaped(len(positions), count)

    def actions_from(self, setup: Setup, position: Positions, bots: Sequence[str], seed: int) -> tuple[TraceStep, ...]:
        """The first game that `run_from` plays from this one position, move by move."""
        self.require_positions(setup, position)
        trace = self.blank_trace(True)
        _, table = self._play(setup, crew_of(bots, setup.seats), seed, 0, 1, as_words(position), trace)
        return read_steps(trace[0], int(table["careful"]), self.action_of)

    def actions(self, setup: Setup, bots: Sequence[str], seed: int, number: int) -> GameTrace:
        """One game of a batch again, move by move."""
        crew = crew_of(bots, setup.seats)
        if self.most_phases is not None:
            phases = int(self._play(setup, crew, seed, number, 1)[1]["phase"])
            if phases > self.most_phases:
                raise StudyError("study/asked", "too_long", number=number, phases=phases, most=self.most_phases)
        trace = self.blank_trace(True)
        _, table = self._play(setup, crew, seed, number, 1, trace=trace)
        steps = read_steps(trace[0], int(table["careful"]), self.action_of)
        return GameTrace(setup=setup, deal=self.read_deal(table, setup), steps=steps)

    def _play(
        self,
        setup: Setup,
        crew: Crew,
        seed: int,
        first: int,
        count: int,
        positions: npt.NDArray[np.uint64] = NO_POSITIONS,
        trace: Any = None,
    ) -> tuple[Batch, Any]:
        check_numbers(seed, first, count)
        rules = self.tables(setup)
        batch = Batch.blank(count, setup.seats, self.words)
        tables = self.table_of(rules, self.blank_trace(False) if trace is None else trace)
        rows = (batch.winner, batch.reason, batch.roles, batch.won, batch.length)
        with announced(self.game):
            self.play(tables, positions, crew, np.uint64(seed), first, rows)
        return batch, tables[1][0]

    def require_positions(self, setup: Setup, positions: Positions) -> None:
        """`ValueError` unless these are positions of this table; machine code would play on from anything."""
        if getattr(positions, "dtype", None) != self.position or positions.ndim != 1 or not len(positions):
            raise ValueError(f"Positions of {self.game} are one or more rows that its `positions` or `deals` made.")
        if (positions["setup"] != mark_of(setup)).any():
            raise ValueError("These positions were made for another setup, and can be played on there alone.")

    def table_of(self, rules: Any, trace: Any) -> tuple[Any, Any, Any, Any]:
        """Where games are played: the rules, the table, what is written down, and the table as words."""
        table = np.zeros(1, self.table)
        return rules, table, trace, as_words(table)

    # Positions

    def deals(self, setup: Setup, deals: Any) -> Positions:
        """A position for each deal, before the first move."""
        self.tables(setup)
        positions = np.repeat(self._blank(setup), count_of(deals))
        positions["stage"] = DEALT
        self.write_deals(positions, deals)
        return positions

    def positions(self, state: TableState, deals: Any = None) -> Positions:
        """Where a game of the engine stands: with its own deal, or with each of these deals.

        The state may be a seat's view. Then the deals say who is who, and what the seat does not know of earlier nights
        and cards is taken as not done.
        """
        self.tables(state.setup)
        position = self._blank(state.setup)
        self.write_state(position[0], state)
        if deals is None:
            if len(getattr(state, "roles", ())) < state.setup.seats:
                raise ValueError("A seat's view does not say who is who; give deals as well.")
            return position
        positions = np.repeat(position, count_of(deals))
        self.write_deals(positions, deals)
        return positions

    def _blank(self, setup: Setup) -> Positions:
        """A position that is still to be written."""
        position = np.zeros(1, self.position)
        position["setup"], position["why"] = mark_of(setup), NOT_OVER
        return position


def count_of(deals: Any) -> int:
    """Of a sequence of deals, or of deals as arrays."""
    if not len(deals):
        raise ValueError("Positions need one deal or more.")
    return len(deals[0]) if isinstance(deals, tuple) and isinstance(deals[0], np.ndarray) else len(deals)
