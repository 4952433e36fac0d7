"""What came over a connection and was not taken yet.

asyncio's own queue, made for many who put and many who take, takes up three kilobytes: an eighth of a connection.
"""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class Arrivals(Generic[T]):
    """A queue for one who takes, of which a socket needs no more than this."""

    __slots__ = ("_messages", "_wanted")

    def __init__(self) -> None:
        self._messages: list[T] = []
        self._wanted: asyncio.Future[None] | None = None  # by whoever waits

    def empty(self) -> bool:
        return not self._messages

    def put_nowait(self, message: T) -> None:
        self._messages.append(message)
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)

    async def get(self) -> T:
        while not self._messages:
            self._wanted = asyncio.get_running_loop().create_future()
            try:
                await self._wanted
            finally:
                self._wanted = None
        return self._messages.pop(0)
