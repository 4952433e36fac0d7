"""Whole games in machine code: the rules' own tables and formulas, with nothing repeated but the phases."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from roundtable.games import game_named
from roundtable.lab import install_command

if TYPE_CHECKING:
    from roundtable.lab.kernels.contract import Kernel

NEEDED = ("numpy", "numba")


def kernel(game: str) -> Kernel:
    """The compiled game of that name; each has a module of its own here, and in it its KERNEL."""
    name = game_named(game).name
    missing = [package for package in NEEDED if find_spec(package) is None]
    if missing:
        raise ImportError(f"The lab needs {' and '.join(missing)}; install them with: {install_command()}")
    return cast("Kernel", import_module(f"{__name__}.{name}").KERNEL)


__all__ = ["kernel"]
