"""Full garbage collections: in quiet moments, rarely, and never for long stretches of the time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from roundtable.server.garbage import (
    BUSY_PAUSE,
    CHECK_SECONDS,
    IDLE_MESSAGES,
    LEAST_PAUSE,
    MOST_PAUSE,
    PAUSE_FACTOR,
    GarbageCollector,
)
from roundtable.server.metrics import Metrics
from support.live_server import LiveServer
from support.waiting import wait_until


class FakeServer:
    """A server whose clock the test advances; each collection takes `took` seconds."""

    def __init__(self, took: float = 0.01) -> None:
        self.now = 1000.0
        self.took = took
        self.collected: list[float] = []
        self.metrics = Metrics()
        self._collector = GarbageCollector(self.metrics, lambda: self.now, self._collect)

    def _collect(self) -> None:
        self.collected.append(self.now)
        self.now += self.took

    def run(self, seconds: float, *, said: int = 0, stall: float = 0.0) -> None:
        """So many messages are said each second, and the event loop is blocked for so long."""
        end = self.now + seconds
        while self.now < end:
            self.now += CHECK_SECONDS + stall
            self.metrics.said += said
            self._collector.check()

    def pauses(self) -> list[float]:
        return [later - earlier for earlier, later in zip(self.collected, self.collected[1:], strict=False)]


def test_an_idle_server_collects_twice_a_minute() -> None:
    server = FakeServer()
    server.run(600)
    assert len(server.collected) >= 15
    assert min(server.pauses()) >= LEAST_PAUSE


@pytest.mark.parametrize("busy", [{"said": IDLE_MESSAGES + 1}, {"stall": 0.1}])
def test_a_busy_server_waits_for_a_quiet_second(busy: dict[str, float]) -> None:
    server = FakeServer()
    server.run(BUSY_PAUSE - 10, **busy)  # type: ignore[arg-type]
    assert server.collected == []
    server.run(2)
    assert len(server.collected) == 1


def test_a_server_that_is_always_busy_collects_all_the_same() -> None:
    small, large = FakeServer(took=0.01), FakeServer(took=0.25)
    for server in (small, large):
        server.run(4 * MOST_PAUSE, said=1000, stall=0.05)
    assert min(small.pauses()) >= BUSY_PAUSE
    assert len(small.collected) >= 10
    assert min(large.pauses()) >= MOST_PAUSE
    assert len(large.collected) >= 3


def test_long_collections_come_rarely() -> None:
    server = FakeServer(took=2.0)
    server.run(20 * PAUSE_FACTOR)
    assert len(server.collected) > 2
    assert min(server.pauses()) >= 2.0 * PAUSE_FACTOR
    assert f"roundtable_collection_seconds_count {len(server.collected)}.0".encode() in server.metrics.exposition()


IMPATIENT = (
    "from roundtable.server import garbage",
    "garbage.CHECK_SECONDS = garbage.LEAST_PAUSE = garbage.BUSY_PAUSE = 0.01",
    "from roundtable.cli import main",
    "main()",
)


def test_a_real_server_collects_and_says_how_long_it_took(tmp_path: Path) -> None:
    program = (sys.executable, "-c", "\n".join(IMPATIENT))
    with LiveServer(tmp_path / "rooms.db", "--metrics-port", "0", program=program) as server:

        def has_collected() -> bool:
            text = server.metrics()
            return "_collection_seconds_count" in text and "_collection_seconds_count 0.0" not in text

        wait_until(has_collected, "a full collection")
