"""A log in memory, lost when the process ends: for tests, and for tables that need not outlive the server."""

from __future__ import annotations

from collections.abc import Sequence

from roundtable.storage.contract import Conflict, RoomSummary, Row


class MemoryLog:
    """The simplest store."""

    leases = None

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}
        self._summaries: dict[str, RoomSummary] = {}

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        written = self._rows.setdefault(room, [])
        if len(written) != known:
            raise Conflict(room)
        written.extend(rows)
        if summary is None:
            return
        if room not in self._summaries or self._summaries[room].listing != summary.listing:
            self._summaries.pop(room, None)  # what has changed latest comes last
        self._summaries[room] = summary

    async def read(self, room: str, after: int = 0) -> list[Row]:
        return self._rows.get(room, [])[after:]

    async def summaries(self) -> dict[str, RoomSummary]:
        return {room: summary for room, summary in self._summaries.items() if summary.is_open}

    async def open_rooms(self) -> int:
        return sum(summary.is_open for summary in self._summaries.values())

    async def listed(self, most: int) -> list[bytes]:
        listed = [summary.listing for summary in self._summaries.values() if summary.is_open and summary.listing]
        return listed[::-1][:most]

    async def try_to_write(self) -> None:
        """Memory can always be written."""

    async def close(self) -> None:
        """Nothing is held open."""
