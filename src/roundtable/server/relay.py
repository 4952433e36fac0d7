"""Requests and sockets about a room that another worker runs: this worker passes them on to it, and the answers back.

Every worker listens at an address of its own. What arrives there must carry the secret of the site; it comes with the
address of the client, is limited as if the client had come directly, and is never passed on a second time.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple
from urllib.parse import urlsplit

import h11
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from roundtable.rooms import OwnedElsewhere
from roundtable.server.outbox import Outbox
from roundtable.server.websocket_protocol import said_in
from roundtable.storage import LEASE_SECONDS, RENEW_SECONDS

SECRET, CLIENT = b"x-roundtable-secret", b"x-roundtable-client"
RELAYED = "roundtable.relayed"  # in the scope of what another worker has passed on
FORWARDED = (  # request headers that a handler reads
    b"accept",
    b"accept-encoding",
    b"accept-language",
    b"authorization",
    b"content-type",
    b"idempotency-key",
    b"if-none-match",
    b"range",
)
DROPPED = (b"connection", b"content-length", b"date", b"keep-alive", b"transfer-encoding")  # of the answer
ANSWER_SECONDS = 10.0  # in which another worker has to answer a request
CHECK_SECONDS = 1.0  # between two checks of a worker to which sockets are relayed
SILENCE_SECONDS = 2.0  # after which a worker that does not answer counts as gone
OWNERS_TRIED = 4  # workers, one after the other, while the one that ran the room does not answer
LEAST_OPEN_SECONDS = 0.5  # seconds to open a socket to a worker whose lease is about to end or to be renewed
FRAMES_AHEAD = 2  # that wait here for a slow client; the others wait at the owner, which knows what to leave out
CLOSE_MOVED = (1012, "")  # the client comes back, and is led to the owner of that time

logger = logging.getLogger("roundtable.server")


class OwnerUnreachable(Exception):
    """The worker that runs the room does not answer. If it was reached, it may have done what it was asked."""

    def __init__(self, address: str, *, was_reached: bool = False) -> None:
        super().__init__(address)
        self.was_reached = was_reached


class Answer(NamedTuple):
    status: int
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes


class Relay:
    """What one worker passes on to others."""

    def __init__(self, secret: Callable[[], str]) -> None:
        self._secret = secret
        self._open: dict[str, set[ClientConnection]] = {}  # by the address of the owner
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._unreached: dict[str, float] = {}  # by address: when it was not reached for the first time

    async def request(self, request: Request, owner: OwnedElsewhere) -> Response:
        """The owner's answer; `OwnerUnreachable` where there is none. A dead owner has lost its lease by then."""
        scope = request.scope
        target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        headers = [(name, text) for name, text in scope["headers"] if name in FORWARDED]
        headers += self._credentials(request.client.host if request.client else "")
        body = await request.body()
        async with self._reaching(owner):
            answer = await fetch(owner.address, request.method, target, headers, body)
        passed_on = Response(answer.body, answer.status)
        passed_on.raw_headers += [one for one in answer.headers if one[0] not in DROPPED]
        return passed_on

    async def socket(
        self, owner: OwnedElsewhere, path: str, client: str, first: str, outbox: Outbox, receive: Receive
    ) -> bool:
        """Copy messages both ways until one side closes, beginning with one that was received already. Whether it ended
        because another worker runs the room now. `OwnerUnreachable` where the owner does not answer; if it is dead, its
        lease has ended by then."""
        async with self._reaching(owner):
            return await self._copy(owner, path, client, first, outbox, receive)

    async def _copy(
        self, elsewhere: OwnedElsewhere, path: str, client: str, first: str, outbox: Outbox, receive: Receive
    ) -> bool:
        owner = elsewhere.address
        url = owner.replace("http", "ws", 1) + path
        headers = {name.decode(): text.decode() for name, text in self._credentials(client)}
        try:
            socket = await connect(
                url,
                additional_headers=headers,
                compression=None,
                max_size=None,
                max_queue=FRAMES_AHEAD,
                open_timeout=min(SILENCE_SECONDS, max(LEAST_OPEN_SECONDS, elsewhere.ends_in / 1000)),
                close_timeout=CHECK_SECONDS,
                ping_interval=None,  # one check for all sockets to a worker is enough
                proxy=None,
            )
        except (OSError, InvalidHandshake, TimeoutError) as unreachable:
            raise OwnerUnreachable(owner) from unreachable
        self._watch(owner, socket)
        hearing = asyncio.create_task(self._hear(socket, outbox))
        try:
            await self._say(socket, first, receive)
        except ConnectionClosed:
            outbox.close(*closed_with(socket))
        finally:
            self._open[owner].discard(socket)
            hearing.cancel()
            await socket.close()
        return closed_with(socket) == CLOSE_MOVED

    async def _say(self, socket: ClientConnection, first: str, receive: Receive) -> None:
        """From the client to the owner."""
        text: str | None = first
        while text is not None:
            await socket.send(text)
            text = said_in(await receive())

    async def _hear(self, socket: ClientConnection, outbox: Outbox) -> None:
        """From the owner to the client. While the client does not read, nothing is read from the owner."""
        with suppress(ConnectionClosed):
            while True:
                frame = await socket.recv()
                await until_ready(outbox)
                outbox.send(frame if isinstance(frame, str) else frame.decode(errors="replace"))
        outbox.close(*closed_with(socket))

    @asynccontextmanager
    async def _reaching(self, owner: OwnedElsewhere) -> AsyncIterator[None]:
        """If the owner does not answer, wait until the lease has ended that it had at the beginning. An owner that has
        renewed its lease since an earlier failure is alive: then its address is wrong."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + owner.ends_in / 1000
        try:
            yield
        except OwnerUnreachable as unreachable:
            failed_at = self._unreached.setdefault(owner.address, loop.time())
            has_renewed = ends_at - LEASE_SECONDS > failed_at + RENEW_SECONDS
            if has_renewed and not unreachable.was_reached:
                self._unreached[owner.address] = math.inf  # one line is enough
                logger.error(
                    "the worker at %s runs, but this machine cannot reach it: players of its rooms are refused here. "
                    "Is its --worker-host an address that other machines reach?",
                    owner.address,
                )
            await asyncio.sleep(max(0.0, ends_at - loop.time()))
            raise
        else:
            self._unreached.pop(owner.address, None)

    def _credentials(self, client: str) -> list[tuple[bytes, bytes]]:
        return [(SECRET, self._secret().encode()), (CLIENT, client.encode())]

    # Workers that stopped without closing their connections: cut off, suspended, or without power

    def _watch(self, owner: str, socket: ClientConnection) -> None:
        self._open.setdefault(owner, set()).add(socket)
        if owner not in self._checks:
            self._checks[owner] = asyncio.create_task(self._check(owner))

    async def _check(self, owner: str) -> None:
        """Request a worker's /health every second, as long as sockets are relayed to it."""
        try:
            while self._open[owner]:
                await fetch(owner, "GET", b"/health", self._credentials(""), seconds=SILENCE_SECONDS)
                await asyncio.sleep(CHECK_SECONDS)
        except OwnerUnreachable:
            logger.warning("the worker at %s does not answer: clients are led to the next owner", owner)
            for socket in self._open[owner]:
                socket.transport.abort()
        finally:
            del self._checks[owner]

    async def stop(self) -> None:
        for task in list(self._checks.values()):
            task.cancel()


class RelayedMiddleware:
    """Lets in what other workers pass on to this one, under the address of the client. Only they may use this worker's
    own port."""

    def __init__(self, app: ASGIApp, address: str, secret: Callable[[], str]) -> None:
        self._app = app
        self._port = urlsplit(address).port
        self._secret = secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or (scope.get("server") or ("", None))[1] != self._port:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given, secret = headers.get(SECRET, b""), self._secret().encode()
        if secret and hmac.compare_digest(given, secret):
            scope["client"] = (headers.get(CLIENT, b"").decode("latin-1"), 0)
            scope[RELAYED] = True
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403})
        else:
            await send({"type": "http.response.start", "status": 403, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})


async def fetch(
    address: str,
    method: str,
    target: bytes,
    headers: Sequence[tuple[bytes, bytes]],
    body: bytes = b"",
    seconds: float = ANSWER_SECONDS,
) -> Answer:
    """One HTTP request over a connection of its own; `OwnerUnreachable` where it is not answered."""
    place = urlsplit(address)
    sent = [(b"host", place.netloc.encode()), (b"connection", b"close"), *headers]
    sent.append((b"content-length", str(len(body)).encode()))
    connection = h11.Connection(h11.CLIENT)
    writer = None
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(place.hostname, place.port)
            for event in (h11.Request(method=method, target=target, headers=sent), h11.Data(body), h11.EndOfMessage()):
                writer.write(connection.send(event) or b"")
            return await _answer(connection, reader)
    except (OSError, TimeoutError, h11.RemoteProtocolError) as unreachable:
        raise OwnerUnreachable(address, was_reached=writer is not None) from unreachable
    finally:
        if writer is not None:
            writer.close()


async def _answer(connection: h11.Connection, reader: asyncio.StreamReader) -> Answer:
    status, headers, body = 0, [], bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(65_536))
        elif isinstance(event, h11.Response):
            status, headers = event.status_code, list(event.headers)
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage):
            return Answer(status, headers, bytes(body))
        elif isinstance(event, h11.ConnectionClosed):
            raise h11.RemoteProtocolError("the answer has ended too early")


async def until_ready(outbox: Outbox) -> None:
    """Wait until the client has read enough of what was sent before."""
    if not outbox.is_ready:
        ready = asyncio.get_running_loop().create_future()
        outbox.when_ready(lambda: None if ready.done() else ready.set_result(None))
        await ready


def closed_with(socket: ClientConnection) -> tuple[int, str]:
    """How the owner has closed its side; a connection that was only lost means that the owner is gone."""
    received = socket.protocol.close_rcvd
    return CLOSE_MOVED if received is None else (received.code, received.reason)
