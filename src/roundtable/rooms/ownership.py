"""Which rooms this worker runs: it takes, renews and frees their leases, and keeps the time of the site."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from roundtable.storage import LEASE_SECONDS, RENEW_SECONDS, LeaseLost, Leases, LogFailed

MOST_HINTS = 20_000  # rooms of other workers whose addresses are remembered
DUE_AT_ONCE = 100  # rooms that are taken in one call because something is due in them

logger = logging.getLogger("roundtable.rooms")


class OwnedElsewhere(Exception):
    """Another worker runs the room. Requests about it go to that worker's address. If that worker is dead, its lease
    ends within so many milliseconds."""

    def __init__(self, address: str, ends_in: int) -> None:
        super().__init__(address)
        self.address = address
        self.ends_in = ends_in


class Ownership(Protocol):
    """What a registry asks before it reads a room, and tells when it drops one."""

    is_shared: bool  # whether there may be other workers
    times_lost: int  # how often this worker lost all of its leases

    def now(self) -> int:
        """The time of the site, in milliseconds since 1970."""
        ...

    @property
    def is_sure(self) -> bool:
        """Whether no other worker can have taken a room of this one."""
        ...

    async def start(self) -> None: ...

    async def take(self, code: str) -> None:
        """Make sure that this worker runs the room; `OwnedElsewhere` where another one does."""
        ...

    async def take_due(self, ahead: int) -> list[str]:
        """Take free rooms in which something is due within so many milliseconds."""
        ...

    def holds(self, code: str) -> bool: ...

    def hint(self, code: str) -> OwnedElsewhere | None:
        """Which worker ran the room when this one last asked. It may have lost the room since, if its lease of that
        time has ended."""
        ...

    def forget_hint(self, code: str) -> None: ...

    def free(self, code: str, due: int | None = None) -> None:
        """This worker no longer runs the room, in which something is due at this time. The store is told later."""
        ...

    async def tell_freed(self) -> None:
        """Tell the store which rooms are free."""
        ...

    def lose(self, code: str) -> None:
        """The lease may be another worker's: ask the store before the room is read again."""
        ...

    async def renew(self, on_lost: Callable[[], None]) -> None:
        """Renew all leases now and then, for ever; `on_lost` is called when all are lost."""
        ...

    async def stop(self) -> None: ...


class SoleOwner:
    """The only process that uses its log runs every room."""

    is_shared = False
    is_sure = True
    times_lost = 0

    def __init__(self, clock: Callable[[], int]) -> None:
        self.now = clock

    async def start(self) -> None:
        """There is no other process to be known to."""

    async def take(self, code: str) -> None:
        """Every room is this server's."""

    async def take_due(self, ahead: int) -> list[str]:
        return []

    def holds(self, code: str) -> bool:
        return True

    def hint(self, code: str) -> OwnedElsewhere | None:
        return None

    def forget_hint(self, code: str) -> None: ...

    def free(self, code: str, due: int | None = None) -> None: ...

    async def tell_freed(self) -> None: ...

    def lose(self, code: str) -> None: ...

    async def renew(self, on_lost: Callable[[], None]) -> None: ...

    async def stop(self) -> None: ...


class LeaseHolder:
    """One of several workers on a log."""

    is_shared = True

    def __init__(self, leases: Leases, clock: Callable[[], int], address: str) -> None:
        self.times_lost = 0
        self._leases = leases
        self._clock = clock
        self._address = address
        self._ahead: int | None = None  # milliseconds by which the store's clock is ahead of this worker's
        self._sure_until = 0  # by this worker's clock: until then, no other worker can have taken a room
        self._held: set[str] = set()
        self._hints: dict[str, tuple[str, int]] = {}  # the owner's address, and until when its lease lasts
        self._freed: dict[str, int | None] = {}  # of which the store has not been told
        self._telling: asyncio.Task[None] | None = None

    def now(self) -> int:
        return self._clock() + (self._ahead or 0)

    async def start(self) -> None:
        asked = self._clock()
        self._note_time(await self._leases.start(self._address), asked)

    def _note_time(self, at: int, asked: int) -> None:
        """Time never goes back. A late answer makes the store's clock seem behind, so the highest reading counts."""
        ahead = at - self._clock()
        self._ahead = ahead if self._ahead is None else max(self._ahead, ahead)
        self._sure_until = asked + LEASE_SECONDS * 1000

    def holds(self, code: str) -> bool:
        return code in self._held

    def hint(self, code: str) -> OwnedElsewhere | None:
        if code not in self._hints:
            return None
        address, until = self._hints[code]
        return OwnedElsewhere(address, max(0, until - self._clock()))

    def forget_hint(self, code: str) -> None:
        self._hints.pop(code, None)

    async def take(self, code: str) -> None:
        if self._telling is not None:  # that this room is free, perhaps
            await asyncio.wait([self._telling])
        self._require_sure()
        if code in self._held:
            return
        self._freed.pop(code, None)
        lease = await self._leases.take(code)
        if self._leases.is_mine(lease):
            self._held.add(code)
            self.forget_hint(code)
            return
        self._hints.pop(code, None)
        self._hints[code] = lease.address, self._clock() + lease.ends_in  # the latest last
        if len(self._hints) > MOST_HINTS:
            del self._hints[next(iter(self._hints))]
        raise OwnedElsewhere(lease.address, lease.ends_in)

    async def take_due(self, ahead: int) -> list[str]:
        self._require_sure()
        taken = await self._leases.take_due(ahead, DUE_AT_ONCE)
        self._held.update(taken)
        return taken

    @property
    def is_sure(self) -> bool:
        return self._clock() < self._sure_until

    def _require_sure(self) -> None:
        if not self.is_sure:
            raise LeaseLost("the leases could not be renewed")

    def free(self, code: str, due: int | None = None) -> None:
        self._held.discard(code)
        self._freed[code] = due

    async def tell_freed(self) -> None:
        if self._freed and self._telling is None:
            self._telling = asyncio.get_running_loop().create_task(self._tell_freed())
            await asyncio.wait([self._telling])

    async def _tell_freed(self) -> None:
        freed, self._freed = self._freed, {}
        try:
            await self._leases.release(freed)
        except LogFailed:
            self._freed = {**freed, **self._freed}
        finally:
            self._telling = None

    def lose(self, code: str) -> None:
        self._held.discard(code)

    async def renew(self, on_lost: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            if not await self._renew():
                self.times_lost += 1
                self._held.clear()
                self._freed.clear()
                on_lost()
                await self._start_again()

    async def _renew(self) -> bool:
        """Whether this worker still holds its rooms."""
        asked = self._clock()
        try:
            async with asyncio.timeout(max(0, self._sure_until - asked) / 1000):
                self._note_time(await self._leases.renew(), asked)
        except LeaseLost:
            return False
        except (LogFailed, TimeoutError):
            return self.is_sure
        return True

    async def _start_again(self) -> None:
        """Under a new name, because the other workers may have taken this one for dead."""
        logger.warning("this worker could not renew its leases in time: other workers may run its rooms now")
        while True:
            try:
                await self.start()
                break
            except LogFailed:
                await asyncio.sleep(RENEW_SECONDS)
        logger.warning("this worker holds leases again, and runs rooms")

    async def stop(self) -> None:
        self._held.clear()
        self._sure_until = 0
        try:
            await self._leases.stop()
        except LogFailed as failed:
            logger.warning("the leases of this worker end by themselves: %s", failed)
