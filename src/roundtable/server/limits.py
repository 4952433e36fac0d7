"""What one server takes, in all and from each network."""

from __future__ import annotations

from typing import NamedTuple

TOO_FAST = (1008, "server/too_fast")  # how a connection is closed that exceeds its rate limit


class Limits(NamedTuple):
    """What one server takes. A limit by address holds for wider networks, too, some times over."""

    rooms: int = 10_000
    rooms_per_address: int = 50  # open at the same time, in which no other site has joined; four times that in all
    sockets: int = 20_000
    sockets_per_address: int = 200  # that watch, or have not entered yet; those of members count apart, twice as many
    sockets_per_room: int = 60
    opened_per_minute: int = 20  # rooms, by one address
    joined_per_minute: int = 60
    asked_per_minute: int = 600  # requests to the API, by one address
    records_per_minute: int = 60  # of the requests, those for games that are over
    explained_per_minute: int = 20  # of the requests, those for why a bot moved
    loaded_per_minute: int = 6_000  # pages and their files, by one address: 40 phones load 30 each, five times
    asked_by_member: int = 120  # requests a minute, wherever the member is
    entered_by_member: int = 60  # connections a minute
    written_per_minute: int = 60_000  # bytes, by one address, of what talk and requests write
    said_in_window: int = 50  # messages over one socket in 20 seconds

    @classmethod
    def for_rate(cls, requests_per_minute: int, **others: int) -> Limits:
        """Limits in proportion to the requests that one address may send in a minute; 600 gives the defaults."""
        rate = requests_per_minute
        return cls(
            asked_per_minute=rate,
            joined_per_minute=max(1, rate // 10),
            records_per_minute=max(1, rate // 10),
            explained_per_minute=max(1, rate // 30),
            opened_per_minute=max(1, rate // 30),
            rooms_per_address=max(1, rate // 12),
            loaded_per_minute=rate * 10,
            asked_by_member=max(1, rate // 5),
            entered_by_member=max(1, rate // 10),
            written_per_minute=rate * 100,
            **others,
        )
