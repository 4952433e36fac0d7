"""How good a move is: games played on from it in machine code, among careful bots, in each of many deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roundtable.belief import belief_of
from roundtable.belief.contract import Floats
from roundtable.bots.dice import Dice
from roundtable.bots.machine_code import MACHINE_CODE
from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec
from roundtable.games import new_game, spec_named

PLAYED_ON_BY = ("careful",)


@lru_cache(maxsize=1)
def has_machine_code() -> bool:
    """Whether the extra `lab` is installed."""
    return find_spec("numba") is not None


def rollouts_of(setup: Setup) -> Rollouts | None:
    """For one table; None where games cannot be played on in machine code, or not yet."""
    spec = spec_named(setup.game)
    if not spec.kernel or not has_machine_code():
        return None
    return _rollouts(setup) if MACHINE_CODE.is_ready(spec.name, partial(rehearse, spec)) else None


@lru_cache(maxsize=32)
def _rollouts(setup: Setup) -> Rollouts:
    return Rollouts(spec_named(setup.game), setup)


def rehearse(spec: GameSpec) -> None:
    """Call once all that a decision calls, so that its machine code is there."""
    play = new_game(spec.name, spec.game.setup_type.fewest, bytes(32))
    seat = min(play.phase.awaited)
    view, belief = play.view(seat), belief_of(spec, play.state.setup, seat)
    belief.hear_all(play.events_for(seat))
    deals = belief.sample(1, np.random.default_rng(0))
    move = next(iter(play.options(seat))).sample(Dice(0))
    Rollouts(spec, view.setup).values(view, seat, [move], deals, 1, 0)


NO_SCORES: Mapping[str, float] = MappingProxyType({})
Decisive = Callable[[Any], None]


def unchanged(positions: Any) -> None:
    """Others choose for themselves in the same phase."""


class After(NamedTuple):
    """What a choice has led to: where each game stands, whether it is over, and who then won."""

    positions: Any
    ended: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]


class Rollouts:
    def __init__(self, spec: GameSpec, setup: Setup) -> None:
        from roundtable.kernels.actions import Actions

        self._core = spec.part("kernel")
        self._setup = setup
        self._rules = self._core.tables(setup)
        environment = spec.part("environment")
        self._actions = Actions(environment.moves(setup))
        self._row = environment.layout(setup).size

    def values(
        self,
        view: Any,
        seat: Seat,
        moves: Sequence[Move | None],
        deals: Sequence[Any],
        games: int,
        seed: int,
        decisive: Decisive = unchanged,
        scores: Mapping[str, float] = NO_SCORES,
    ) -> Floats:
        """The share of games that the seat wins after each move, or their mean score: [move, deal]. All moves meet the
        same luck."""
        starts = self._taken_up(self._core.positions(view, deals), seat)
        decisive(starts)
        return np.stack([self._value(starts, seat, move, games, seed, scores) for move in moves])

    def _taken_up(self, positions: Any, seat: Seat) -> Any:
        """Positions with what follows from their deals."""
        from roundtable.kernels.actions import BEGIN

        return self._step(np.zeros_like(positions), seat, BEGIN, positions).positions

    def _value(
        self, starts: Any, seat: Seat, move: Move | None, games: int, seed: int, scores: Mapping[str, float]
    ) -> Floats:
        after = self._step(starts.copy(), seat, self._actions.number(move))
        values: Floats = (after.rewards[:, seat] > 0).astype(float)
        going = ~after.ended
        if going.any():
            batch = self._core.run_from(self._setup, after.positions[going], PLAYED_ON_BY, seed, games)
            worth = batch.won[:, :, seat].astype(float)
            for number, reason in enumerate(batch.words.reasons):
                if reason in scores:
                    worth[batch.reason == number] = scores[reason]
            values[going] = worth.mean(axis=1)
        return values

    def _step(self, positions: Any, seat: Seat, choice: int, starts: Any = None) -> After:
        """One choice of the seat in every position."""
        from roundtable.kernels.contract import crew_of
        from roundtable.kernels.core import NO_POSITIONS
        from roundtable.kernels.frame import Arrays, Frame
        from roundtable.kernels.positions import as_words

        count, seats = len(positions), self._setup.seats
        crew = crew_of(PLAYED_ON_BY, seats)  # so that the table takes note of what careful bots go by
        crew["remembers"] = True
        rules, table, trace, words = self._core.table_of(self._rules, self._core.blank_trace(False))
        named = np.full(count, seat, np.int64)
        arrays = Arrays(
            rules=rules,
            table=table,
            trace=trace,
            words=words,
            states=as_words(positions),
            starts=NO_POSITIONS if starts is None else as_words(starts),
            crew=crew,
            seats=named,
            choices=np.full(count, choice, np.int64),
            viewers=named,
            turn=np.zeros(count, np.int8),
            asked=np.zeros(count, np.int64),
            masks=np.zeros((count, len(self._actions)), np.int8),
            rows=np.zeros((count, self._row), np.int8),
            ended=np.zeros(count, np.bool_),
            rewards=np.zeros((count, seats), np.float32),
            reason=np.zeros(count, np.int8),
            roles=np.zeros((count, seats), np.int8),
            last_rows=np.zeros((0, 0, 0), np.int8),
        )
        self._core.step(Frame(arrays, seed=0).row)
        return After(positions, arrays.ended, arrays.rewards)
