"""What the operator has decided for the whole site: who is kept out, whether rooms are opened and games begin, and how
long idle rooms stay open."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

from roundtable.rooms.state import HOUR

BAN = "ban/"  # the name of a note begins with it, and a network follows
NO_ROOMS = "no new rooms"
NO_GAMES = "no new games"
MOST_IDLE_HOURS = 24 * 365 * 100  # later times do not fit into every database

AnyNetwork = IPv4Network | IPv6Network


class IdleLimits(NamedTuple):
    """After how many milliseconds without connections and new rows a room is closed; multiples of an hour, as
    `RoomState.summary_key` expects."""

    lobby: int = 2 * HOUR  # before the first game, and between two
    game: int = 24 * HOUR

    @classmethod
    def of_hours(cls, lobby: int, game: int) -> IdleLimits:
        return cls(*(min(hours, MOST_IDLE_HOURS) * HOUR for hours in (lobby, game)))


USUAL_LIMITS = IdleLimits()


class SitePolicy:
    """How long idle rooms stay open, and the notes of the log that every worker obeys, as they were when they were last
    read."""

    def __init__(self, idle: IdleLimits = USUAL_LIMITS) -> None:
        self.idle = idle
        self.takes_rooms = True
        self.starts_games = True
        self.bans: frozenset[AnyNetwork] = frozenset()

    def obey(self, notes: Mapping[str, str]) -> bool:
        """Whether a network is banned that was not before."""
        self.takes_rooms = NO_ROOMS not in notes
        self.starts_games = NO_GAMES not in notes
        before, self.bans = self.bans, frozenset(ip_network(name[len(BAN) :]) for name in notes if name.startswith(BAN))
        return not self.bans <= before

    def is_banned(self, address: str) -> bool:
        if not self.bans:
            return False
        try:
            ip = ip_address(address)
        except ValueError:
            return False
        if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self.bans)
