"""Positions: where games stand, a row for each. They are copied onto a table to be played on, and back."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from roundtable.core.codec import encode
from roundtable.core.setup import Setup
from roundtable.kernels.compiling import compiled

Positions = npt.NDArray[Any]  # rows of a game's `position`

DEALT = -1  # the stage of a position before the first phase

# What every game's position begins with, after its dice.
TURN = [
    ("setup", np.int64),  # the mark of the table that the position belongs to
    ("number", np.int64),  # of the game, where many are stepped through
    ("phase", np.int64),  # as the engine counts them
    ("stage", np.int64),  # its kind, in the order of an observation's phases
    ("asked", np.int64),  # who is still to choose in it; a mask of seats
    ("turn", np.int64),  # the seat that chooses next
    ("why", np.int64),  # the reason why the game ended, or NOT_OVER
    ("remembers", np.int64),  # whether its history is written down; bots that play at random need none
]


@lru_cache
def mark_of(setup: Setup) -> int:
    """A number for each setup, never 0, so that a position is played on at no other table."""
    return int.from_bytes(sha256(encode(setup)).digest()[:7]) + 1


def padded(parts: list[Any]) -> np.dtype[Any]:
    """A row of whole words, so that it is copied word by word."""
    spare = -np.dtype(parts).itemsize % 8
    return np.dtype([*parts, ("spare", np.uint8, spare)] if spare else parts)


def as_words(rows: Any) -> npt.NDArray[np.uint64]:
    """Rows of a table or of positions as words of eight bytes, over the same memory."""
    words: npt.NDArray[np.uint64] = np.ascontiguousarray(rows).view(np.uint64).reshape(len(rows), -1)
    return words


@compiled
def copy_words(source: Any, target: Any, count: int) -> None:
    for place in range(count):
        target[place] = source[place]
