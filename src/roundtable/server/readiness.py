"""The readiness check: the server has read its overdue rooms, and can write to its log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from msgspec import Struct

from roundtable.storage import Log, LogFailed, LogLost

PROBE_LASTS = 1.0  # seconds for which the result of a write probe is reused
PROBE_TIMEOUT = 5.0  # seconds
WATCH_SECONDS = 5.0  # between two probes that no one asked for

logger = logging.getLogger("roundtable.server")


class Health(Struct, kw_only=True, omit_defaults=True):
    """The status of the server, with a sentence where it is not ready."""

    status: str
    message: str = ""


READY = Health(status="ready")
STARTING = Health(status="starting")
UNWRITABLE = Health(status="unwritable")


class Readiness:
    """Probes the log with a no-op write: when it is asked, at most once a second, and every few seconds by itself.
    Writes of rooms do not replace the probe: then the time of the answer would reveal secret moves."""

    def __init__(
        self, log: Log, has_started: Callable[[], bool], has_leases: Callable[[], bool] = lambda: True
    ) -> None:
        self._log = log
        self._has_started = has_started
        self._has_leases = has_leases
        self._attempt: asyncio.Task[bool] | None = None
        self._attempted_at = 0.0
        self._is_writable = False  # as the latest probe found
        self._is_reported = False  # whether the log says that nothing can be written

    @property
    def is_ready(self) -> bool:
        """What `check` would answer if a probe ended as the latest one did."""
        return self._has_started() and self._is_writable and self._has_leases()

    async def check(self) -> Health:
        if not self._has_started():
            return STARTING
        return READY if await self._can_write() and self._has_leases() else UNWRITABLE

    async def watch(self) -> None:
        """Probe for ever, so that metrics and log tell of an outage though no one asks and no one moves."""
        while True:
            try:
                await self._can_write()
            except Exception:
                self._is_writable = False
                logger.exception("the probe of the database failed")
            await asyncio.sleep(WATCH_SECONDS)

    async def _can_write(self) -> bool:
        loop = asyncio.get_running_loop()
        if self._attempt is None or (self._attempt.done() and loop.time() >= self._attempted_at + PROBE_LASTS):
            self._attempt, self._attempted_at = loop.create_task(self._try_to_write()), loop.time()
        return await asyncio.shield(self._attempt)

    async def _try_to_write(self) -> bool:
        failed: LogFailed | None = None
        try:
            async with asyncio.timeout(PROBE_TIMEOUT):
                await self._log.try_to_write()
        except LogFailed as refused:
            failed = refused
        except TimeoutError:
            failed = LogFailed("it does not answer")
        self._is_writable = failed is None
        if self._has_started():  # and was not stopped meanwhile
            self._report(failed)
        return self._is_writable

    def _report(self, failed: LogFailed | None) -> None:
        """One line when nothing can be written, and one when writing works again. `LogLost` is in the log already."""
        if failed is None and self._is_reported:
            logger.warning("the database can be written again: games go on")
        elif failed is not None and not self._is_reported and not isinstance(failed, LogLost):
            logger.error("the database cannot be written: %s. Games stand still until it can", failed)
        else:
            return
        self._is_reported = failed is not None
