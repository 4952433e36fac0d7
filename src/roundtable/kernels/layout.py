"""What a seat knows as a row of small numbers: every part has a name, a shape and a fixed place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

LOWEST, HIGHEST = -1, 127  # most parts are flags; a few count

Numbers = npt.NDArray[np.int8]
Flags = dict[str, Collection[Any]]  # where the ones of each part stand


class BySeat(int):
    """The size of a side of a part that has a place for each seat."""


class Part(NamedTuple):
    """Numbers that belong together, and what they say."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        return prod(self.shape)


class Layout:
    """Parts one after the other; the same for every seat and every moment of a setup."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)
        self.size = sum(part.size for part in self.parts)

    def places(self) -> Iterator[tuple[Part, int, int]]:
        """Each part with its first place and the one after its last."""
        first = 0
        for part in self.parts:
            yield part, first, first + part.size
            first += part.size

    def split(self, row: Numbers) -> dict[str, Numbers]:
        """The row by names; what is written to a part is written to the row."""
        return {part.name: row[first:end].reshape(part.shape) for part, first, end in self.places()}


class Sheet(dict[str, Numbers]):
    """One row by the names of its parts. Flags that are set already are not written again."""

    def __init__(self, layout: Layout, row: Numbers | None = None, flags: Flags | None = None) -> None:
        self.layout = layout
        self.row: Numbers = np.zeros(layout.size, np.int8) if row is None else row
        self._flags = flags or {}
        super().__init__(layout.split(self.row))

    def __reduce__(self) -> tuple[type[Sheet], tuple[Any, ...]]:
        """Pickle the row once: the parts of the copy are views of its row."""
        return Sheet, (self.layout, self.row, self._flags)

    def flag(self, name: str, places: Collection[Any]) -> None:
        """Ones at these places of a part, and nowhere else; a place is a number, or one for each side of a table."""
        before = self._flags.get(name, ())
        if places == before:
            return
        part = self[name]
        for place in before:
            part[place] = 0
        for place in places:
            part[place] = 1
        self._flags[name] = places

    def note(self, name: str, number: int) -> None:
        """The one number of a part."""
        part = self[name]
        if part[0] != number:
            part[0] = number


def maybe(place: int | None) -> tuple[int, ...]:
    return () if place is None else (place,)


def sign(fact: bool | None) -> int:
    """1 for yes, -1 for no, 0 for what is not known."""
    return 0 if fact is None else 1 if fact else -1
