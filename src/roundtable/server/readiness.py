"""The readiness check: the server has read its overdue rooms, and can write to its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct

from roundtable.storage import Log, LogFailed

PROBE_LASTS = 1.0  # seconds for which the result of a write probe is reused
PROBE_TIMEOUT = 5.0  # seconds


class Health(Struct, kw_only=True, omit_defaults=True):
    """The status of the server, with a sentence where it is not ready."""

    status: str
    message: str = ""


READY = Health(status="ready")
STARTING = Health(status="starting")
UNWRITABLE = Health(status="unwritable")


class Readiness:
    """Probes the log with a no-op write, at most once a second. Writes of rooms do not replace the probe: then the time
    of the answer would reveal secret moves."""

    def __init__(self, log: Log, has_started: Callable[[], bool]) -> None:
        self._log = log
        self._has_started = has_started
        self._attempt: asyncio.Task[bool] | None = None
        self._attempted_at = 0.0

    async def check(self) -> Health:
        if not self._has_started():
            return STARTING
        return READY if await self._can_write() else UNWRITABLE

    async def _can_write(self) -> bool:
        loop = asyncio.get_running_loop()
        if self._attempt is None or (self._attempt.done() and loop.time() >= self._attempted_at + PROBE_LASTS):
            self._attempt, self._attempted_at = loop.create_task(self._try_to_write()), loop.time()
        return await asyncio.shield(self._attempt)

    async def _try_to_write(self) -> bool:
        try:
            async with asyncio.timeout(PROBE_TIMEOUT):
                await self._log.try_to_write()
        except (LogFailed, TimeoutError):
            return False
        return True
