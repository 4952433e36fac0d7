"""Outgoing messages of one connection, in bounded buffers.

A client that does not read is disconnected and may come back. What a returning client has missed does not count against
the bound while the client reads it, because a long game takes a while over a slow line.
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
SLOW = (1013, "server/too_slow")


class Outbox(Port, Protocol):
    """A port that is closed when the conversation ends."""

    async def finish(self) -> None: ...


class Allowance:
    """How much may wait until the client reads it."""

    __slots__ = ("_missed",)

    def __init__(self) -> None:
        self._missed = 0  # bytes that the client had missed, as far as they may still wait

    def has_room_for(self, frames: Sequence[str | bytes], waiting: int) -> bool:
        """Whether these frames may be sent while so many bytes wait. Several frames at once are what a returning client
        has missed."""
        if not waiting and len(frames) == 1:
            self._missed = 0
            return len(frames[0]) <= MOST_WAITING
        size = sum(map(len, frames))
        self._missed = min(self._missed, waiting) + (size if len(frames) > 1 else 0)
        return waiting + size <= MOST_WAITING + self._missed


class DirectOutbox:
    """A port to a connection that is written to at once; the buffer of its transport is the queue."""

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
    """A port to a connection of any ASGI server. A task writes, so that `send` does not wait."""

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
        """Close, and wait a few seconds for what is left to be sent."""
        self.close(1000, "")
        await asyncio.wait([self._writer], timeout=5)
        self._writer.cancel()

    async def _write(self) -> None:
        with suppress(Exception):  # `receive` reports a client that is gone, too
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
