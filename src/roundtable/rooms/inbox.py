"""One thing after the other: whatever members, bots and the clock want of a room waits in its inbox for its turn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from roundtable.core.errors import RoundTableError
from roundtable.rooms.refusals import busy

Job = Callable[[], Awaitable[None]]


class Inbox:
    """Jobs in the order in which they came. The next is taken up when `do` is through with the one before."""

    def __init__(self, do: Callable[[Job], Awaitable[None]]) -> None:
        self.is_closed = False
        self._do = do
        self._jobs: deque[Job] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._promises: set[asyncio.Future[None]] = set()  # requests that wait for their answer

    @property
    def is_idle(self) -> bool:
        return not self._jobs and (self._worker is None or self._worker.done())

    def post(self, job: Job) -> None:
        if self.is_closed:  # the room must not come back to life beside the one that was read since
            return
        self._jobs.append(job)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())

    async def ask(self, job: Job) -> None:
        """Do it in its turn, and hear how it went."""
        if self.is_closed:
            raise busy()
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._promises.add(done)
        self.post(lambda: _report(job, done))
        try:
            await done
        finally:
            self._promises.discard(done)

    def close(self) -> None:
        """Nothing more is done. Whoever still waits has to ask again, in another room of the same code."""
        self.is_closed = True
        self._jobs.clear()
        for promise in self._promises:
            if not promise.done():
                promise.set_exception(busy())
        if self._worker is not None and self._worker is not asyncio.current_task():
            self._worker.cancel()

    async def _work(self) -> None:
        while self._jobs:
            await self._do(self._jobs.popleft())


async def _report(job: Job, done: asyncio.Future[None]) -> None:
    problem: RoundTableError | None = busy()
    try:
        await job()
        problem = None
    except RoundTableError as refused:
        problem = refused
    finally:
        if not done.done() and problem is None:
            done.set_result(None)
        elif not done.done() and problem is not None:
            done.set_exception(problem)
