"""The bots' worker processes: one that hangs or dies does not hold up a game."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from roundtable.games import new_game
from roundtable.rooms.bot_workers import BotProcessPool, Question, choose
from support.scenes import SEED
from support.waiting import PATIENCE, until

pytestmark = pytest.mark.slow


def question() -> Question:
    """A question to the first leader of a game, who has to propose a team."""
    play = new_game("avalon", 5, SEED)
    (seat,) = play.phase.awaited
    return Question("careful", "avalon", seat, [line.event for line in play.heard(seat)], bytes(32))


def workers_of(pool: BotProcessPool) -> list[int]:
    return pool._processes.pids


def test_a_thought_that_does_not_end_becomes_a_move_by_chance_and_its_worker_is_replaced() -> None:
    async def main() -> None:
        pool = BotProcessPool()
        assert await pool.choose(question()) == choose(question())
        (stuck,) = workers_of(pool)
        os.kill(stuck, signal.SIGSTOP)
        pool._limit = 0.5
        thoughts = [asyncio.create_task(pool.choose(question())) for _ in range(3)]
        await asyncio.sleep(0)  # the first has begun, the others wait for their turn
        pool._limit = PATIENCE
        first = await thoughts[0]
        assert first == choose(question()._replace(bot="random"))
        assert await asyncio.gather(*thoughts[1:]) == [choose(question())] * 2  # theirs had not begun
        assert workers_of(pool) != [stuck]
        await until(lambda: has_ended(stuck), "the end of the worker that hung")
        pool.close()

    asyncio.run(main())


def test_a_worker_that_hangs_does_not_keep_the_server_from_ending() -> None:
    async def main() -> None:
        pool = BotProcessPool()
        await pool.choose(question())
        (stuck,) = workers_of(pool)
        os.kill(stuck, signal.SIGSTOP)
        thought = asyncio.create_task(pool.choose(question()))
        await asyncio.sleep(0)  # it has begun
        thought.cancel()
        await asyncio.to_thread(pool.close)
        await until(lambda: has_ended(stuck), "the end of the worker that hung")

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def has_ended(pid: int) -> bool:
    """Whether a child process has ended; its entry in /proc may vanish while it is read."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
