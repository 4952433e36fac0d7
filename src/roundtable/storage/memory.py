"""A log in memory, lost when the process ends: for tests, and for tables that need not outlive the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from roundtable.storage.contract import Conflict, RoomSummary, Row


class MemoryLog:
    """The simplest store."""

    leases = None

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}
        self._summaries: dict[str, RoomSummary] = {}
        self._notes: dict[str, str] = {}

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

    async def rewrite(self, room: str, lines: Mapping[int, bytes]) -> None:
        for number, line in lines.items():
            self._rows[room][number - 1] = self._rows[room][number - 1]._replace(line=line)
        if not self._summaries[room].is_open:
            self._summaries[room] = self._summaries[room]._replace(listing=b"")

    async def remove(self, room: str) -> None:
        if not self._summaries[room].is_open:
            del self._rows[room], self._summaries[room]

    async def closed_rooms(self, since: int, before: int) -> list[str]:
        closed = (room for room, summary in self._summaries.items() if not summary.is_open)
        return sorted(room for room in closed if since <= self._rows[room][-1].at < before)

    async def notes(self) -> dict[str, str]:
        return dict(self._notes)

    async def write_notes(self, notes: Mapping[str, str | None]) -> None:
        given = {**self._notes, **notes}
        self._notes = {name: text for name, text in given.items() if text is not None}

    async def try_to_write(self) -> None:
        """Memory can always be written."""

    async def close(self) -> None:
        """Nothing is held open."""
