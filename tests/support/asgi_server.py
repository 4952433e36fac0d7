"""The server's ASGI application in virtual time, without a network; transcripts keep all that a client receives."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from starlette.responses import Response
from starlette.routing import Route

from roundtable.rooms import BotWorkers, Room, Services, claims, presence
from roundtable.server import api, metrics, sockets
from roundtable.server.app import Application
from roundtable.server.hosts import AllowedHosts
from roundtable.server.limits import Limits
from roundtable.server.metrics_listener import answer_to
from roundtable.storage import Log
from support.frames import FrameReader
from support.virtual_time import SeededBytes, VirtualLoop

METRICS = Route("/metrics", lambda request: Response())  # answered by `metrics_listener`, to this machine alone
FAR_AWAY, NEARBY = "203.0.113.9", "127.0.0.1"
PLENTY = Limits.for_rate(1_000_000)
STALL_INTERVAL = 5.0  # seconds between two checks of the event loop, which never stalls in virtual time


class Transcript:
    """Everything that one listener received, each line with its virtual time."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.lines: list[tuple[float, str]] = []

    def add(self, what: str) -> None:
        self.lines.append((round(self._now(), 6), what))


class Socket:
    """A connection to the socket route; its transcript gets every frame, and how it was closed."""

    def __init__(self, app: Application, transcript: Transcript, room: str, address: str = FAR_AWAY) -> None:
        self.frames: list[str] = []
        self.is_open = True
        self._reader, self._read = FrameReader(), 0
        self._last: dict[str, dict[str, Any]] = {}
        self._transcript = transcript
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        headers = [(b"host", b"table.example")]
        scope: dict[str, Any] = {
            "type": "websocket",
            "path": f"/socket/{room}",
            "scheme": "wss",
            "headers": headers,
            "query_string": b"",
        }
        scope |= {"client": (address, 50_000), "subprotocols": [], "root_path": "", "asgi": {"version": "3.0"}}
        self.task = asyncio.get_running_loop().create_task(app(scope, self._said.get, self._send))

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.frames.append(message["text"])
            self._transcript.add(message["text"])
        else:
            self._transcript.add(json.dumps(message))
            if message["type"] == "websocket.close" and self.is_open:
                self.hang_up()

    def say(self, text: str) -> None:
        self._said.put_nowait({"type": "websocket.receive", "text": text})

    def hang_up(self) -> None:
        self.is_open = False
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1006})

    def last(self, kind: str) -> dict[str, Any] | None:
        """The latest message of a kind on this connection."""
        news, self._read = self.frames[self._read :], len(self.frames)
        for frame in news:
            self._last |= {message["is"]: message for message in self._reader.read(frame)}
        return self._last.get(kind)


class AsgiServer:
    """One run of the application on a log, from start-up to shutdown."""

    def __init__(
        self,
        loop: VirtualLoop,
        log: Log,
        workers: BotWorkers,
        seed: object = 0,
        limits: Limits = PLENTY,
        *,
        address: str = "",
    ) -> None:
        services = Services(log, loop.now, SeededBytes(seed), workers, address=address)
        self.app = Application(services, limits=limits, sites=["table.example"])
        self.routes = (*self.app.routes, METRICS)
        self._lifespan: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        self._started = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    @property
    def entrance(self) -> Application:
        """What clients connect to."""
        return self.app

    @property
    def rooms(self) -> dict[str, Room]:
        """Those in memory."""
        return self.app.registry.rooms

    async def start(self) -> None:
        self._lifespan.put_nowait({"type": "lifespan.startup"})
        running = self.app({"type": "lifespan", "asgi": {"version": "3.0"}}, self._lifespan.get, self._note)
        self._running = asyncio.get_running_loop().create_task(running)
        await self._started.wait()

    async def _note(self, message: Any) -> None:
        assert message["type"] in ("lifespan.startup.complete", "lifespan.shutdown.complete"), message
        self._started.set()

    async def stop(self) -> None:
        assert self._running is not None
        self._lifespan.put_nowait({"type": "lifespan.shutdown"})
        await self._running

    async def fetch(
        self,
        transcript: Transcript,
        path: str,
        *,
        token: str = "",
        body: bytes = b"",
        address: str = FAR_AWAY,
        lang: str = "",
        key: str = "",
    ) -> bytes:
        """Send a request by HTTP; the transcript gets status, headers and body. Metrics have their own listener."""
        if path == METRICS.path and address == NEARBY:
            return self._fetch_metrics(transcript)
        headers = [(b"host", b"localhost" if address == NEARBY else b"table.example")]
        headers += [(b"authorization", f"Bearer {token}".encode())] if token else []
        headers += [(b"accept-language", lang.encode())] if lang else []
        headers += [(b"idempotency-key", key.encode())] if key else []
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST" if body else "GET",
            "path": path,
            "raw_path": path.encode(),
        }
        scope |= {"scheme": "https", "headers": headers, "query_string": b"", "client": (address, 50_001)}
        scope |= {"root_path": "", "asgi": {"version": "3.0"}, "http_version": "1.1"}
        told: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            told.append(message)

        await self.app(scope, receive, send)
        start, content = told[0], b"".join(message.get("body", b"") for message in told[1:])
        shown = [(name.decode(), text.decode()) for name, text in start["headers"] if name.lower() != b"date"]
        transcript.add(f"{path} {start['status']} {shown} {content.decode(errors='replace')}")
        return content

    def _fetch_metrics(self, transcript: Transcript) -> bytes:
        head, _, content = answer_to(
            b"GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", self.app.exposition, AllowedHosts()
        ).partition(b"\r\n\r\n")
        status, *headers = head.decode().split("\r\n")
        shown = [tuple(line.split(": ")) for line in headers]
        transcript.add(f"/metrics {status.split()[1]} {shown} {content.decode()}")
        return content


UNHEARD = ("asyncio", "numba")  # their debug lines are about the machine, such as what was compiled for the first time


class TranscriptHandler(logging.Handler):
    """Adds everything that is logged to a transcript."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(logging.DEBUG)
        self._transcript = transcript
        self.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno > logging.DEBUG or record.name.partition(".")[0] not in UNHEARD:
            self._transcript.add(self.format(record))


@contextmanager
def in_virtual_time(loop: VirtualLoop, log_transcript: Transcript) -> Iterator[None]:
    """Give the server the loop's clock, and add the output of every logger to a transcript."""

    def time() -> float:
        return round(loop.time(), 6)

    clock = SimpleNamespace(monotonic=time, perf_counter=time)
    root, handler = logging.getLogger(), TranscriptHandler(log_transcript)
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with (
            patch.object(metrics, "time", clock),
            patch.object(metrics, "STALL_INTERVAL", STALL_INTERVAL),
            patch.object(api, "time", clock),
            patch.object(sockets, "time", clock),
            patch.object(presence, "TALK_LINES", 1000),  # private lines must not use up the limit of public ones
            patch.object(claims, "AUTOMATIC_SECONDS", 1_000_000),  # who is given another seat knows what it knows
        ):
            yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
