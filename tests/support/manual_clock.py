"""A server in a thread, with real connections whose timers run on a clock that the test advances."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import uvicorn

from roundtable.rooms import InlineBotWorkers, Services
from roundtable.server.app import Application
from roundtable.server.clock import steady_clock
from roundtable.server.http_protocol import http_class
from roundtable.server.limits import Limits
from roundtable.server.run import listen
from roundtable.server.websocket_protocol import websocket_class
from roundtable.storage import Log, MemoryLog
from support.waiting import PATIENCE, until

PLENTY = Limits.for_rate(1_000_000)


class Timer:
    """A call that is due at some time of a manual clock."""

    def __init__(self, at: float, call: Callable[..., object], args: tuple[object, ...]) -> None:
        self.at = at
        self._call, self._args = call, args
        self.is_over = False

    def cancel(self) -> None:
        self.is_over = True

    def fire(self) -> None:
        self.is_over = True
        self._call(*self._args)


class ManualClockLoop:
    """The event loop of one connection, with a clock that only the test advances."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._now = 0.0
        self._timers: list[Timer] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def time(self) -> float:
        return self._now

    def call_later(self, delay: float, call: Callable[..., object], *args: object) -> Timer:
        self._timers.append(Timer(self._now + delay, call, args))
        return self._timers[-1]

    def advance(self, seconds: float) -> None:
        """Advance the clock from another thread, and run everything that is due by then."""
        asyncio.run_coroutine_threadsafe(self._pass(self._now + seconds), self._loop).result(PATIENCE)

    async def _pass(self, end: float) -> None:
        while due := [timer for timer in self._timers if timer.at <= end and not timer.is_over]:
            first = min(due, key=lambda timer: timer.at)
            self._now = first.at
            first.fire()
        self._now = end


class ManualClockServer(NamedTuple):
    """Where it listens, and the clock of every connection, in the order in which they were opened; a socket has two,
    one before its handshake and one from then on."""

    port: int
    clocks: list[ManualClockLoop]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/socket"


@asynccontextmanager
async def manual_clock_server(
    log: Log | None = None, limits: Limits = PLENTY, send_buffer_bytes: int = 0, ping_seconds: float = 20
) -> AsyncIterator[ManualClockServer]:
    """Serve rooms as `roundtable serve` does; `send_buffer_bytes` limits what the system buffers."""
    clocks: list[ManualClockLoop] = []

    def clocked(kind: type[Any]) -> type[Any]:
        class Clocked(kind):  # type: ignore[misc]
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__(*args, **kwargs)
                self.loop = ManualClockLoop()
                clocks.append(self.loop)

        return Clocked

    config = uvicorn.Config(
        Application(
            Services(log or MemoryLog(), steady_clock(), secrets.token_bytes, InlineBotWorkers()), limits=limits
        ),
        http=clocked(http_class(limits, ())),
        ws=clocked(websocket_class(limits)),
        ws_ping_interval=ping_seconds,
        ws_ping_timeout=ping_seconds,
        log_level="critical",
    )
    listening = listen("127.0.0.1", 0)
    if send_buffer_bytes:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer_bytes)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    try:
        await until(lambda: server.started, "the start of the server")
        yield ManualClockServer(listening.getsockname()[1], clocks)
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join, PATIENCE)
