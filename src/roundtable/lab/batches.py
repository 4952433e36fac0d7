"""Batches of games, played on every core of this machine; they come back in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import NamedTuple

from roundtable.kernels.contract import Batch
from roundtable.lab.moves import GameMoves, play_with_moves
from roundtable.lab.studies import Slice, Study
from roundtable.lab.tally import Tally, tally_of


class Played(NamedTuple):
    slice: Slice
    batch: Batch
    tally: Tally
    moves: list[GameMoves] | None = None  # where the study keeps them


def play(study: Study, piece: Slice) -> Played:
    """One batch; the same wherever it is played."""
    if study.keeps_moves:
        batch, moves = play_with_moves(study, piece)
        return Played(piece, batch, tally_of(batch), moves)
    kernel = study.kernel
    batch = kernel.run(study.setup, study.bots, study.dice, piece.first, piece.games)
    return Played(piece, batch, tally_of(batch))


def get_ready(study: Study) -> None:
    """Compile, or read machine code from disk, before progress is measured."""
    study.kernel.run(study.setup, study.bots, study.dice, 0, 0)


def on_this_machine(study: Study, pieces: Iterable[Slice], jobs: int, stopped: Callable[[], bool]) -> Iterator[Played]:
    """Once stopped, batches that were begun are still finished."""
    waiting: deque[Future[Played]] = deque()
    with pool_for(study, jobs) as pool:
        for piece in pieces:
            if stopped():
                break
            waiting.append(pool.submit(play, study, piece))
            if len(waiting) > jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def pool_for(study: Study, jobs: int) -> Executor:
    """Machine code releases Python's lock, so threads are enough; the plain engine and moves need processes."""
    if jobs == 1 or (study.kernel.is_compiled and not study.keeps_moves):
        return ThreadPoolExecutor(jobs)
    return ProcessPoolExecutor(jobs, initializer=ignore_interrupt)


def ignore_interrupt() -> None:
    """Ctrl-C reaches every process of the terminal; only the first one decides when to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
