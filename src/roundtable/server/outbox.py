"""What waits to be sent to one socket. It is bounded: whoever does not read is let go, and comes back when they can."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from starlette.types import Send

MOST_WAITING = 512 * 1024  # characters
SLOW = (1013, "house/too_slow")


class Outbox:
    """A port to an ASGI socket. Nobody who sends waits: one task of its own writes."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[str] = deque()
        self._size = 0
        self._closing: tuple[int, str] | None = None
        self._wake = asyncio.Event()

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

    async def write(self) -> None:
        """Send what comes until it is closed or the other side is gone."""
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
