"""A row for each game: whose turn it is, what they may choose, what they know, and how games ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from warnings import catch_warnings

import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaExperimentalFeatureWarning

from roundtable.core.errors import IllegalAction
from roundtable.core.setup import Setup
from roundtable.kernels.actions import Actions
from roundtable.kernels.compiling import announced
from roundtable.kernels.contract import check_numbers
from roundtable.kernels.environment import Environment
from roundtable.kernels.turns import EVERYTHING_ALLOWED


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """A game as it is stepped through: its rules as numbers, and three compiled functions."""

    state: np.dtype[Any]  # of one game
    reasons: tuple[str, ...]
    roles: tuple[str, ...]
    rules_of: Callable[[Any, Actions, Any], Any]
    deal_of: Callable[[Any, Setup], Any]
    begin: Callable[[Any, Any, np.uint64], None]
    step: Callable[[Any, Any, np.uint64, Any, Any], int]
    observe: Callable[[Any, Any, Any], None]


class Stepper:
    """Games in a batch. Seats and choices have the numbers, and rows the layout, of `roundtable.lab.environments`.

    In a phase seats are asked one after the other, in seat order. A game that ends begins anew at once; game number g
    is followed by g + games, and game number i of a seed is always dealt alike.
    """

    def __init__(self, steps: Steps, environment: Environment, setup: Setup, games: int, seed: int = 0) -> None:
        setup.require_ready()
        check_numbers(seed, 0, games)
        self.setup = setup
        self.games = games
        self.actions = Actions(environment.moves(setup))
        self.layout = environment.layout(setup)
        self.reasons, self.role_names = steps.reasons, steps.roles
        self._steps = steps
        self._rules = steps.rules_of(setup, self.actions, self.layout)
        self._seed = np.uint64(seed)
        self._states = np.zeros(games, steps.state)
        self.turn: npt.NDArray[np.int8] = np.zeros(games, np.int8)
        self.masks: npt.NDArray[np.int8] = np.zeros((games, len(self.actions)), np.int8)
        self.rows: npt.NDArray[np.int8] = np.zeros((games, self.layout.size), np.int8)
        self.ended: npt.NDArray[np.bool_] = np.zeros(games, np.bool_)
        self.rewards: npt.NDArray[np.float32] = np.zeros((games, setup.seats), np.float32)
        self.reason: npt.NDArray[np.int8] = np.zeros(games, np.int8)
        self.roles: npt.NDArray[np.int8] = np.zeros((games, setup.seats), np.int8)
        # Where a kernel was compiled before, Numba warns that the longer rows of a stepper would do for it too.
        with announced(setup.game), catch_warnings(action="ignore", category=NumbaExperimentalFeatureWarning):
            steps.begin(self._rules, self._states, self._seed)
            steps.step(self._rules, self._states[:0], self._seed, np.zeros(0, np.int64), self._endings())
            self._observe()

    def step(self, choices: npt.ArrayLike) -> None:
        """One choice in each game, by the seat whose turn it is there; if one is not allowed, all are refused.

        Afterwards `turn`, `masks` and `rows` are those of the next choices. Where a game has `ended`, `rewards` says
        who won, `reason` why, and `roles` who was who; elsewhere rewards are 0.
        """
        chosen = np.ascontiguousarray(choices, np.int64)
        if chosen.shape != (self.games,):
            raise ValueError(f"{self.games} games take {self.games} choices in a row, not {chosen.shape}.")
        wrong = self._steps.step(self._rules, self._states, self._seed, chosen, self._endings())
        if wrong != EVERYTHING_ALLOWED:
            raise IllegalAction(
                "action/not_allowed",
                "number_in_game",
                number=int(wrong),
                seat=int(self.turn[wrong]),
                found=int(chosen[wrong]),
                choices=np.flatnonzero(self.masks[wrong]).tolist(),
            )
        self._observe()

    def _endings(self) -> tuple[Any, ...]:
        return self.masks, self.ended, self.rewards, self.reason, self.roles

    def _observe(self) -> None:
        self._steps.observe(self._rules, self._states, (self.turn, self.masks, self.rows))

    def deal(self, game: int) -> Any:
        """The deal of a game that is being played, as the engine's `Play.deal` takes it. It is a secret."""
        return self._steps.deal_of(self._states[game], self.setup)
