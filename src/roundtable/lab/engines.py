"""Which engine plays a game in the lab: machine code where game and bots have it, otherwise the plain engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from roundtable.core.spec import GameSpec
from roundtable.games import spec_named
from roundtable.lab.extras import require
from roundtable.lab.own_bots import Commands, are_compiled

if TYPE_CHECKING:
    from roundtable.kernels.contract import Kernel
    from roundtable.kernels.core import CompiledGame


def kernel(game: str) -> CompiledGame:
    """The compiled game of that name."""
    return _compiled(spec_named(game))


def _compiled(spec: GameSpec) -> CompiledGame:
    for package in ("numpy", "numba"):
        require(package, "lab")
    return cast("CompiledGame", spec.part("kernel"))


def kernel_for(game: str, bots: Sequence[str], commands: Commands = ()) -> Kernel:
    """The kernel that plays this game with these bots, some of which may be programs."""
    spec = spec_named(game)
    require("numpy", "lab")
    from roundtable.kernels.contract import COMPILED_BOTS
    from roundtable.lab.plain import PlainKernel

    if spec.kernel and are_compiled(bots, commands, COMPILED_BOTS):
        return _compiled(spec)
    if set(bots) & set(dict(commands)):
        from roundtable.lab.refereed import RefereedKernel

        return RefereedKernel(spec.game, commands)
    return PlainKernel(spec.game)
