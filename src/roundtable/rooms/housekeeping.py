"""What a worker does with its rooms by itself: it reads those that are due, drops idle ones, closes unused ones."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from itertools import islice

from roundtable.core.errors import RoomRefused
from roundtable.rooms.ownership import OwnedElsewhere
from roundtable.rooms.room import Services
from roundtable.rooms.room_cache import READ_AHEAD, RoomCache
from roundtable.storage import LogFailed, RoomSummary

SWEEP_SECONDS = 30  # between two sweeps for idle rooms
RETRY_SECONDS = 1  # between two attempts to read a room that could not be read
CLOCK_JUMP = 250  # milliseconds by which the two clocks may come apart before timers are set again
ROOMS_PER_TURN = 100  # that a sweep checks before other tasks get a turn
READS_AT_ONCE = 4  # rooms that are read concurrently
FORGET_SECONDS = 600  # between two looks for rooms that other workers have closed
UNUSED_SECONDS = 120  # without a sign of its members, after which a room is closed that no connection ever stayed in
NEW_SECONDS = 10  # for which a new room is kept, however full the server is
CLOSED_AT_ONCE = 100  # unused rooms that a sweep closes

logger = logging.getLogger("roundtable.rooms")


class RoomHousekeeping(RoomCache):
    """Rooms that wake in time, and leave when no one needs them."""

    def __init__(self, services: Services, most_per_network: int) -> None:
        super().__init__(services, most_per_network)
        self._overdue: set[str] = set()  # rooms not yet read whose deadline passed before the server started
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

    @property
    def has_leases(self) -> bool:
        """Whether no other worker can have taken this one's rooms. Without leases, players are told to try again."""
        return self._owner.is_sure

    @property
    def lost_leases(self) -> int:
        """How often the leases of all rooms were lost."""
        return self._owner.times_lost

    async def stop(self) -> None:
        """Let all rooms go. Their members come back by themselves, to this server or to another worker."""
        for task in (*self._loading.values(), *self._tasks):
            task.cancel()
        self._lose_all()
        await self._owner.stop()

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
            except LogFailed:  # which the server's readiness check reports
                pass
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

    # Rooms that no one needs

    async def _sweep(self) -> None:
        await asyncio.gather(
            *map(self._close_unused, islice(self._opened.unused_for(UNUSED_SECONDS, self.rooms), CLOSED_AT_ONCE))
        )
        for number, (code, room) in enumerate(list(self.rooms.items()), 1):
            if number % ROOMS_PER_TURN == 0:
                await asyncio.sleep(0)
            if self.rooms.get(code) is not room or room.is_stopped:  # it was read again since, or will be
                continue
            self._opened.note(room)
            if room.is_idle and (room.state.is_closed or room.idle_for > 2 * SWEEP_SECONDS * 1000):
                self._drop_idle(room)

    def _drop_all_broken(self) -> None:
        for room in [room for room in self.rooms.values() if room.is_stopped]:
            self._drop_broken(room)

    async def _forget_closed(self) -> None:
        """Forget rooms that other workers have closed."""
        are_open = await self._services.log.summaries()
        self._unread.intersection_update(are_open)
        remembered = {*self._dropped, *self._opened}
        for code in remembered - are_open.keys() - self.rooms.keys():
            self._forget(code)

    async def _close_oldest_unused(self) -> bool:
        for code in self._opened.unused_for(NEW_SECONDS, self.rooms):
            if await self._close_unused(code):
                return True
        return False

    async def _close_unused(self, code: str) -> bool:
        """Whether the room was closed now."""
        if self._opened.unused.pop(code, None) is None:  # another request closes it
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
            self._opened.unused[code] = self._services.now()
        return was_closed
