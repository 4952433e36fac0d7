"""All the rooms of a server: opened, found, woken when something is due, put away when nobody is there."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Sequence

import msgspec

from roundtable.games.registry import make_setup
from roundtable.record.log import Conflict, LogFailed, Row
from roundtable.room.guests import clean_name, read_code, room_code
from roundtable.room.records import game_record
from roundtable.room.refusals import no_such_room, unreadable
from roundtable.room.replays import game_replay
from roundtable.room.room import Room, Services
from roundtable.table.errors import RoomRefused
from roundtable.wire import rooms as protocol

PUT_AWAY_AFTER = 30  # seconds between two rounds through the house
LISTED = 100

logger = logging.getLogger("roundtable.house")


class House:
    """Rooms by their code. Most lie in the log; those with somebody in them, or something due, are in memory."""

    def __init__(self, services: Services, most_rooms: int = 10_000) -> None:
        self.rooms: dict[str, Room] = {}
        self._services = services
        self._most_rooms = most_rooms
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._wakes: list[tuple[int, str]] = []
        self._rounds: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Take up every room where the log left it; how many there are."""
        cards = await self._services.log.cards()
        self._wakes = [(card.wakes_at, code) for code, card in cards.items()]
        heapq.heapify(self._wakes)
        self._rounds = asyncio.get_running_loop().create_task(self._go_round())
        return len(cards)

    async def stop(self) -> None:
        for task in (*self._loading.values(), *([self._rounds] if self._rounds else [])):
            task.cancel()
        for room in self.rooms.values():
            room.stop()
        self.rooms.clear()

    async def open(self, wanted: protocol.OpenRoom) -> protocol.Membership:
        """A new room under a code that nobody had before."""
        clean_name(wanted.name)
        setup = make_setup(wanted.game, wanted.seats, wanted.options)
        if len(self.rooms) >= self._most_rooms:
            raise RoomRefused("house/full", "The house is full; try again later.")
        while True:
            room = Room(room_code(self._services.entropy), self._services)
            try:
                member, token = await room.open(wanted, setup)
            except Conflict:
                continue
            except LogFailed as failed:
                raise RoomRefused("room/busy", "The room could not be written down; ask again.") from failed
            self.rooms[room.code] = room
            return protocol.Membership(room=room.code, member=member, token=token)

    async def find(self, typed: str) -> Room:
        """The room of this code; `RoomRefused` where there is none."""
        code = read_code(typed)
        room = self.rooms.get(code)
        if room is None or room.is_broken:
            room = await self._load(code)
        if room is None or room.state.is_closed:
            raise no_such_room()
        return room

    async def listed(self) -> list[protocol.RoomListed]:
        """The public rooms."""
        try:
            shown = await self._services.log.shown(LISTED)
        except LogFailed as failed:
            raise unreadable() from failed
        return [msgspec.json.decode(card, type=protocol.RoomListed) for card in shown]

    async def record(self, typed: str, number: int) -> bytes:
        """The record of a game that is over, also when its room has long been closed."""
        return game_record(await self._rows(typed), number)

    async def replay(self, typed: str, number: int, listener: str) -> protocol.Replay:
        """The same game, to be stepped through as one listener followed it."""
        return game_replay(await self._rows(typed), number, listener)

    async def _rows(self, typed: str) -> Sequence[Row]:
        try:
            return await self._services.log.read(read_code(typed))
        except LogFailed as failed:
            raise unreadable() from failed

    # Rooms that lie in the log

    async def _load(self, code: str) -> Room | None:
        """Read a room once, however many ask for it at the same time."""
        loading = self._loading.get(code)
        if loading is None:
            loading = self._loading[code] = asyncio.get_running_loop().create_task(self._read(code))
        try:
            return await asyncio.shield(loading)  # others may wait for it when this one has gone
        except LogFailed as failed:
            raise unreadable() from failed

    async def _read(self, code: str) -> Room | None:
        room = Room(code, self._services)
        try:
            if not await room.load():
                return None
            self.rooms[code] = room
            return room
        finally:
            del self._loading[code]

    async def _go_round(self) -> None:
        """Wake rooms in which something is due, and put away those in which nothing happens."""
        next_round = 0
        while True:
            now = self._services.now()
            try:
                while self._wakes and self._wakes[0][0] <= now:
                    await self._load_if_needed(heapq.heappop(self._wakes)[1])
                if next_round <= now:
                    self._put_away(now)
                    next_round = now + PUT_AWAY_AFTER * 1000
            except Exception:
                logger.exception("a round through the house failed")
            due = min(next_round, self._wakes[0][0]) if self._wakes else next_round
            await asyncio.sleep(min(1.0, max(0.005, (due - now) / 1000)))

    async def _load_if_needed(self, code: str) -> None:
        if code not in self.rooms:
            try:
                await self._load(code)
            except RoomRefused:
                heapq.heappush(self._wakes, (self._services.now() + 1000, code))

    def _put_away(self, now: int) -> None:
        for code, room in list(self.rooms.items()):
            if room.is_broken or (
                room.is_idle and (room.state.is_closed or room.next_alarm() > now + 2 * PUT_AWAY_AFTER * 1000)
            ):
                room.stop()
                del self.rooms[code]
                if not room.state.is_closed:
                    heapq.heappush(self._wakes, (room.next_alarm(), code))
