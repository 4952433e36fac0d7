"""Interleaved measurements: every kind of play runs in each round, so that a busy machine slows all of them equally."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

Seen = TypeVar("Seen")


def in_turn(kinds: Mapping[str, Callable[[], Seen]], rounds: int) -> dict[str, list[Seen]]:
    """The result of each kind in each round; progress goes to standard error."""
    seen: dict[str, list[Seen]] = {kind: [] for kind in kinds}
    for number in range(1, rounds + 1):
        for kind, measure in kinds.items():
            seen[kind].append(measure())
        print(f"\rround {number} of {rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return seen


def games_a_second(play: Callable[[], object], seconds: float) -> float:
    """Games per second of CPU time, measured over that many CPU seconds."""
    games, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        play()
        games += 1
    return games / spent
