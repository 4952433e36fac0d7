"""What is deleted by age where several workers run the rooms, and where a row cannot be read."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from roundtable.cli import main
from roundtable.protocol.encoding import ENCODER
from roundtable.protocol.rooms import Settings
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services, events, ownership
from roundtable.rooms.events import RoomEvent, RoomRow
from roundtable.rooms.site_policy import SitePolicy
from roundtable.server.administration import ANSWER, ORDER, Administration, Retention
from roundtable.server.retention import DAY_MS, TALK_LEFT
from roundtable.storage import Log, MemoryLog, RoomSummary, Row, SqliteLog
from roundtable.storage.postgres import PostgresLog
from support.live_server import LiveServer
from support.memory_leases import MemorySite, WorkerLog
from support.postgres import LONG_LEASE, be_patient, prepared_database
from support.virtual_time import SeededBytes
from support.waiting import until, wait_until

OLD = 1_000  # milliseconds after 1970
CLOSED = RoomSummary(wakes_at=OLD, is_open=False, listing=b"")
CODES = [f"CL{letter}SED" for letter in "ABCDEFGHJK"]
SECRET = b"between you and me"
BROKEN = b'{"is":"Nothing"}'
RETENTION = {"do": "retention"}


def old_rows(code: str) -> list[Row]:
    """A room with a line of talk that was closed long ago."""
    happened: Sequence[Sequence[RoomEvent]] = (
        [events.RoomOpened(code=code, settings=Settings()), events.MemberJoined(member=1, name="Zoe", key="")],
        [events.LineChatted(member=1, name="Zoe", text=SECRET.decode())],
        [events.RoomClosed()],
    )
    return [Row(OLD, ENCODER.encode(RoomRow(events=list(some)))) for some in happened]


async def rooms_with_talk(log: Log) -> list[str]:
    return [code for code in CODES if any(SECRET in row.line for row in await log.read(code))]


class Worker:
    """One of several workers, which reads the operator's notes when the test says so."""

    def __init__(self, name: str, log: Log, retention: Retention = Retention(30)) -> None:  # noqa: B008
        self.log = log
        services = Services(log, clock, SeededBytes(name), InlineBotWorkers(), address=f"http://{name}")
        self.registry = RoomRegistry(services)
        self.administration = Administration(log, self.registry, SitePolicy(), retention, clock, lambda: None)

    async def take(self, *codes: str) -> None:
        """Take the leases of rooms, as a worker that is asked for them does."""
        for code in codes:
            await self.registry._owner.take(code)

    async def let_go(self) -> None:
        """Free the leases that it needs no more, as each sweep does."""
        await self.registry._owner.tell_freed()

    async def retain(self, id: str = "1") -> dict[str, Any]:
        """The answer to the operator's order."""
        await self.log.write_notes({ORDER + id: json.dumps(RETENTION)})
        while ANSWER + id not in (notes := await self.log.notes()) or "progress" in notes[ANSWER + id]:
            await self.administration.obey()
        done: dict[str, Any] = json.loads(notes[ANSWER + id])["done"]
        return done

    async def rooms_with_talk(self) -> list[str]:
        return await rooms_with_talk(self.log)

    async def left(self) -> list[str]:
        return sorted(note.removeprefix(TALK_LEFT) for note in await self.log.notes() if note.startswith(TALK_LEFT))


def clock() -> int:
    return round(time.time() * 1000)


@asynccontextmanager
async def two_workers(logs: Sequence[Log]) -> AsyncIterator[list[Worker]]:
    """On a site with old closed rooms."""
    workers = [Worker(name, log) for name, log in zip("ab", logs, strict=True)]
    for worker in workers:
        await worker.registry._owner.start()
    for code in CODES:
        await workers[0].take(code)
        await workers[0].log.append(code, 0, old_rows(code), CLOSED)
        workers[0].registry._owner.free(code)
    await workers[0].let_go()
    yield workers
    for worker in workers:
        await worker.registry._owner.stop()
        await worker.log.close()


@pytest.fixture(params=["memory", "PostgreSQL"])
def logs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Log]:
    be_patient(monkeypatch)
    monkeypatch.setattr(ownership, "LEASE_SECONDS", LONG_LEASE)
    if request.param == "memory":
        monkeypatch.setattr("support.memory_leases.LEASE_SECONDS", LONG_LEASE)
        site = MemorySite(clock)
        return [WorkerLog(site) for _ in range(2)]
    database = prepared_database()
    return [PostgresLog(database) for _ in range(2)]


@pytest.mark.parametrize("next_one", [0, 1])
def test_rooms_of_another_worker_are_done_by_the_next_run_of_any(logs: list[Log], next_one: int) -> None:
    async def story() -> None:
        async with two_workers(logs) as workers:
            first, second = workers
            await second.take(*CODES[2:5])
            assert await first.retain() == {"talk": 7, "records": 0, "elsewhere": 3, "unreadable": []}
            assert await first.rooms_with_talk() == await first.left() == CODES[2:5]
            for worker, codes in ((first, CODES), (second, CODES[2:5])):
                for code in codes:
                    worker.registry._owner.free(code)
                await worker.let_go()
            done = await asyncio.wait_for(workers[next_one].administration._retainer.start(), 60)  # as each hour
            assert (done.talk, done.elsewhere) == (3, 0)
            assert await first.rooms_with_talk() == await first.left() == []

    asyncio.run(story())


def test_one_worker_carries_out_an_order_for_the_whole_site(logs: list[Log]) -> None:
    async def story() -> None:
        async with two_workers(logs) as (first, second):
            await first.log.write_notes({ORDER + "1": json.dumps(RETENTION)})
            while ANSWER + "1" not in (notes := await first.log.notes()) or "progress" in notes[ANSWER + "1"]:
                await asyncio.gather(first.administration.obey(), second.administration.obey())
            assert json.loads(notes[ANSWER + "1"])["done"]["talk"] == len(CODES)

    asyncio.run(story())


def test_a_room_with_a_broken_row_is_named_and_the_others_are_done(
    logs: list[Log], caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with two_workers(logs) as (first, second):
            broken, whole = CODES[1], old_rows(CODES[1])[0].line
            await first.take(broken)
            await first.log.rewrite(broken, {1: BROKEN})
            with caplog.at_level(logging.ERROR):
                done = await first.retain()
            where = f"room {broken}, row 1: ValidationError"
            assert done == {"talk": 9, "records": 0, "elsewhere": 0, "unreadable": [where]}
            assert [record.getMessage() for record in caplog.records] == [f"a room is left out of retention: {where}"]
            assert await first.rooms_with_talk() == await first.left() == [broken]
            await first.let_go()
            assert (await second.retain("2"))["unreadable"] == [where]  # its lease was freed
            await second.take(broken)
            await second.log.rewrite(broken, {1: whole})
            assert (await second.retain("3"))["talk"] == 1
            assert await second.left() == []

    asyncio.run(story())


def test_age_counts_from_the_last_row_of_a_closed_room() -> None:
    async def story() -> None:
        log = MemoryLog()
        worker = Worker("alone", log, Retention(30, 365))
        for code, days in zip(CODES, (0, 29, 31, 364, 366), strict=False):
            at = clock() - days * DAY_MS
            await log.append(code, 0, [row._replace(at=at) for row in old_rows(code)], CLOSED)
        await log.append(CODES[5], 0, old_rows(CODES[5])[:2], CLOSED._replace(is_open=True))
        assert await worker.retain() == {"talk": 2, "records": 1, "elsewhere": 0, "unreadable": []}
        assert await worker.rooms_with_talk() == [CODES[0], CODES[1], CODES[5]]
        assert await log.read(CODES[4]) == []
        assert await worker.retain("2") == {"talk": 0, "records": 0, "elsewhere": 0, "unreadable": []}

    asyncio.run(story())


def test_other_orders_do_not_wait_for_a_long_run(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        log, is_finished = MemoryLog(), asyncio.Event()
        for code in CODES:
            await log.append(code, 0, old_rows(code), CLOSED)
        worker = Worker("alone", log)
        erase_talk = worker.registry.erase_talk

        async def wait_at_the_last(code: str) -> bool:
            if code == CODES[-1]:
                await is_finished.wait()
            return await erase_talk(code)

        monkeypatch.setattr(worker.registry, "erase_talk", wait_at_the_last)
        monkeypatch.setattr("roundtable.server.administration.POLL_SECONDS", 0)
        close = {"do": "close", "room": "NOROOM"}
        await log.write_notes({ORDER + "1": json.dumps(RETENTION), ORDER + "2": json.dumps(close)})

        async def has_got_to_the_last() -> bool:
            await worker.administration.obey()
            return (await log.notes())[ANSWER + "1"] == '{"progress": [9, 10]}'

        await until(has_got_to_the_last, "the progress of the run")
        assert "refused" in json.loads((await log.notes())[ANSWER + "2"])
        is_finished.set()
        assert (await worker.retain("1"))["talk"] == 10

    asyncio.run(story())


@pytest.mark.slow
def test_the_command_names_the_room_and_the_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def write_rooms() -> None:
        log = SqliteLog(tmp_path / "rooms.db")
        for code in CODES:
            rows = old_rows(code)
            await log.append(code, 0, [*rows, Row(OLD, BROKEN)] if code == CODES[4] else rows, CLOSED)
        await log.close()

    asyncio.run(write_rooms())
    with LiveServer(tmp_path / "rooms.db", "--retain-talk", "30") as server:
        where = f"room {CODES[4]}, row 4: ValidationError"
        wait_until(lambda: where in server.logged(), "the first run")
        assert main(["admin", "--database", f"sqlite:///{server.database}", "retention"]) == 2
        said = capsys.readouterr()
        assert said.out == "Erased the talk of 0 rooms, and deleted 0 rooms with their records.\n"
        assert said.err == f"roundtable: These rooms were skipped, because a row in them can’t be read: {where}.\n"
        assert "Traceback" not in server.logged()
        assert server.stop() == 0

    async def read_rooms() -> list[str]:
        log = SqliteLog(tmp_path / "rooms.db")
        try:
            return await rooms_with_talk(log)
        finally:
            await log.close()

    assert asyncio.run(read_rooms()) == [CODES[4]]
