"""Rooms in memory, gone with the process; for tests, and for tables that nobody wants to keep."""

from __future__ import annotations

from collections.abc import Sequence

from roundtable.record.log.contract import Card, Conflict, Row


class MemoryLog:
    """The contract in its plainest form."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}
        self._cards: dict[str, Card] = {}

    async def append(self, room: str, known: int, rows: Sequence[Row], card: Card | None) -> None:
        written = self._rows.setdefault(room, [])
        if len(written) != known:
            raise Conflict(room)
        written.extend(rows)
        if card is None:
            return
        if room not in self._cards or self._cards[room].shown != card.shown:
            self._cards.pop(room, None)  # what has changed latest comes last
        self._cards[room] = card

    async def read(self, room: str, after: int = 0) -> list[Row]:
        return self._rows.get(room, [])[after:]

    async def cards(self) -> dict[str, Card]:
        return {room: card for room, card in self._cards.items() if card.is_open}

    async def open_rooms(self) -> int:
        return sum(card.is_open for card in self._cards.values())

    async def shown(self, most: int) -> list[bytes]:
        listed = [card.shown for card in self._cards.values() if card.is_open and card.shown]
        return listed[::-1][:most]

    async def try_to_write(self) -> None:
        """There is always room."""

    async def close(self) -> None:
        """Nothing is held open."""
