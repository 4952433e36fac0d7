"""uvicorn's HTTP protocol with limits: connections of one network, the time in which a request arrives, and the time in
which its answer is read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from roundtable.rooms.networks import OpenByNetwork
from roundtable.server.limits import Limits
from roundtable.server.websocket_protocol import SLOWEST_READ

READING_SECONDS = 10.0  # in which a request has to arrive whole, its body included
WRITING_SECONDS = 30.0  # in which a client has to read SLOWEST_READ bytes of an answer, or the rest of it
MOST_PIPELINED = 64 * 1024  # bytes of further requests that may wait while one is answered


class LimitedHttpProtocol(H11Protocol):
    """One connection, until it ends or becomes a WebSocket, which `server/sockets.py` counts."""

    proxies: Sequence[IPv4Network | IPv6Network] = ()
    workers_port: int | None = None  # at which only other workers of the site connect
    open_connections: ClassVar[OpenByNetwork[LimitedHttpProtocol]] = OpenByNetwork(Limits().sockets_per_address)
    _deadline: asyncio.TimerHandle | None = None
    _write_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # writing is paused, and timed, as long as the client has to read anything
        address = self.client[0] if self.client else ""
        if not self._is_trusted() and (network := self.open_connections.full_network(address)):
            # A new connection ends the oldest of its network, so that no client keeps its neighbours out by idling.
            self.open_connections.pop_oldest(network).transport.abort()
        self.open_connections.add(self, address)
        self._start_deadline()

    def _is_trusted(self) -> bool:
        """Whether the client is a trusted proxy or another worker, through which many clients come."""
        if self.server is not None and self.server[1] == self.workers_port:
            return True
        return self.client is not None and any(ip_address(self.client[0]) in proxy for proxy in self.proxies)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.DONE, h11.MUST_CLOSE, h11.CLOSED):
            self._cancel_deadline()
        elif self in self.open_connections and self._deadline is None:
            self._start_deadline()
        if len(self.conn.trailing_data[0]) > MOST_PIPELINED:  # uvicorn reads on while it answers
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_write_deadline()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_write_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._release()
        self.transport.set_write_buffer_limits()
        super().handle_websocket_upgrade(event)

    def _start_deadline(self) -> None:
        self._deadline = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _start_write_deadline(self) -> None:
        unread = self.transport.get_write_buffer_size()
        self._write_deadline = self.loop.call_later(WRITING_SECONDS, self._check_progress, unread)

    def _check_progress(self, before: int) -> None:
        """Abort where the client has read too little; a closed transport would wait for it for ever."""
        if before - self.transport.get_write_buffer_size() < SLOWEST_READ:
            self.transport.abort()
        else:
            self._start_write_deadline()

    def _cancel_write_deadline(self) -> None:
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None

    def _release(self) -> None:
        """Stop timing and counting this connection."""
        self._cancel_deadline()
        self._cancel_write_deadline()
        self.open_connections.discard(self)


def trusted_networks(proxies: Sequence[str]) -> list[IPv4Network | IPv6Network]:
    """The networks of these proxies. A server that listens on `::` sees 127.0.0.1 as ::ffff:127.0.0.1, so each IPv4
    network is in the list in both forms."""
    networks = [ip_network(proxy) for proxy in proxies]
    return [*networks, *(_mapped(network) for network in networks if isinstance(network, IPv4Network))]


def _mapped(network: IPv4Network) -> IPv6Network:
    return IPv6Network((IPv6Address(f"::ffff:{network.network_address}"), 96 + network.prefixlen))


def http_class(
    limits: Limits, trusted: Sequence[IPv4Network | IPv6Network], own_port: int | None = None
) -> type[LimitedHttpProtocol]:
    """The class that uvicorn makes one of for each connection of a server with these limits and its own count."""

    class Limited(LimitedHttpProtocol):
        proxies = tuple(trusted)
        workers_port = own_port
        open_connections: ClassVar[OpenByNetwork[LimitedHttpProtocol]] = OpenByNetwork(limits.sockets_per_address)

    return Limited
