"""Which engine plays a game in the lab: machine code where game and bots have it, otherwise the plain engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from roundtable.core.spec import GameSpec
from roundtable.games import spec_named
from roundtable.lab.extras import require

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


def kernel_for(game: str, bots: Sequence[str]) -> Kernel:
    """The kernel that plays this game with these bots."""
    spec = spec_named(game)
    require("numpy", "lab")
    from roundtable.kernels.contract import COMPILED_BOTS
    from roundtable.lab.plain import PlainKernel

    if spec.kernel and set(bots) <= set(COMPILED_BOTS):
        return _compiled(spec)
    return PlainKernel(spec.game)
