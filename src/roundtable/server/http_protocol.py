"""Connections over which nothing has been asked yet: how many one address may hold, and for how long."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from roundtable.server.limits import Limits, rate_limit_key

READING_SECONDS = 10.0  # in which a request has to come in whole, its body included

logger = logging.getLogger("roundtable.server")


class Connection(H11Protocol):
    """uvicorn's HTTP, with patience that ends: half a request holds nobody else up."""

    most_per_address: int = Limits().sockets_per_address
    proxies: Sequence[IPv4Network | IPv6Network] = ()
    open: ClassVar[Counter[str]] = Counter()
    _deadline: asyncio.TimerHandle | None = None
    _address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = rate_limit_key(self.client[0]) if self.client else ""
        self.open[self._address] += 1
        if self.open[self._address] > self.most_per_address and not self._is_trusted():
            logger.debug("an address holds more than %d connections open", self.most_per_address)
            transport.abort()
        self._wait()

    def _is_trusted(self) -> bool:
        """A proxy that speaks for many."""
        return self.client is not None and any(ip_address(self.client[0]) in proxy for proxy in self.proxies)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED):
            self._rest()
        elif self._address and self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _leave(self) -> None:
        """It is gone, or has become a socket, which others count."""
        self._rest()
        self.open[self._address] -= 1
        if self.open[self._address] <= 0:
            del self.open[self._address]
        self._address = ""


def connections_with(limits: Limits, trusted: Sequence[str]) -> type[Connection]:
    """One kind of connection for each server, with a count of its own."""

    class Counted(Connection):
        most_per_address = limits.sockets_per_address
        proxies = tuple(map(ip_network, trusted))
        open: ClassVar[Counter[str]] = Counter()

    return Counted
