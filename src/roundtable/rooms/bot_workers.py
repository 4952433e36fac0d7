"""The processes in which bots choose moves. Each question holds what the seat has heard, and nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from time import monotonic
from typing import NamedTuple, Protocol

from roundtable.bots import BOTS, DEFAULT_BOT, FollowingBot, HurriedBot, TalkingBot, make_bot
from roundtable.bots.reasons import reasons_of
from roundtable.core.actions import Action
from roundtable.core.chance import Stream
from roundtable.core.entries import Entry
from roundtable.core.events import Event, Remarked
from roundtable.core.game import fold
from roundtable.core.seats import Seat
from roundtable.games import game_named
from roundtable.protocol.bodies import BotReason, BotReasons, WeighedMove
from roundtable.protocol.encoding import ENCODER, encoded
from roundtable.rooms.bot_budget import ThinkingBudget
from roundtable.rooms.worker_processes import Haste, WorkerProcesses

MOVE_TIMEOUT = 20.0  # seconds; the careful bot takes a few hundredths of a second
EXPLAIN_TIMEOUT = 120.0  # seconds for all decisions of a seat; machine code may have to be made first
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
    effort: float = 1.0  # the share of its usual thinking for which there is time, from 0 to 1


class WhyQuestion(NamedTuple):
    """The decisions of a seat in a finished game that are explained: those with the name of a bot."""

    game: str
    entries: Sequence[Entry]
    seat: Seat
    bots: Sequence[str | None]  # by entry
    steps: Sequence[int]  # of the replay, by entry


class BotWorkers(Protocol):
    async def choose(self, question: Question) -> Action | None:
        """The bot's move or remark, or None where it does nothing."""
        ...

    async def explain(self, question: WhyQuestion) -> bytes:
        """`BotReasons` in JSON. `TimeoutError` or `BrokenProcessPool` where it cannot be made."""
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
    if isinstance(bot, HurriedBot):
        bot.hurry(question.effort)
    if question.is_remark:
        return bot.speak(view, question.seat, chance) if isinstance(bot, TalkingBot) else None
    options = game.options(view, question.seat)
    return bot.choose(view, options, chance) if options else None


def explain(question: WhyQuestion) -> bytes:
    """Why a bot did what it did, as a body of the API."""
    found = reasons_of(question.game, question.entries, question.seat, question.bots.__getitem__)
    reasons = tuple(
        BotReason(
            step=question.steps[reason.entry],
            done=encoded(reason.done),
            side=reason.side,
            suspicion=reason.suspicion,
            weighed=tuple(
                WeighedMove(move=encoded(one.move), value=one.value, chance=one.chance) for one in reason.weighed
            ),
            is_solved=reason.is_solved,
        )
        for reason in found
    )
    return ENCODER.encode(BotReasons(reasons=reasons))


class InlineBotWorkers:
    """Answers at once; for tests in virtual time."""

    async def explain(self, question: WhyQuestion) -> bytes:
        return explain(question)

    async def choose(self, question: Question) -> Action | None:
        return choose(question)

    def close(self) -> None:
        """There are no processes."""


class BotProcessPool:
    """Worker processes, so that no bot blocks the event loop. They start with the first question."""

    def __init__(self, processes: int = 1, limit: float = MOVE_TIMEOUT) -> None:
        self._processes = WorkerProcesses(processes, Haste.LIVE)
        self._limit = limit
        self._free = asyncio.Semaphore(processes)  # the time limit of a question begins when a process is free
        self._waiting = 0  # for a free process
        self._budget = ThinkingBudget(processes)
        self._explainer = WorkerProcesses(1, Haste.NONE)
        self._explaining = asyncio.Lock()

    async def choose(self, question: Question) -> Action | None:
        """A bot that exceeds the time limit moves at random."""
        try:
            return await self._ask_worker(question)
        except TimeoutError:
            logger.error("a bot took more than %g seconds; it moves at random", self._limit)
            return await self._ask_worker(question._replace(bot=FALLBACK_BOT))

    async def _ask_worker(self, question: Question) -> Action | None:
        asked_at = monotonic()
        await self._wait_for_process()
        try:
            effort = self._budget.effort(self._waiting, monotonic() - asked_at)
            move = await self._processes.run(choose, question._replace(effort=effort), self._limit)
        except BrokenProcessPool:
            return None
        finally:
            self._free.release()
        self._budget.answered(monotonic() - asked_at)
        return move

    async def _wait_for_process(self) -> None:
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1

    async def explain(self, question: WhyQuestion) -> bytes:
        """One at a time, in a process that leaves the others the processor: players wait for moves."""
        async with self._explaining:
            return await self._explainer.run(explain, question, EXPLAIN_TIMEOUT)

    def close(self) -> None:
        self._processes.close()
        self._explainer.close()
