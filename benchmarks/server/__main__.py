"""Full games over real sockets, beside boardgame.io, server and load on a core each.

make bench-server          # or: python -m benchmarks.server [--tables N] [--seconds S] [--rate N]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import uvloop

from benchmarks.server import ours, theirs
from benchmarks.server.load import closed_loop, memory_kib, open_loop

IN_FLIGHT = 64


def main() -> None:
    parser = argparse.ArgumentParser(description="How much a live server carries, beside boardgame.io.")
    parser.add_argument("--tables", type=int, default=400, help="tables of five sockets; 400 by default")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each measurement lasts")
    parser.add_argument("--rate", type=float, default=2000.0, help="moves a second in the open loop")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the closed loop, taking turns with the peer")
    chosen = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 40_000)), hard))
    keep_to(0)
    uvloop.run(measure(chosen))


async def measure(chosen: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{chosen.tables} tables of 5 seats, {chosen.seconds:.0f} s each, server and load on a core each")
        rates: dict[str, list[float]] = {"ours": [], "theirs": []}
        for _ in range(chosen.rounds):
            with running_ours(folder) as (pid, port):
                empty = memory_kib(pid)
                tables = await ours.open_tables(port, chosen.tables)
                result = await closed_loop(tables, IN_FLIGHT, chosen.seconds, pid)
                rates["ours"].append(result.rate)
                print(result.line("Round Table, durable, 64 moves in flight"), flush=True)
                result = await open_loop(tables, chosen.rate, chosen.seconds, pid)
                print(result.line(f"Round Table, durable, {chosen.rate:.0f} moves/s due"))
                each = (memory_kib(pid) - empty) / (5 * chosen.tables)
                print(f"{'':<44}{each:.1f} KiB a socket (its share of the table included); {stall(port)}", flush=True)
            with running_theirs(folder) as found:
                if found is None:
                    print("boardgame.io is not to be had here: no npm.")
                    continue
                pid, port, api = found
                match_tables = await theirs.open_tables(port, api, chosen.tables)
                result = await closed_loop(match_tables, IN_FLIGHT, chosen.seconds, pid)
                rates["theirs"].append(result.rate)
                print(result.line("boardgame.io, in memory, 64 moves in flight"), flush=True)
        for mine, other in zip(rates["ours"], rates["theirs"], strict=False):
            print(f"{mine / other:.2f} times boardgame.io's moves a second")


def pinned(core: int) -> list[str]:
    """On a core of its own, where there are two, and before whatever else runs there."""
    if not shutil.which("taskset") or (os.cpu_count() or 1) < 2:
        return []
    first = ["chrt", "-r", "1"] if shutil.which("chrt") and os.geteuid() == 0 else []
    return [*first, "taskset", "-c", str(core)]


def keep_to(core: int) -> None:
    """The load keeps to the other core, and like the server before whatever else runs here, where that is allowed."""
    if pinned(core):
        os.sched_setaffinity(0, {core})
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


@contextlib.contextmanager
def running_ours(folder: Path) -> Iterator[tuple[int, int]]:
    for old in folder.glob("bench.db*"):
        old.unlink()
    server, port = ours.start_server(folder, pinned(1))
    try:
        yield server.pid, port
    finally:
        stop(server)


@contextlib.contextmanager
def running_theirs(folder: Path) -> Iterator[tuple[int, int, int] | None]:
    found = theirs.start_server(folder, pinned(1))
    if found is None:
        yield None
        return
    server, port, api = found
    try:
        yield server.pid, port, api
    finally:
        stop(server)


def stop(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    if server.stdout:
        server.stdout.close()


def stall(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        shown = answer.read().decode()
    seconds = next(line.split()[1] for line in shown.splitlines() if line.startswith("roundtable_stall_seconds "))
    return f"longest stall of the server's loop {1000 * float(seconds):.0f} ms"


if __name__ == "__main__":
    main()
