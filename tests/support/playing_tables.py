"""Tables of people who play one game after the other while servers fail, and what has to be in the log afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import msgspec

from roundtable.client import Client
from roundtable.core.entries import Entry
from roundtable.core.play import Play, replay
from roundtable.games import codec_of, game_named
from roundtable.protocol.bodies import Membership
from roundtable.protocol.rooms import Settings
from roundtable.rooms.events import READER, GameStarted, RoomRow
from support.live_server import Player, seat_members
from support.waiting import PAUSE, until

GAMES: tuple[dict[str, Any], ...] = (
    {"game": "avalon"},
    {"game": "thavalon"},
    {"game": "avalon", "options": {"lady": True}},
)
STAYING = Settings(takeover_seconds=None)


class Table:
    """Five people who play one game after the other, each in a room of its own. `choose` says which client opens a
    room, and which one each of the players uses. Where they do not stay, they hang up after the game."""

    def __init__(
        self,
        choose: Callable[[], Client],
        number: int,
        seed: object,
        *,
        settings: Settings = STAYING,
        pause: float = 0.1,
        stay: bool = True,
    ) -> None:
        self.number = number
        self.games: list[list[Player]] = []
        self.is_resting = False
        self.starts: list[str] = []  # rooms in which a Start was answered
        self._choose = choose
        self._seed = seed
        self._settings = settings
        self._pause = pause
        self._stay = stay
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        while not self.is_resting:
            members = await seat_members(self._choose(), settings=self._settings, **GAMES[self.number % len(GAMES)])
            self.starts.append(members[0].room)
            await self._play(members)

    async def _play(self, members: list[Membership]) -> None:
        seed = f"{self._seed}/{self.number}/{len(self.games)}"
        clients = [self._choose() for _ in members]
        players = [
            Player(await client.enter(one), f"{seed}/{one.member}", self._pause)
            for client, one in zip(clients, members, strict=True)
        ]
        if self.is_resting:
            return
        self.games.append(players)
        self._tasks += [asyncio.create_task(play_and_stay(player)) for player in players]
        while not all(player.is_over for player in players):
            if self.is_resting:
                return
            await asyncio.sleep(PAUSE)
        if not self._stay:
            await self.go_home()
            await asyncio.gather(*(player.table.close() for player in players))

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
        self._tasks.clear()

    @property
    def players(self) -> list[Player]:
        return [player for players in self.games for player in players]


async def play_and_stay(player: Player) -> None:
    await player.play()
    await player.listen()  # the others may go on talking


def acks(tables: list[Table]) -> int:
    return sum(len(player.acked) for table in tables for player in table.players)


def rooms_of(lines: Iterable[tuple[str, int, int, bytes]]) -> dict[str, list[tuple[int, Any]]]:
    """Every room's rows with their times, from all lines of a log. Versions must have no gap, and time must not go
    back."""
    rooms: dict[str, list[tuple[int, Any]]] = {}
    for room, version, at, line in lines:
        rooms.setdefault(room, []).append((at, READER.decode(line)))
        assert version == len(rooms[room])
    for rows in rooms.values():
        assert all(earlier <= later for (earlier, _), (later, _) in pairwise(rows))
    return rooms


def require_everything_kept(tables: list[Table], rooms: dict[str, list[tuple[int, Any]]]) -> None:
    """Of what was answered, nothing was lost, done twice or moved."""
    for table in tables:
        for room in table.starts:
            assert sum(isinstance(fact, GameStarted) for _, fact in facts_of(rooms[room])) == 1
        for players in table.games:
            entries = entries_of(rooms[players[0].table.room.code])
            written = [(entry.actor, entry.id) for entry in entries if entry.id]
            assert len(written) == len(set(written)), "something was done twice"
            for player in players:
                own = [name for actor, name in written if actor == player.seat]
                assert own == player.acked, "something was lost or moved"
            played(entries)


def played(entries: list[Entry]) -> Play[Any, Any]:
    """The game of these entries, which must come out the same when it is played again."""
    return replay(game_named(entries[0].events[0].setup.game), entries)  # type: ignore[attr-defined]


def facts_of(rows: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """What happened in a room besides its games, and when."""
    return [(at, fact) for at, row in rows if isinstance(row, RoomRow) for fact in row.events]


def entries_of(rows: list[tuple[int, Any]]) -> list[Entry]:
    """The entries of the only game in a room."""
    lines = [msgspec.json.decode(row.entry) for _, row in rows if not isinstance(row, RoomRow)]
    game = lines[0]["events"][0]["setup"]["game"]
    return [codec_of(game_named(game)).read(Entry, line) for line in lines]
