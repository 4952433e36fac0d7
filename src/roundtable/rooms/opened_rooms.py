"""Which rooms were opened from which network, and which of them no member has stayed in yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from roundtable.core.errors import RoomRefused
from roundtable.rooms.networks import OpenByNetwork, networks_of
from roundtable.rooms.room import Room

JOINED_FACTOR = 4  # a network may hold this many times as many rooms if other networks have joined them


class OpenedRooms:
    """Rooms that clients have opened, so that one network cannot fill the server. The server's own are not counted."""

    def __init__(self, now: Callable[[], int], most_per_network: int) -> None:
        self.unused: dict[str, int] = {}  # when members were last seen in rooms that no connection stayed in yet
        self._now = now
        self._by_opener: OpenByNetwork[str] = OpenByNetwork(JOINED_FACTOR * most_per_network)
        self._alone: OpenByNetwork[str] = OpenByNetwork(most_per_network)  # of them, those of one network

    def count(self, code: str, network: str) -> bool:
        """Count a room before it is written, unless it is the server's own; whether it was counted now."""
        if not network or code in self._by_opener:
            return False
        if self._alone.full_network(network) or self._by_opener.full_network(network):
            raise RoomRefused("server/too_fast", "open_rooms")
        self.unused[code] = self._now()
        self._by_opener.add(code, network)
        self._alone.add(code, network)
        return True

    def note(self, room: Room) -> None:
        """Note whether members have come from other sites, and whether they stay."""
        code, presence = room.code, room.presence
        if code in self._alone:
            site = networks_of(self._alone.address_of(code))[-1]
            if any(site not in networks_of(network) for network in presence.networks.values()):
                self._alone.discard(code)
        if code in self.unused:
            self.unused[code] = max([self.unused[code], *presence.last_seen.values()])
            if presence.is_used(room.now()):
                del self.unused[code]

    def unused_for(self, seconds: int, rooms: Mapping[str, Room]) -> Iterator[str]:
        """Rooms in which no connection ever stayed and no member was seen for so long, the oldest first."""
        until = self._now() - seconds * 1000
        for code in list(self.unused):
            if (room := rooms.get(code)) is not None:
                self.note(room)
            if self.unused.get(code, until + 1) <= until:
                yield code

    def discard(self, code: str) -> None:
        self.unused.pop(code, None)
        self._by_opener.discard(code)
        self._alone.discard(code)

    def __iter__(self) -> Iterator[str]:
        return iter({*self.unused, *self._by_opener})
