"""What the operator has decided for the whole site: who is kept out, whether rooms are opened and games begin."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

BAN = "ban/"  # the name of a note begins with it, and a network follows
NO_ROOMS = "no new rooms"
NO_GAMES = "no new games"

AnyNetwork = IPv4Network | IPv6Network


class SitePolicy:
    """The notes of the log that every worker obeys, as they were when they were last read."""

    def __init__(self) -> None:
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
