"""Whether a server's memory and descriptors stay flat while tables play for a long time.

python -m benchmarks.steadiness [--tables 500] [--rate 300] [--minutes 60] [--leaving 1]

The tables play whole games and rematches. After each sample some groups hang up in the middle of a game, and new
ones open rooms of their own. A game to which no player returns stays open for a day, which takes a few kilobytes.
The first third of the samples is warm-up. Lines are fitted through the memory after it and through the number of
descriptors. If either rises by more than is allowed within an hour, the command fails. Ctrl-C ends it early: then it
judges what it has seen.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import linear_regression, mean
from typing import NamedTuple

from benchmarks.server import ours
from benchmarks.server.__main__ import stop
from benchmarks.server.load import memory_kib, open_all, open_loop

WARM_UP = 1 / 3  # of all samples
FEWEST = 9  # samples of which a trend can be told
MOST_GROWTH = 0.05  # in an hour, as a share of the mean


class Sample(NamedTuple):
    """The server at a moment."""

    hours: float  # since the beginning
    memory: int  # KiB
    descriptors: int


class Trend(NamedTuple):
    """How a figure changes."""

    name: str
    first: float  # where the fitted line begins, after the warm-up
    last: float
    hourly: float  # growth in an hour, as a share of the mean

    @property
    def is_flat(self) -> bool:
        return self.hourly <= MOST_GROWTH

    def __str__(self) -> str:
        verdict = "flat" if self.is_flat else "it grows"
        return f"{self.name}: {self.first:,.0f} to {self.last:,.0f}, {self.hourly:+.1%} an hour: {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Whether a server's memory and descriptors stay flat.")
    parser.add_argument("--tables", type=int, default=500, help="tables of five sockets")
    parser.add_argument("--rate", type=float, default=300.0, help="moves a second at all tables")
    parser.add_argument("--minutes", type=float, default=60.0, help="how long it lasts")
    parser.add_argument("--seconds", type=float, default=30.0, help="between two samples")
    parser.add_argument("--leaving", type=int, default=1, help="groups that hang up after each sample")
    chosen = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 40_000)), hard))
    gc.disable()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets commands in the background ignore it
    samples: list[Sample] = []
    with suppress(KeyboardInterrupt):
        asyncio.run(play(chosen, samples))
    trends = trends_of(samples)
    if not trends:
        sys.exit(f"{len(samples)} samples show no trend: {FEWEST} are needed")
    for trend in trends:
        print(trend)
    sys.exit(not all(trend.is_flat for trend in trends))


async def play(chosen: argparse.Namespace, samples: list[Sample]) -> None:
    """Add a sample to the list again and again until the time is up."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        server, port = ours.start_server(Path(folder), [], ours.Build(), metrics_port=0)
        try:
            tables = await ours.open_tables(port, chosen.tables)
            begun = time.monotonic()
            while (passed := time.monotonic() - begun) < 60 * chosen.minutes:
                seen = await open_loop(tables, chosen.rate, chosen.seconds, server.pid)
                samples.append(Sample(passed / 3600, memory_kib(server.pid), descriptors(server.pid)))
                print(
                    f"{passed / 60:5.1f} min   {seen.rate:5.0f} moves/s   server CPU "
                    f"{seen.server_seconds / seen.seconds:4.2f}   {samples[-1].memory:,} KiB   "
                    f"{samples[-1].descriptors:,} descriptors",
                    flush=True,
                )
                await replace_some(tables, dice.sample(range(len(tables)), min(chosen.leaving, len(tables))), port)
        finally:
            stop(server)


async def replace_some(tables: list[ours.Table], places: Sequence[int], port: int) -> None:
    """Let the groups at these tables go, and new ones come."""
    for place in places:
        for socket in tables[place].sockets:
            socket.close()
        tables[place] = ours.Table(port, random.Random(f"{place}/{time.monotonic()}"))
    await open_all([tables[place] for place in places])


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def trends_of(samples: Sequence[Sample]) -> list[Trend]:
    """Empty where there are too few samples."""
    if len(samples) < FEWEST:
        return []
    warm = samples[round(len(samples) * WARM_UP) :]
    return [
        trend_of("memory in KiB", warm, lambda sample: sample.memory),
        trend_of("descriptors", warm, lambda sample: sample.descriptors),
    ]


def trend_of(name: str, samples: Sequence[Sample], figure: Callable[[Sample], int]) -> Trend:
    hours, figures = [sample.hours for sample in samples], [figure(sample) for sample in samples]
    slope, base = linear_regression(hours, figures)
    return Trend(name, base + slope * hours[0], base + slope * hours[-1], slope / mean(figures))


if __name__ == "__main__":
    main()
