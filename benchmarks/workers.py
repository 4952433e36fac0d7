"""Workers on PostgreSQL beside one process on SQLite: moves a second, latency with ten times the rooms, and how long
tables wait after their worker was killed.

python -m benchmarks.workers --database postgresql://postgres@127.0.0.1/bench [--tables N] [--seconds S] [--rate N]

The database has to be empty. The load runs on the same machine, so more workers than cores show no more moves.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.server import ours
from benchmarks.server.load import Figures, closed_loop, cpu_seconds, open_loop
from roundtable.client import Client, Table
from roundtable.protocol.rooms import Chat

IN_FLIGHT = 32
PLENTY = ("--requests-per-minute", "100000000", "--sockets-per-address", "1000000", "--most-rooms", "1000000")
WORKERS = (1, 2, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description="How much several workers carry.")
    parser.add_argument("--database", required=True, help="an empty PostgreSQL database")
    parser.add_argument("--tables", type=int, default=60, help="tables of five sockets")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each measurement lasts")
    parser.add_argument("--rate", type=float, default=100.0, help="moves a second while the latency is measured")
    chosen = parser.parse_args()
    gc.disable()
    asyncio.run(measure(chosen))


async def measure(chosen: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sqlite = await throughput(f"sqlite:///{Path(folder) / 'bench.db'}", 1, chosen, "SQLite, 1 process")
    for count in WORKERS:
        seen = await throughput(chosen.database, count, chosen, f"PostgreSQL, {count} workers")
        rates, costs = seen.rate / sqlite.rate, seen.cost / sqlite.cost
        print(f"{rates:.2f} times the moves a second of SQLite, {costs:.2f} times its CPU time for a move")
    few, many = [await latency(chosen, tables) for tables in (chosen.tables // 10, chosen.tables)]
    print(f"with ten times the rooms: p50 {many.p50 / few.p50:.2f} times, p99 {many.p99 / few.p99:.2f} times as long")
    waits = await killed(chosen)
    print(f"a worker was killed: {len(waits)} tables went on after {waits[0]:.1f} to {waits[-1]:.1f} s")


async def throughput(database: str, workers: int, chosen: argparse.Namespace, name: str) -> Figures:
    with running(database, workers) as (pids, port):
        tables = await ours.open_tables(port, chosen.tables)
        before = sum(map(cpu_seconds, pids))
        seen = await closed_loop(tables, min(IN_FLIGHT, chosen.tables), chosen.seconds, pids[0])
        seen = seen._replace(server_seconds=sum(map(cpu_seconds, pids)) - before)
        print(seen.line(name), flush=True)
        return seen


async def latency(chosen: argparse.Namespace, count: int) -> Figures:
    with running(chosen.database, 2) as (pids, port):
        tables = await ours.open_tables(port, count)
        seen = await open_loop(tables, chosen.rate, chosen.seconds, pids[0])
        print(seen.line(f"PostgreSQL, 2 workers, {count} tables"), flush=True)
        return seen


async def killed(chosen: argparse.Namespace) -> list[float]:
    """Seconds after which each table answered again, over the client; those of the other worker answer at once."""
    with running(chosen.database, 2) as (pids, port):
        async with Client(f"http://127.0.0.1:{port}") as client:
            tables = [await client.open("Ada") for _ in range(chosen.tables // 2)]
            os.kill(pids[1], signal.SIGKILL)
            began = time.monotonic()

            async def wait(table: Table) -> float:
                await table.ask(Chat(text="Hm."))
                return time.monotonic() - began

            return sorted(await asyncio.gather(*map(wait, tables)))


@contextlib.contextmanager
def running(database: str, workers: int) -> Iterator[tuple[Sequence[int], int]]:
    """The processes, the parent first, and the port."""
    command = [sys.executable, "-m", "roundtable", "serve", "--host", "127.0.0.1", "--port", "0"]
    command += ["--database", database, "--workers", str(workers), "--messages-per-20-seconds", "100000000", *PLENTY]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)$", server.stdout.readline().strip())
        assert found, "the server did not start"
        yield [server.pid, *workers_of(server.pid)], int(found[1])
    finally:
        server.terminate()
        server.wait()


def workers_of(parent: int) -> list[int]:
    """Processes that the parent has started to serve; those of bots are children of these."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]


if __name__ == "__main__":
    main()
