"""When reference cycles are freed: those of new objects ten times a second, those of old ones in idle moments."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import time
from collections.abc import Callable
from contextlib import suppress

from roundtable.server.metrics import Metrics

NEW_SECONDS = 0.1  # between two collections of new objects
CHECK_SECONDS = 1.0  # between two looks at how busy the server is
IDLE_MESSAGES = 20  # that clients send between two looks; with more, the server is busy
IDLE_STALL = 0.02  # seconds by which a look may be late; later, the server is busy
LEAST_PAUSE = 30.0  # seconds between two collections of all objects
MOST_PAUSE = 3600.0  # seconds after which a server that is never idle collects all objects as well
PAUSE_FACTOR = 100  # the pause after a collection of all objects, as a multiple of the time that it took


def collect_by_clock() -> None:
    """Stop Python's own collections, which count objects: a full one would make ten thousand sockets wait for a quarter
    of a second at any moment. `GarbageCollector` chooses the moment."""
    gc.disable()
    collect_new()


def collect_new() -> None:
    """Free cycles of objects that are new since the last collection. Those that are left count as old from now on."""
    gc.collect()
    gc.freeze()


def collect_all() -> None:
    """Free all cycles, and return freed memory to the system: glibc keeps what it once needed for a long record."""
    gc.unfreeze()
    collect_new()
    with suppress(AttributeError, OSError, TypeError):  # other C libraries
        ctypes.CDLL(None).malloc_trim(0)


class GarbageCollector:
    """Frees cycles that small collections do not reach. Our own code leaves none behind; libraries do.

    A collection blocks the event loop. To look at all objects takes ten milliseconds on a small server and half a
    second with ten thousand sockets, so it waits for a quiet second, and takes up no more than a hundredth of the time.
    To look at those that are new takes a hundredth of the time as well, at two thousand moves a second; ten times a
    second, so that no move waits long for it.
    """

    def __init__(
        self,
        metrics: Metrics,
        now: Callable[[], float] = time.monotonic,
        collect_new: Callable[[], object] = collect_new,
        collect_all: Callable[[], object] = collect_all,
    ) -> None:
        self._metrics = metrics
        self._now = now
        self._collect_new, self._collect_all = collect_new, collect_all
        self._said = metrics.said
        self._looked_at = self._collected_at = now()
        self._pause = LEAST_PAUSE

    async def run(self) -> None:
        while True:
            for _ in range(round(CHECK_SECONDS / NEW_SECONDS)):
                await asyncio.sleep(NEW_SECONDS)
                self._collect_new()
            self.check()

    def check(self) -> None:
        """Collect all objects if the time has come. To be called every `CHECK_SECONDS`."""
        begun, is_idle = self._now(), self._is_idle()
        if begun - self._collected_at < (self._pause if is_idle else MOST_PAUSE):
            return
        self._collect_all()
        self._looked_at = self._collected_at = self._now()
        took = self._collected_at - begun
        self._metrics.collections.add(took)
        self._pause = max(LEAST_PAUSE, PAUSE_FACTOR * took)

    def _is_idle(self) -> bool:
        """Whether clients sent little since the last look, and the event loop was not held up."""
        now, said = self._now(), self._metrics.said
        is_idle = said - self._said <= IDLE_MESSAGES and now - self._looked_at <= CHECK_SECONDS + IDLE_STALL
        self._looked_at, self._said = now, said
        return is_idle
