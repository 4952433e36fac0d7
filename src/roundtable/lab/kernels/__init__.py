"""Whole games in machine code: the rules' own tables and formulas, with nothing repeated but the phases."""

from __future__ import annotations

from roundtable.lab.kernels.avalon import AVALON
from roundtable.lab.kernels.contract import COMPILED_BOTS, Batch, Kernel, Script, Step
from roundtable.lab.kernels.replaying import replay
from roundtable.lab.kernels.thavalon import THAVALON

KERNELS: dict[str, Kernel] = {one.game: one for one in (AVALON, THAVALON)}


def kernel(game: str) -> Kernel:
    """The compiled game of that name."""
    if game not in KERNELS:
        raise ValueError(f"There is no kernel for {game!r}; choose {', '.join(KERNELS)}.")
    return KERNELS[game]


__all__ = ["COMPILED_BOTS", "KERNELS", "Batch", "Kernel", "Script", "Step", "kernel", "replay"]
