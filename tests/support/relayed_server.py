"""Several workers in one process and in virtual time: relays, and clients if wanted, connect to them without a network.

A worker can be killed, which ends its connections, or silenced, as one that is asleep or cut off: nothing that is sent
to it or by it arrives, and it does not reach the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from roundtable.client import connection as client_connection
from roundtable.rooms import BotWorkers, Room
from roundtable.server import relay
from roundtable.server.app import Application
from roundtable.server.limits import Limits
from roundtable.server.relay import Answer, OwnerUnreachable
from roundtable.storage import Lease, MemoryLog, RoomSummary, Row
from support.asgi_server import FAR_AWAY, PLENTY, AsgiServer, Transcript
from support.memory_leases import MemoryLeases, MemorySite, WorkerLog
from support.virtual_time import VirtualLoop

OWNER, FRONT = "http://10.0.0.1:8101", "http://10.0.0.2:8101"
CLIENTS_WAIT = 10.0  # seconds for which a client tries to open a connection


class WorkerLeases(MemoryLeases):
    """Leases of a worker that does not reach them while it is silent."""

    def __init__(self, site: MemorySite, *, takes_due: bool = True) -> None:
        super().__init__(site)
        self.heard = asyncio.Event()
        self.heard.set()
        self._takes_due = takes_due

    async def start(self, address: str) -> int:
        await self.heard.wait()
        return await super().start(address)

    async def renew(self) -> int:
        await self.heard.wait()
        return await super().renew()

    async def take(self, room: str) -> Lease:
        await self.heard.wait()
        return await super().take(room)

    async def take_due(self, ahead: int, most: int) -> list[str]:
        await self.heard.wait()
        return await super().take_due(ahead, most) if self._takes_due else []

    async def release(self, rooms: Mapping[str, int | None]) -> None:
        await self.heard.wait()
        await super().release(rooms)


class SilentableLog(WorkerLog):
    leases: WorkerLeases

    def __init__(self, site: MemorySite, *, takes_due: bool = True) -> None:
        super().__init__(site)
        self.leases = WorkerLeases(site, takes_due=takes_due)

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        await self.leases.heard.wait()
        await super().append(room, known, rows, summary)


class Worker(AsgiServer):
    """A worker at an address of its own."""

    def __init__(
        self,
        loop: VirtualLoop,
        site: MemorySite,
        bots: BotWorkers,
        address: str,
        seed: object = 0,
        *,
        takes_due: bool = True,
        limits: Limits = PLENTY,
    ) -> None:
        self.address = address
        self.log = SilentableLog(site, takes_due=takes_due)
        self.links: set[Link] = set()  # to this worker
        self.is_up = True
        super().__init__(loop, self.log, bots, seed, limits, address=address)

    @property
    def is_heard(self) -> bool:
        return self.log.leases.heard.is_set()

    def kill(self) -> None:
        """End it without warning: it frees nothing, and its connections are reset."""
        self.is_up = False
        assert self._running is not None
        for task in (*self.app.registry._tasks, *self.app._relay._checks.values()):  # type: ignore[union-attr]
            task.cancel()
        for room in self.app.registry.rooms.values():
            room.stop()
        self.app.registry.rooms.clear()
        for link in list(self.links):
            link.task.cancel()
            link.abort()

    async def _note(self, message: Any) -> None:
        if self.is_up:  # a killed one does not shut down
            await super()._note(message)

    def silence(self) -> None:
        self.log.leases.heard.clear()

    def wake(self) -> None:
        self.log.leases.heard.set()


class Link:
    """A WebSocket to a worker, with what `Relay` and the client use of websockets' own."""

    def __init__(self, worker: Worker, path: str, headers: Mapping[str, str]) -> None:
        self.transport = SimpleNamespace(abort=self.abort)
        self.protocol = SimpleNamespace(close_rcvd=None)
        self._worker = worker
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        self._is_open = True
        place = urlsplit(worker.address)
        scope = {
            "type": "websocket",
            "path": path,
            "scheme": "ws",
            "headers": [
                (b"host", b"table.example"),
                *((name.encode(), text.encode()) for name, text in headers.items()),
            ],
            "query_string": b"",
            "server": (place.hostname, place.port if headers else 8000),
            "client": (FAR_AWAY, 50_000),
            "subprotocols": [],
            "root_path": "",
            "asgi": {"version": "3.0"},
        }
        worker.links.add(self)
        self.task = asyncio.get_running_loop().create_task(worker.app(scope, self._said.get, self._send))

    async def _send(self, message: Any) -> None:
        """From the worker."""
        if not self._worker.is_heard or not self._is_open:
            return
        if message["type"] == "websocket.send":
            self._heard.put_nowait(message["text"])
        elif message["type"] == "websocket.close":
            self.protocol.close_rcvd = Close(message["code"], message.get("reason") or "")
            self._end()

    async def send(self, text: str) -> None:
        self._require_open()
        if self._worker.is_heard:
            self._said.put_nowait({"type": "websocket.receive", "text": text})

    async def recv(self) -> str:
        frame = await self._heard.get()
        if frame is None:
            self._heard.put_nowait(None)
            self._require_open()
        assert frame is not None
        return frame

    async def ping(self) -> asyncio.Future[float]:
        self._require_open()
        pong: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        if self._worker.is_heard:
            pong.set_result(0.0)
        return pong

    async def close(self) -> None:
        self._end()

    def abort(self) -> None:
        self._end()

    def _end(self) -> None:
        if self._is_open:
            self._is_open = False
            self._worker.links.discard(self)
            self._heard.put_nowait(None)
            self._said.put_nowait({"type": "websocket.disconnect", "code": 1006})

    def _require_open(self) -> None:
        if not self._is_open:
            raise ConnectionClosedError(self.protocol.close_rcvd, None)


class Connecting:
    """What websockets' `connect` returns: to be awaited, or entered."""

    def __init__(self, open_link: Callable[[], Any]) -> None:
        self._open = open_link
        self._link: Link | None = None

    def __await__(self) -> Generator[Any, None, Link]:
        link: Link = yield from self._open().__await__()
        return link

    async def __aenter__(self) -> Link:
        self._link = await self._open()
        return self._link

    async def __aexit__(self, *_: object) -> None:
        assert self._link is not None
        await self._link.close()


class Workers:
    """All workers by address. `entrance` says which one the next client comes to."""

    def __init__(self, *workers: Worker) -> None:
        self.by_address = {worker.address: worker for worker in workers}
        self.relayed = 0  # sockets so far
        self.entrance: Callable[[], Worker] = lambda: next(iter(self.by_address.values()))

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Until the block ends, relays and clients find the workers here."""
        with ExitStack() as stack:
            stack.enter_context(patch.object(relay, "connect", self._to_owner))
            stack.enter_context(patch.object(relay, "fetch", self._fetch))
            stack.enter_context(patch.object(client_connection, "connect", self._from_client))
            yield

    def _to_owner(self, url: str, *, additional_headers: Mapping[str, str], open_timeout: float, **_: Any) -> Any:
        place = urlsplit(url)

        async def link() -> Link:
            opened = await self._open(f"http://{place.netloc}", place.path, additional_headers, open_timeout)
            self.relayed += 1
            return opened

        return Connecting(link)

    def _from_client(self, url: str, **_: Any) -> Any:
        return Connecting(lambda: self._open(self.entrance().address, urlsplit(url).path, {}, CLIENTS_WAIT))

    async def _open(self, address: str, path: str, headers: Mapping[str, str], timeout: float) -> Link:
        worker = self.by_address[address]
        if not worker.is_up:
            raise ConnectionRefusedError(address)
        if not worker.is_heard:
            await asyncio.sleep(timeout)
            raise TimeoutError
        return Link(worker, path, headers)

    async def _fetch(
        self,
        address: str,
        method: str,
        target: bytes,
        headers: Sequence[tuple[bytes, bytes]],
        body: bytes = b"",
        seconds: float = relay.ANSWER_SECONDS,
    ) -> Answer:
        worker = self.by_address[address]
        if not worker.is_up:
            raise OwnerUnreachable(address)
        if not worker.is_heard:
            await asyncio.sleep(seconds)
            raise OwnerUnreachable(address, was_reached=True)
        return await asked(worker.app, address, method, target, headers, body)


async def asked(
    app: Application, address: str, method: str, target: bytes, headers: Sequence[tuple[bytes, bytes]], body: bytes
) -> Answer:
    place, (path, _, query) = urlsplit(address), target.partition(b"?")
    scope = {
        "type": "http",
        "method": method,
        "path": path.decode(),
        "raw_path": path,
        "scheme": "http",
        "headers": [(b"host", b"table.example"), *headers],
        "query_string": query,
        "client": (FAR_AWAY, 50_001),
        "server": (place.hostname, place.port),
        "root_path": "",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
    }
    told: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        told.append(message)

    await app(scope, receive, send)
    return Answer(told[0]["status"], told[0]["headers"], b"".join(message.get("body", b"") for message in told[1:]))


class RelayedServer(AsgiServer):
    """Two workers: clients come to the one, and the other runs the rooms."""

    relayed = 0  # sockets, of all such servers so far

    def __init__(
        self, loop: VirtualLoop, log: MemoryLog, bots: BotWorkers, seed: object = 0, limits: Limits = PLENTY
    ) -> None:
        site = MemorySite(loop.now, log)
        self._owner = Worker(loop, site, bots, OWNER, seed, limits=limits)
        self._front = Worker(loop, site, bots, FRONT, f"{seed}/front", takes_due=False, limits=limits)
        self._workers = Workers(self._owner, self._front)
        self._patches = ExitStack()
        self._log = log
        self.app, self.routes = self._owner.app, self._owner.routes

    @property
    def entrance(self) -> Application:
        return self._front.app

    @property
    def rooms(self) -> dict[str, Room]:
        return {**self._front.rooms, **self._owner.rooms}

    async def start(self) -> None:
        self._patches.enter_context(self._workers.connected())
        await self._owner.start()
        for code in await self._log.summaries():
            await self._owner.app.registry.find(code)
        await self._front.start()

    async def stop(self) -> None:
        await self._front.stop()
        await self._owner.stop()
        RelayedServer.relayed += self._workers.relayed
        self._patches.close()

    async def fetch(self, transcript: Transcript, path: str, **more: Any) -> bytes:
        """A worker runs the rooms that were opened there."""
        return await (self._owner if path == "/api/rooms" else self._front).fetch(transcript, path, **more)
