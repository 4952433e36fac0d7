"""Machine code made ahead of its first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from roundtable.games import GAMES, game_named, spec_named
from roundtable.lab.engines import kernel
from roundtable.lab.extras import require
from roundtable.lab.vector_env import stepper


class Compiled(NamedTuple):
    """What there was to do."""

    parts: int  # that were compiled; none if all of it was on disk
    total: int  # about as many as the game has


def compiled_games() -> tuple[str, ...]:
    """The games that have machine code."""
    return tuple(name for name in GAMES if GAMES[name].kernel)


def compile_game(game: str, show: Callable[[int, int], None]) -> Compiled:
    """Compile what studies, rollouts, vector environments and PettingZoo's use of a game, and keep it on disk.

    After each part `show` is told how many are done, and of about how many.
    """
    spec = spec_named(game)
    require("numba", "lab")
    spec.part("kernel")
    from roundtable.kernels.compiling import count_parts, counted

    total = count_parts(spec.kernel.partition(":")[0])
    setup = game_named(game).setup_type(seats=game_named(game).setup_type.fewest)
    with counted(lambda done: show(min(done, total), total)) as made:
        kernel(game).run(setup, ("random",), 0, 0, 1)
        stepper(setup, 1)
    return Compiled(made.parts, total)
