"""A server that is killed repeatedly during games: nothing that was answered is lost, doubled or reordered."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from roundtable.client import Client
from roundtable.core.entries import Entry
from roundtable.core.errors import BadRecord
from roundtable.core.play import replay
from roundtable.games import codec_of, game_named
from roundtable.protocol.bodies import Membership
from roundtable.protocol.encoding import reader_of
from roundtable.rooms.events import READER, GameStarted, RoomRow
from roundtable.storage.verify import verify_record
from support.live_server import LiveServer, Player, seat_members, traceback_free
from support.raw_protocol import fresh_heard
from support.sizes import KILLS
from support.waiting import PAUSE, until

TABLES = 12
SEED = os.environ.get("ROUNDTABLE_KILL_SEED", "1")
MOST_ANSWERS = 60  # of a new server, before it is killed
GAMES: tuple[dict[str, Any], ...] = (
    {"game": "avalon"},
    {"game": "thavalon"},
    {"game": "avalon", "options": {"lady": True}},
)


class Table:
    """Five people who play one game after the other, each in a room of its own."""

    def __init__(self, client: Client, number: int) -> None:
        self.client = client
        self.number = number
        self.games: list[list[Player]] = []
        self.is_resting = False
        self.starts: list[str] = []  # rooms in which a Start was answered
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        while not self.is_resting:
            members = await seat_members(self.client, **GAMES[self.number % len(GAMES)])
            self.starts.append(members[0].room)
            await self._play(members)

    async def _play(self, members: list[Membership]) -> None:
        seed = f"{SEED}/{self.number}/{len(self.games)}"
        players = [Player(await self.client.enter(one), f"{seed}/{one.member}") for one in members]
        if self.is_resting:
            return
        self.games.append(players)
        self._tasks += [asyncio.create_task(play_and_stay(player)) for player in players]
        while not all(player.is_over for player in players):
            if self.is_resting:
                return
            await asyncio.sleep(PAUSE)

    async def rest(self) -> None:
        """Send nothing new, and wait for the answers to what was sent."""
        self.is_resting = True
        for player in self.players:
            player.is_resting = True
        await until(lambda: not any(player.is_waiting for player in self.players), "the last answers")

    async def go_home(self) -> None:
        for task in self._tasks:
            task.cancel()
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        assert all(isinstance(error, asyncio.CancelledError) for error in ended), ended

    @property
    def players(self) -> list[Player]:
        return [player for players in self.games for player in players]


async def play_and_stay(player: Player) -> None:
    await player.play()
    await player.listen()  # the others may go on talking


@pytest.mark.slow
def test_killing_the_server_loses_doubles_and_moves_nothing_that_was_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = LiveServer(tmp_path / "rooms.db", keeps_address=True)
    with server:
        tables = asyncio.run(kill_and_play(server))
        assert server.stop() == 0
    rows = rows_of(server.database)
    for table in tables:
        for room in table.starts:
            assert sum(isinstance(fact, GameStarted) for row in rows[room] for fact in facts_of(row)) == 1
        for players in table.games:
            entries = entries_of(rows[players[0].table.room.code])
            require_everything_kept(players, entries)
            replay(game_named(entries[0].events[0].setup.game), entries)  # type: ignore[attr-defined]
    assert traceback_free([server.logged()])
    players = [player for table in tables for player in table.players]
    acked = sum(len(player.acked) for player in players)
    with capsys.disabled():
        print(
            f"\n{KILLS} kills under {TABLES * 5} players: {acked} acts answered in "
            f"{sum(len(table.games) for table in tables)} games, none lost, doubled or moved"
        )
    assert acked > KILLS  # some moves were made meanwhile


async def kill_and_play(server: LiveServer) -> list[Table]:
    dice = random.Random(SEED)
    async with server.client() as client:
        tables = [Table(client, number) for number in range(TABLES)]
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


def acks(tables: list[Table]) -> int:
    return sum(len(player.acked) for table in tables for player in table.players)


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


def require_everything_kept(players: list[Player], entries: list[Entry]) -> None:
    written = [(entry.actor, entry.id) for entry in entries if entry.id]
    assert len(written) == len(set(written)), "something was done twice"
    for player in players:
        own = [name for actor, name in written if actor == player.seat]
        assert own == player.acked, "something was lost or moved"


def rows_of(database: Path) -> dict[str, list[Any]]:
    """Every room's rows, whose numbers must have no gap."""
    rooms: dict[str, list[Any]] = {}
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for room, version, line in connection.execute("SELECT room, version, line FROM rows ORDER BY room, version"):
            rooms.setdefault(room, []).append(READER.decode(line))
            assert version == len(rooms[room])
        times = connection.execute("SELECT room, at FROM rows ORDER BY room, version").fetchall()
        assert all(earlier[0] != later[0] or earlier[1] <= later[1] for earlier, later in pairwise(times))
    return rooms


def facts_of(row: Any) -> list[Any]:
    return row.events if isinstance(row, RoomRow) else []


def entries_of(rows: list[Any]) -> list[Entry]:
    played = [msgspec.json.decode(row.entry) for row in rows if not isinstance(row, RoomRow)]
    game = played[0]["events"][0]["setup"]["game"]
    return [codec_of(game_named(game)).read(Entry, entry) for entry in played]
