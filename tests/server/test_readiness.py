"""The readiness check: a server that cannot write says so, and says when it can again."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path

import httpx
import pytest

from roundtable.server.readiness import PROBE_LASTS, READY, STARTING, UNWRITABLE, WATCH_SECONDS, Readiness
from roundtable.storage import LogFailed, LogLost, SqliteLog, sqlite
from support.live_server import GENEROUS, LiveServer
from support.raw_protocol import http_to, open_room
from support.room_harness import UnreliableLog
from support.virtual_time import VirtualLoop, run
from support.waiting import DEAR, until


@pytest.mark.slow
def test_a_server_whose_disk_is_full_is_not_ready_until_it_can_write_again(tmp_path: Path) -> None:
    async def main(server: LiveServer, http: httpx.AsyncClient) -> None:
        room = await open_room(http)
        await becomes(http, 200)
        assert server.figure("roundtable_failed_writes_total") == [0]
        usual = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        files = tmp_path.glob("rooms.db*")
        full = max(file.stat().st_size for file in files)  # nothing can be written behind the end of the longest file
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (full, usual[1]))
        await until(lambda: server.figure("roundtable_ready") == [0], "a figure though no one asks", DEAR)
        await becomes(http, 503)
        told = (await http.get("/ready")).json()
        assert told["status"] == "unwritable"
        assert told["message"].endswith("?")
        assert server.figure("roundtable_failed_writes_total") > [0]
        assert (await room.ask("SayReady", is_ready=True)).json()["code"] == "room/busy"
        assert (await http.get("/health")).status_code == 200
        assert (await http.get(f"/api/rooms/{room.room}")).status_code == 200
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, usual)
        await becomes(http, 200)
        assert (await http.get("/ready")).json() == {"status": "ready"}
        assert server.figure("roundtable_ready") == [1]
        assert (await room.ask("SayReady", is_ready=True)).status_code == 200

    async def whole() -> None:
        with LiveServer(tmp_path / "rooms.db", *GENEROUS, "--metrics-port", "0") as server:
            async with http_to(server.url) as http:
                await main(server, http)

    asyncio.run(whole())


async def becomes(http: httpx.AsyncClient, status: int) -> None:
    async def is_so() -> bool:
        return (await http.get("/ready")).status_code == status

    await until(is_so, f"an answer {status}")


def test_an_attempt_to_write_reaches_the_file_and_changes_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        log = SqliteLog(tmp_path / "rooms.db")
        before = (tmp_path / "rooms.db-wal").stat().st_size
        await asyncio.gather(log.try_to_write(), log.try_to_write())
        assert (tmp_path / "rooms.db-wal").stat().st_size > before
        assert (await log.summaries(), await log.read("")) == ({}, [])
        await log.close()

    asyncio.run(main())


def is_filed(log: SqliteLog) -> bool:
    return log._running_checkpoint is None or log._running_checkpoint.done()


def test_attempts_to_write_do_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "CHECKPOINT_AFTER", 10)

    async def main() -> int:
        log = SqliteLog(tmp_path / "rooms.db")
        for _ in range(300):
            await log.try_to_write()
            await until(lambda: is_filed(log), "rows in the file")
        grown = (tmp_path / "rooms.db-wal").stat().st_size
        await log.close()
        return grown

    assert asyncio.run(main()) < 150 * 4096  # half the size that it reaches without checkpoints


def test_however_often_it_is_asked_it_tries_once_a_second() -> None:
    class Counting(UnreliableLog):
        attempts = 0

        async def try_to_write(self) -> None:
            self.attempts += 1
            await super().try_to_write()

    async def main(loop: VirtualLoop) -> None:
        log = Counting()
        readiness = Readiness(log, lambda: True)
        assert await asyncio.gather(*(readiness.check() for _ in range(50))) == [READY] * 50
        log.writes = False
        assert await readiness.check() is READY
        assert log.attempts == 1
        await asyncio.sleep(PROBE_LASTS)
        assert await readiness.check() is UNWRITABLE
        log.writes = True
        await asyncio.sleep(PROBE_LASTS)
        assert await readiness.check() is READY
        assert log.attempts == 3

    run(main)


def test_a_disk_that_does_not_answer_is_none_that_can_be_written_to() -> None:
    class Stuck(UnreliableLog):
        async def try_to_write(self) -> None:
            await asyncio.sleep(1000)

    async def main(loop: VirtualLoop) -> None:
        assert await Readiness(Stuck(), lambda: True).check() is UNWRITABLE
        assert await Readiness(Stuck(), lambda: False).check() is STARTING

    run(main)


def test_a_worker_without_leases_is_not_ready() -> None:
    async def main(loop: VirtualLoop) -> None:
        has_leases = True
        readiness = Readiness(UnreliableLog(), lambda: True, lambda: has_leases)
        assert await readiness.check() is READY
        assert readiness.is_ready
        has_leases = False
        assert await readiness.check() is UNWRITABLE
        assert not readiness.is_ready

    run(main)


@pytest.mark.parametrize(
    ("problem", "lines"),
    [
        (LogFailed("no space"), ["the database cannot be written: no space. Games stand still until it can"]),
        (LogLost("rooms.db was removed"), []),  # the store reports it
    ],
)
def test_an_outage_is_in_the_figures_while_it_lasts_and_in_the_log_once(
    problem: LogFailed, lines: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(UnreliableLog):
        async def try_to_write(self) -> None:
            if not self.writes:
                raise problem

    async def main(loop: VirtualLoop) -> None:
        log = Failing()
        readiness = Readiness(log, lambda: True)
        assert not readiness.is_ready
        watching = asyncio.create_task(readiness.watch())
        await asyncio.sleep(1)
        for _ in range(2):
            assert readiness.is_ready
            log.writes = False
            await asyncio.sleep(WATCH_SECONDS)
            for _ in range(1_000):
                await asyncio.sleep(1)
                assert not readiness.is_ready
            log.writes = True
            await asyncio.sleep(WATCH_SECONDS)
        watching.cancel()

    run(main)
    back = ["the database can be written again: games go on"]
    assert [record.getMessage() for record in caplog.records] == (lines and (lines + back) * 2)
