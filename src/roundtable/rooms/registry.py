"""All rooms of a server: opened, found, read when something is due, dropped from memory when they are idle."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

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
from roundtable.rooms.networks import OpenByNetwork, networks_of
from roundtable.rooms.ownership import LeaseHolder, OwnedElsewhere, Ownership, SoleOwner
from roundtable.rooms.presence import Unsaved
from roundtable.rooms.room import CLOSE_MOVED, Room, Services
from roundtable.rooms.schedule import Schedule
from roundtable.storage import Conflict, LeaseLost, LogFailed, RoomSummary, RoomUnreadable, Row

SWEEP_SECONDS = 30  # between two sweeps for idle rooms
UNREADABLE_MS = 60_000  # for which a room with rows that make no sense is not read again
RETRY_SECONDS = 1  # between two attempts to read a room that could not be read
READ_AHEAD = 1000  # milliseconds before its deadline at which a room is read
CLOCK_JUMP = 250  # milliseconds by which the two clocks may come apart before timers are set again
ROOMS_PER_TURN = 100  # that a sweep checks before other tasks get a turn
READS_AT_ONCE = 4  # rooms that are read concurrently
FORGET_SECONDS = 600  # between two looks for rooms that other workers have closed
LISTED = 100
UNUSED_SECONDS = 120  # without a sign of its members, after which a room is closed that no connection ever stayed in
NEW_SECONDS = 10  # for which a new room is kept, however full the server is
CLOSED_AT_ONCE = 100  # unused rooms that a sweep closes
JOINED_FACTOR = 4  # a network may hold this many times as many rooms if other networks have joined them
MARK = 16  # hex digits of a key by which members of rooms in the log are told from strangers

logger = logging.getLogger("roundtable.rooms")


class Dropped(NamedTuple):
    """What is known of a room that was dropped from memory."""

    marks: str  # the first digits of its members' keys
    unsaved: Unsaved | None = None
    is_broken: bool = False  # it stopped because it could not be read; members were not seen since


class RoomRegistry:
    """Rooms by their code. Those with connections, or with something due, are in memory; the others only in the log."""

    def __init__(self, services: Services, most_rooms: int = 10_000, most_per_network: int = 50) -> None:
        self.rooms: dict[str, Room] = {}
        leases = services.log.leases
        self._owner: Ownership = (
            SoleOwner(services.now) if leases is None else LeaseHolder(leases, services.now, services.address)
        )
        self._services = services = replace(services, now=self._owner.now)
        self._archive = Archive(services.log, services.executor)
        self._most_rooms = most_rooms
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._deadlines = Schedule()  # when rooms have to be read
        self._wakeups = Schedule()  # when rooms without a near deadline have to be read
        self._overdue: set[str] = set()  # rooms not yet read whose deadline passed before the server started
        self._unreadable: dict[str, int] = {}  # rooms with rows that make no sense, and when they may be read again
        self._dropped: dict[str, Dropped] = {}
        self._unread: set[str] = set()  # open rooms that were not read since the server started
        self._unused: dict[str, int] = {}  # when members were last seen in rooms that no connection stayed in yet
        self._by_opener: OpenByNetwork[str] = OpenByNetwork(JOINED_FACTOR * most_per_network)
        self._alone: OpenByNetwork[str] = OpenByNetwork(most_per_network)  # of them, those of one network
        self._since = self._services.now()
        self._ahead = 0  # milliseconds by which the clock is ahead of the event loop's
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> int:
        """Schedule every open room in the log, unless other workers may run them; how many there are."""
        await self._owner.start()
        summaries = await self._services.log.summaries()
        self._check_clocks(self._services.now())
        self._since = self._services.now()
        self._unread = set(summaries)
        if not self._owner.is_shared:
            self._schedule(summaries)
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._run()), loop.create_task(self._owner.renew(self._lose_all))]
        return len(summaries)

    def _schedule(self, summaries: Mapping[str, RoomSummary]) -> None:
        now = self._since
        due = now + min(self._services.policy.idle)  # time without a server does not count as idle
        for code, summary in summaries.items():
            if summary.deadline is not None:
                self._deadlines.set(code, summary.deadline)
                if summary.deadline <= now:
                    self._overdue.add(code)
            grace = summary.takeover_grace
            self._wakeups.set(code, due if grace is None else min(due, now + grace))

    @property
    def has_caught_up(self) -> bool:
        """Whether every room was read whose deadline passed while no server ran."""
        return not self._overdue

    async def stop(self) -> None:
        """Let all rooms go. Their members come back by themselves, to this server or to another worker."""
        for task in (*self._loading.values(), *self._tasks):
            task.cancel()
        self._lose_all()
        await self._owner.stop()

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
            is_counted = self._count(code, network)
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

    async def _require_space(self) -> None:
        """Every open room counts, in memory or not. If the server is full, the oldest unused room is closed."""
        try:
            is_full = await self._services.log.open_rooms() >= self._most_rooms
        except LogFailed as failed:
            raise unreadable() from failed
        if is_full and not await self._close_oldest_unused():
            raise RoomRefused("server/full")

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

    async def erase_person(self, typed: str, name: str) -> list[int]:
        """Erase the talk of a person, and the person's names, from the rows of a room, open or closed; the numbers of
        the members who had this name there."""
        code = read_code(typed)
        found = members_called(await self._services.log.read(code), name)
        if not found:
            raise RoomRefused("room/no_member")
        await self._erase(code, lambda rows: without_person(rows, found))
        return sorted(found)

    async def erase_old_talk(self, since: int, before: int) -> int:
        """Erase all talk in rooms that were closed in this time; in how many there was any."""
        return await self._for_each_closed(since, before, lambda code: self._erase(code, without_talk))

    async def remove_old_rooms(self, before: int) -> int:
        """Delete rooms that were closed before this time, with the records of their games."""
        return await self._for_each_closed(0, before, self._remove)

    async def _for_each_closed(self, since: int, before: int, change: Callable[[str], Awaitable[bool]]) -> int:
        changed = 0
        for code in await self._services.log.closed_rooms(since, before):
            with suppress(OwnedElsewhere):  # that worker does it
                changed += await change(code)
        return changed

    async def _erase(self, code: str, change: Callable[[Sequence[Row]], Mapping[int, bytes]]) -> bool:
        """Rewrite rows; whether any has changed. Members of an open room reconnect, and receive what is left."""
        log, has_changed = self._services.log, False
        await self._owner.take(code)
        while lines := await self._services.executor(partial(change, await log.read(code))):
            await log.rewrite(code, lines)
            has_changed = True
            with suppress(RoomRefused):
                if code in self._loading:
                    await self._load(code)
            if room := self.rooms.get(code):
                room.give_up(*CLOSE_MOVED)
                self._drop_broken(room)
                await self._owner.take(code)
        self._archive.forget()
        if has_changed and code in await log.summaries():
            await (await self.find(code)).write_summary()
        self._free_unless_read(code)
        return has_changed

    async def _remove(self, code: str) -> bool:
        await self._owner.take(code)
        await self._services.log.remove(code)
        self._archive.forget()
        self._free_unless_read(code)
        return True

    def forget_erased(self) -> None:
        """Another worker has erased rows."""
        self._archive.forget()

    def _free_unless_read(self, code: str) -> None:
        if code not in self.rooms and code not in self._loading:
            self._owner.free(code)

    # Into memory

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

    async def _run(self) -> None:
        """Read rooms in which something is due, and drop idle ones. Other tasks get a turn after each room."""
        next_sweep = next_check = 0
        next_look = self._since + FORGET_SECONDS * 1000
        while True:
            now = self._services.now()
            try:
                self._check_clocks(now)
                if next_check <= now:
                    next_check = now + RETRY_SECONDS * 1000
                    self._drop_all_broken()
                    await self._take_free_rooms()
                if next_sweep <= now:
                    next_sweep = now + SWEEP_SECONDS * 1000
                    await self._sweep()
                    await self._owner.tell_freed()
                if self._owner.is_shared and next_look <= now:
                    next_look = now + FORGET_SECONDS * 1000
                    await self._forget_closed()
                if codes := self._take_due(now):
                    await asyncio.gather(*map(self._read_if_needed, codes))
                    continue
            except LeaseLost:  # which was logged, and soon they are renewed
                pass
            except LogFailed as failed:
                logger.error("reading due rooms failed: %s", failed)
            except Exception:
                logger.exception("reading due rooms or dropping idle ones failed")
            deadline, wakeup = self._deadlines.first(), self._wakeups.first()
            due = (next_check, deadline and deadline - READ_AHEAD, wakeup)
            await asyncio.sleep(min(1.0, max(0.005, (min(at for at in due if at is not None) - now) / 1000)))

    async def _take_free_rooms(self) -> None:
        """Rooms in which something is due and that no worker runs: theirs has died, or dropped them."""
        for code in await self._owner.take_due(READ_AHEAD):
            self._deadlines.set(code, self._services.now())

    def _check_clocks(self, now: int) -> None:
        """The event loop's clock, by which timers count, stands still while the machine sleeps."""
        ahead = now - round(asyncio.get_running_loop().time() * 1000)
        if abs(ahead - self._ahead) > CLOCK_JUMP:
            self._ahead, self._since = ahead, now
            for room in list(self.rooms.values()):
                room.check_clock(now)

    def _take_due(self, now: int) -> list[str]:
        """Deadlines come first; rooms in which only bots move can wait."""
        return self._deadlines.take(now + READ_AHEAD, READS_AT_ONCE) or self._wakeups.take(now, READS_AT_ONCE)

    async def _read_if_needed(self, code: str) -> None:
        try:
            if code not in self.rooms:
                await self._load(code)
        except OwnedElsewhere:
            pass
        except RoomRefused:
            if code in self._unreadable:  # reading it again does not help; clients may ask for it later
                return
            self._deadlines.set(code, self._services.now() + READ_AHEAD + RETRY_SECONDS * 1000)
        except Exception:
            logger.exception("a room cannot be read")
        finally:
            self._overdue.discard(code)
        await asyncio.sleep(0)

    # Out of memory

    def _drop_all_broken(self) -> None:
        for room in [room for room in self.rooms.values() if room.is_stopped]:
            self._drop_broken(room)

    def _drop_broken(self, room: Room) -> None:
        """Drop a room that stopped because it could not be read or its lease was lost, and schedule another attempt."""
        self._note(room)
        self._owner.lose(room.code)
        del self.rooms[room.code]
        self._dropped[room.code] = Dropped(marks_of(room), is_broken=True)
        self._deadlines.set(room.code, self._services.now() + READ_AHEAD)

    async def _sweep(self) -> None:
        await asyncio.gather(*map(self._close_unused, islice(self._unused_for(UNUSED_SECONDS), CLOSED_AT_ONCE)))
        for number, (code, room) in enumerate(list(self.rooms.items()), 1):
            if number % ROOMS_PER_TURN == 0:
                await asyncio.sleep(0)
            if self.rooms.get(code) is not room or room.is_stopped:  # it was read again since, or will be
                continue
            self._note(room)
            if room.is_idle and (room.state.is_closed or room.idle_for > 2 * SWEEP_SECONDS * 1000):
                self._drop_idle(room)

    def _drop_idle(self, room: Room) -> None:
        if self._owner.is_shared and room.may_be_taken_over:  # only this worker knows since when members are away
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
        self._deadlines.clear()

    def _forget(self, code: str) -> None:
        """Drop everything that is remembered about this code."""
        self._deadlines.discard(code)
        self._wakeups.discard(code)
        self._dropped.pop(code, None)
        self._unused.pop(code, None)
        self._by_opener.discard(code)
        self._alone.discard(code)

    async def _forget_closed(self) -> None:
        """Forget rooms that other workers have closed."""
        are_open = await self._services.log.summaries()
        self._unread.intersection_update(are_open)
        remembered = {*self._dropped, *self._unused, *self._by_opener}
        for code in remembered - are_open.keys() - self.rooms.keys():
            self._forget(code)

    # Rooms by opener

    def _count(self, code: str, network: str) -> bool:
        """Count a room before it is written, unless it is the server's own: one network must not fill the server.
        Whether it was counted now."""
        if not network or code in self._by_opener:
            return False
        if self._alone.full_network(network) or self._by_opener.full_network(network):
            raise RoomRefused("server/too_fast", "open_rooms")
        self._unused[code] = self._services.now()
        self._by_opener.add(code, network)
        self._alone.add(code, network)
        return True

    def _uncount(self, code: str, is_counted: bool) -> None:
        """A room was not opened after all. Another room may have this code, and stays counted."""
        if is_counted:
            self._forget(code)
        self._free_unless_read(code)

    def _note(self, room: Room) -> None:
        """Note whether members have come from other sites, and whether they stay."""
        code, presence = room.code, room.presence
        if code in self._alone:
            site = networks_of(self._alone.address_of(code))[-1]
            if any(site not in networks_of(network) for network in presence.networks.values()):
                self._alone.discard(code)
        if code in self._unused:
            self._unused[code] = max([self._unused[code], *presence.last_seen.values()])
            if presence.is_used(room.now()):
                del self._unused[code]

    def _unused_for(self, seconds: int) -> Iterator[str]:
        """Rooms in which no connection ever stayed and no member was seen for so long, the oldest first."""
        until = self._services.now() - seconds * 1000
        for code in list(self._unused):
            if (room := self.rooms.get(code)) is not None:
                self._note(room)
            if self._unused.get(code, until + 1) <= until:
                yield code

    async def _close_oldest_unused(self) -> bool:
        for code in self._unused_for(NEW_SECONDS):
            if await self._close_unused(code):
                return True
        return False

    async def _close_unused(self, code: str) -> bool:
        """Whether the room was closed now."""
        if self._unused.pop(code, None) is None:  # another request closes it
            return False
        try:
            was_closed = await (await self.find(code)).close_unused()
        except OwnedElsewhere:  # its members went to another worker, which closes it in its time
            return False
        except RoomRefused as refused:
            if refused.code == "room/unknown":  # it was never written, or is closed
                self._forget(code)
                return False
            was_closed = False
        if was_closed:
            self._forget(code)
        else:
            self._unused[code] = self._services.now()
        return was_closed


def marks_of(room: Room) -> str:
    return " ".join(member.key[:MARK] for member in room.state.members.values())


def _read_listing(line: bytes) -> bodies.ListedRoom | None:
    """None for a line that cannot be read: the other rooms are listed all the same."""
    try:
        return msgspec.json.decode(line, type=bodies.ListedRoom)
    except msgspec.DecodeError:
        return None
