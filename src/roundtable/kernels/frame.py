"""Where everything is that a stepper reads and writes, as one row of addresses.

Numba unpacks every array that Python passes, which takes longer than a choice does. So Python passes one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from roundtable.kernels.compiling import compiled
from roundtable.kernels.contract import CREW

Array = npt.NDArray[Any]


class Arrays(NamedTuple):
    """The rules, the table at which games are played and the table as words; games in rows; what is chosen, by whom,
    and who looks; what the viewer sees; how games ended."""

    rules: Array
    table: Array
    trace: Array
    words: Array
    states: Array
    starts: Array
    crew: Array
    seats: Array
    choices: Array
    viewers: Array
    turn: Array
    asked: Array
    masks: Array
    rows: Array
    ended: Array
    rewards: Array
    reason: Array
    roles: Array
    last_rows: Array


SIZES = ("games", "state_words", "starts_count", "start_words", "choices_count", "row_size", "seat_count", "kept")
FRAME = np.dtype([*((name, np.int64) for name in (*Arrays._fields, *SIZES)), ("seed", np.uint64)])


class Frame:
    """The arrays of a stepper, which live as long as their addresses, and the row of these."""

    def __init__(self, arrays: Arrays, seed: int) -> None:
        self._arrays = arrays
        self.row: Array = np.zeros(1, FRAME)
        for name, array in arrays._asdict().items():
            assert array.flags.c_contiguous
            self.row[name] = array.ctypes.data
        (games, state_words), (starts, start_words) = arrays.states.shape, arrays.starts.shape
        sizes = (games, state_words, starts, start_words, arrays.masks.shape[1], arrays.rows.shape[1])
        for name, size in zip(SIZES, (*sizes, arrays.roles.shape[1], len(arrays.last_rows)), strict=True):
            self.row[name] = size
        self.row["seed"] = seed

    def __reduce__(self) -> Any:
        raise TypeError("A frame is not copied: its addresses are those of the arrays that it was made with.")


def _as_pointer(context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), generate


_pointer: Any = intrinsic(_as_pointer)
at: Any = vars(numba)["carray"]  # which their stubs leave out


@compiled
def tables_at(frame: Any, rules: Any, table: Any, trace: Any) -> Any:
    words = frame.state_words
    return (
        at(_pointer(frame.rules), 1, rules),
        at(_pointer(frame.table), 1, table),
        at(_pointer(frame.trace), 1, trace),
        at(_pointer(frame.words), (1, words), np.uint64),
    )


@compiled
def games_at(frame: Any) -> Any:
    """Where games stand, from where they start, and who plays."""
    return (
        at(_pointer(frame.states), (frame.games, frame.state_words), np.uint64),
        at(_pointer(frame.starts), (frame.starts_count, frame.start_words), np.uint64),
        at(_pointer(frame.crew), 1, CREW),
    )


@compiled
def chosen_at(frame: Any) -> Any:
    games = frame.games
    return (
        at(_pointer(frame.seats), games, np.int64),
        at(_pointer(frame.choices), games, np.int64),
        at(_pointer(frame.viewers), games, np.int64),
    )


@compiled
def seen_at(frame: Any) -> Any:
    games = frame.games
    return (
        at(_pointer(frame.turn), games, np.int8),
        at(_pointer(frame.asked), games, np.int64),
        at(_pointer(frame.masks), (games, frame.choices_count), np.int8),
        at(_pointer(frame.rows), (games, frame.row_size), np.int8),
    )


@compiled
def ends_at(frame: Any) -> Any:
    games, seats = frame.games, frame.seat_count
    return (
        at(_pointer(frame.ended), games, np.bool_),
        at(_pointer(frame.rewards), (games, seats), np.float32),
        at(_pointer(frame.reason), games, np.int8),
        at(_pointer(frame.roles), (games, seats), np.int8),
        at(_pointer(frame.last_rows), (frame.kept, seats, frame.row_size), np.int8),
    )
