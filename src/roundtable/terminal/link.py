"""A live table in a thread of its own, for a program whose main thread waits for keys."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any

from roundtable.client import Client, Table


class LinkEnded:
    """The table is gone: why, or None where this side has left it."""

    def __init__(self, failure: Exception | None) -> None:
        self.failure = failure


class TableLink:
    """Holds a table over lost connections, and delivers what happens at it."""

    def __init__(self, client: Callable[[], Client], deliver: Callable[[object], None]) -> None:
        self._client = client
        self._deliver = deliver
        self._entered: Future[Table] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._has_ended = False
        self._thread: threading.Thread | None = None

    def open(self, how: Callable[[Client], Awaitable[Table]]) -> Future[Table]:
        """Enter a table; the result comes when the server has let the client in."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._hold(how)), daemon=True)
        self._thread.start()
        return self._entered

    def call(self, request: Coroutine[Any, Any, None]) -> Future[None]:
        """Send a request of the table; it is done when everything that happened before its answer is delivered."""
        assert self._loop is not None  # after `open`
        return asyncio.run_coroutine_threadsafe(self._send(request), self._loop)

    async def _send(self, request: Coroutine[Any, Any, None]) -> None:
        await request
        while not self._entered.result().is_told and not self._has_ended:
            await asyncio.sleep(0)

    def close(self, table: Table) -> None:
        """Close the connection; the member stays in the room."""
        if self._loop is not None and self._thread is not None and self._thread.is_alive():
            self.call(table.close())
            self._thread.join(timeout=5)

    async def _finish_requests(self) -> None:
        """A request to leave ends after the table does."""
        if others := asyncio.all_tasks() - {task for task in [asyncio.current_task()] if task}:
            await asyncio.wait(others, timeout=1)

    async def _hold(self, how: Callable[[Client], Awaitable[Table]]) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            async with self._client() as client:
                table = await how(client)
                self._entered.set_result(table)
                async for news in table.events():
                    self._deliver(news)
                self._has_ended = True
                await self._finish_requests()
        except Exception as failure:
            self._has_ended = True
            if self._entered.done():
                self._deliver(LinkEnded(failure))
            else:
                self._entered.set_exception(failure)
        else:
            self._deliver(LinkEnded(None))
