"""When rooms that are not in memory have to be read: one time for each room."""

from __future__ import annotations

import heapq


class Schedule:
    """Times by room, the earliest first."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []  # also has times that were changed since; at most as many as valid ones

    def __len__(self) -> int:
        return len(self._heap)

    def set(self, code: str, at: int) -> None:
        self._times[code] = at
        heapq.heappush(self._heap, (at, code))
        if len(self._heap) > 2 * len(self._times) + 1:
            self._heap = [(at, code) for code, at in self._times.items()]
            heapq.heapify(self._heap)

    def discard(self, code: str) -> None:
        self._times.pop(code, None)

    def clear(self) -> None:
        self._times.clear()
        self._heap.clear()

    def first(self) -> int | None:
        """The earliest time."""
        while self._heap and self._times.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take(self, until: int, most: int) -> list[str]:
        """Remove the first rooms that are due by this time."""
        taken: list[str] = []
        while len(taken) < most and (at := self.first()) is not None and at <= until:
            code = heapq.heappop(self._heap)[1]
            del self._times[code]
            taken.append(code)
        return taken
