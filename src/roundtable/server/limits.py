"""How much anybody may ask for: buckets that fill again with time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

KEPT = 20_000  # addresses remembered; the rest start with a full bucket


class Limits(NamedTuple):
    """What one server takes."""

    rooms: int = 10_000
    sockets: int = 20_000
    sockets_per_address: int = 200
    sockets_per_room: int = 60
    opened_per_minute: int = 20  # rooms, by one address
    joined_per_minute: int = 60
    asked_per_minute: int = 600  # requests of any kind, by one address
    said_in_window: int = 50  # messages over one socket in 20 seconds


class Bucket:
    """So many in so many seconds, refilled evenly."""

    __slots__ = ("_at", "_left", "_most", "_per_second")

    def __init__(self, most: int, seconds: float, now: float) -> None:
        self._most = most
        self._per_second = most / seconds
        self._left = float(most)
        self._at = now

    def take(self, now: float, many: int = 1) -> bool:
        self._left = min(self._most, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < many:
            return False
        self._left -= many
        return True


class Buckets:
    """A bucket for every address."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        now = self._clock()
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= KEPT:
                del self._buckets[next(iter(self._buckets))]
            bucket = self._buckets[address] = Bucket(self._most, self._seconds, now)
        return bucket.take(now)
