"""Exact belief at the largest tables: CPU time of an action and memory, for an onlooker and for every seat.

python -m benchmarks.belief [--model habits]

An action is an event and the chances of every seat and role after it; to count what is possible comes on top. Beside it
the weights of 7,257,600 listed deals, each multiplied by a chance for every seat, which is what a vote would cost
without factoring, before anything is summed up.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from multiprocessing import get_context
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from roundtable.belief import belief_of, model_named
from roundtable.bots import CarefulBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.events import GameEnded
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import new_game, spec_named

TABLES = (("thavalon", 10), ("avalon", 10), ("saviom", 12))
LISTED = 7_257_600


class Measured(NamedTuple):
    who: str
    deals: int
    start: float  # seconds of CPU time until the deal has been seen
    actions: list[float]
    counts: list[float]
    megabytes: float  # that the process has grown by at its largest


def table(name: str, seats: int) -> Play[Any, Any]:
    dice = Dice(5)
    options = {"mode": "advanced"} if name == "saviom" else {}
    play = new_game(name, seats, dice.randbytes(32), **options)
    return play_out(play, {seat: CarefulBot() for seat in range(seats)}, dice)


def measure(name: str, seats: int, listener: int, model: str) -> Measured:
    play = table(name, seats)
    spec = spec_named(name)
    before = peak()
    start = time.process_time()
    belief = belief_of(spec, play.state.setup, listener, model_named(spec, model))
    actions: list[float] = []
    counts: list[float] = []
    begun, deals = 0.0, 0
    for event in play.events_for(listener):
        if isinstance(event, GameEnded):
            break
        if not begun and type(event).__name__ == "PhaseBegan":
            deals = belief.logic.deals
            _ = belief.posterior
            begun = time.process_time() - start
        since = time.process_time()
        belief.hear(event)
        if begun:
            _ = belief.posterior
            actions.append(time.process_time() - since)
            since = time.process_time()
            _ = belief.logic
            counts.append(time.process_time() - since)
    who = "onlooker" if listener == SPECTATOR else str(play.state.roles[listener])
    return Measured(who, deals, begun, [one for one in actions if one > 1e-4], counts, peak() - before)


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def listed_vote() -> float:
    """CPU seconds of a vote of ten over listed deals."""
    rng = np.random.default_rng(1)
    ids = rng.integers(0, 400, LISTED, dtype=np.uint16)
    chances = rng.random(400, dtype=np.float32)
    weights = np.ones(LISTED, dtype=np.float32)
    start = time.process_time()
    for _ in range(10):
        weights *= chances[ids]
    return time.process_time() - start


def rows(model: str) -> Iterator[str]:
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        reference = pool.apply(listed_vote)
        yield f"a vote of ten over {LISTED:,} listed deals: {1000 * reference:.0f} ms"
        for name, seats in TABLES:
            yield f"\n{name}, {seats} seats, {model}: deals, start, median and longest action, longest count, memory"
            for listener in range(SPECTATOR, seats):
                one = pool.apply(measure, (name, seats, listener, model))
                usual, longest = median(one.actions or [0.0]), max(one.actions, default=0.0)
                yield (
                    f"{one.who:18} {one.deals:>12,} {1000 * one.start:6.0f} ms {1000 * usual:6.1f} ms"
                    f" {1000 * longest:6.1f} ms ({longest / reference:.2f} of listed)"
                    f" {1000 * max(one.counts, default=0):6.1f} ms {one.megabytes:5.0f} MB"
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="habits", choices=("logic", "habits", "careful"), help="habits by default")
    for row in rows(parser.parse_args().model):
        print(row, flush=True)
