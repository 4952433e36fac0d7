"""The archive: records and replays are made in an executor, and cached while the game cannot change."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from roundtable.core.actions import Say
from roundtable.core.errors import RoomRefused
from roundtable.protocol import rooms as ask
from roundtable.rooms import archive
from roundtable.rooms.archive import Archive, run_inline, thread_executor
from roundtable.storage import MemoryLog, Row
from support.room_harness import code_of, room_with_game, settle, virtual_time_test
from support.virtual_time import VirtualLoop


class CountingLog(MemoryLog):
    """Counts how often a whole room is read."""

    def __init__(self) -> None:
        super().__init__()
        self.readings = 0

    async def read(self, room: str, after: int = 0) -> list[Row]:
        self.readings += not after
        return await super().read(room, after)


async def finished(loop: VirtualLoop, log: MemoryLog) -> Any:
    harness = await room_with_game(loop, log=log)
    assert await harness.host.ask(ask.CallItOff()) == "done"
    return harness


def test_a_record_is_put_together_in_a_thread_of_its_own() -> None:
    async def main() -> int:
        return await thread_executor()(threading.get_ident)

    assert asyncio.run(main()) != threading.get_ident()


@virtual_time_test
async def test_what_can_no_longer_change_is_put_together_once(loop: VirtualLoop) -> None:
    log = CountingLog()
    harness = await finished(loop, log)
    assert await harness.host.ask(ask.Rematch()) == "done"
    kept = Archive(log, run_inline)
    first = [await kept.record(harness.code, 1), await kept.replay(harness.code, 1, "0")]
    log.readings = 0
    assert [await kept.record(harness.code, 1), await kept.replay(harness.code, 1, "0")] == first
    assert log.readings == 0


@virtual_time_test
async def test_what_is_said_after_the_end_is_in_the_record_all_the_same(loop: VirtualLoop) -> None:
    log = CountingLog()
    harness = await finished(loop, log)
    kept = Archive(log, run_inline)
    before = await kept.record(harness.code, 1)
    log.readings = 0
    assert await kept.record(harness.code, 1) == before
    assert log.readings == 0
    assert await harness.host.act(Say(channel="table", text="Well played!")) == "done"
    assert b"Well played!" in await kept.record(harness.code, 1)


@virtual_time_test
async def test_no_more_is_kept_than_fits(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    log = CountingLog()
    harness = await finished(loop, log)
    kept = Archive(log, run_inline)
    monkeypatch.setattr(archive, "MOST_CACHED", len(await kept.record(harness.code, 1)) + 10)
    await kept.replay(harness.code, 1, "0")
    assert sum(len(copy.text) for copy in kept._cache.values()) == kept._size <= archive.MOST_CACHED
    log.readings = 0
    assert await kept.record(harness.code, 1)
    assert log.readings == 1


class Slow:
    """An executor that runs its jobs only after `may_go` is set."""

    def __init__(self) -> None:
        self.jobs = 0
        self.may_go = asyncio.Event()

    def __call__(self, job: Callable[[], Any]) -> Awaitable[Any]:
        self.jobs += 1
        return self._do(job)

    async def _do(self, job: Callable[[], Any]) -> Any:
        await self.may_go.wait()
        return job()


@virtual_time_test
async def test_only_so_many_may_wait_and_who_wants_the_same_shares_it(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_WAITING", 3)
    harness = await finished(loop, log := MemoryLog())
    kept = Archive(log, slow := Slow())
    asked = [asyncio.create_task(kept.replay(harness.code, 1, name)) for name in ("0", "1", "2", "0", "0", "3")]
    await settle()
    with pytest.raises(RoomRefused) as refused:
        await asked[5]
    assert code_of(refused) == "room/busy"
    assert slow.jobs == 3
    slow.may_go.set()
    answers = await asyncio.gather(*asked[:5])
    assert answers[0] == answers[3] == answers[4] != answers[1]
    assert await kept.replay(harness.code, 1, "3")


@virtual_time_test
async def test_who_does_not_wait_for_it_leaves_no_trace(loop: VirtualLoop) -> None:
    problems: list[Any] = []
    loop.set_exception_handler(lambda _, problem: problems.append(problem))
    harness = await room_with_game(loop, log=(log := MemoryLog()))
    kept = Archive(log, slow := Slow())
    asked = asyncio.create_task(kept.record(harness.code, 1))
    await settle()
    asked.cancel()
    slow.may_go.set()
    await settle()
    assert not kept._tasks
    assert not problems
