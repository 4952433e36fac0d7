"""The event log of rooms, as a contract that every store fulfils.

A room is a list of rows, numbered from 1. A writer says how many rows it knows. If there are more by now, nothing is
written (`Conflict`), and the writer has to read the new rows and decide again. So the rows of a room have one order, no
matter how many servers have it in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Row(NamedTuple):
    """One line of a room: when it was written (milliseconds since 1970), and what it says."""

    at: int
    line: bytes


class RoomSummary(NamedTuple):
    """What is known of a room without reading its rows: when it has to be read, and its line in the list of rooms."""

    wakes_at: int  # milliseconds since 1970: when an idle room has to be read, to be closed
    is_open: bool
    listing: bytes  # a line for the list of public rooms; empty where the room is not public
    deadline: int | None = None  # milliseconds since 1970: when its game needs the server
    takeover_grace: int | None = None  # milliseconds after a server's start until bots may have to move


class Conflict(Exception):
    """Another writer has appended to the room in between."""


class LogFailed(Exception):
    """The store could not write or read; nothing was changed."""


class LogLost(LogFailed):
    """The file of the log was removed or replaced. The store logs it once; callers do not log it again."""


class RoomUnreadable(LogFailed):
    """Rows of one room that no server can have written. Reading them again does not help."""


class Log(Protocol):
    """A durable store: `append` returns only when the rows would survive a power failure."""

    is_shared: bool  # whether another server may append to the same rooms

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

    async def listed(self, most: int) -> list[bytes]:
        """The lines of public rooms, the latest changed first. A row that changes no line must not change the order, or
        the list would reveal when secret moves are made."""
        ...

    async def try_to_write(self) -> None:
        """A no-op write; `LogFailed` where rows could not be written now."""
        ...

    async def close(self) -> None: ...
