"""What was decided is written down, and only then told to anybody.

What is decided changes the room in memory at once; should the log not take it (somebody else wrote first, or the disk
is full), the room is read again as it was written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from roundtable.core.errors import RoundTableError
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.alarm import Alarm
from roundtable.rooms.refusals import busy
from roundtable.rooms.summary import signs_of, summary_of
from roundtable.storage import Conflict, Log, LogFailed, RoomSummary, Row

TRIES = 8  # at a row that others keep getting in before

logger = logging.getLogger("roundtable.rooms")


class Writer:
    """A room's way to its log. It calls `publish` whenever something new is in the log, or was found
    there."""

    def __init__(self, log: Log, standing: RoomAggregate, alarm: Alarm, publish: Callable[[], None]) -> None:
        self.is_unsure = False  # whether memory and log may differ
        self._log = log
        self._standing = standing
        self._alarm = alarm
        self._publish = publish
        self._summary_written: RoomSummary | None = None  # the one in the log, where that is known
        self._signs: object = None  # that it follows from

    async def attempt(self, decide: Callable[[], Sequence[bytes]]) -> None:
        """Decide, write, publish; if somebody else wrote first, look at the room as it is now and decide again."""
        if self.is_unsure:
            await self.read_again()
        for _ in range(TRIES):
            lines, refused = attempted(decide)
            if refused is not None:
                if await self.has_read_on():  # it was refused for what is no longer so
                    continue
                try:
                    raise refused
                finally:
                    refused = None  # it knows this call, which must not know it: they would keep each other alive
            if not lines:
                return
            if await self._wrote_first(lines):
                self._publish()
                return
            await self.read_again()
        raise busy()

    async def _wrote_first(self, lines: Sequence[bytes]) -> bool:
        """Write them, unless somebody else wrote first."""
        try:
            await self.append(lines)
        except Conflict:
            return False
        except LogFailed as failed:
            logger.error("a room could not be written: %s", failed)
            self.doubt()
            raise busy() from failed
        return True

    async def append(self, lines: Sequence[bytes]) -> None:
        standing = self._standing
        at, signs = standing.written_at(), signs_of(standing)
        summary = self._summary_written if signs == self._signs else summary_of(standing)
        rows = [Row(at, line) for line in lines]
        await self._log.append(
            standing.code, standing.version, rows, None if summary == self._summary_written else summary
        )
        standing.were_written(rows)
        self._summary_written, self._signs = summary, signs

    def doubt(self) -> None:
        """Nobody is told anything before the room was read again; what is due is tried again, but not at once."""
        self.is_unsure = True
        self._alarm.put_off()

    async def has_read_on(self) -> bool:
        """Whether another server has written something since, which is now known here too."""
        try:
            is_news = bool(await self._log.read(self._standing.code, self._standing.version))
        except LogFailed as failed:
            raise busy() from failed
        if is_news:
            await self.read_again()
        return is_news

    async def load(self) -> bool:
        """Read the room as it was written; whether there is one."""
        rows = await self._log.read(self._standing.code)
        for _ in self._standing.fold(rows):
            await asyncio.sleep(0)  # others have their turn
        self._summary_written = self._signs = None
        return bool(rows)

    async def read_again(self) -> None:
        self.is_unsure = True
        await self.load()
        self.is_unsure = False
        self._publish()


def attempted(decide: Callable[[], Sequence[bytes]]) -> tuple[Sequence[bytes], RoundTableError | None]:
    """What was decided, or why it was refused."""
    try:
        return decide(), None
    except RoundTableError as refused:
        return (), refused
