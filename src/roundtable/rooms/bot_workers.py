"""The processes in which bots choose moves. Each question holds what the seat has heard, and nothing else."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple, Protocol

from roundtable.bots import BOTS, DEFAULT_BOT, FollowingBot, TalkingBot, make_bot
from roundtable.core.actions import Action
from roundtable.core.chance import Stream
from roundtable.core.events import Event, Remarked
from roundtable.core.game import fold
from roundtable.core.seats import Seat
from roundtable.games import game_named

MOVE_TIMEOUT = 20.0  # seconds; the careful bot takes a few hundredths of a second
START_TIMEOUT = 60.0  # seconds that a process may take to start on a busy machine
FALLBACK_BOT = "random"

logger = logging.getLogger("roundtable.rooms")


class Question(NamedTuple):
    """What a bot is asked, a move or a remark: the events that its seat has heard, and randomness of its own."""

    bot: str
    game: str
    seat: Seat
    heard: Sequence[Event]
    key: bytes
    is_remark: bool = False  # what the bot says to all, instead of a move


class BotWorkers(Protocol):
    async def choose(self, question: Question) -> Action | None:
        """The bot's move or remark, or None where it does nothing."""
        ...

    def close(self) -> None: ...


def choose(question: Question) -> Action | None:
    """A bot's move or remark, from what its seat has heard."""
    game, chance = game_named(question.game), Stream(question.key, "bot")
    view = fold(game, question.heard)
    bot = make_bot(question.bot if question.bot in BOTS else DEFAULT_BOT)  # it may have been uninstalled since
    if isinstance(bot, TalkingBot):
        bot.listen([event for event in question.heard if isinstance(event, Remarked)])
    if isinstance(bot, FollowingBot):
        bot.follow(question.heard)
    if question.is_remark:
        return bot.speak(view, question.seat, chance) if isinstance(bot, TalkingBot) else None
    options = game.options(view, question.seat)
    return bot.choose(view, options, chance) if options else None


class InlineBotWorkers:
    """Answers at once; for tests in virtual time."""

    async def choose(self, question: Question) -> Action | None:
        return choose(question)

    def close(self) -> None:
        """There are no processes."""


class BotProcessPool:
    """Worker processes, so that no bot blocks the event loop. They start with the first question."""

    def __init__(self, processes: int = 1, limit: float = MOVE_TIMEOUT) -> None:
        self._processes = processes
        self._limit = limit
        self._free = asyncio.Semaphore(processes)  # the time limit of a question begins when a process is free
        self._pool: ProcessPoolExecutor | None = None
        self._is_warm = False  # whether the pool has answered a question

    async def choose(self, question: Question) -> Action | None:
        """A bot that exceeds the time limit moves at random."""
        try:
            return await self._ask_worker(question)
        except TimeoutError:
            logger.error("a bot took more than %g seconds; it moves at random", self._limit)
            return await self._ask_worker(question._replace(bot=FALLBACK_BOT))

    async def _ask_worker(self, question: Question) -> Action | None:
        async with self._free:
            for _ in range(2):  # a worker that was killed is replaced
                pool = self._pool = self._pool or self._start()
                try:
                    async with asyncio.timeout(self._limit if self._is_warm else START_TIMEOUT + self._limit):
                        move = await asyncio.get_running_loop().run_in_executor(pool, choose, question)
                    self._is_warm = self._pool is pool
                    return move
                except BrokenProcessPool:
                    self._kill(pool)
                except TimeoutError:
                    self._kill(pool)
                    raise
            return None

    def _kill(self, pool: ProcessPoolExecutor) -> None:
        """New processes start with the next question."""
        if self._pool is pool:
            self._pool, self._is_warm = None, False
        workers = list((pool._processes or {}).values())
        for worker in workers:
            worker.kill()
        pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, mp_context=spawn, initializer=_start_worker)

    def close(self) -> None:
        if pool := self._pool:
            self._kill(pool)
            pool.shutdown(wait=True)


def _start_worker() -> None:
    """Ignore Ctrl-C, because the server ends its workers itself. If the server is killed, the workers exit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_the_server, daemon=True).start()


def _exit_with_the_server() -> None:
    if server := multiprocessing.parent_process():
        server.join()
        os._exit(0)
