"""The archive: records and replays are made in an executor, and cached while the game cannot change."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from roundtable.core.actions import CallOff, Say
from roundtable.core.errors import RoomRefused
from roundtable.core.seats import HOST
from roundtable.games import new_game
from roundtable.protocol import rooms as ask
from roundtable.rooms import archive
from roundtable.rooms.archive import Archive, run_inline, thread_executor
from roundtable.storage import LogFailed, MemoryLog, Row
from support.room_harness import code_of, room_with_game, settle, virtual_time_test
from support.scenes import SEED
from support.stored_rooms import write_room
from support.virtual_time import VirtualLoop
from support.waiting import until


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
    assert b"Well played!" in (await kept.record(harness.code, 1)).plain


@virtual_time_test
async def test_no_more_is_kept_than_fits(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    log = CountingLog()
    harness = await finished(loop, log)
    kept = Archive(log, run_inline)
    monkeypatch.setattr(archive, "MOST_CACHED", (await kept.record(harness.code, 1)).size + 10)
    await kept.replay(harness.code, 1, "0")
    assert sum(copy.body.size for copy in kept._cache.values()) == kept._size <= archive.MOST_CACHED
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
    assert slow.jobs == 1  # the rows of one room are in memory at a time
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


# Refusals


@virtual_time_test
async def test_what_is_refused_is_looked_at_and_not_put_together(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = await room_with_game(loop, log=(log := CountingLog()))
    kept = Archive(log, run_inline)
    monkeypatch.setattr(archive, "make_text", None)
    log.readings = 0
    for _ in range(3):
        assert await refusal_of(kept.record(harness.code, 1)) == "record/not_over"
        assert await refusal_of(kept.replay(harness.code, 1, "99")) == "record/not_over"
    assert log.readings == 1
    assert await harness.host.ask(ask.CallItOff()) == "done"
    for listener in ("5", "99", "nobody"):
        assert await refusal_of(kept.replay(harness.code, 1, listener)) == "record/listener"
    assert log.readings == 1
    assert await refusal_of(kept.record(harness.code, 2)) == "room/unknown"
    assert await refusal_of(kept.record("NONE22", 1)) == "room/unknown"


@virtual_time_test
async def test_a_room_in_memory_refuses_without_its_log(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = await room_with_game(loop, log=(log := CountingLog()))
    registry = harness.registry
    log.readings = 0
    assert await refusal_of(registry.record(harness.code, 1)) == "record/not_over"
    assert await refusal_of(registry.replay(harness.code, 1, "0")) == "record/not_over"
    for number in (0, 2, 999_999):
        assert await refusal_of(registry.record(harness.code, number)) == "room/unknown"
    assert log.readings == 0


@virtual_time_test
async def test_only_so_many_looks_are_remembered(loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_LOOKS", 3)
    harness = await finished(loop, log := MemoryLog())
    kept = Archive(log, run_inline)
    for number in range(2, 10):
        assert await refusal_of(kept.record(harness.code, number)) == "room/unknown"
        assert await refusal_of(kept.record("NONE22", number)) == "room/unknown"
    assert len(kept._looks) == 3


@virtual_time_test
async def test_a_smaller_table_afterwards_takes_no_listener_from_an_earlier_game(loop: VirtualLoop) -> None:
    harness = await room_with_game(loop, 6, seats=6, log=(log := MemoryLog()))
    assert await harness.host.ask(ask.CallItOff()) == "done"
    assert await harness.host.ask(ask.Rematch()) == "done"
    assert await harness.people[5].ask(ask.LeaveSeat()) == "done"
    assert await harness.host.ask(ask.ChangeTable(seats=5)) == "done"
    assert await Archive(log, run_inline).replay(harness.code, 1, "5")


class Rows(list[Row]):
    """Rows whose end can be seen."""


class WatchedLog(MemoryLog):
    """Remembers all rows that were read, as long as they are in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._reads: list[weakref.ref[Rows]] = []
        self.is_broken = False

    async def read(self, room: str, after: int = 0) -> list[Row]:
        if self.is_broken:
            raise LogFailed("The disk is gone.")
        rows = Rows(await super().read(room, after))
        self._reads.append(weakref.ref(rows))
        return rows

    def has_freed_all(self) -> bool:
        return not any(read() for read in self._reads)


def test_no_refusal_keeps_a_game_in_memory(no_gc: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The collector rarely checks old objects (server/garbage.py), so no request may leave a reference cycle."""
    play, over = new_game("avalon", 5, SEED), new_game("avalon", 5, SEED)
    over.act(HOST, CallOff())

    async def main() -> None:
        log = WatchedLog()
        await write_room(log, "PLAYED", play, 1)
        await write_room(log, "FINISH", over, 1)
        kept = Archive(log, thread_executor())

        listeners = [kept.replay("FINISH", 1, "99") for _ in range(3)]
        asked = [kept.record("PLAYED", 1), kept.record("PLAYED", 2), *listeners]
        answers = await asyncio.gather(*map(refusal_of, asked))
        assert answers == ["record/not_over", "room/unknown", *["record/listener"] * 3]
        await until(log.has_freed_all, "the end of all rows")
        monkeypatch.setattr(archive, "record_of", None)  # a defect
        assert await refusal_of(kept.record("FINISH", 1)) == "TypeError"
        await until(log.has_freed_all, "the end of all rows after a defect")
        log.is_broken = True
        assert await refusal_of(kept.record("PLAYED", 1)) == "room/busy"

    asyncio.run(main())


async def refusal_of(asked: Awaitable[Any]) -> str:
    try:
        await asked
    except Exception as refused:
        return refused.code if isinstance(refused, RoomRefused) else type(refused).__name__
    return "granted"
