"""All rooms of a server, as its endpoints and its operator use them: opened, found, listed, recorded, erased."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import msgspec

from roundtable.bots import require_bot
from roundtable.core.errors import RoomRefused
from roundtable.games import make_setup
from roundtable.protocol import bodies
from roundtable.protocol.compression import CompressedBody
from roundtable.rooms.archive import Archive
from roundtable.rooms.commands import no_such_room, refuse, unreadable
from roundtable.rooms.erasure import members_called, without_person, without_talk
from roundtable.rooms.guests import clean_name, key_of, new_token, read_code, room_codes
from roundtable.rooms.housekeeping import RoomHousekeeping
from roundtable.rooms.ownership import OwnedElsewhere
from roundtable.rooms.reducer import unreadable_room
from roundtable.rooms.room import CLOSE_MOVED, Room, Services
from roundtable.rooms.room_cache import MARK
from roundtable.storage import Conflict, LogFailed, Row

LISTED = 100

LineChange = Callable[[Sequence[Row]], Mapping[int, bytes]]  # the rows that change, by number


class RoomRegistry(RoomHousekeeping):
    """Every room by its code, with the records of its games."""

    def __init__(self, services: Services, most_rooms: int = 10_000, most_per_network: int = 50) -> None:
        super().__init__(services, most_per_network)
        self._archive = Archive(services.log, services.executor)
        self._most_rooms = most_rooms

    async def open(self, wanted: bodies.OpenRoom, network: str = "") -> bodies.Membership:
        """A new room with an unused code, or the room that was opened with the same token."""
        clean_name(wanted.name)
        setup = make_setup(wanted.game, wanted.seats, wanted.options)
        require_bot(wanted.settings.takeover_bot)
        token = wanted.token or new_token(self._services.entropy)
        codes = room_codes(token)
        while True:
            code = next(codes)
            if wanted.token and (opened := await self._opened_before(code, token)):
                return opened
            if network and not self._services.policy.takes_rooms:  # the demo table has no network
                raise RoomRefused("server/full", "no_rooms")
            is_counted = self._opened.count(code, network)
            room = Room(code, self._services)
            try:
                await self._require_space()
                await self._owner.take(code)
                member = await room.open(wanted, setup, token, network)
                await self._owner.take(code)  # in case that a request for this code has freed it meanwhile
            except OwnedElsewhere:
                self._uncount(code, is_counted)
                if wanted.token:
                    raise
                continue
            except Conflict:
                if opened := await self._opened_before(code, token):  # a moment ago
                    return opened
                self._uncount(code, is_counted)
                continue
            except RoomRefused:
                self._uncount(code, is_counted)
                raise
            except LogFailed as failed:
                self._uncount(code, is_counted)
                raise RoomRefused("room/busy") from failed
            self.rooms[code] = room
            return bodies.Membership(room=code, member=member, token=token)

    async def _opened_before(self, code: str, token: str) -> bodies.Membership | None:
        """The token's membership in the room with this code."""
        try:
            member = (await self.find(code)).state.member_with(token)
        except RoomRefused as refused:
            if refused.code != "room/unknown":
                raise
            member = None
        return None if member is None else bodies.Membership(room=code, member=member, token=token)

    def _uncount(self, code: str, is_counted: bool) -> None:
        """A room was not opened after all. Another room may have this code, and stays counted."""
        if is_counted:
            self._forget(code)
        self._free_unless_read(code)

    async def _require_space(self) -> None:
        """Every open room counts, in memory or not. If the server is full, the oldest unused room is closed."""
        try:
            is_full = await self._services.log.open_rooms() >= self._most_rooms
        except LogFailed as failed:
            raise unreadable() from failed
        if is_full and not await self._close_oldest_unused():
            raise RoomRefused("server/full")

    def forget_owner(self, typed: str) -> None:
        """The worker that ran a room does so no more, or does not answer: ask for its owner before the next request."""
        self._owner.forget_hint(read_code(typed))

    async def has_member(self, typed: str, token: str) -> bool:
        """Whether this is a member's token. For the answer, each open room is read at most once after a start, and the
        owner of a room is looked up at most once in the time of a lease, so that it can be given before any limit of an
        address is asked. `OwnedElsewhere` where another worker knows."""
        code = read_code(typed)
        elsewhere = None if code in self.rooms else self._owner.hint(code)
        if elsewhere is not None and elsewhere.ends_in > 0:
            raise elsewhere
        if elsewhere is not None or code in self._unread:
            with suppress(RoomRefused):  # it cannot be read now
                await self._load(code)
        room = self.rooms.get(code)
        if room is not None and not room.is_stopped:
            return room.state.member_with(token) is not None
        dropped = self._dropped.get(code)
        return dropped is not None and key_of(token)[:MARK] in dropped.marks.split()

    async def listed(self) -> list[bodies.ListedRoom]:
        """The public rooms."""
        try:
            lines = await self._services.log.listed(LISTED)
        except LogFailed as failed:
            raise unreadable() from failed
        return [room for line in lines if (room := _read_listing(line))]

    async def record(self, typed: str, number: int) -> CompressedBody:
        """The record of a finished game, even if its room is closed."""
        code = read_code(typed)
        self._require_over(code, number)
        return await self._archive.record(code, number)

    async def replay(self, typed: str, number: int, listener: str) -> CompressedBody:
        """A finished game step by step as one listener followed it: a `Replay` in JSON."""
        code = read_code(typed)
        self._require_over(code, number)
        return await self._archive.replay(code, number, listener)

    async def reasons(self, typed: str, number: int, seat: str) -> CompressedBody:
        """Why the bot at a seat of a finished game did what it did: `BotReasons` in JSON."""
        code = read_code(typed)
        self._require_over(code, number)
        return await self._archive.reasons(code, number, seat, self._services.workers)

    async def games(self, typed: str) -> bytes:
        """The finished games of a room, even if it is closed: `PlayedGames` in JSON."""
        return await self._archive.games(read_code(typed))

    def _require_over(self, code: str, number: int) -> None:
        """Refuse a game of a room in memory without a look at its rows."""
        room = self.rooms.get(code)
        if room is None or room.is_stopped:
            return
        if not 1 <= number <= room.state.number:
            raise no_such_room()
        if number == room.state.number and room.state.is_playing:
            refuse("record/not_over")

    # For the operator

    async def inspect(self, typed: str) -> dict[str, Any]:
        """A room as everyone may see it, and how much there is of it."""
        room = await self.find(typed)
        seen = await room.look()
        return {
            "room": msgspec.json.decode(seen),
            "connections": len(room.sessions),
            "rows": room.state.version,
            "games": room.state.number,
        }

    async def close(self, typed: str) -> None:
        await (await self.find(typed)).close()

    @asynccontextmanager
    async def sole_worker(self, task: str) -> AsyncIterator[None]:
        """A task of the whole site that one worker does at a time; `OwnedElsewhere` while another one does it. The task
        has a lease, as if it were a room."""
        await self._owner.take(task)
        try:
            yield
        finally:
            self._owner.free(task)

    async def erase_person(self, typed: str, name: str) -> list[int]:
        """Erase the talk of a person, and the person's names, from the rows of a room, open or closed; the numbers of
        the members who had this name there."""
        code = read_code(typed)
        found: set[int] = set()

        def change(rows: Sequence[Row]) -> Mapping[int, bytes]:
            found.update(members_called(rows, name))
            return without_person(rows, found)

        await self._erase(code, change)
        if not found:
            raise RoomRefused("room/no_member")
        return sorted(found)

    async def erase_talk(self, code: str) -> bool:
        """Erase all talk from the rows of a room; whether there was any."""
        return await self._erase(code, without_talk)

    async def remove(self, code: str) -> bool:
        """Delete a closed room, with the records of its games."""
        await self._owner.take(code)
        try:
            await self._services.log.remove(code)
        finally:
            self._archive.forget()
            self._free_unless_read(code)
        return True

    async def _erase(self, code: str, change: LineChange) -> bool:
        """Rewrite rows; whether any has changed. Members of an open room reconnect, and receive what is left."""
        log, has_changed = self._services.log, False
        await self._owner.take(code)
        try:
            while lines := await self._services.executor(partial(_changed_lines, code, await log.read(code), change)):
                await log.rewrite(code, lines)
                has_changed = True
                with suppress(RoomRefused):
                    if code in self._loading:
                        await self._load(code)
                if room := self.rooms.get(code):
                    room.give_up(*CLOSE_MOVED)
                    self._drop_broken(room)
                    await self._owner.take(code)
            if has_changed and code in await log.summaries():
                await (await self.find(code)).write_summary()
        finally:
            self._archive.forget()
            self._free_unless_read(code)
        return has_changed

    def forget_erased(self) -> None:
        """Another worker has erased rows."""
        self._archive.forget()


def _changed_lines(code: str, rows: Sequence[Row], change: LineChange) -> Mapping[int, bytes]:
    """`RoomUnreadable` where a row makes no sense."""
    try:
        return change(rows)
    except Exception as broken:
        raise unreadable_room(code, rows, broken) from broken


def _read_listing(line: bytes) -> bodies.ListedRoom | None:
    """None for a line that cannot be read: the other rooms are listed all the same."""
    try:
        return msgspec.json.decode(line, type=bodies.ListedRoom)
    except msgspec.DecodeError:
        return None
