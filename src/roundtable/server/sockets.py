"""The socket route: limits, the first message, and the messages after it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

from starlette.types import Receive, Scope, Send

from roundtable.core.errors import RoomRefused, Unreadable
from roundtable.protocol import Reader
from roundtable.protocol.encoding import ENCODER, id_in
from roundtable.protocol.rooms import TO_SERVER, Enter, Ping, Pong
from roundtable.rooms import OwnedElsewhere, Room, RoomRegistry, Session
from roundtable.rooms.guests import key_of
from roundtable.rooms.networks import Bucket, Buckets, OpenByNetwork, rate_limit_key
from roundtable.rooms.sessions import refused_message
from roundtable.server.limits import TOO_FAST, Limits
from roundtable.server.metrics import Metrics
from roundtable.server.outbox import AsgiOutbox, DirectOutbox, Outbox
from roundtable.server.relay import CLOSE_MOVED, OWNERS_TRIED, RELAYED, OwnerUnreachable, Relay
from roundtable.server.websocket_protocol import SAID_WINDOW, Peer, peer_of, said_in

SPARE_FACTOR = 2  # one network may hold this many times as many second connections of members as of strangers
STRANGERS_PART = 2  # sockets without a good token are at most this part of all: a half
NEW_PART = 4  # besides, sockets that have not entered: as many as a quarter of all
NETWORK_PART = 3  # one network may take at most this part of a room's spectators: a third
ENTER_TIMEOUT = 10.0  # seconds until the first message

UNKNOWN = (4003, "room/unknown")
FULL = (1013, "server/full")
BROKEN = (1011, "server/broken")
BANNED = (4003, "server/banned")
NO_ENTER = (4008, "text/unreadable")
LONGEST_PING = 32  # characters, with blanks in between
PONG = ENCODER.encode(Pong()).decode()

logger = logging.getLogger("roundtable.server")


class Watcher(NamedTuple):
    """A spectator without a token."""

    room: str
    rate_limit_key: str


class Sockets:
    """The socket route, and how many sockets there are."""

    def __init__(self, registry: RoomRegistry, limits: Limits, metrics: Metrics, relay: Relay | None = None) -> None:
        self._registry = registry
        self._relay = relay  # to other workers, where there may be any
        self._limits = limits
        self._metrics = metrics
        self._reader = Reader(*TO_SERVER)
        self._new: OpenByNetwork[Outbox] = OpenByNetwork(limits.sockets_per_address)  # sockets that have not entered
        self._strangers: OpenByNetwork[Outbox] = OpenByNetwork(limits.sockets_per_address)
        self._first: dict[Outbox, str] = {}  # the first connection of each member, by the hash of the token
        self._connected: set[str] = set()  # members with such a connection
        self._spare: OpenByNetwork[Outbox] = OpenByNetwork(SPARE_FACTOR * limits.sockets_per_address)
        self._relayed: set[Outbox] = set()  # to other workers, which limit them by address
        self._asked = Buckets(limits.loaded_per_minute, 60, time.monotonic)  # to relay a socket
        self._watching: Counter[Watcher | None] = Counter()  # sockets without a token
        self._entered = Buckets(limits.joined_per_minute * 4, 60, time.monotonic)
        self._addresses: dict[Outbox, str] = {}  # of all connections
        self._returned = Buckets(limits.entered_by_member, 60, time.monotonic)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from the handshake to its end."""
        await receive()
        peer = peer_of(scope)
        await send({"type": "websocket.accept"})
        outbox: Outbox = AsgiOutbox(send) if peer.direct is None else DirectOutbox(peer.direct)
        self._make_way(peer.address)
        self._new.add(outbox, peer.address)
        self._addresses[outbox] = peer.address
        self._metrics.sockets += 1
        try:
            await self._converse(outbox, receive, peer, scope)
        except Exception:
            _break_off(outbox)
        finally:
            self._metrics.sockets -= 1
            self._release(outbox)
            del self._addresses[outbox]
            await outbox.finish()

    def close_banned(self, is_banned: Callable[[str], bool]) -> None:
        for outbox, address in list(self._addresses.items()):
            if is_banned(address):
                outbox.close(*BANNED)

    def _make_way(self, address: str) -> None:
        """A new socket ends the oldest one that has not entered: members have to say who they are before they can be
        told from strangers."""
        network = self._new.full_network(address)
        if network is not None or len(self._new) >= max(1, self._limits.sockets // NEW_PART):
            self._new.pop_oldest(network).drop(*FULL)

    def _admit(self, outbox: Outbox, network: str, token: str | None) -> bool:
        """Count a socket that enters; False where there is no space. `token` is a member's. Strangers leave space for
        members, and members' second connections for their first ones, which no limit of an address keeps out."""
        self._new.discard(outbox)
        is_full = self._entered_sockets() >= self._limits.sockets
        if token is not None and (member := key_of(token)) not in self._connected:
            if is_full and not self._evict_spare():
                return False
            self._first[outbox] = member
            self._connected.add(member)
            return True
        held = self._strangers if token is None else self._spare
        is_crowded = token is None and len(held) >= self._limits.sockets // STRANGERS_PART
        if is_full or is_crowded or held.full_network(network):
            return False
        held.add(outbox, network)
        return True

    def _entered_sockets(self) -> int:
        return len(self._first) + len(self._spare) + len(self._strangers) + len(self._relayed)

    def _evict_spare(self) -> bool:
        """Close the oldest second connection of a member; whether there was one."""
        if not len(self._spare):
            return False
        self._spare.pop_oldest().close(*FULL)
        return True

    def _release(self, outbox: Outbox) -> None:
        if (member := self._first.pop(outbox, None)) is not None:
            self._connected.discard(member)
        for sockets in (self._new, self._strangers, self._spare):
            sockets.discard(outbox)
        self._relayed.discard(outbox)

    async def _converse(self, outbox: Outbox, receive: Receive, peer: Peer, scope: Scope) -> None:
        session, code = Session(outbox, rate_limit_key(peer.address)), scope["path"].rpartition("/")[2]
        first = await self._first_text(outbox, receive)
        if first is None:
            return
        entering = self._read_enter(first)
        if entering is None:
            outbox.close(*NO_ENTER)
            return
        for _ in range(OWNERS_TRIED):
            try:
                entered = await self._enter(session, outbox, code, entering)
            except OwnedElsewhere as elsewhere:
                if await self._pass_on(elsewhere, outbox, receive, peer, scope, first):
                    return
                self._registry.forget_owner(code)
            else:
                if entered is not None:
                    await self._listen(session, outbox, receive, peer, *entered)
                return
        outbox.close(*CLOSE_MOVED)

    async def _pass_on(
        self, owner: OwnedElsewhere, outbox: Outbox, receive: Receive, peer: Peer, scope: Scope, first: str
    ) -> bool:
        """Relay a socket to the worker that runs its room, until its end; False where that worker does not answer."""
        path: str = scope["path"]
        self._new.discard(outbox)
        if not self._asked.take(peer.address):
            outbox.close(*TOO_FAST)
        elif self._entered_sockets() >= self._limits.sockets:
            outbox.close(*FULL)
        elif self._relay is None or RELAYED in scope:  # the room has moved on since
            outbox.close(*CLOSE_MOVED)
        else:
            self._relayed.add(outbox)
            self._metrics.relayed += 1
            try:
                has_moved = await self._relay.socket(owner, quote(path), peer.address, first, outbox, receive)
            except OwnerUnreachable:
                return False
            finally:
                self._relayed.discard(outbox)
                self._metrics.relayed -= 1
            if has_moved:
                self._registry.forget_owner(path.rpartition("/")[2])
        return True

    async def _listen(
        self, session: Session, outbox: Outbox, receive: Receive, peer: Peer, room: Room, watcher: Watcher | None
    ) -> None:
        self._watching[watcher] += 1
        said, pings = (Bucket(self._limits.said_in_window, SAID_WINDOW, time.monotonic()) for _ in range(2))

        def hear(text: str) -> bool:
            if not (pings if is_ping(text) else said).take(time.monotonic()):
                outbox.close(*TOO_FAST)
                return False
            self._metrics.said += 1
            try:
                self._take(room, session, text)
            except Exception:  # the caller may be the connection, which knows no close codes
                _break_off(outbox)
                return False
            return True

        if peer.direct is not None:
            peer.direct.listen(hear)
        try:
            while (text := said_in(await receive())) is not None and hear(text):
                pass
        finally:
            room.leave(session)
            self._watching[watcher] -= 1
            if not self._watching[watcher]:
                del self._watching[watcher]

    async def _first_text(self, outbox: Outbox, receive: Receive) -> str | None:
        try:
            async with asyncio.timeout(ENTER_TIMEOUT):
                return said_in(await receive())
        except TimeoutError:
            outbox.close(*NO_ENTER)
            return None

    def _read_enter(self, text: str) -> Enter | None:
        try:
            entering = self._reader.read(text)
        except Unreadable:
            return None
        return entering if isinstance(entering, Enter) else None

    async def _enter(
        self, session: Session, outbox: Outbox, code: str, entering: Enter
    ) -> tuple[Room, Watcher | None] | None:
        """The first message holds the token. A wrong token and a wrong room get the same answer."""
        if not await self._may_enter(code, entering.token, session.network):
            outbox.close(*TOO_FAST)
            return None
        try:
            room = await self._registry.find(code)
        except RoomRefused as refused:
            outbox.close(*(UNKNOWN if refused.code == "room/unknown" else (1013, refused.code)))
            return None
        watcher = None if entering.token is not None else Watcher(room.code, session.network)
        is_member = entering.token is not None and room.state.member_with(entering.token) is not None
        is_crowded = watcher is not None and self._is_crowded(room, watcher)
        if is_crowded or not self._admit(outbox, session.network, entering.token if is_member else None):
            outbox.close(*FULL)
            return None
        room.enter(session, entering)
        return room, watcher

    async def _may_enter(self, code: str, token: str | None, network: str) -> bool:
        """Members have a rate limit of their own, wherever they are; a wrong token counts against the address."""
        if token is not None and await self._registry.has_member(code, token):
            return self._returned.take(key_of(token))
        return self._entered.take(network)

    def _is_crowded(self, room: Room, watcher: Watcher) -> bool:
        """Spectators must not keep out players, nor one network all other spectators."""
        most = self._limits.sockets_per_room
        is_network_full = self._watching[watcher] >= most // NETWORK_PART
        return is_network_full or sum(session.member is None for session in room.sessions) >= most

    def _take(self, room: Room, session: Session, text: str) -> None:
        try:
            message = self._reader.read(text)
            if isinstance(message, Enter):
                raise Unreadable("text/unreadable", "entered")
        except Unreadable as unreadable:
            self._metrics.unreadable += 1
            session.send(refused_message(session, id_in(text), unreadable))
            session.flush()
            return
        if isinstance(message, Ping):  # about the connection: it does not wait in the room's queue
            session.port.send(PONG)
        else:
            room.say(session, message)


def _break_off(outbox: Outbox) -> None:
    """A defect ended the conversation: not with 1000, by which clients would take it for a good end."""
    logger.exception("a conversation failed")
    outbox.close(*BROKEN)


def is_ping(text: str) -> bool:
    """Whether this is a Ping, which has a rate limit of its own; without decoding it."""
    return len(text) <= LONGEST_PING and '"Ping"' in text
