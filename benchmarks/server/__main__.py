"""Full games over real sockets, beside Colyseus and boardgame.io; server and load have a core each.

make compiled && python -m benchmarks.server --package build/compiled [--tables N] [--seconds S] [--rate N] [--crowd N]
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TypeVar

import uvloop

from benchmarks.server import boardgame_io, colyseus, ours
from benchmarks.server.load import Figures, closed_loop, memory_kib, open_loop

OURS = "Round Table, every move on the disk"
IN_FLIGHT = 64
SEATS = 5
LONG_STALL = 0.05  # seconds
P = TypeVar("P", bound=tuple[subprocess.Popen[str], *tuple[int, ...]])
CALM = 0.002  # steal time, as a share of a core


def main() -> None:
    parser = argparse.ArgumentParser(description="How much a live server carries, beside others.")
    parser.add_argument(
        "--tables", type=int, default=400, help="tables of five sockets in the closed loop; 0 leaves it out"
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each measurement lasts")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each; in the closed loop they take turns")
    parser.add_argument("--rate", type=float, default=2000.0, help="moves a second in the open loop")
    parser.add_argument(
        "--crowd", type=int, default=2000, help="tables of five sockets in the open loop; 0 leaves it out"
    )
    plain = ours.Build()
    parser.add_argument("--python", default=plain.python, help="which Python runs the server, of the same version")
    parser.add_argument(
        "--package", type=Path, default=plain.package, help="such as build/compiled, by `make compiled`"
    )
    chosen = parser.parse_args()
    if not (chosen.package / "roundtable").exists():
        parser.error(f"there is no package in {chosen.package}; `make compiled` makes one in build/compiled")
    chosen.build = ours.Build(chosen.python, chosen.package)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 40_000)), hard))
    keep_to(0)
    gc.disable()  # the load generator must not pause
    uvloop.run(measure(chosen))


async def measure(chosen: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if chosen.tables:
            print(f"{chosen.tables} tables of 5 seats, {IN_FLIGHT} moves in flight, {chosen.seconds:.0f} s each")
            await side_by_side(folder, chosen)
        if chosen.crowd:
            print(f"{chosen.crowd} tables of 5 seats, {chosen.rate:.0f} moves/s due, {2 * chosen.seconds:.0f} s")
            await crowded(folder, chosen)


async def side_by_side(folder: Path, chosen: argparse.Namespace) -> None:
    """Alternate rounds and compare adjacent ones, because the speed of a machine changes from minute to minute."""
    rounds: list[dict[str, Figures]] = []
    for _ in range(chosen.rounds):
        seen: dict[str, Figures] = {}
        with running_ours(folder, chosen.build) as (pid, port):
            tables = await ours.open_tables(port, chosen.tables)
            seen[OURS] = await closed_loop(tables, IN_FLIGHT, chosen.seconds, pid)
        with running(colyseus.start_server(folder, pinned(1))) as found:
            if found is not None:
                rooms = await colyseus.open_tables(found[1], chosen.tables)
                seen["Colyseus, in memory"] = await closed_loop(rooms, IN_FLIGHT, chosen.seconds, found[0].pid)
        with running(boardgame_io.start_server(folder, pinned(1))) as others:
            if others is not None:
                matches = await boardgame_io.open_tables(others[1], others[2], chosen.tables)
                seen["boardgame.io, in memory"] = await closed_loop(matches, IN_FLIGHT, chosen.seconds, others[0].pid)
        for name, result in seen.items():
            print(result.line(name), flush=True)
        rounds.append(seen)
    if len(rounds[0]) == 1:
        print("The peers are not to be had here: no npm.")
    for peer in [name for name in rounds[0] if name != OURS]:
        rates = [seen[OURS].rate / seen[peer].rate for seen in rounds]
        costs = [seen[peer].cost / seen[OURS].cost for seen in rounds]
        print(f"{median(rates):.2f} times the moves a second of {peer} (median of {spread(rates)})")
        print(f"{median(costs):.2f} moves for the CPU time of one of {peer} (median of {spread(costs)})")


async def crowded(folder: Path, chosen: argparse.Namespace) -> None:
    """Many sockets, and moves at a fixed rate, through the first games and their rematches."""
    with running_ours(folder, chosen.build) as (pid, port):
        empty = memory_kib(pid)
        tables = await ours.open_tables(port, chosen.crowd)
        sockets = SEATS * chosen.crowd
        joined = (memory_kib(pid) - empty) / sockets
        before = stalls()
        seen: list[tuple[Figures, float]] = []
        for _ in range(chosen.rounds):
            taken = stolen()
            result = await open_loop(tables, chosen.rate, 2 * chosen.seconds, pid)
            share = (stolen() - taken) / result.seconds
            seen.append((result, share))
            print(result.line(f"Round Table, {sockets} sockets") + f"   {share:6.2%} of a core taken away", flush=True)
        after = stalls()
        played = (memory_kib(pid) - empty) / sockets
        print(f"p99 {median(one.p99 for one, _ in seen):.1f} ms (median of {spread([one.p99 for one, _ in seen])})")
        calm = [one.p99 for one, share in seen if share < CALM]
        if calm:
            print(f"p99 {median(calm):.1f} ms where less than {CALM:.1%} was taken away (median of {spread(calm)})")
        print(
            f"{joined:.1f} KiB a socket when all had joined, {played:.1f} KiB after, each with its share of the table"
        )
        print(f"{after - before:.0f} stalls of the server's loop of more than {1000 * LONG_STALL:.0f} ms")


def stolen() -> float:
    """Steal time of the first two cores, in seconds: it adds to the latency of moves."""
    with contextlib.suppress(OSError), open("/proc/stat") as stat:
        ticks = sum(int(line.split()[8]) for line in stat if line.startswith(("cpu0 ", "cpu1 ")))
        return ticks / os.sysconf("SC_CLK_TCK")
    return 0.0


def spread(ratios: list[float]) -> str:
    return ", ".join(f"{ratio:.2f}" for ratio in sorted(ratios))


def pinned(core: int) -> list[str]:
    """The command prefix that pins a process to this core, with real-time priority if allowed; empty on one core."""
    if not shutil.which("taskset") or (os.cpu_count() or 1) < 2:
        return []
    first = ["chrt", "-r", "1"] if shutil.which("chrt") and os.geteuid() == 0 else []
    return [*first, "taskset", "-c", str(core)]


def keep_to(core: int) -> None:
    """Pin this process to a core, with real-time priority if allowed."""
    if pinned(core):
        os.sched_setaffinity(0, {core})
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


@contextlib.contextmanager
def running_ours(folder: Path, build: ours.Build) -> Iterator[tuple[int, int]]:
    for old in folder.glob("bench.db*"):
        old.unlink()
    server, port = ours.start_server(folder, pinned(1), build)
    try:
        yield server.pid, port
    finally:
        stop(server)


@contextlib.contextmanager
def running(started: P | None) -> Iterator[P | None]:
    """What a peer's `start_server` returned; its process comes first, and is stopped at the end."""
    try:
        yield started
    finally:
        if started is not None:
            stop(started[0])


def stop(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    if server.stdout:
        server.stdout.close()


def stalls() -> float:
    """The number of long stalls that the server has counted so far."""
    with urllib.request.urlopen(f"http://127.0.0.1:{ours.METRICS_PORT}/metrics") as answer:
        shown = answer.read().decode()
    found = dict(line.rsplit(" ", 1) for line in shown.splitlines() if line.startswith("roundtable_stall_seconds_"))
    short = float(found[f'roundtable_stall_seconds_bucket{{le="{LONG_STALL}"}}'])
    return float(found["roundtable_stall_seconds_count"]) - short


if __name__ == "__main__":
    main()
