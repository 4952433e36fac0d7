"""A server that is killed repeatedly during games: nothing that was answered is lost, doubled or reordered."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from roundtable.client import Client
from roundtable.core.errors import BadRecord
from roundtable.games import game_named
from roundtable.protocol.encoding import reader_of
from roundtable.storage.verify import verify_record
from support.live_server import LiveServer, traceback_free
from support.playing_tables import Table, acks, require_everything_kept, rooms_of
from support.raw_protocol import fresh_heard
from support.sizes import KILLS
from support.waiting import until

TABLES = 12
SEED = os.environ.get("ROUNDTABLE_KILL_SEED", "1")
MOST_ANSWERS = 60  # of a new server, before it is killed


@pytest.mark.slow
def test_killing_the_server_loses_doubles_and_moves_nothing_that_was_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = LiveServer(tmp_path / "rooms.db", keeps_address=True)
    with server:
        tables = asyncio.run(kill_and_play(server))
        assert server.stop() == 0
    require_everything_kept(tables, rows_in(server.database))
    assert traceback_free([server.logged()])
    with capsys.disabled():
        print(
            f"\n{KILLS} kills under {TABLES * 5} players: {acks(tables)} acts answered in "
            f"{sum(len(table.games) for table in tables)} games, none lost, doubled or moved"
        )
    assert acks(tables) > KILLS  # some moves were made meanwhile


async def kill_and_play(server: LiveServer) -> list[Table]:
    dice = random.Random(SEED)
    async with server.client() as client:
        tables = [Table(lambda: client, number, SEED) for number in range(TABLES)]
        running = [asyncio.create_task(table.run()) for table in tables]
        for _ in range(KILLS):
            enough = acks(tables) + dice.randint(1, MOST_ANSWERS)
            await until(lambda enough=enough: acks(tables) >= enough, "answers from a new server")  # type: ignore[misc]
            server.kill()
            await asyncio.to_thread(server.start)
        await asyncio.gather(*(table.rest() for table in tables))
        await asyncio.gather(*running)
        await require_everything_heard(server, client, tables)
        await asyncio.gather(*(table.go_home() for table in tables))
    return tables


async def require_everything_heard(server: LiveServer, client: Client, tables: list[Table]) -> None:
    """Over all its connections, each player heard what a new connection hears now: no gap, nothing twice."""
    for players in [players for table in tables for players in table.games]:
        code = players[0].table.room.code
        reader = reader_of(game_named(players[0].table.room.game))
        for player in players:
            member = player.table.membership
            assert member
            lines = await fresh_heard(server.socket_url, code, member.token)
            assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
            fresh = [reader.event(Raw(msgspec.json.encode(line["event"]))) for line in lines]
            await until(lambda: len(player.heard) >= len(fresh), "the rest")  # noqa: B023
            assert player.heard == fresh
        if players[0].is_over:
            path = server.database.with_suffix(".jsonl")
            path.write_bytes(await client.http.record(code, 1))
            assert verify_record(path).was_drawn
        else:
            with pytest.raises(BadRecord) as early:
                await client.http.record(code, 1)
            assert early.value.code == "record/not_over"


def rows_in(database: Path) -> dict[str, list[tuple[int, Any]]]:
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return rooms_of(connection.execute("SELECT room, version, at, line FROM rows ORDER BY room, version"))
