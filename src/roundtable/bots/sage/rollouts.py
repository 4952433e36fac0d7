"""How good a move is: games played on from it in machine code, among careful bots, in each of many deals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from roundtable.belief.contract import Floats
from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.games import spec_named

PLAYED_ON_BY = ("careful",)


@lru_cache(maxsize=1)
def has_machine_code() -> bool:
    """Whether the extra `lab` is installed."""
    return find_spec("numba") is not None


@lru_cache(maxsize=32)
def rollouts_of(setup: Setup) -> Rollouts | None:
    """For one table; None where games cannot be played on in machine code."""
    spec = spec_named(setup.game)
    return Rollouts(spec, setup) if spec.kernel and has_machine_code() else None


class Rollouts:
    def __init__(self, spec: GameSpec, setup: Setup) -> None:
        from roundtable.kernels.actions import Actions

        self._core = spec.part("kernel")
        self._setup = setup
        environment = spec.part("environment")
        self._actions = Actions(environment.moves(setup))
        self._row = environment.layout(setup).size

    def values(
        self, view: Any, seat: Seat, moves: Sequence[Move | None], deals: Sequence[Any], games: int, seed: int
    ) -> Floats:
        """The share of games that the seat wins after each move: [move, deal]. All moves meet the same luck."""
        starts = self._taken_up(self._core.positions(view, deals), seat)
        return np.stack([self._value(starts, seat, move, games, seed) for move in moves])

    def _taken_up(self, positions: Any, seat: Seat) -> Any:
        """Positions with what follows from their deals."""
        from roundtable.kernels.actions import BEGIN

        taken, _ = self._step(np.zeros_like(positions), seat, BEGIN, positions)
        return taken

    def _value(self, starts: Any, seat: Seat, move: Move | None, games: int, seed: int) -> Floats:
        positions, (ended, rewards) = self._step(starts.copy(), seat, self._actions.number(move))
        values: Floats = (rewards[:, seat] > 0).astype(float)
        if not ended.all():
            batch = self._core.run_from(self._setup, positions[~ended], PLAYED_ON_BY, seed, games)
            values[~ended] = batch.won[:, :, seat].mean(axis=1)
        return values

    def _step(self, positions: Any, seat: Seat, choice: int, starts: Any = None) -> tuple[Any, tuple[Any, Any]]:
        """One choice of the seat in every position."""
        from roundtable.kernels.contract import CREW
        from roundtable.kernels.core import NO_POSITIONS
        from roundtable.kernels.positions import as_words

        count, seats = len(positions), self._setup.seats
        crew = np.zeros(1, CREW)
        crew["role"], crew["remembers"] = -1, True
        ended, rewards = np.zeros(count, np.bool_), np.zeros((count, seats), np.float32)
        ends = (ended, rewards, np.zeros(count, np.int8), np.zeros((count, seats), np.int8), NO_ROWS)
        named = np.full(count, seat, np.int64)
        tables = self._core.table_of(self._core.tables(self._setup), self._core.blank_trace(False))
        self._core.step(
            tables,
            as_words(positions),
            NO_POSITIONS if starts is None else as_words(starts),
            crew,
            np.uint64(0),
            (named, np.full(count, choice, np.int64), named),
            self._seen(count),
            ends,
        )
        return positions, (ended, rewards)

    def _seen(self, count: int) -> tuple[Any, ...]:
        """Where the stepper writes what a seat sees; no one reads it."""
        masks = np.zeros((count, len(self._actions)), np.int8)
        return np.zeros(count, np.int8), np.zeros(count, np.int64), masks, np.zeros((count, self._row), np.int8)


NO_ROWS: npt.NDArray[np.int8] = np.zeros((0, 0, 0), np.int8)
