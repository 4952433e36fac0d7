"""Beliefs that are kept between two questions, so that a belief hears each event once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from roundtable.belief.contract import Belief
from roundtable.belief.listed import ListedDeals
from roundtable.belief.mixture import MixtureModel
from roundtable.belief.placements import Placements
from roundtable.core.events import Event

MOST_BYTES = 200_000_000  # at ten seats of THavalon a belief takes up to 13 MB
BESIDE_ARRAYS = 100_000  # bytes of what else belongs to a belief: the table as everyone sees it, and what was heard


class Kept(NamedTuple):
    key: object
    heard: tuple[Event, ...]
    belief: Belief
    size: int


class Recall:
    """The latest beliefs, each with all that it has heard. What it gives depends on what was heard alone."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: list[Kept] = []
        self._lock = Lock()

    def belief(self, key: object, heard: Sequence[Event], make: Callable[[], Belief]) -> Belief:
        """The belief of a listener who has heard just this; `key` says whose belief it is, and by which model."""
        events = tuple(heard)
        before, belief = self._take(key, events) or ((), make())
        belief.hear_all(events[len(before) :])
        with self._lock:
            self._kept.append(Kept(key, events, belief, size_of(belief)))
            size = sum(kept.size for kept in self._kept)
            while size > self._most_bytes and len(self._kept) > 1:
                size -= self._kept.pop(0).size
        return belief

    def forget(self) -> None:
        """Keep none, where what makes a belief has changed."""
        with self._lock:
            self._kept.clear()

    def _take(self, key: object, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], Belief] | None:
        """Take out the belief that has heard the beginning of these events."""
        with self._lock:
            for place in range(len(self._kept) - 1, -1, -1):
                other, before, belief, _ = self._kept[place]
                if other == key and before == events[: len(before)]:
                    del self._kept[place]
                    return before, belief
        return None


def size_of(belief: Belief) -> int:
    """About how many bytes it takes."""
    return BESIDE_ARRAYS + sum(array.nbytes for array in arrays_in(belief))


def arrays_in(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from arrays_in(part)
    elif isinstance(value, Mapping):
        yield from arrays_in([*value.values()])
    elif isinstance(value, (Belief, Placements, MixtureModel, ListedDeals)):
        yield from arrays_in([*vars(value).values()])


RECALL = Recall()
