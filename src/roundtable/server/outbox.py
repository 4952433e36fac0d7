"""Outgoing messages of one connection, in a bounded buffer.

News waits in the room until the client has read what was sent before (`Port.is_ready`). What is left are answers to the
client's own messages: a client that sends and does not read is disconnected, and may come back.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from starlette.types import Send

from roundtable.rooms import Port
from roundtable.server.frames import encode_frame
from roundtable.server.websocket_protocol import Direct

MOST_WAITING = 128 * 1024  # bytes, or characters
READY = 64 * 1024  # bytes, or characters, below which a client is sent more
SLOW = (1013, "server/too_slow")


class Outbox(Port, Protocol):
    """A port that is closed when the conversation ends."""

    def drop(self, code: int, reason: str) -> None:
        """Close, and do not wait until the client has read why."""
        ...

    async def finish(self) -> None: ...


def has_room_for(size: int, waiting: int) -> bool:
    """Whether so many bytes may be sent while so many wait. A single message may be longer than the buffer."""
    return not waiting or waiting + size <= MOST_WAITING


class DirectOutbox:
    """A port to a connection that is written to at once; the buffer of its transport is the queue."""

    def __init__(self, direct: Direct) -> None:
        self._direct = direct

    @property
    def is_ready(self) -> bool:
        return self._direct.is_writable

    def when_ready(self, call: Callable[[], None]) -> None:
        self._direct.when_writable(call)

    def send(self, *frames: str) -> None:
        data = encode_frame(frames[0]) if len(frames) == 1 else b"".join(map(encode_frame, frames))
        direct = self._direct
        if (direct.is_writable and len(data) <= READY) or has_room_for(len(data), direct.waiting()):
            direct.write(data)
        else:
            direct.close_with(*SLOW)

    def close(self, code: int, reason: str) -> None:
        self._direct.close_with(code, reason)

    def drop(self, code: int, reason: str) -> None:
        self._direct.drop(code, reason)

    async def finish(self) -> None:
        self._direct.close_with(1000, "")


class AsgiOutbox:
    """A port to a connection of any ASGI server. A task writes, so that `send` does not wait."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[str] = deque()
        self._size = 0
        self._on_ready: Callable[[], None] | None = None
        self._closing: tuple[int, str] | None = None
        self._wake = asyncio.Event()
        self._writer = asyncio.get_running_loop().create_task(self._write())

    @property
    def is_ready(self) -> bool:
        return self._size < READY

    def when_ready(self, call: Callable[[], None]) -> None:
        self._on_ready = call
        self._wake.set()

    def send(self, *frames: str) -> None:
        if self._closing is not None:
            return
        size = sum(map(len, frames))
        if has_room_for(size, self._size):
            self._waiting.extend(frames)
            self._size += size
        else:
            self._waiting.clear()
            self.close(*SLOW)
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
        self._wake.set()

    def drop(self, code: int, reason: str) -> None:
        self.close(code, reason)

    async def finish(self) -> None:
        """Close, and wait a few seconds for what is left to be sent."""
        self.close(1000, "")
        await asyncio.wait([self._writer], timeout=5)
        self._writer.cancel()

    async def _write(self) -> None:
        with suppress(Exception):  # `receive` reports a client that is gone, too
            while True:
                while self._waiting:
                    text = self._waiting.popleft()
                    await self._send({"type": "websocket.send", "text": text})
                    self._size -= len(text)
                if self._closing is not None:
                    code, reason = self._closing
                    await self._send({"type": "websocket.close", "code": code, "reason": reason})
                    return
                self._wake.clear()
                if self._on_ready is not None:
                    call, self._on_ready = self._on_ready, None
                    call()
                await self._wake.wait()
