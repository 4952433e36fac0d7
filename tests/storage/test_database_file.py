"""The SQLite file: its permissions, and where it can be."""

from __future__ import annotations

import asyncio
import gc
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from roundtable.core.errors import SetupError
from roundtable.storage import Conflict, RoomSummary, Row, SqliteLog, sqlite
from server.test_readiness import is_filed
from support.live_server import LiveServer
from support.waiting import until

SUMMARY = RoomSummary(wakes_at=1, is_open=True, listing=b"")


def test_a_database_is_for_its_owners_eyes(tmp_path: Path) -> None:
    async def write() -> list[int]:
        log = SqliteLog(tmp_path / "rooms.db")
        await log.append("ABCDEF", 0, [Row(1, b"{}")], SUMMARY)
        modes = [stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()]
        await log.close()
        return modes

    assert set(asyncio.run(write())) == {0o600}


@pytest.mark.parametrize(("mode", "is_warned"), [(0o600, False), (0o640, True), (0o604, True), (0o602, True)])
def test_a_file_that_others_can_read_is_used_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int, is_warned: bool
) -> None:
    async def write() -> None:
        log = SqliteLog(tmp_path / "rooms.db")
        await log.append("ABCDEF", 0, [Row(1, b"{}")], SUMMARY)
        await log.close()

    (tmp_path / "rooms.db").touch()
    (tmp_path / "rooms.db").chmod(mode)
    asyncio.run(write())
    assert [record.levelname for record in caplog.records] == ["WARNING"] * is_warned
    assert all(f"{tmp_path}/rooms.db{suffix}" in caplog.text for suffix in ("", "-wal", "-shm") if is_warned)


@pytest.mark.slow
def test_a_server_warns_of_a_file_that_others_can_read(tmp_path: Path) -> None:
    with LiveServer(tmp_path / "rooms.db") as server:
        assert server.logged() == ""
        server.stop()
        server.database.chmod(0o644)
        server.start()
        assert server.logged().count("other users of this machine can read") == 1
        assert server.stop() == 0


def test_a_place_that_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="can’t be used as a database: No such file or directory"):
        SqliteLog(tmp_path / "nowhere" / "rooms.db")


@pytest.mark.slow
def test_the_write_ahead_log_does_not_grow_while_rooms_are_written_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "CHECKPOINT_AFTER", 100)

    async def main() -> None:
        log = SqliteLog(tmp_path / "rooms.db")

        async def write(room: str) -> None:
            for version in range(300):
                await log.append(room, version, [Row(version, b"x" * 1000)], None)
                await until(lambda: is_filed(log), "rows in the file")

        await asyncio.gather(*(write(f"ROOM{number}") for number in range(20)))
        grown = (tmp_path / "rooms.db-wal").stat().st_size
        await log.close()
        assert grown < 40_000_000  # less than half the size that it reaches without checkpoints

    asyncio.run(main())


class Rows(list[Row]):
    """Rows that can be told from others."""


def test_a_row_that_is_refused_is_not_kept_in_memory(tmp_path: Path, no_gc: None) -> None:
    """An exception must not hold the frame that waits for it."""

    async def main() -> int:
        log = SqliteLog(tmp_path / "rooms.db")
        for _ in range(10):
            with suppress(Conflict):
                await log.append("ROOM22", 7, Rows([Row(1, b"{}")]), None)
        kept = sum(type(one) is Rows for one in gc.get_objects())  # `isinstance` would ask proxies of dead objects
        await log.close()
        return kept

    assert asyncio.run(main()) <= 2  # the writer's thread has the latest in its hands
