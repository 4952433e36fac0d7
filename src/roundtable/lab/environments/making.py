"""The environments of a game, under the names that PettingZoo and Gymnasium users look for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pettingzoo.utils import wrappers

from roundtable.lab.environments.aec import SeatBySeat
from roundtable.lab.environments.common import RENDER_MODES
from roundtable.lab.environments.learner import Learner
from roundtable.lab.environments.parallel import AllAtOnce


class GameEnvironments(NamedTuple):
    """`raw_env` seat by seat; `env` the same, and it insists on a right order of calls; all at once; one learner."""

    raw_env: type[SeatBySeat]
    env: Callable[..., Any]
    parallel_env: type[AllAtOnce]
    learner_env: type[Learner]


def family(game: str, module: str) -> GameEnvironments:
    """The environments of a game, which live in this module."""
    named = {"game": game, "__module__": module}
    look = {"name": f"{game}_v0", "render_modes": RENDER_MODES, "render_fps": 1}
    raw_env = type("raw_env", (SeatBySeat,), {**named, "metadata": {**look, "is_parallelizable": True}})
    parallel_env = type("parallel_env", (AllAtOnce,), {**named, "metadata": look})
    learner_env = type("learner_env", (Learner,), {**named, "metadata": look})

    def env(seats: int | None = None, **how: Any) -> Any:
        return wrappers.OrderEnforcingWrapper(raw_env(seats, **how))

    return GameEnvironments(raw_env, env, parallel_env, learner_env)
