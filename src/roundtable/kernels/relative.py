"""Rows, masks and choices as the acting seat counts: itself is 0, and the others follow to its left."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Any, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.kernels.actions import WAIT, Actions, choice_by_name
from roundtable.kernels.layout import BySeat, Layout


class SeatRelative:
    """For each seat, where the numbers of its row and its choices come from."""

    def __init__(self, seats: int, layout: Layout, actions: Actions) -> None:
        self._places = np.array([list(places_from(layout, seat, seats)) for seat in range(seats)])
        self._choices = np.array([list(choices_from(actions, seat, seats)) for seat in range(seats)])

    def turn_round(self, turn: npt.NDArray[np.int8], rows: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> None:
        """In place, row by row."""
        rows[:] = np.take_along_axis(rows, self._places[turn], axis=1)
        masks[:] = np.take_along_axis(masks, self._choices[turn], axis=1)

    def turn_all_round(self, rows: npt.NDArray[np.int8], which: npt.NDArray[np.bool_]) -> None:
        """The rows of every seat, in these games."""
        for seat, places in enumerate(self._places):
            rows[which, seat] = rows[which, seat][:, places]

    def absolute(self, turn: npt.NDArray[np.int8], choices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """What the table calls these choices."""
        called: npt.NDArray[np.int64] = self._choices[turn, choices]
        return called


def places_from(layout: Layout, seat: int, seats: int) -> Iterable[int]:
    for part, first, _ in layout.places():
        for place in product(*map(range, part.shape)):
            turned = [
                (at + seat) % seats if isinstance(size, BySeat) else at
                for at, size in zip(place, part.shape, strict=True)
            ]
            yield first + int(np.ravel_multi_index(turned, part.shape))


def choices_from(actions: Actions, seat: int, seats: int) -> Iterable[int]:
    yield WAIT
    for move in actions.moves[1:]:
        assert move is not None
        yield actions.number(turned_by(move, seat, seats))


def turned_by(move: Move, seat: int, seats: int) -> Move:
    parts = choice_by_name(move)
    for name in seat_fields(type(move)):
        parts[name] = turn_part(parts[name], seat, seats)
    return type(move)(phase=move.phase, **parts)


@cache
def seat_fields(kind: type[Move]) -> tuple[str, ...]:
    """The fields of a move that name a seat or seats."""
    return tuple(name for name, hint in get_type_hints(kind, include_extras=True).items() if mentions_seat(hint))


def mentions_seat(hint: Any) -> bool:
    return hint == Seat or any(mentions_seat(part) for part in get_args(hint))


def turn_part(part: Any, seat: int, seats: int) -> Any:
    if part is None:
        return None
    if isinstance(part, int):
        return (part + seat) % seats
    return frozenset((one + seat) % seats for one in part)
