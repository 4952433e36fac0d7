"""Several workers on one machine: a parent process starts them on one listening socket and replaces those that end."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import Any

from roundtable.core.errors import SetupError

RESTART_SECONDS = 1.0  # between the start of a worker and the next start in its place
FIRST_PAUSE = 0.5  # seconds after a worker that could not start; the pause doubles with each attempt
LONGEST_PAUSE = 2.0
STOP_SECONDS = 15.0  # in which workers have to hand over their rooms and end
COULD_NOT_START = 2  # the exit code of a worker

logger = logging.getLogger("roundtable.server")

OnReady = Callable[[str | None], None]  # called with the code of the demo table, if there is one
# Whether to open the demo table, the worker's number, how often it was replaced before, when it is ready.
Work = Callable[[bool, int, int, OnReady], None]


class Worker:
    """A process that serves, and is started again when it ends."""

    def __init__(self, number: int, work: Work, opens_demo: bool) -> None:
        self._number = number
        self._work = work
        self._replaced = 0
        self._started_at = 0.0
        self._is_serving = False
        self._restarts_at: float | None = None  # while no process runs
        self._pause = 0.0
        self._problem = ""  # why it could not be replaced, as it was logged
        self._start(opens_demo)

    def _start(self, opens_demo: bool = False) -> None:
        self._started_at, self._restarts_at = time.monotonic(), None
        context = get_context("spawn")
        self._told, telling = context.Pipe(duplex=False)
        arguments = (self._work, opens_demo, self._number, self._replaced, telling)
        self.process = context.Process(target=run_worker, args=arguments, name=f"worker {self._number}")
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
        self._is_serving = True
        demo: str | None = told
        return demo

    @property
    def signals(self) -> list[Any]:
        """What `attend` waits for, as `connection.wait` takes it: that the worker serves, or ends."""
        if self._restarts_at is not None:
            return []
        return [self.process.sentinel] if self._is_serving else [self._told]

    @property
    def rest(self) -> float | None:
        """The seconds of a pause that are left; None where a process runs."""
        return None if self._restarts_at is None else max(0.0, self._restarts_at - time.monotonic())

    def attend(self) -> None:
        """Do what follows from a signal, or from the end of a pause."""
        if self._restarts_at is not None:
            self._start()
        elif self._is_serving:
            self._is_serving = False
            self._replaced += 1
            self._end()
            logger.error("%s has ended with %s: it is replaced", self.process.name, self.process.exitcode)
            self._restart_after(0.0)
        else:
            self._note_attempt()

    def _note_attempt(self) -> None:
        """The log has one line when a worker cannot be replaced, and one when it serves again."""
        try:
            self.wait_until_ready()
        except SetupError as failed:
            self._end()
            if str(failed) != self._problem:
                ended = self.process.name, self.process.exitcode
                logger.error("%s could not start, and has ended with %s; it is tried again: %s", *ended, failed)
            self._problem = str(failed)
            self._restart_after(min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * self._pause)))
        else:
            if self._problem:
                logger.warning("%s serves again", self.process.name)
            self._problem, self._pause = "", 0.0

    def _restart_after(self, pause: float) -> None:
        self._pause = pause
        self._restarts_at = max(self._started_at + RESTART_SECONDS, time.monotonic() + pause)

    def _end(self) -> None:
        """Wait for the end of the process, which is near."""
        self.process.join(STOP_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def run_worker(work: Work, opens_demo: bool, number: int, replaced: int, telling: Connection) -> None:
    """In the worker's process."""
    try:
        work(opens_demo, number, replaced, telling.send)
    except SetupError as failed:
        with suppress(OSError):
            telling.send(failed.problems)
        sys.exit(COULD_NOT_START)
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
            pause = min((worker.rest for worker in workers if worker.rest is not None), default=None)
            signalled = connection.wait([one for worker in workers for one in worker.signals], pause)
            for worker in workers:
                if worker.rest == 0 or any(one in signalled for one in worker.signals):
                    worker.attend()
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
