"""Moving a site between SQLite and PostgreSQL, both ways."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from roundtable.cli import main
from roundtable.core.errors import SetupError
from roundtable.storage import Log, RoomSummary, Row, SqliteLog, moving
from roundtable.storage.database_files import lock_database
from roundtable.storage.moving import Totals, move
from roundtable.storage.postgres import PostgresLog
from support.postgres import EagerLog, ask, be_patient, new_database, prepared_database
from support.waiting import PATIENCE

ROOMS = ("ALPHA", "BRAVO", "GAMMA")
HOUR = 3_600_000


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)


def sqlite_site(folder: Path, rows: int = 20) -> str:
    """A file with three rooms, the last of them closed."""

    async def write() -> None:
        log = SqliteLog(folder / "rooms.db")
        for version in range(rows):
            for number, room in enumerate(ROOMS):
                is_open = room != "GAMMA" or version + 1 < rows
                listing = f"{room}/{version // 7}".encode() if number else b""
                summary = RoomSummary(5, is_open, listing, 100 + version, number or None) if version % 3 < 2 else None
                if version + 1 == rows:
                    summary = RoomSummary(HOUR, is_open, listing, None, number or None)
                await log.append(
                    room, version, [Row(1_000 * version + number, bytes([version, number, 0, 255]))], summary
                )
        await log.write_notes({"ban/203.0.113.0/24": "banned"})
        await log.close()

    asyncio.run(write())
    return f"sqlite:///{folder / 'rooms.db'}"


def contents(log: Log) -> tuple[object, ...]:
    async def read() -> tuple[object, ...]:
        rows = {room: await log.read(room) for room in (*ROOMS, "NONE")}
        found = rows, await log.summaries(), await log.open_rooms(), await log.listed(10), await log.notes()
        await log.close()
        return found

    return asyncio.run(read())


def moved(source: str, target: str) -> Totals:
    return asyncio.run(move(source, target, lambda done, total: None))


def refusal_of(source: str, target: str) -> str:
    with pytest.raises(SetupError) as refused:
        moved(source, target)
    return str(refused.value)


def test_a_site_is_moved_to_postgresql_and_back_without_a_byte_of_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "CHUNK", 7)
    source, database = sqlite_site(tmp_path), new_database()
    before = contents(SqliteLog(tmp_path / "rooms.db"))
    assert main(["move", source, database]) == 0
    printed = capsys.readouterr()
    assert f"all rooms of {source}: 3, with 60 rows." in printed.out
    assert "of 60 rows" in printed.err
    assert contents(PostgresLog(database)) == before
    back = f"sqlite:///{tmp_path / 'back.db'}"
    assert moved(database, back) == Totals(rooms=3, rows=60, bytes=240, open_rooms=2)
    assert contents(SqliteLog(tmp_path / "back.db")) == before
    assert contents(SqliteLog(tmp_path / "rooms.db")) == before
    assert (tmp_path / "back.db").stat().st_mode & 0o077 == 0


def test_rooms_that_were_moved_go_on_in_their_new_database(tmp_path: Path) -> None:
    database = new_database()
    moved(sqlite_site(tmp_path), database)

    async def play_on() -> None:
        log = EagerLog(database)
        await log.leases.start("http://127.0.0.1:1")
        due = await log.leases.take_due(1_000, 10)
        assert sorted(due) == ["ALPHA", "BRAVO"]  # both were due long ago; a closed room never is
        await log.append("ALPHA", 20, [Row(99, b"more")], None)
        assert (await log.read("ALPHA"))[20:] == [Row(99, b"more")]
        await log.leases.stop()
        await log.close()

    asyncio.run(play_on())
    moved(database, f"sqlite:///{tmp_path / 'back.db'}")

    async def and_on() -> None:
        log = SqliteLog(tmp_path / "back.db")
        await log.append("ALPHA", 21, [Row(100, b"and more")], None)
        assert (await log.read("ALPHA"))[20:] == [Row(99, b"more"), Row(100, b"and more")]
        await log.close()

    asyncio.run(and_on())


def test_a_target_with_rooms_is_refused_and_left_alone(tmp_path: Path) -> None:
    source, database = sqlite_site(tmp_path), new_database()
    moved(source, database)
    before = contents(PostgresLog(database))
    assert refusal_of(source, database).endswith(" already has rooms; move into an empty database.")
    assert contents(PostgresLog(database)) == before
    assert refusal_of(database, source).endswith("rooms.db already has rooms; move into an empty database.")


def test_a_source_without_rooms_is_refused(tmp_path: Path) -> None:
    file, database = f"sqlite:///{tmp_path / 'new.db'}", new_database()
    assert (
        refusal_of(file, database) == f"{tmp_path / 'new.db'} can’t be used as a database: No such file or directory."
    )
    assert not (tmp_path / "new.db").exists()
    assert refusal_of(database, file).endswith(" has no rooms to move.")
    assert ask(database, "SELECT to_regclass('site')") is None
    assert refusal_of("memory:", database) == (
        "Write a database as sqlite:///FILE or postgresql://USER@HOST/NAME, not 'memory:'."
    )


def test_a_database_that_a_server_uses_is_refused(tmp_path: Path) -> None:
    source, database = sqlite_site(tmp_path), prepared_database()
    lock_database(tmp_path / "rooms.db")
    assert refusal_of(source, database) == f"A server uses {tmp_path / 'rooms.db'}; stop it first."

    async def serve_meanwhile() -> None:
        log = PostgresLog(database)
        await log.leases.start("http://127.0.0.1:1")
        for one, other in ((database, f"sqlite:///{tmp_path / 'x.db'}"), (f"sqlite:///{tmp_path / 'x.db'}", database)):
            (tmp_path / "x.db").touch()
            with pytest.raises(SetupError, match=r"A server uses postgresql://.*; stop it first."):
                await move(one, other, lambda done, total: None)
        await log.leases.stop()
        await log.close()

    asyncio.run(serve_meanwhile())


@pytest.mark.parametrize("is_back", [False, True])
def test_what_is_interrupted_leaves_the_target_empty(tmp_path: Path, is_back: bool) -> None:
    source, database = sqlite_site(tmp_path), new_database()
    file = f"sqlite:///{tmp_path / 'back.db'}"
    if is_back:
        moved(source, database)
    interrupted = (
        "import asyncio, os, signal, sys\n"
        "from roundtable.storage import moving\n"
        "moving.CHUNK = 1\n"
        "def show(done, total):\n"
        "    if done == 50: os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(moving.move(*sys.argv[1:], show))\n"
    )
    places = (database, file) if is_back else (source, database)
    ended = subprocess.run([sys.executable, "-c", interrupted, *places], timeout=PATIENCE, check=False)
    assert ended.returncode == -9
    empty: tuple[object, ...] = ({room: [] for room in (*ROOMS, "NONE")}, {}, 0, [], {})
    assert contents(SqliteLog(tmp_path / "back.db") if is_back else PostgresLog(database)) == empty
    assert moved(*places).rows == 60


def test_a_copy_that_differs_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, database = sqlite_site(tmp_path), new_database()
    with monkeypatch.context() as forgetful:
        forgetful.setattr(moving.SqliteSite, "summaries", lambda self: asyncio.sleep(0, []))
        assert "nothing was moved" in refusal_of(source, database)
    assert ask(database, "SELECT count(*) FROM rows") == 0
    assert moved(source, database).rows == 60
