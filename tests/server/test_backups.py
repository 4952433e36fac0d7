"""Backups of docs/hosting.md, made while people play: a server that starts from one has every move that was answered
before the backup began."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from roundtable.protocol.bodies import Membership
from roundtable.storage import RoomSummary, Row, SqliteLog, read_record, verify_record
from support.live_server import GENEROUS, LiveServer, Player, seat_members
from support.paths import ROOT
from support.postgres import PrivateServer, ask, private_server
from support.waiting import PATIENCE, until

pytestmark = pytest.mark.slow

SUMMARY = RoomSummary(wakes_at=1, is_open=True, listing=b"")
DOCUMENT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_a_sqlite_backup_made_while_people_play(tmp_path: Path) -> None:
    original, copy = tmp_path / "rooms.db", tmp_path / "backup.db"
    with LiveServer(original, *GENEROUS) as server:
        played = asyncio.run(play_and_back_up(server, lambda: back_up(original, copy)))
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert server.stop() == 0
    with LiveServer(copy, *GENEROUS) as restored:
        asyncio.run(play_on(restored, *played, tmp_path / "record.jsonl"))
        assert restored.stop() == 0
        assert restored.logged() == ""


def back_up(database: Path, copy: Path) -> None:
    """As the page says, or with Python's sqlite3 if the command is not installed."""
    copied = f"VACUUM INTO '{copy.name}'"
    (said,) = re.findall(r"^    (\(umask .* roundtable\.db .*VACUUM.*)$", DOCUMENT, re.MULTILINE)
    assert copied in said
    if shutil.which("sqlite3"):
        subprocess.run(said.replace("roundtable.db", database.name), shell=True, cwd=database.parent, check=True)
        return
    before = os.umask(0o077)
    try:
        with closing(sqlite3.connect(database)) as source:
            source.execute(copied.replace(copy.name, str(copy)))
    finally:
        os.umask(before)


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="The command sqlite3 is not installed: apt install sqlite3")
def test_a_backup_is_restored_for_the_user_of_the_server(tmp_path: Path) -> None:
    """The commands of the page, without systemd and with this user as the server's."""
    found = re.search(
        r"^    (\(umask .*/var/backups/.*\))\n\n(    systemctl stop[\s\S]+?systemctl start.*)", DOCUMENT, re.M
    )
    assert found
    backing_up, restoring = found.groups()
    assert "-o roundtable -g roundtable" in restoring
    database = tmp_path / "roundtable.db"
    write_row(database, 1)
    run_documented(backing_up, tmp_path)
    write_row(database, 2)
    run_documented(restoring, tmp_path)
    assert (stat.S_IMODE(database.stat().st_mode), database.stat().st_uid) == (0o600, os.getuid())
    with closing(sqlite3.connect(database)) as restored:
        assert restored.execute("SELECT count(*) FROM rows").fetchone() == (1,)


def write_row(database: Path, version: int) -> None:
    async def write() -> None:
        log = SqliteLog(database)
        await log.append("ABCDEF", version - 1, [Row(version, b"said")], SUMMARY)
        await log.close()

    asyncio.run(write())


def run_documented(commands: str, folder: Path) -> None:
    """Run commands for a machine with the systemd unit, in this folder and without `systemctl`."""
    kept = "\n".join(line.strip() for line in commands.splitlines() if "systemctl" not in line)
    here = re.sub("/var/lib/roundtable|/var/backups", str(folder), kept)
    ours = here.replace("-o roundtable -g roundtable", f"-o {os.getuid()} -g {os.getgid()}")
    subprocess.run(("sh", "-e", "-c", ours), check=True)


def test_a_postgresql_backup_made_while_people_play(tmp_path: Path) -> None:
    dump, restore = re.findall(r"`(pg_(?:dump|restore) --[^`]*\"\$ROUNDTABLE_DATABASE\"[^`]*)`", DOCUMENT)
    with private_server() as postgres:
        require_programs(postgres)
        original, copy = (new_database(postgres, name) for name in ("original", "copy"))

        def run(command: str, database: str) -> None:
            place = {"ROUNDTABLE_DATABASE": database, "PATH": f"{postgres.binaries}:{os.environ['PATH']}"}
            environment = {**os.environ, **place}
            subprocess.run(command, shell=True, cwd=tmp_path, env=environment, check=True)

        with LiveServer(tmp_path / "original.db", *GENEROUS, address=original) as server:
            played = asyncio.run(play_and_back_up(server, lambda: run(dump, original)))
            assert server.stop() == 0
        run(restore, copy)
        with LiveServer(tmp_path / "copy.db", *GENEROUS, address=copy) as restored:
            asyncio.run(play_on(restored, *played, tmp_path / "record.jsonl"))
            assert restored.stop() == 0
            assert restored.logged() == ""


def require_programs(postgres: PrivateServer) -> None:
    if not all((postgres.binaries / program).exists() for program in ("pg_dump", "pg_restore")):
        pytest.skip("pg_dump and pg_restore are not installed")


def new_database(postgres: PrivateServer, name: str) -> str:
    ask(postgres.address, f"CREATE DATABASE {name}")
    return postgres.address.removesuffix("/postgres") + f"/{name}"


Answered = list[list[str]]  # the ids of each player's moves


async def play_and_back_up(server: LiveServer, make_backup: Callable[[], None]) -> tuple[list[Membership], Answered]:
    """People play before, during and after the backup. What was answered when it began."""
    async with server.client() as client:
        members = await seat_members(client)
        players = [Player(await client.enter(one), f"backup/{one.member}", pause=0.02) for one in members]
        playing = [asyncio.create_task(player.play()) for player in players]
        await until(lambda: answers(players) >= 10, "some moves")
        answered = [list(player.acked) for player in players]
        copying = asyncio.create_task(asyncio.to_thread(make_backup))
        before = answers(players)
        await until(lambda: answers(players) >= before + 5, "moves beside the backup")
        await copying
        for task in playing:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        return members, answered


def answers(players: list[Player]) -> int:
    return sum(len(player.acked) for player in players)


async def play_on(restored: LiveServer, members: list[Membership], answered: Answered, record: Path) -> None:
    """Play the game to its end. It has every move that was answered, once and in order."""
    async with restored.client() as client:
        players = [Player(await client.enter(one), f"restored/{one.member}", pause=0.0) for one in members]
        for player in players:
            player._sent = 1_000  # so that no id is used again
        await asyncio.wait_for(asyncio.gather(*(player.play() for player in players)), PATIENCE)
        record.write_bytes(await client.http.record(members[0].room, 1))
    verify_record(record)
    entries = read_record(record).entries
    for player, ids in zip(players, answered, strict=True):
        written = [entry.id for entry in entries if entry.actor == player.seat and entry.id]
        assert written[: len(ids)] == ids
        assert len(set(written)) == len(written)
