"""A queue from which a single task takes.

`asyncio.Queue` serves many producers and many consumers and occupies three kilobytes, an eighth of a connection.
"""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleConsumerQueue(Generic[T]):
    """The part of `asyncio.Queue` that a connection uses."""

    __slots__ = ("_getter", "_items")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._getter: asyncio.Future[None] | None = None  # of the task that waits for an item

    def empty(self) -> bool:
        return not self._items

    def put_nowait(self, item: T) -> None:
        self._items.append(item)
        if self._getter is not None and not self._getter.done():
            self._getter.set_result(None)

    async def get(self) -> T:
        while not self._items:
            self._getter = asyncio.get_running_loop().create_future()
            try:
                await self._getter
            finally:
                self._getter = None
        return self._items.pop(0)
