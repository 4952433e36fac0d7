"""A bot that uses what its role knows and goes by rules of thumb, which each game states for itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from roundtable.bots.random import RandomBot
from roundtable.core.actions import Move
from roundtable.core.chance import Chance
from roundtable.core.options import Options
from roundtable.core.plugins import load
from roundtable.core.policy import NOTHING, Leanings, Policy, Probabilities, chances, drawn
from roundtable.core.state import TableState
from roundtable.games import GAMES

POLICY = "careful"  # the name under which a game's spec has its policy


class CarefulBot:
    """Keeps nothing between calls: the same view and options always give the same leanings.

    It plays games without a careful policy as `RandomBot` does.
    """

    def __init__(self) -> None:
        self._random = RandomBot()

    def leanings(self, view: TableState, options: Options) -> Leanings:
        """The moves it would make now, with their weights; none where it would do nothing."""
        policy = policy_for(view)
        return policy(view, options) if policy and options else NOTHING

    def choose(self, view: TableState, options: Options, chance: Chance) -> Move | None:
        if policy_for(view) is None:
            return self._random.choose(view, options, chance)
        return drawn(self.leanings(view, options), chance)

    def probabilities(self, view: TableState, options: Options) -> Probabilities:
        if policy_for(view) is None:
            return self._random.probabilities(view, options)
        return chances(self.leanings(view, options))


def policy_for(view: TableState) -> Policy | None:
    """The careful policy of the game that this is a view of, where the game has one."""
    spec = GAMES.get(view.setup.game)
    reference = spec.policies.get(POLICY) if spec else None
    return _loaded(reference) if reference else None


@lru_cache(maxsize=64)
def _loaded(reference: str) -> Any:
    return load(reference)
