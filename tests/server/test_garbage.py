"""Full garbage collections: in quiet moments, rarely, and never for long stretches of the time."""

from __future__ import annotations

import asyncio
import gc
import sys
from pathlib import Path
from weakref import ref

import pytest

from roundtable.server.garbage import (
    CHECK_SECONDS,
    IDLE_MESSAGES,
    LEAST_PAUSE,
    MOST_PAUSE,
    NEW_SECONDS,
    PAUSE_FACTOR,
    GarbageCollector,
    collect_all,
    collect_new,
)
from roundtable.server.metrics import Metrics
from support.live_server import LiveServer
from support.raw_socket import RawSocket
from support.virtual_time import VirtualLoop, run
from support.waiting import wait_until

BUSY = [{"said": IDLE_MESSAGES + 1}, {"stall": 0.1}]


class FakeServer:
    """A server whose clock the test advances; each collection of all objects takes `took` seconds."""

    def __init__(self, took: float = 0.01) -> None:
        self.now = 1000.0
        self.took = took
        self.collected: list[float] = []
        self.metrics = Metrics()
        self._collector = GarbageCollector(self.metrics, lambda: self.now, collect_all=self._collect_all)

    def _collect_all(self) -> None:
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


@pytest.mark.parametrize("busy", BUSY)
def test_a_busy_server_waits_for_a_quiet_second(busy: dict[str, float]) -> None:
    server = FakeServer()
    server.run(MOST_PAUSE - 10, **busy)  # type: ignore[arg-type]
    assert server.collected == []
    server.run(2)
    assert len(server.collected) == 1


@pytest.mark.parametrize("busy", BUSY)
def test_a_server_that_is_always_busy_collects_all_the_same(busy: dict[str, float]) -> None:
    server = FakeServer()
    server.run(3.5 * MOST_PAUSE, **busy)  # type: ignore[arg-type]
    assert len(server.collected) == 3
    assert min(server.pauses()) >= MOST_PAUSE


def test_new_objects_are_collected_again_and_again_between_two_looks() -> None:
    """One collection of all that a busy second leaves would hold up a hundredth of its moves."""
    collected, looked = list[float](), list[float]()

    async def serve(loop: VirtualLoop) -> None:
        def collect_new() -> None:
            collected.append(loop.time())

        def collect_all() -> None:
            looked.append(loop.time())

        async with asyncio.timeout(10 * LEAST_PAUSE):
            await GarbageCollector(Metrics(), loop.time, collect_new, collect_all).run()

    with pytest.raises(TimeoutError):
        run(serve)
    assert looked
    assert len(collected) >= 0.8 * 10 * LEAST_PAUSE / NEW_SECONDS
    assert NEW_SECONDS <= CHECK_SECONDS / 5


class Ring:
    """Refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.ring = self


def test_a_cycle_that_grew_old_is_freed_when_all_objects_are_looked_at() -> None:
    new, old = Ring(), Ring()
    is_new, is_old = ref(new), ref(old)
    gc.disable()
    try:
        del new
        collect_new()
        assert is_new() is None
        del old
        collect_new()
        assert is_old() is not None
        collect_all()
        assert is_old() is None
    finally:
        gc.enable()


def test_long_collections_come_rarely() -> None:
    server = FakeServer(took=2.0)
    server.run(20 * PAUSE_FACTOR)
    assert len(server.collected) > 2
    assert min(server.pauses()) >= 2.0 * PAUSE_FACTOR
    assert f"roundtable_collection_seconds_count {len(server.collected)}.0".encode() in server.metrics.exposition()


IMPATIENT = (
    "from roundtable.server import garbage",
    "garbage.NEW_SECONDS = garbage.CHECK_SECONDS = garbage.LEAST_PAUSE = 0.01",
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


UNCOLLECTED = (
    "import gc, sys, threading",
    "from websockets.server import ServerProtocol",
    "from roundtable.server import garbage",
    "garbage.NEW_SECONDS = garbage.CHECK_SECONDS = 1e6",
    "def count():",
    "    while not threading.Event().wait(0.05):",
    "        alive = sum(isinstance(one, ServerProtocol) for one in gc.get_objects())",
    "        print('connections:', alive, file=sys.stderr, flush=True)",
    "threading.Thread(target=count, daemon=True).start()",
    "from roundtable.cli import main",
    "main()",
)


def test_a_lost_connection_is_freed_without_a_collection(tmp_path: Path) -> None:
    """A busy server looks among old objects once an hour, and a connection is old by the time it is lost."""
    program = (sys.executable, "-c", "\n".join(UNCOLLECTED))
    with LiveServer(tmp_path / "rooms.db", program=program) as server:

        def wait_for(connections: int) -> None:
            wait_until(lambda: server.logged().endswith(f"connections: {connections}\n"), f"{connections} connections")

        port = int(server.url.rpartition(":")[2])
        sockets = [RawSocket(port, "ABCDEF") for _ in range(3)]
        wait_for(3)
        for socket in sockets:
            socket.hang_up()
        wait_for(0)
