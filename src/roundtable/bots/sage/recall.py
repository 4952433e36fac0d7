"""Beliefs that are kept between two questions, so that a belief hears each event once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from roundtable.belief.contract import Belief
from roundtable.core.events import Event

MOST_BELIEFS = 24  # at ten seats of THavalon one takes up to 35 MB


class Recall:
    """The latest beliefs, each with all that it has heard. What it gives depends on what was heard alone."""

    def __init__(self, most: int = MOST_BELIEFS) -> None:
        self._most = most
        self._kept: list[tuple[object, tuple[Event, ...], Belief]] = []
        self._lock = Lock()

    def belief(self, key: object, heard: Sequence[Event], make: Callable[[], Belief]) -> Belief:
        """The belief of a listener who has heard just this; `key` says whose belief it is, and by which model."""
        events = tuple(heard)
        before, belief = self._take(key, events) or ((), make())
        belief.hear_all(events[len(before) :])
        with self._lock:
            self._kept.append((key, events, belief))
            del self._kept[: -self._most]
        return belief

    def _take(self, key: object, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], Belief] | None:
        """Take out the belief that has heard the beginning of these events."""
        with self._lock:
            for place in range(len(self._kept) - 1, -1, -1):
                other, before, belief = self._kept[place]
                if other == key and before == events[: len(before)]:
                    del self._kept[place]
                    return before, belief
        return None


RECALL = Recall()
