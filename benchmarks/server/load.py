"""Load generation: moves per second, and the latency of a move until the last seat has received it."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Sequence
from statistics import quantiles
from typing import NamedTuple, Protocol, TypeVar

from benchmarks.server.sockets import Socket


class Table(Protocol):
    """A table at which a move is always possible."""

    sockets: list[Socket]

    @property
    def can_move(self) -> bool: ...

    def move(self) -> asyncio.Future[None]:
        """Make one move; done when every seat in its audience has received it."""
        ...


class Opening(Protocol):
    """A table that has to be opened first."""

    async def open(self) -> None: ...


T = TypeVar("T", bound=Opening)
OPENED_AT_ONCE = 20


async def open_all(tables: list[T]) -> list[T]:
    for place in range(0, len(tables), OPENED_AT_ONCE):
        await asyncio.gather(*(table.open() for table in tables[place : place + OPENED_AT_ONCE]))
    return tables


class Figures(NamedTuple):
    moves: int
    seconds: float
    server_seconds: float  # of CPU time
    p50: float  # milliseconds
    p99: float
    bytes_received: int  # by all seats, frames and their headers

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    @property
    def cost(self) -> float:
        """Microseconds of the server's CPU time for a move."""
        return 1e6 * self.server_seconds / max(1, self.moves)

    @property
    def bytes(self) -> float:
        """Bytes of a move to all five seats."""
        return self.bytes_received / max(1, self.moves)

    def line(self, name: str) -> str:
        cpu = self.server_seconds / self.seconds
        return (
            f"{name:<44}{self.rate:>8.0f} moves/s   p50 {self.p50:>7.2f} ms   p99 {self.p99:>7.2f} ms   "
            f"server CPU {cpu:>5.2f}, {self.cost:>5.0f} us and {self.bytes:>5.0f} bytes a move"
        )


async def closed_loop(tables: Sequence[Table], in_flight: int, seconds: float, pid: int) -> Figures:
    """Keep a fixed number of moves in flight."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    share = len(tables) // in_flight

    async def keep_going(mine: Sequence[Table]) -> None:
        turn = 0
        while time.perf_counter() < end:
            table = mine[turn % len(mine)]
            turn += 1
            if not table.can_move:
                await asyncio.sleep(0)
                continue
            start = time.perf_counter()
            await table.move()
            times.append(time.perf_counter() - start)

    before, received, begun = cpu_seconds(pid), received_by(tables), time.perf_counter()
    workers = [keep_going(tables[place * share : (place + 1) * share]) for place in range(in_flight)]
    await asyncio.gather(*workers)
    spent, cpu = time.perf_counter() - begun, cpu_seconds(pid) - before
    return figures(times, spent, cpu, received_by(tables) - received)


async def open_loop(tables: Sequence[Table], rate: float, seconds: float, pid: int) -> Figures:
    """Send moves at a fixed rate, whether or not the server keeps up; each is timed from when it was due."""
    times: list[float] = []
    waiting: list[asyncio.Future[None]] = []
    free = [(0.0, place) for place in range(len(tables))]
    heapq.heapify(free)
    before, received, begun = cpu_seconds(pid), received_by(tables), time.perf_counter()
    due = begun
    while due < begun + seconds:
        if (left := due - time.perf_counter()) > 0:
            await asyncio.sleep(left)
        for _ in range(len(free)):
            _, place = heapq.heappop(free)
            if tables[place].can_move:
                break
            heapq.heappush(free, (time.perf_counter(), place))
        else:
            await asyncio.sleep(0.0005)
            continue
        moved = tables[place].move()

        def heard(_: asyncio.Future[None], due: float = due, place: int = place) -> None:
            now = time.perf_counter()
            times.append(now - due)
            heapq.heappush(free, (now, place))

        moved.add_done_callback(heard)
        waiting.append(moved)
        due += 1 / rate
        if len(waiting) > 10_000:
            waiting = [one for one in waiting if not one.done()]
    spent, cpu = time.perf_counter() - begun, cpu_seconds(pid) - before
    await asyncio.wait([asyncio.ensure_future(one) for one in waiting] or [asyncio.sleep(0)], timeout=10)  # type: ignore[type-var]
    return figures(times, spent, cpu, received_by(tables) - received)


def received_by(tables: Sequence[Table]) -> int:
    return sum(socket.bytes_received for table in tables for socket in table.sockets)


def figures(times: Sequence[float], seconds: float, server_seconds: float, received: int) -> Figures:
    cut = quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
    return Figures(len(times), seconds, server_seconds, 1000 * cut[49], 1000 * cut[98], received)


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process, threads included."""
    with open(f"/proc/{pid}/stat") as stat:
        parts = stat.read().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / 100


def memory_kib(pid: int) -> int:
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
