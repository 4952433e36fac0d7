"""A database file that is removed or replaced under a running server: nothing is acknowledged that would be lost."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from roundtable.storage import LogLost, RoomSummary, Row, SqliteLog
from server.test_readiness import becomes
from support.live_server import LiveServer, traceback_free
from support.raw_protocol import Member, http_to, open_room

SUMMARY = RoomSummary(wakes_at=1, is_open=True, listing=b"")


def move_away(database: Path) -> None:
    database.rename(database.with_name("moved.db"))


def replace(database: Path) -> None:
    """With a backup."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(f"VACUUM INTO '{database.with_name('copy.db')}'")
    move_away(database)
    database.with_name("copy.db").rename(database)


def remove_write_ahead_log(database: Path) -> None:
    database.with_name("rooms.db-wal").unlink()


def done_in(database: Path) -> set[str]:
    """The ids of the requests in this file."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        lines = b"".join(line for (line,) in connection.execute("SELECT line FROM rows"))
    return set(re.findall(r"id-\d+", lines.decode()))


async def change(member: Member, first: int, last: int) -> set[str]:
    """Send requests; the ids of those that were acknowledged. All others are refused with room/busy."""
    acknowledged = set()
    for number in range(first, last):
        answer = await member.ask("SayReady", f"id-{number}", is_ready=number % 2 == 0)
        if answer.status_code == 200:
            acknowledged.add(f"id-{number}")
        else:
            assert (answer.status_code, answer.json()["code"]) == (503, "room/busy")
    return acknowledged


def on_a_server(tmp_path: Path, main: Callable[[LiveServer, httpx.AsyncClient], Awaitable[None]]) -> None:
    async def whole() -> None:
        with LiveServer(tmp_path / "rooms.db") as server:
            async with http_to(server.url) as http:
                await main(server, http)
            assert traceback_free([server.logged()])

    asyncio.run(whole())


@pytest.mark.slow
@pytest.mark.parametrize("lose", [Path.unlink, replace, remove_write_ahead_log])
def test_a_server_refuses_what_it_could_not_keep(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    async def main(server: LiveServer, http: httpx.AsyncClient) -> None:
        member = await open_room(http)
        kept = await change(member, 0, 3)
        assert len(kept) == 3
        lose(server.database)
        assert not await change(member, 3, 20)
        assert not await change(member, 3, 20)  # the same ids, as clients repeat them
        await becomes(http, 503)
        assert (await http.get("/ready")).json()["status"] == "unwritable"
        assert (await http.post("/api/rooms", json={"name": "Ben"})).json()["code"] == "room/busy"
        assert server.logged().count("was removed or replaced") == 1
        assert len(server.logged().splitlines()) == 1
        server.kill()
        for file in (server.database, tmp_path / "moved.db"):
            assert not file.exists() or done_in(file) == kept
        server.start()
        async with http_to(server.url) as again:
            await open_room(again)

    on_a_server(tmp_path, main)


@pytest.mark.slow
def test_a_file_that_was_moved_away_and_back_is_used_again(tmp_path: Path) -> None:
    async def main(server: LiveServer, http: httpx.AsyncClient) -> None:
        member = await open_room(http)
        kept = await change(member, 0, 3)
        move_away(server.database)
        assert not await change(member, 3, 10)
        shutil.copy(tmp_path / "moved.db", tmp_path / "seen.db")
        assert done_in(tmp_path / "seen.db") == kept  # without the write-ahead log
        (tmp_path / "moved.db").rename(server.database)
        await becomes(http, 200)
        kept |= await change(member, 10, 11)
        assert len(kept) == 4
        assert len(server.logged().splitlines()) == 2
        assert "is back" in server.logged()
        server.kill()
        assert done_in(server.database) == kept

    on_a_server(tmp_path, main)


def test_what_was_written_just_as_the_file_was_lost_does_not_count_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is lost between the check before a commit and the check after it."""
    database = tmp_path / "rooms.db"

    async def main() -> None:
        log = SqliteLog(database)
        written = log._written

        def lose_meanwhile(waiting: object) -> set[int]:
            late = written(waiting)  # type: ignore[arg-type]
            move_away(database)
            return late

        monkeypatch.setattr(log, "_written", lose_meanwhile)
        with pytest.raises(LogLost):
            await log.append("ABCDEF", 0, [Row(1, b"{}")], SUMMARY)
        with pytest.raises(LogLost):
            await log.read("ABCDEF")
        (tmp_path / "moved.db").rename(database)
        assert await log.read("ABCDEF") == [Row(1, b"{}")]
        await log.close()

    asyncio.run(main())
