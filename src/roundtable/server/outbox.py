"""What waits to be sent to one socket. It is bounded: whoever does not read is let go, and comes back when they can."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Protocol

from starlette.types import Send

from roundtable.room import Port
from roundtable.server.gateway import Direct

MOST_WAITING = 512 * 1024  # bytes, or characters
SLOW = (1013, "house/too_slow")


class Outbox(Port, Protocol):
    """A port that is let go of when the conversation ends."""

    async def finish(self) -> None: ...


class DirectOutbox:
    """A port to a connection that can be written to at once; its own buffer is the queue."""

    def __init__(self, direct: Direct) -> None:
        self._direct = direct

    def send(self, text: str) -> None:
        if self._direct.write_text(text.encode()) > MOST_WAITING:
            self._direct.close_with(*SLOW)

    def close(self, code: int, reason: str) -> None:
        self._direct.close_with(code, reason)

    async def finish(self) -> None:
        self._direct.close_with(1000, "")


class AsgiOutbox:
    """A port to any ASGI socket. Nobody who sends waits: one task of its own writes."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[str] = deque()
        self._size = 0
        self._closing: tuple[int, str] | None = None
        self._wake = asyncio.Event()
        self._writer = asyncio.get_running_loop().create_task(self._write())

    def send(self, text: str) -> None:
        if self._closing is not None:
            return
        self._waiting.append(text)
        self._size += len(text)
        if self._size > MOST_WAITING:
            self._waiting.clear()
            self.close(*SLOW)
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
        self._wake.set()

    async def finish(self) -> None:
        """Give what waits a moment to be sent."""
        self.close(1000, "")
        await asyncio.wait([self._writer], timeout=5)
        self._writer.cancel()

    async def _write(self) -> None:
        with suppress(Exception):  # whatever a vanished reader leads to, the reading side hears of it too
            while True:
                while self._waiting:
                    text = self._waiting.popleft()
                    self._size -= len(text)
                    await self._send({"type": "websocket.send", "text": text})
                if self._closing is not None:
                    code, reason = self._closing
                    await self._send({"type": "websocket.close", "code": code, "reason": reason})
                    return
                self._wake.clear()
                await self._wake.wait()
