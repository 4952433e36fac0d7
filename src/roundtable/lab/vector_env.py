"""Many games side by side, one choice in each at a time, in machine code: for training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from roundtable.games import spec_named
from roundtable.lab.extras import require

if TYPE_CHECKING:
    from roundtable.core.setup import Setup
    from roundtable.kernels.vector_env import Stepper


def stepper(setup: Setup, games: int, seed: int = 0, **how: Any) -> Stepper:
    """So many games of a table, dealt from the seed. `how` is what else `Stepper` takes: `bots`, `seat` and `role`,
    `positions`, `relative`, `last_rows`."""
    spec = spec_named(setup.game)
    for package in ("numpy", "numba"):
        require(package, "lab")
    from roundtable.kernels.vector_env import Stepper

    return Stepper(spec.part("kernel"), spec.part("environment"), setup, games, seed, **how)
