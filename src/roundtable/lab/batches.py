"""Batches of games, played on every core of this machine: they come back in order, whoever played them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from roundtable.lab.kernels.contract import Batch
from roundtable.lab.studies import Slice, Study
from roundtable.lab.tally import Tally, tally_of


class Played(NamedTuple):
    slice: Slice
    batch: Batch
    tally: Tally


def play(study: Study, piece: Slice) -> Played:
    """One batch; the same wherever it is played."""
    kernel = study.kernel
    batch = kernel.run(study.setup, study.bots, study.dice, piece.first, piece.games)
    return Played(piece, batch, tally_of(kernel, batch))


def get_ready(study: Study) -> None:
    """Machine code is made, or read from disk, before anybody counts the seconds."""
    study.kernel.run(study.setup, study.bots, study.dice, 0, 0)


def on_this_machine(study: Study, pieces: Iterable[Slice], jobs: int, stopped: Callable[[], bool]) -> Iterator[Played]:
    """Kernels let go of Python's lock, so threads are enough. Once stopped, what was begun is still brought home."""
    waiting: deque[Future[Played]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        for piece in pieces:
            if stopped():
                break
            waiting.append(pool.submit(play, study, piece))
            if len(waiting) > jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
