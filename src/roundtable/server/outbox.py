"""What waits to be sent to one socket. It is bounded: whoever does not read is let go, and comes back when they can.

What somebody has missed does not count while they read it: over a slow line a long game takes a while.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from starlette.types import Send

from roundtable.rooms import Port
from roundtable.server.websocket_protocol import Direct

MOST_WAITING = 512 * 1024  # bytes, or characters, of news
SLOW = (1013, "house/too_slow")


class Outbox(Port, Protocol):
    """A port that is let go of when the conversation ends."""

    async def finish(self) -> None: ...


class Allowance:
    """How much may wait for somebody to read it."""

    __slots__ = ("_missed",)

    def __init__(self) -> None:
        self._missed = 0  # what they had missed, as far as it may still wait

    def has_room_for(self, frames: Sequence[str | bytes], waiting: int) -> bool:
        """Whether they may be sent these while so much waits. More than one frame is what they have missed."""
        if not waiting and len(frames) == 1:
            self._missed = 0
            return len(frames[0]) <= MOST_WAITING
        size = sum(map(len, frames))
        self._missed = min(self._missed, waiting) + (size if len(frames) > 1 else 0)
        return waiting + size <= MOST_WAITING + self._missed


class DirectOutbox:
    """A port to a connection that can be written to at once; its own buffer is the queue."""

    def __init__(self, direct: Direct) -> None:
        self._direct = direct
        self._allowance = Allowance()

    def send(self, *frames: str) -> None:
        texts = [frame.encode() for frame in frames]
        if not self._allowance.has_room_for(texts, self._direct.waiting()):
            self._direct.close_with(*SLOW)
            return
        for text in texts:
            self._direct.write_text(text)

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
        self._allowance = Allowance()
        self._closing: tuple[int, str] | None = None
        self._wake = asyncio.Event()
        self._writer = asyncio.get_running_loop().create_task(self._write())

    def send(self, *frames: str) -> None:
        if self._closing is not None:
            return
        if self._allowance.has_room_for(frames, self._size):
            self._waiting.extend(frames)
            self._size += sum(map(len, frames))
        else:
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
