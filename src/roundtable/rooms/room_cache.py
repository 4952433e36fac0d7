"""The rooms of this worker that are in memory: read from the log once, found, dropped, and remembered in short."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import NamedTuple

from roundtable.rooms.commands import no_such_room, unreadable
from roundtable.rooms.guests import read_code
from roundtable.rooms.opened_rooms import OpenedRooms
from roundtable.rooms.ownership import LeaseHolder, Ownership, SoleOwner
from roundtable.rooms.presence import Unsaved
from roundtable.rooms.room import CLOSE_MOVED, Room, Services
from roundtable.rooms.schedule import Schedule
from roundtable.storage import LeaseLost, LogFailed, RoomUnreadable

UNREADABLE_MS = 60_000  # for which a room with rows that make no sense is not read again
READ_AHEAD = 1000  # milliseconds before its deadline at which a room is read
MARK = 16  # hex digits of a key by which members of rooms in the log are told from strangers

logger = logging.getLogger("roundtable.rooms")


class Dropped(NamedTuple):
    """What is known of a room that was dropped from memory."""

    marks: str  # the first digits of its members' keys
    unsaved: Unsaved | None = None
    is_broken: bool = False  # it stopped because it could not be read; members were not seen since


class RoomCache:
    """Rooms by their code. Those with connections, or with something due, are in memory; the others only in the log."""

    def __init__(self, services: Services, most_per_network: int) -> None:
        self.rooms: dict[str, Room] = {}
        leases = services.log.leases
        self._owner: Ownership = (
            SoleOwner(services.now) if leases is None else LeaseHolder(leases, services.now, services.address)
        )
        self._services = services = replace(services, now=self._owner.now)
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._deadlines = Schedule()  # when rooms have to be read
        self._wakeups = Schedule()  # when rooms without a near deadline have to be read
        self._unreadable: dict[str, int] = {}  # rooms with rows that make no sense, and when they may be read again
        self._dropped: dict[str, Dropped] = {}
        self._unread: set[str] = set()  # open rooms that were not read since the server started
        self._opened = OpenedRooms(services.now, most_per_network)
        self._since = services.now()  # when this worker started, or its clock was set

    async def find(self, typed: str) -> Room:
        """The room with this code; `RoomRefused` where there is none."""
        code = read_code(typed)
        if not self._owner.is_sure:  # another worker may have written more than is in memory here
            self._lose_all()
        room = self.rooms.get(code)
        if room is not None and room.is_stopped:
            self._drop_broken(room)
            room = None
        if room is None:
            room = await self._load(code)
        if room is None or room.state.is_closed:
            raise no_such_room()
        return room

    async def _load(self, code: str) -> Room | None:
        """Concurrent requests for a room read it once."""
        if self._services.now() < self._unreadable.get(code, 0):
            raise unreadable()
        loading = self._loading.get(code)
        if loading is None:
            loading = self._loading[code] = asyncio.get_running_loop().create_task(self._read(code))
        try:
            return await asyncio.shield(loading)  # other requests may wait for it when this one is cancelled
        except LogFailed as failed:
            raise unreadable() from failed.with_traceback(None)  # its frames hold the room
        finally:
            del loading  # break the cycle between exception, frame and task

    async def _read(self, code: str) -> Room | None:
        room = Room(code, self._services)
        self._unread.discard(code)
        try:
            await self._owner.take(code)
            if not await room.load(self._unsaved(code)):
                self._forget(code)
                self._owner.free(code)
                return None
            if not self._owner.holds(code):
                raise LeaseLost(code)
            self.rooms[code] = room
            self._dropped.pop(code, None)
            self._unreadable.pop(code, None)
            return room
        except RoomUnreadable as broken:
            if code not in self._unreadable:
                logger.error("a room cannot be read, and stays closed to all: %s", broken)
            self._unreadable[code] = self._services.now() + UNREADABLE_MS
            raise
        finally:
            del self._loading[code]

    def _unsaved(self, code: str) -> Unsaved:
        """What is known of a room besides its log. Until now, another worker may have seen its members."""
        dropped, now = self._dropped.get(code, Dropped("")), self._services.now()
        if self._owner.is_shared:
            return Unsaved(now, up_since=self._since)
        since = now if dropped.is_broken else self._since
        return (dropped.unsaved or Unsaved(since))._replace(since=since)

    # Out of memory

    def _drop_broken(self, room: Room) -> None:
        """Drop a room that stopped because it could not be read or its lease was lost, and schedule another attempt."""
        self._opened.note(room)
        self._owner.lose(room.code)
        if self._owner.is_shared:  # other workers may see its members from now on
            self._opened.unused.pop(room.code, None)
        del self.rooms[room.code]
        self._dropped[room.code] = Dropped(marks_of(room), is_broken=True)
        self._deadlines.set(room.code, self._services.now() + READ_AHEAD)

    def _drop_idle(self, room: Room) -> None:
        is_unused = room.code in self._opened.unused
        if self._owner.is_shared and (is_unused or room.may_be_taken_over):  # only this worker knows who was there when
            return
        room.stop()
        del self.rooms[room.code]
        if room.state.is_closed:
            self._forget(room.code)
            self._owner.free(room.code)
            return
        unsaved = room.unsaved if room.state.is_playing else None
        self._dropped[room.code] = Dropped(marks_of(room), unsaved)
        due = self._services.now() + room.idle_for
        if self._owner.is_shared:
            self._owner.free(room.code, due)
        else:
            self._deadlines.set(room.code, due)

    def _lose_all(self) -> None:
        """Other workers may run the rooms now."""
        for room in self.rooms.values():
            room.give_up(*CLOSE_MOVED)
        self.rooms.clear()
        self._opened.unused.clear()
        self._deadlines.clear()

    def _free_unless_read(self, code: str) -> None:
        if code not in self.rooms and code not in self._loading:
            self._owner.free(code)

    def _forget(self, code: str) -> None:
        """Drop everything that is remembered about this code."""
        self._deadlines.discard(code)
        self._wakeups.discard(code)
        self._dropped.pop(code, None)
        self._opened.discard(code)


def marks_of(room: Room) -> str:
    return " ".join(member.key[:MARK] for member in room.state.members.values())
