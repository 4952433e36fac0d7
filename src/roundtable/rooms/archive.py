"""Games that are over, as they are handed out: put together elsewhere, and kept for those who ask next."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from roundtable.protocol.encoding import ENCODER
from roundtable.rooms.records import Finished, finished_game, record_of
from roundtable.rooms.refusals import refuse, unreadable
from roundtable.rooms.replays import replay_of
from roundtable.storage import Log, LogFailed

T = TypeVar("T")

MOST_KEPT = 32 * 1024 * 1024  # bytes
MOST_WAITING = 32  # questions that are put together, or wait for it

Key = tuple[str, int, str]


class Elsewhere(Protocol):
    """Where something is done that would hold up everybody else here."""

    def __call__(self, job: Callable[[], T]) -> Awaitable[T]: ...


async def here(job: Callable[[], T]) -> T:
    """On the spot; for tests in which no time passes."""
    return job()


def in_a_thread() -> Elsewhere:
    """One after the other, while the tables go on."""
    desk = ThreadPoolExecutor(1, thread_name_prefix="archive")

    def give(job: Callable[[], T]) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(desk, job)

    return give


class Copy(NamedTuple):
    """What is handed out, and how many rows the room had; None where no more can come that belong to it."""

    text: bytes
    rows: int | None


class Archive:
    """Records and replays by room and number."""

    def __init__(self, log: Log, elsewhere: Elsewhere) -> None:
        self._log = log
        self._elsewhere = elsewhere
        self._kept: OrderedDict[Key, Copy] = OrderedDict()
        self._size = 0
        self._under_way: dict[Key, asyncio.Task[bytes]] = {}

    async def record(self, code: str, number: int) -> bytes:
        return await self._copy((code, number, ""), record_of)

    async def replay(self, code: str, number: int, listener: str) -> bytes:
        return await self._copy((code, number, listener), lambda game: ENCODER.encode(replay_of(game, listener)))

    async def _copy(self, key: Key, write: Callable[[Finished], bytes]) -> bytes:
        """Whoever asks for the same thing at the same time gets the same copy."""
        task = self._under_way.get(key)
        if task is None:
            if len(self._under_way) >= MOST_WAITING:
                refuse("room/busy", "Too many records are being asked for; ask again.")
            task = self._under_way[key] = asyncio.get_running_loop().create_task(self._look_up(key, write))
            task.add_done_callback(partial(self._is_done, key))
        try:
            return await asyncio.shield(task)  # others may wait for it when this one has gone
        except LogFailed as failed:
            raise unreadable() from failed

    def _is_done(self, key: Key, task: asyncio.Task[bytes]) -> None:
        del self._under_way[key]
        if not task.cancelled():
            task.exception()  # whoever waits hears of it; it is no defect that nobody does

    async def _look_up(self, key: Key, write: Callable[[Finished], bytes]) -> bytes:
        code, number, _ = key
        copy = self._kept.get(key)
        if copy and (copy.rows is None or not await self._log.read(code, copy.rows)):
            self._kept.move_to_end(key)
            return copy.text
        rows = await self._log.read(code)
        game = await self._elsewhere(partial(finished_game, rows, number))
        text = await self._elsewhere(partial(write, game))
        self._keep(key, Copy(text, None if game.is_put_away else len(rows)))
        return text

    def _keep(self, key: Key, copy: Copy) -> None:
        old = self._kept.pop(key, None)
        self._kept[key] = copy
        self._size += len(copy.text) - (len(old.text) if old else 0)
        while self._size > MOST_KEPT:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped.text)
