"""Models of how players act: a bot's published chances, and models by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.belief.contract import Floats, Model, Situation, Viewpoints
from roundtable.core.actions import Move
from roundtable.core.errors import PluginError
from roundtable.core.game import Game
from roundtable.core.plugins import load
from roundtable.core.policy import Policy, chances, is_same
from roundtable.core.spec import GameSpec

LOGIC, HABITS = "logic", "habits"
SLIP = 0.1  # a player who goes by a policy makes any other move in one of ten cases


class PolicyModel:
    """Players who go by a policy, and now and then do anything at all.

    The policy sees the seat's view as it would be with that role: what was shown at the start, and what is public.
    What a seat learns in secret later on is not in it: what the Lady, Excalibur or a Seer's night showed.
    """

    def __init__(self, game: Game[Any, Any], policy: Policy, slip: float = SLIP) -> None:
        if not 0 < slip <= 1:
            raise ValueError(f"A slip is a chance above 0 and at most 1; {slip} is not.")
        self._game = game
        self._policy = policy
        self._slip = slip

    def log_chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Floats:
        return np.log([self._chance(situation, move, viewpoints.view(situation, at)) for at in range(len(viewpoints))])

    def _chance(self, situation: Situation, move: Move, view: Any) -> float:
        options = self._game.options(view, situation.seat)
        choices = sum(len(option) for option in options)
        if not choices:
            return self._slip
        likely = chances(self._policy(view, options, situation.heard))
        meant = sum(float(chance) for other, chance in likely.items() if other is not None and is_same(move, other))
        return (1 - self._slip) * meant + self._slip / choices


def models_of(spec: GameSpec) -> tuple[str, ...]:
    """The models that a game has, by name."""
    return (LOGIC, HABITS, *sorted(spec.policies)) if spec.belief else (LOGIC,)


def model_named(spec: GameSpec, name: str) -> Model | None:
    """A model of a game by name; none for `logic`, which needs none."""
    if name == LOGIC:
        return None
    if name == HABITS:
        habits: Model = spec.part("belief").habits
        return habits
    if name not in spec.policies:
        raise PluginError("plugin/incomplete", name=spec.name, part=name)
    return PolicyModel(spec.game, load(spec.policies[name]))
