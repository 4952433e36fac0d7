"""Many games side by side, a choice in each at a time, in machine code: what training eats."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from roundtable.games import game_named
from roundtable.lab.studies import require

if TYPE_CHECKING:
    from roundtable.core.setup import Setup
    from roundtable.lab.stepping.steps import Stepper


def stepper(setup: Setup, games: int, seed: int = 0) -> Stepper:
    """So many games of a table, dealt from the seed; each game has a module of its own here, and in it its STEPS."""
    for package in ("numba", "gymnasium"):
        require(package, "lab")
    from roundtable.lab.stepping.steps import Stepper

    steps = import_module(f"{__name__}.{game_named(setup.game).name}").STEPS
    return Stepper(steps, setup, games, seed)


__all__ = ["stepper"]
