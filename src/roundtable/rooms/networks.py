"""Networks in tiers, from one address up to a whole site: how fast each may ask and write, and what each holds open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_interface, ip_network
from typing import Generic, NamedTuple, TypeVar

from roundtable.storage import Row

T = TypeVar("T")

KEPT = 10_000  # networks whose rate is remembered; all others start with a full bucket
KEPT_AT_LEAST = 256  # even those with full buckets
FORGOTTEN_PART = 4  # of too many, a quarter: those with the fullest buckets

# How many times the limit of one address a network gets, by the length of its prefix. A household has an IPv6 /64 or
# /56, and a single customer can have a /48. Behind an IPv4 /24 there may be a mobile carrier.
IPV6_TIERS = ((64, 1), (56, 4), (48, 16))
IPV4_TIERS = ((24, 32),)

OWN_SHARE = 64  # a room may write this fraction of what a network may, and so may a member in private
BURST_MINUTES = 16  # of its allowance that a network may write at once
ROW_BYTES = 100  # that a row takes besides its text


class Network(NamedTuple):
    """A network, and how many times the limit of one address it gets."""

    name: str
    times: int


def networks_of(address: str) -> tuple[Network, ...]:
    """The networks of an address, or of the name of a network, the narrowest first. A neighbour on the link, and
    anything that is no address, counts by itself."""
    if "." not in address and ":" not in address:  # the key of a member, say, who may never come again
        return (Network(address, 1),)
    return _networks_of(address)


@lru_cache(maxsize=KEPT)
def _networks_of(address: str) -> tuple[Network, ...]:
    try:
        ip = ip_interface(address).ip
    except ValueError:
        return (Network(address, 1),)
    if ip.is_link_local:
        return (Network(address, 1),)
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return networks_of(str(ip.ipv4_mapped))
        return tuple(
            Network(str(ip_network((int(ip), 128)).supernet(new_prefix=length)), n) for length, n in IPV6_TIERS
        )
    wider = (Network(str(ip_network((int(ip), 32)).supernet(new_prefix=length)), n) for length, n in IPV4_TIERS)
    return (Network(str(ip), 1), *wider)


def rate_limit_key(address: str) -> str:
    """The narrowest network of an address: for IPv6 its /64, which usually belongs to one household."""
    return networks_of(address)[0].name


class Bucket:
    """So many in so many seconds, refilled evenly."""

    __slots__ = ("_at", "_left", "_most", "_per_second")

    def __init__(self, most: int, seconds: float, now: float) -> None:
        self._most = most
        self._per_second = most / seconds
        self._left = float(most)
        self._at = now

    def take(self, now: float, many: int = 1) -> bool:
        if self.left(now) < many:
            return False
        self._left -= many
        return True

    def charge(self, now: float, many: int) -> None:
        """Take what has been used already, even more than is left."""
        self._left = self.left(now) - many

    def left(self, now: float) -> float:
        self._left = min(self._most, self._left + (now - self._at) * self._per_second)
        self._at = now
        return self._left

    def fullness(self, now: float) -> float:
        return self.left(now) / self._most


class Buckets:
    """A bucket for every network, or for any other name."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._buckets: dict[str, Bucket] = {}
        self._kept = KEPT_AT_LEAST  # before some are forgotten

    def take(self, address: str) -> bool:
        """Take one from each network of the address, or from none."""
        now = self._clock()
        buckets = self._of(address, now)
        return all(bucket.left(now) >= 1 for bucket in buckets) and all(bucket.take(now) for bucket in buckets)

    def charge(self, address: str, many: int) -> None:
        now = self._clock()
        for bucket in self._of(address, now):
            bucket.charge(now, many)

    def has_left(self, address: str) -> bool:
        now = self._clock()
        known = (self._buckets.get(network.name) for network in networks_of(address))
        return all(bucket is None or bucket.left(now) > 0 for bucket in known)

    def _of(self, address: str, now: float) -> list[Bucket]:
        networks = networks_of(address)
        if len(self._buckets) + len(networks) > min(self._kept, KEPT):
            self._forget(now)
        for name, times in networks:
            if name not in self._buckets:
                self._buckets[name] = Bucket(self._most * times, self._seconds, now)
        return [self._buckets[network.name] for network in networks]

    def _forget(self, now: float) -> None:
        """Forget full buckets, and of too many others the fullest: a network that has used its limit up gets no new one
        by coming from many addresses."""
        used = [item for item in self._buckets.items() if item[1].fullness(now) < 1]
        used.sort(key=lambda item: item[1].fullness(now))
        self._buckets = dict(used[: KEPT - KEPT // FORGOTTEN_PART])
        self._kept = max(KEPT_AT_LEAST, 2 * len(self._buckets))


class OpenByNetwork(Generic[T]):
    """What is open, by network, the oldest first; one network may hold only so much."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._address_of: dict[T, str] = {}
        self._by_network: dict[str, dict[T, None]] = {}

    def __len__(self) -> int:
        return len(self._address_of)

    def __contains__(self, one: T) -> bool:
        return one in self._address_of

    def __iter__(self) -> Iterator[T]:
        return iter(self._address_of)

    def address_of(self, one: T) -> str:
        return self._address_of[one]

    def add(self, one: T, address: str) -> None:
        self._address_of[one] = address
        for network in networks_of(address):
            self._by_network.setdefault(network.name, {})[one] = None

    def discard(self, one: T) -> None:
        address = self._address_of.pop(one, None)
        for network in () if address is None else networks_of(address):
            held = self._by_network[network.name]
            del held[one]
            if not held:
                del self._by_network[network.name]

    def full_network(self, address: str) -> Network | None:
        """The narrowest network of an address that holds as much as it may."""
        for network in networks_of(address):
            if len(self._by_network.get(network.name, ())) >= self._most * network.times:
                return network
        return None

    def pop_oldest(self, network: Network | None = None) -> T:
        """Discard the oldest of a network, or of all, and return it."""
        oldest = next(iter(self._address_of if network is None else self._by_network[network.name]))
        self.discard(oldest)
        return oldest


class Payer(NamedTuple):
    """Which budgets rows count against: the network's, and when that is used up the room's own. For private talk the
    network is empty, and `own` names the speaker."""

    network: str
    own: str


def payer_of(network: str, room: str) -> Payer | None:
    """Who pays for requests and open talk from a network; the server itself, which is in none, writes for free."""
    return Payer(network, room) if network else None


class WriteBudget:
    """How many bytes of rows a network may cause by talk and requests; moves are free.

    It is sized for a hundred people behind one address. To open fifteen tables, sit down and start writes 120 KB of the
    960 KB that a network may write at once. Two lines a minute each, of 320 bytes with their rows, write about 60 KB,
    which it may write in a minute. That makes at most 86 MB a day.

    A room may write a little when the budget of its network is used up, so that strangers behind the same address
    cannot keep its members from asking. What is said in private counts for its speaker alone: otherwise the budget
    would tell others behind the same address when a player talks in private.
    """

    def __init__(self, bytes_per_minute: int, now: Callable[[], int]) -> None:
        burst, seconds = bytes_per_minute * BURST_MINUTES, 60.0 * BURST_MINUTES
        self._networks = Buckets(burst, seconds, lambda: now() / 1000)
        self._own = Buckets(max(1, burst // OWN_SHARE), seconds, lambda: now() / 1000)

    def has_left(self, payer: Payer) -> bool:
        return self._has_shared(payer) or self._own.has_left(payer.own)

    def charge(self, payer: Payer, rows: Sequence[Row]) -> None:
        """Take what these rows need."""
        many = sum(len(row.line) + ROW_BYTES for row in rows)
        if self._has_shared(payer):
            self._networks.charge(payer.network, many)
        else:
            self._own.charge(payer.own, many)

    def _has_shared(self, payer: Payer) -> bool:
        return bool(payer.network) and self._networks.has_left(payer.network)
