"""Whether a server takes guests: it knows its rooms again, is late for nothing, and can write things down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct

from roundtable.storage import Log, LogFailed

FRESH = 1.0  # seconds for which the result of a write probe is reused
PATIENCE = 5.0  # seconds in which an attempt has to succeed


class Health(Struct, kw_only=True, omit_defaults=True):
    """How the server is, and where it is not well, why."""

    status: str
    message: str = ""


READY = Health(status="ready")
STARTING = Health(status="starting")
UNWRITABLE = Health(status="unwritable")


class Readiness:
    """Finds out by writing. What rooms write does not count: how long an answer takes would tell of secret moves."""

    def __init__(self, log: Log, has_started: Callable[[], bool]) -> None:
        self._log = log
        self._has_started = has_started
        self._attempt: asyncio.Task[bool] | None = None
        self._attempted_at = 0.0

    async def look(self) -> Health:
        if not self._has_started():
            return STARTING
        return READY if await self._can_write() else UNWRITABLE

    async def _can_write(self) -> bool:
        loop = asyncio.get_running_loop()
        if self._attempt is None or (self._attempt.done() and loop.time() >= self._attempted_at + FRESH):
            self._attempt, self._attempted_at = loop.create_task(self._try_to_write()), loop.time()
        return await asyncio.shield(self._attempt)

    async def _try_to_write(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._log.try_to_write()
        except (LogFailed, TimeoutError):
            return False
        return True
