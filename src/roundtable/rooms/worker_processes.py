"""Processes for work that would block the event loop: started with the first job, replaced if one hangs or dies."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from enum import Enum
from functools import partial
from typing import TypeVar

from roundtable.bots.machine_code import MACHINE_CODE

START_TIMEOUT = 60.0  # seconds that a process may take to start on a busy machine
NICENESS = 10  # of processes without haste
ATTEMPTS = 2  # at a job whose process was killed

T = TypeVar("T")
Argument = TypeVar("Argument")


class Haste(Enum):
    """Who waits for a job."""

    LIVE = "live"  # a game does: a job never waits for machine code
    NONE = "none"  # a job leaves the processor to others, and waits for machine code


class WorkerProcesses:
    """Each job has a process at once: the caller starts no more of them at a time than there are processes."""

    def __init__(self, processes: int, haste: Haste) -> None:
        self._count = processes
        self._haste = haste
        self._pool: ProcessPoolExecutor | None = None
        self._is_warm = False  # whether the pool has done a job

    @property
    def pids(self) -> list[int]:
        """The processes that run."""
        return list(self._pool._processes or ()) if self._pool else []

    async def run(self, job: Callable[[Argument], T], argument: Argument, limit: float) -> T:
        """What the job returns. `TimeoutError` after the limit in seconds; `BrokenProcessPool` where its process was
        killed again and again."""
        for attempt in range(ATTEMPTS):
            pool = self._pool = self._pool or self._start()
            try:
                async with asyncio.timeout(limit if self._is_warm else START_TIMEOUT + limit):
                    done = await asyncio.get_running_loop().run_in_executor(pool, job, argument)
                self._is_warm = self._pool is pool
                return done
            except BrokenProcessPool:
                self._kill(pool)
                if attempt == ATTEMPTS - 1:
                    raise
            except TimeoutError:
                self._kill(pool)
                raise
        raise AssertionError("the last attempt returns or raises")

    def _kill(self, pool: ProcessPoolExecutor) -> None:
        """New processes start with the next job."""
        if self._pool is pool:
            self._pool, self._is_warm = None, False
        workers = list((pool._processes or {}).values())
        for worker in workers:
            worker.kill()
        pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, mp_context=spawn, initializer=partial(start_worker, self._haste))

    def close(self) -> None:
        if pool := self._pool:
            self._kill(pool)
            pool.shutdown(wait=True)


def start_worker(haste: Haste) -> None:
    """Ignore Ctrl-C, because the server ends its workers itself. If the server is killed, the workers exit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if haste is Haste.LIVE:
        MACHINE_CODE.never_wait()
    elif hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    threading.Thread(target=_exit_with_the_server, daemon=True).start()


def _exit_with_the_server() -> None:
    if server := multiprocessing.parent_process():
        server.join()
        os._exit(0)
