"""What is deleted by age: the talk of closed rooms, and the rooms themselves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from roundtable.rooms import OwnedElsewhere, RoomRegistry
from roundtable.storage import Log, LogFailed, RoomUnreadable

DAY_MS = 24 * 3600 * 1000
TASK = "retention"  # the name of its lease: no room has small letters

ERASURES = "erasures"  # what erased rows last; a change tells the other workers
TALK_ERASED = "talk erased"  # a time: talk is erased in rooms that were closed before
TALK_LEFT = "talk left/"  # begins the name of a note about a room that was closed before, but left out

logger = logging.getLogger("roundtable.server")


class Retained(NamedTuple):
    """In how many rooms something was deleted, and which rooms were left out. The next run tries those again."""

    talk: int
    records: int
    elsewhere: int  # rooms that other workers run
    unreadable: tuple[str, ...]  # each names the room and the row


class Changed(NamedTuple):
    """How many rooms were changed, and the codes of those that were left out, with the reason."""

    rooms: int
    elsewhere: frozenset[str]
    unreadable: dict[str, str]


class Retainer:
    """Deletes what is older than so many days, counted from the last row of a closed room; None keeps it."""

    def __init__(
        self,
        log: Log,
        registry: RoomRegistry,
        now: Callable[[], int],
        talk_days: int | None,
        record_days: int | None,
    ) -> None:
        self.progress = (0, 1)  # rooms of the latest run that are done, and all of them
        self._log = log
        self._registry = registry
        self._now = now
        self._ages = talk_days, record_days
        self._run: asyncio.Task[Retained] | None = None

    def start(self) -> asyncio.Task[Retained]:
        """The task of the running run, or of a new one; it raises `OwnedElsewhere` where another worker has one."""
        if self._run is None or self._run.done():
            self._run = asyncio.get_running_loop().create_task(self._delete_old())
            self._run.add_done_callback(_report_defect)
        return self._run

    def stop(self) -> None:
        if self._run is not None:
            self._run.cancel()

    async def _delete_old(self) -> Retained:
        async with self._registry.sole_worker(TASK):
            talk_before, records_before = (None if days is None else self._now() - days * DAY_MS for days in self._ages)
            notes = await self._log.notes()
            left = {name.removeprefix(TALK_LEFT) for name in notes if name.startswith(TALK_LEFT)}
            since = int(notes.get(TALK_ERASED, "0"))
            old = [] if records_before is None else await self._log.closed_rooms(0, records_before)
            talked = [] if talk_before is None else [*left, *await self._log.closed_rooms(since, talk_before)]
            self.progress = (0, len(old) + len(talked) or 1)
            removed = await self._change(old, self._registry.remove)
            erased = await self._change(talked, self._registry.erase_talk)
            if talk_before is not None:
                await self._note(max(since, talk_before), left, erased.elsewhere | erased.unreadable.keys())
        elsewhere = removed.elsewhere | erased.elsewhere
        return Retained(erased.rooms, removed.rooms, len(elsewhere), tuple(erased.unreadable.values()))

    async def _change(self, codes: Sequence[str], change: Callable[[str], Awaitable[bool]]) -> Changed:
        """Change every room that this worker may run and can read."""
        rooms, elsewhere, unreadable = 0, set[str](), dict[str, str]()
        try:
            for code in codes:
                try:
                    rooms += await change(code)
                except OwnedElsewhere:
                    elsewhere.add(code)
                except RoomUnreadable as broken:
                    logger.error("a room is left out of retention: %s", broken)
                    unreadable[code] = str(broken)
                done, total = self.progress
                self.progress = (done + 1, total)
        finally:
            if rooms:  # even if the database is lost now
                await self._log.write_notes({ERASURES: str(self._now())})
        return Changed(rooms, frozenset(elsewhere), unreadable)

    async def _note(self, until: int, left_before: set[str], left: frozenset[str]) -> None:
        """Remember the rooms that were left out, because the next run looks only at rooms that were closed later."""
        done = {TALK_LEFT + code: None for code in left_before - left}
        await self._log.write_notes({TALK_ERASED: str(until), **done, **{TALK_LEFT + code: "" for code in left}})


def _report_defect(run: asyncio.Task[Retained]) -> None:
    """A failure of the log is reported by other parts of the server."""
    defect = None if run.cancelled() else run.exception()
    if defect is not None and not isinstance(defect, LogFailed | OwnedElsewhere):
        logger.error("what is too old could not be deleted", exc_info=defect)
