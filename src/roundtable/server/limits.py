"""Rate limits: token buckets by address, and the limits of a server."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import NamedTuple

TOO_FAST = (1008, "server/too_fast")  # how a connection is closed that exceeds its rate limit
KEPT = 20_000  # addresses remembered; all others start with a full bucket


class Limits(NamedTuple):
    """What one server takes."""

    rooms: int = 10_000
    sockets: int = 20_000
    sockets_per_address: int = 200
    sockets_per_room: int = 60
    opened_per_minute: int = 20  # rooms, by one address
    joined_per_minute: int = 60
    asked_per_minute: int = 600  # requests of any kind, by one address
    records_per_minute: int = 60  # of the requests, those for games that are over
    said_in_window: int = 50  # messages over one socket in 20 seconds


@lru_cache(maxsize=KEPT)
def rate_limit_key(address: str) -> str:
    """The key under which an address is limited: for IPv6 its /64 network, which usually belongs to one customer."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv4Address) or ip.is_link_local:
        return address
    return str(ip.ipv4_mapped or IPv6Network((int(ip) >> 64 << 64, 64)))


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
    """A bucket for every rate_limit_key."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        now, address = self._clock(), rate_limit_key(address)
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= KEPT:
                del self._buckets[next(iter(self._buckets))]
            bucket = self._buckets[address] = Bucket(self._most, self._seconds, now)
        return bucket.take(now)
