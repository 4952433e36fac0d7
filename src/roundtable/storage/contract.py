"""What a room asks of the place where it is written down.

A room is a list of rows, numbered from 1. A writer says how many rows it knows of; if there are more by now,
nothing is written, and they have to read on and decide again. So however many servers hold a room open, its rows have
one order, and nothing above this contract needs to know which store it is or who else uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Row(NamedTuple):
    """One line of a room: when it was written (milliseconds since 1970), and what it says."""

    at: int
    line: bytes


class RoomSummary(NamedTuple):
    """What can be known of a room without reading it: when it must be looked after, and what a list of rooms shows."""

    wakes_at: int  # milliseconds since 1970, after which an idle room is closed
    is_open: bool
    shown: bytes  # for the list of public rooms; empty where the room is in no list
    deadline: int | None = None  # milliseconds since 1970: what is due in its game, to within a second
    patience: int | None = None  # milliseconds from a server's start until a bot takes over for an absent member


class Conflict(Exception):
    """Another writer has appended to the room in between."""


class LogFailed(Exception):
    """The store could not write or read; nothing was changed."""


class Log(Protocol):
    """Rows that stay. `append` returns only when they would survive the loss of the machine's power."""

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        """Write rows after the `known` first ones, all or none; `Conflict` if there are more than those. A summary goes
        with rows; without one, the summary that was written last stays."""
        ...

    async def read(self, room: str, after: int = 0) -> list[Row]:
        """The rows after the first `after` ones; none where there is no such room."""
        ...

    async def summaries(self) -> dict[str, RoomSummary]:
        """Every open room."""
        ...

    async def open_rooms(self) -> int:
        """How many rooms are open, without reading any."""
        ...

    async def shown(self, most: int) -> list[bytes]:
        """What public rooms show; first whatever has changed latest. Rows that change nothing in the list leave its
        order alone, or everybody could watch secret moves being made."""
        ...

    async def try_to_write(self) -> None:
        """Write something that changes nothing; `LogFailed` where rows could not be written now."""
        ...

    async def close(self) -> None: ...
