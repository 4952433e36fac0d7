"""Every move of a game under a number of its own, so that a learner can choose by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from roundtable.core.actions import Move
from roundtable.core.chance import Chance, pick
from roundtable.core.options import Option, Options
from roundtable.core.seats import Seat

WAIT = 0  # to do nothing now
# In place of a choice of a compiled game: a new game; or only to see what a seat sees, or what its bot leans to.
BEGIN, LOOK, WEIGH = -1, -2, -3
REMEMBERED = 1 << 14  # options whose numbers are kept
NO_PHASE = 0  # the phase of a move that stands in a list and was not made in any

Mask = npt.NDArray[np.int8]


class Actions:
    """Number 0 is to wait; then come all moves that a table can ever offer, in a fixed order."""

    def __init__(self, moves: Iterable[Move]) -> None:
        self.moves: tuple[Move | None, ...] = (None, *moves)
        self._numbers = {choice(move): number for number, move in enumerate(self.moves) if move is not None}
        self._kinds = tuple([None if move is None or move.gives_up else type(move) for move in self.moves])
        self._offered: dict[Option, npt.NDArray[np.intp]] = {}

    def __len__(self) -> int:
        return len(self.moves)

    def number(self, move: Move | None) -> int:
        """The number of a move, whatever the phase that it answers."""
        return WAIT if move is None else self._numbers[choice(move)]

    def move(self, number: int, phase: int) -> Move | None:
        """The move of a number, as an answer to this phase; None is to wait."""
        listed = self.moves[number]
        return None if listed is None else type(listed)(**{**choice_by_name(listed), "phase": phase})

    def mask(self, options: Options, may_wait: bool) -> Mask:
        """A one for every number that may be chosen; never without any, since who can do nothing waits."""
        mask = np.zeros(len(self), np.int8)
        for option in options:
            mask[self._numbers_in(option)] = 1
        mask[WAIT] = may_wait or not options
        return mask

    def any_in(self, mask: Mask, chance: Chance) -> int:
        """First a kind of move, then a number of it, each drawn uniformly among those that the mask allows; to wait
        where it allows nothing else but to give up."""
        numbers: list[int] = mask.nonzero()[0].tolist()
        by_kind: dict[type[Move], list[int]] = {}
        for number in numbers:
            if kind := self._kinds[number]:
                by_kind.setdefault(kind, []).append(number)
        return pick(chance, pick(chance, list(by_kind.values()))) if by_kind else WAIT

    def _numbers_in(self, option: Option) -> npt.NDArray[np.intp]:
        if len(self._offered) > REMEMBERED:
            self._offered.clear()
        if option not in self._offered:
            self._offered[option] = np.array([self.number(move) for move in option], np.intp)
        return self._offered[option]


def choice(move: Move) -> tuple[Any, ...]:
    """What a move chooses, apart from the phase that it answers."""
    return (type(move), *[getattr(move, name) for name in parts_of(type(move))])


def choice_by_name(move: Move) -> dict[str, Any]:
    return {name: getattr(move, name) for name in parts_of(type(move))}


@lru_cache(maxsize=64)
def parts_of(kind: type[Move]) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind) if part.name != "phase")


def aimed(kind: type[Move], targets: Iterable[Seat]) -> Iterator[Move]:
    """A move that names one seat, at each of them."""
    return (kind(phase=NO_PHASE, target=target) for target in targets)  # type: ignore[call-arg]
