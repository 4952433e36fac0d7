"""An event that is set most of the time.

An `asyncio.Event` occupies 760 bytes, a thirtieth of a connection; this one does so only while it is not set.
"""

from __future__ import annotations

import asyncio
from typing import Literal


class LazyEvent:
    """The part of `asyncio.Event` that a connection uses; it is set at first."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: asyncio.Event | None = None  # while it is not set

    def is_set(self) -> bool:
        return self._waiting is None

    def clear(self) -> None:
        if self._waiting is None:
            self._waiting = asyncio.Event()

    def set(self) -> None:
        if self._waiting is not None:
            self._waiting.set()
            self._waiting = None

    async def wait(self) -> Literal[True]:
        if self._waiting is not None:
            await self._waiting.wait()
        return True
