"""Metrics for Prometheus: counts and times, and nothing about any room or person."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from roundtable.storage import Log, LogFailed, RoomSummary, Row

STALL_INTERVAL = 0.02  # seconds between two measurements of the event loop's delay
COMMIT_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2)  # seconds
STALL_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2)


class Histogram:
    """A histogram of seconds."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def family(self, name: str, description: str) -> Metric:
        bounds = (*map(str, self._bounds), "+Inf")
        return HistogramMetricFamily(
            name, description, list(zip(bounds, accumulate(self._counts), strict=True)), self._sum
        )


class Metrics:
    """All metrics. They are plain numbers, because some change with every move, and are formatted on request."""

    def __init__(self) -> None:
        self.is_ready = False
        self.sockets = 0
        self.relayed = 0
        self.rooms = 0
        self.games = 0
        self.said = 0
        self.unreadable = 0
        self.rows = 0
        self.failed_writes = 0
        self.lost_leases = 0
        self.replaced = 0
        self.commits = Histogram(COMMIT_BUCKETS)
        self.stalls = Histogram(STALL_BUCKETS)
        self.collections = Histogram(STALL_BUCKETS)
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)  # memory, CPU time, descriptors; on Linux alone

    def exposition(self) -> bytes:
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("roundtable_ready", "1 if the server can use its database, or 0.", self.is_ready)
        yield GaugeMetricFamily("roundtable_sockets", "Sockets that are connected.", self.sockets)
        yield GaugeMetricFamily("roundtable_relayed", "Sockets that are relayed to other workers.", self.relayed)
        yield GaugeMetricFamily("roundtable_rooms", "Rooms in memory.", self.rooms)
        yield GaugeMetricFamily("roundtable_games", "Games that run in these rooms.", self.games)
        yield CounterMetricFamily("roundtable_said", "Messages that clients sent.", self.said)
        yield CounterMetricFamily("roundtable_unreadable", "Messages that could not be read.", self.unreadable)
        yield CounterMetricFamily("roundtable_rows", "Rows written to the log.", self.rows)
        yield CounterMetricFamily("roundtable_failed_writes", "Attempts to write that failed.", self.failed_writes)
        yield CounterMetricFamily("roundtable_lost_leases", "Times that all leases were lost.", self.lost_leases)
        yield CounterMetricFamily("roundtable_replaced", "Processes that this one replaced.", self.replaced)
        yield self.commits.family("roundtable_commit_seconds", "Time until rows were committed.")
        yield self.stalls.family(
            "roundtable_stall_seconds", "Time for which the event loop was blocked, at each measurement."
        )
        yield self.collections.family("roundtable_collection_seconds", "Time that full garbage collections took.")

    async def measure_stalls(self) -> None:
        """Measure how long the event loop is blocked."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(STALL_INTERVAL)
            self.stalls.add(max(0.0, time.monotonic() - before - STALL_INTERVAL))


class MeasuredLog:
    """A log that counts rows and failed writes, and measures commits."""

    def __init__(self, log: Log, metrics: Metrics) -> None:
        self._log = log
        self._metrics = metrics
        self.leases = log.leases
        self.read = log.read
        self.summaries = log.summaries
        self.open_rooms = log.open_rooms
        self.listed = log.listed
        self.rewrite = log.rewrite
        self.remove = log.remove
        self.closed_rooms = log.closed_rooms
        self.notes = log.notes
        self.write_notes = log.write_notes
        self.close = log.close

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        before = time.perf_counter()
        try:
            await self._log.append(room, known, rows, summary)
        except LogFailed:
            self._metrics.failed_writes += 1
            raise
        self._metrics.rows += len(rows)
        self._metrics.commits.add(time.perf_counter() - before)

    async def try_to_write(self) -> None:
        try:
            await self._log.try_to_write()
        except LogFailed:
            self._metrics.failed_writes += 1
            raise
