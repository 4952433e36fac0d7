"""All the rooms of a server: opened, found, woken when something is due, put away when nobody is there."""

from __future__ import annotations

import asyncio
import heapq
import logging

import msgspec

from roundtable.bots import require_bot
from roundtable.core.errors import RoomRefused
from roundtable.games import make_setup
from roundtable.protocol import bodies
from roundtable.rooms.archive import Archive
from roundtable.rooms.guests import clean_name, new_token, read_code, room_codes
from roundtable.rooms.refusals import no_such_room, unreadable
from roundtable.rooms.room import Room, Services, Unwritten
from roundtable.storage import Conflict, LogFailed

PUT_AWAY_AFTER = 30  # seconds between two rounds through the house
AHEAD = 1000  # milliseconds before its deadline at which a room is read
LEAP = 250  # milliseconds by which the two clocks may come apart before timers are set anew
A_FEW = 100  # rooms that are looked at before anybody else has a turn
AT_ONCE = 4  # rooms that are read at the same time, so that the log is never waited for
LISTED = 100

logger = logging.getLogger("roundtable.house")


class RoomRegistry:
    """Rooms by their code. Most lie in the log; those with somebody in them, or something due, are in memory."""

    def __init__(self, services: Services, most_rooms: int = 10_000) -> None:
        self.rooms: dict[str, Room] = {}
        self._services = services
        self._archive = Archive(services.log, services.elsewhere)
        self._most_rooms = most_rooms
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._pressing: list[tuple[int, str]] = []  # when rooms have a deadline
        self._chores: list[tuple[int, str]] = []  # when others have to be looked after, if nothing is more pressing
        self._late: set[str] = set()  # whose deadline had passed when the server began, and that were not read yet
        self._unwritten: dict[str, Unwritten] = {}  # of rooms that were put away in a game
        self._unheard: set[str] = set()  # rooms that had to give up: nobody can have been heard of since
        self._since = self._services.now()
        self._ahead = 0  # by how much the clock is ahead of the one that timers count by
        self._rounds: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Take up every room where the log left it; how many there are."""
        summaries = await self._services.log.summaries()
        now = self._since = self._services.now()
        for code, summary in summaries.items():
            if summary.deadline is not None:
                self._pressing.append((summary.deadline, code))
            due = summary.wakes_at if summary.patience is None else min(summary.wakes_at, now + summary.patience)
            self._chores.append((due, code))
        self._late = {code for due, code in self._pressing if due <= now}
        heapq.heapify(self._pressing)
        heapq.heapify(self._chores)
        self._rounds = asyncio.get_running_loop().create_task(self._go_round())
        return len(summaries)

    @property
    def is_in_time(self) -> bool:
        """Whether every deadline that passed while no server ran has been seen to."""
        return not self._late

    async def stop(self) -> None:
        for task in (*self._loading.values(), *([self._rounds] if self._rounds else [])):
            task.cancel()
        for room in self.rooms.values():
            room.stop()
        self.rooms.clear()

    async def open(self, wanted: bodies.OpenRoom, home: str = "") -> bodies.Membership:
        """A new room under a code that nobody had before, or the one that was opened with the same token."""
        clean_name(wanted.name)
        setup = make_setup(wanted.game, wanted.seats, wanted.options)
        require_bot(wanted.settings.takeover_bot)
        token = wanted.token or new_token(self._services.entropy)
        codes = room_codes(token)
        while True:
            code = next(codes)
            if wanted.token and (opened := await self._opened_before(code, token)):
                return opened
            await self._require_space()
            room = Room(code, self._services, self._forget)
            try:
                member = await room.open(wanted, setup, token, home)
            except Conflict:
                if opened := await self._opened_before(code, token):  # a moment ago
                    return opened
                continue
            except LogFailed as failed:
                raise RoomRefused("room/busy", "The room could not be written down; ask again.") from failed
            self.rooms[code] = room
            return bodies.Membership(room=code, member=member, token=token)

    async def _opened_before(self, code: str, token: str) -> bodies.Membership | None:
        """Who this token is in the room of this code."""
        try:
            member = (await self.find(code)).state.member_with(token)
        except RoomRefused as refused:
            if refused.code != "room/unknown":
                raise
            member = None
        return None if member is None else bodies.Membership(room=code, member=member, token=token)

    async def _require_space(self) -> None:
        """Every open room counts, also those that lie in the log."""
        try:
            is_full = await self._services.log.open_rooms() >= self._most_rooms
        except LogFailed as failed:
            raise unreadable() from failed
        if is_full:
            raise RoomRefused("house/full", "The house is full; try again later.")

    async def find(self, typed: str) -> Room:
        """The room of this code; `RoomRefused` where there is none."""
        code = read_code(typed)
        room = self.rooms.get(code)
        if room is None or room.is_broken:
            room = await self._load(code)
        if room is None or room.state.is_closed:
            raise no_such_room()
        return room

    async def listed(self) -> list[bodies.RoomListed]:
        """The public rooms."""
        try:
            shown = await self._services.log.shown(LISTED)
        except LogFailed as failed:
            raise unreadable() from failed
        return [msgspec.json.decode(summary, type=bodies.RoomListed) for summary in shown]

    async def record(self, typed: str, number: int) -> bytes:
        """The record of a game that is over, also when its room has long been closed."""
        return await self._archive.record(read_code(typed), number)

    async def replay(self, typed: str, number: int, listener: str) -> bytes:
        """The same game, to be stepped through as one listener followed it: a `Replay` in JSON."""
        return await self._archive.replay(read_code(typed), number, listener)

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
        room = Room(code, self._services, self._forget)
        try:
            since = self._services.now() if code in self._unheard else self._since
            if not await room.load(self._unwritten.get(code, Unwritten(since))._replace(since=since)):
                return None
            self.rooms[code] = room
            self._unwritten.pop(code, None)
            self._unheard.discard(code)
            return room
        finally:
            del self._loading[code]

    async def _go_round(self) -> None:
        """Read rooms in which something is due, and put away those in which nothing happens. Whoever else has something
        to do gets their turn after each room."""
        next_round = 0
        while True:
            now = self._services.now()
            try:
                self._notice_leaps(now)
                if next_round <= now:
                    next_round = now + PUT_AWAY_AFTER * 1000
                    await self._put_away()
                if codes := self._next_due(now):
                    await asyncio.gather(*map(self._read_if_needed, codes))
                    continue
            except Exception:
                logger.exception("a round through the house failed")
            due = min([next_round, *(at - AHEAD for at, _ in self._pressing[:1]), *(at for at, _ in self._chores[:1])])
            await asyncio.sleep(min(1.0, max(0.005, (due - now) / 1000)))

    def _notice_leaps(self, now: int) -> None:
        """Timers count by a clock that stands still while the machine sleeps."""
        ahead = now - round(asyncio.get_running_loop().time() * 1000)
        if abs(ahead - self._ahead) > LEAP:
            self._ahead = ahead
            for room in list(self.rooms.values()):
                room.look_at_the_clock()

    def _next_due(self, now: int) -> list[str]:
        """Deadlines come first: a thousand rooms whose bots want to go on can wait for a second."""
        for wakes, until in ((self._pressing, now + AHEAD), (self._chores, now)):
            if wakes and wakes[0][0] <= until:
                return [heapq.heappop(wakes)[1] for _ in range(AT_ONCE) if wakes and wakes[0][0] <= until]
        return []

    async def _read_if_needed(self, code: str) -> None:
        try:
            if code not in self.rooms:
                await self._load(code)
        except RoomRefused:
            heapq.heappush(self._pressing, (self._services.now() + AHEAD + 1000, code))
        except Exception:
            logger.exception("a room cannot be taken up")
        self._late.discard(code)
        await asyncio.sleep(0)  # others have their turn

    def _forget(self, room: Room) -> None:
        """A room that has given up is read anew soon: what is due in it stays due."""
        if self.rooms.get(room.code) is room:
            del self.rooms[room.code]
            heapq.heappush(self._pressing, (self._services.now() + AHEAD + 1000, room.code))
            self._unheard.add(room.code)

    async def _put_away(self) -> None:
        for number, (code, room) in enumerate(list(self.rooms.items()), 1):
            if number % A_FEW == 0:
                await asyncio.sleep(0)
            if self.rooms.get(code) is not room:  # it was read again since
                continue
            is_quiet = room.is_idle and (room.state.is_closed or room.rests_for > 2 * PUT_AWAY_AFTER * 1000)
            if room.is_broken or is_quiet:
                room.stop()
                del self.rooms[code]
                if not room.state.is_closed:
                    heapq.heappush(self._pressing, (self._services.now() + room.rests_for, code))
                if room.is_playing:
                    self._unwritten[code] = room.unwritten
