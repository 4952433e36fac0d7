"""What a server tells those who look after it: counts and times, and nothing about any room or person."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from roundtable.record.log import Card, Log, Row

BEAT = 0.02  # seconds between two looks at whether the event loop keeps up


class Metrics:
    """Every figure by name."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.sockets = Gauge("roundtable_sockets", "Sockets that are connected.", registry=self.registry)
        self.rooms = Gauge("roundtable_rooms", "Rooms in memory.", registry=self.registry)
        self.said = Counter("roundtable_said", "Messages that clients sent.", registry=self.registry)
        self.unreadable = Counter("roundtable_unreadable", "Messages that were none of ours.", registry=self.registry)
        self.rows = Counter("roundtable_rows", "Rows written to the log.", registry=self.registry)
        self.commits = Histogram(
            "roundtable_commit_seconds",
            "How long it took until rows were safe.",
            buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
            registry=self.registry,
        )
        self.stall = Gauge("roundtable_stall_seconds", "The longest stall of the event loop.", registry=self.registry)

    def shown(self) -> bytes:
        return generate_latest(self.registry)

    async def watch_the_loop(self) -> None:
        """Notice when something holds up the event loop."""
        longest = 0.0
        while True:
            before = time.monotonic()
            await asyncio.sleep(BEAT)
            longest = max(longest, time.monotonic() - before - BEAT)
            self.stall.set(longest)


class MeasuredLog:
    """A log that counts what it writes."""

    def __init__(self, log: Log, metrics: Metrics) -> None:
        self._log = log
        self._metrics = metrics
        self.read = log.read
        self.cards = log.cards
        self.shown = log.shown
        self.close = log.close

    async def append(self, room: str, known: int, rows: Sequence[Row], card: Card) -> None:
        before = time.perf_counter()
        await self._log.append(room, known, rows, card)
        self._metrics.commits.observe(time.perf_counter() - before)
        self._metrics.rows.inc(len(rows))
