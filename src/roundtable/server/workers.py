"""Several workers on one machine: a parent process starts them on one listening socket and replaces those that die."""

from __future__ import annotations

import logging
import signal
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import Any

from roundtable.core.errors import SetupError

RESTART_SECONDS = 1.0  # between the start of a worker and the next start in its place
STOP_SECONDS = 15.0  # in which workers have to hand over their rooms and end

logger = logging.getLogger("roundtable.server")

OnReady = Callable[[str | None], None]  # called with the code of the demo table, if there is one
Work = Callable[[bool, int, OnReady], None]  # whether to open the demo table, the worker's number, when it is ready


class Worker:
    """A process that serves, and is started again when it dies."""

    def __init__(self, number: int, work: Work, opens_demo: bool) -> None:
        self._number = number
        self._work = work
        self._started_at = 0.0
        self.start(opens_demo)

    def start(self, opens_demo: bool = False) -> None:
        time.sleep(max(0.0, self._started_at + RESTART_SECONDS - time.monotonic()))
        self._started_at = time.monotonic()
        context = get_context("spawn")
        self._told, telling = context.Pipe(duplex=False)
        self.process = context.Process(
            target=run_worker, args=(self._work, opens_demo, self._number, telling), name=f"worker {self._number}"
        )
        self.process.start()
        telling.close()

    def wait_until_ready(self) -> str | None:
        """The code of the demo table; the error of a worker that could not start."""
        try:
            told = self._told.recv()
        except EOFError:
            raise SetupError("setup/option", "worker_ended", worker=self._number) from None
        if isinstance(told, tuple):
            raise SetupError.of(told)
        demo: str | None = told
        return demo


def run_worker(work: Work, opens_demo: bool, number: int, telling: Connection) -> None:
    """In the worker's process."""
    try:
        work(opens_demo, number, telling.send)
    except SetupError as failed:
        with suppress(OSError):
            telling.send(failed.problems)
    except KeyboardInterrupt:
        pass


def supervise(count: int, work: Work, opens_demo: bool, sockets: Sequence[socket.socket], announce: OnReady) -> None:
    """Run so many workers until a signal stops this process; `announce` is called when all of them serve."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    workers: list[Worker] = []
    try:
        for number in range(count):
            workers.append(Worker(number, work, opens_demo and number == 0))
        demos = [worker.wait_until_ready() for worker in workers]
        announce(demos[0])
        while True:
            ended: Sequence[Any] = connection.wait([worker.process.sentinel for worker in workers])
            for worker in workers:
                if worker.process.sentinel in ended:
                    worker.process.join()
                    logger.error("%s has ended with %s: it is replaced", worker.process.name, worker.process.exitcode)
                    worker.start()
    except KeyboardInterrupt:
        pass
    finally:
        stop(workers)
        for one in sockets:
            one.close()


def stop(workers: Sequence[Worker]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C reaches the workers as well
    until = time.monotonic() + STOP_SECONDS
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
