"""When the server's reference cycles are freed: young objects all the time, old ones on a timer, in idle moments."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import time
from collections.abc import Callable
from contextlib import suppress

from roundtable.server.metrics import Metrics

CHECK_SECONDS = 1.0  # between two looks at how busy the server is
IDLE_MESSAGES = 20  # that clients send between two looks; with more, the server is busy
IDLE_STALL = 0.02  # seconds by which a look may be late; later, the server is busy
LEAST_PAUSE = 30.0  # seconds between two full collections
BUSY_PAUSE, MOST_PAUSE = 60.0, 300.0  # seconds after which a busy server collects as well, at least and at most
PAUSE_FACTOR = 100  # the pause after a collection, as a multiple of the time that it took
BUSY_FACTOR = 3000  # the same for a busy server


def tune_thresholds() -> None:
    """Frequent small collections, no full ones: with Python's thresholds, ten thousand sockets would wait for a quarter
    of a second at any moment. `GarbageCollector` chooses the moment."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200, 1, 100_000)


def collect_all() -> None:
    """Free all cycles, and return freed memory to the system: glibc keeps what it once needed for a long record."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # other C libraries
        ctypes.CDLL(None).malloc_trim(0)


class GarbageCollector:
    """Frees cycles of old objects, which no other collection reaches. Our own code leaves none behind; libraries do.

    A full collection blocks the event loop: a few milliseconds on a small server, 250 with ten thousand sockets. So it
    waits for a quiet second, one to five minutes at most, and takes up no more than a hundredth of the time.
    """

    def __init__(
        self, metrics: Metrics, now: Callable[[], float] = time.monotonic, collect: Callable[[], object] = collect_all
    ) -> None:
        self._metrics = metrics
        self._now = now
        self._collect = collect
        self._said = metrics.said
        self._looked_at = self._collected_at = now()
        self._pause, self._busy_pause = LEAST_PAUSE, BUSY_PAUSE

    async def run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            self.check()

    def check(self) -> None:
        """Collect if the time has come. To be called every `CHECK_SECONDS`."""
        waited, is_idle = self._now() - self._collected_at, self._is_idle()
        if waited >= self._pause and (is_idle or waited >= self._busy_pause):
            self._collect_now()

    def _is_idle(self) -> bool:
        """Whether clients sent little since the last look, and the event loop was not held up."""
        now, said = self._now(), self._metrics.said
        is_idle = said - self._said <= IDLE_MESSAGES and now - self._looked_at <= CHECK_SECONDS + IDLE_STALL
        self._looked_at, self._said = now, said
        return is_idle

    def _collect_now(self) -> None:
        begun = self._now()
        self._collect()
        self._looked_at = self._collected_at = self._now()
        took = self._collected_at - begun
        self._metrics.collections.add(took)
        self._pause = max(LEAST_PAUSE, PAUSE_FACTOR * took)
        self._busy_pause = min(MOST_PAUSE, max(BUSY_PAUSE, BUSY_FACTOR * took))
