"""The event log of rooms, as a contract that every store fulfils.

A room is a list of rows, numbered from 1. A writer says how many rows it knows. If there are more by now, nothing is
written (`Conflict`), and the writer has to read the room and decide again. So the rows of a room have one order.

Several workers may serve one log. Then each room has one owner at a time: the worker that holds its lease.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

LEASE_SECONDS = 3  # for which a worker that does not renew its leases keeps them
RENEW_SECONDS = 1  # between two renewals


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
    """The store could not write or read. Nothing was changed, unless the store was cut off while it wrote: the room has
    to be read again."""


class LogLost(LogFailed):
    """The file of the log was removed or replaced. The store logs it once; callers do not log it again."""


class LeaseLost(LogFailed):
    """Another worker may run the room now. Nothing was written."""


class RoomUnreadable(LogFailed):
    """Rows of one room that no server can have written. Reading them again does not help."""


class Lease(NamedTuple):
    """Which worker runs a room."""

    worker: str  # its name; new at each start, and again after the worker was taken for dead
    address: str  # where other workers reach it: http://10.0.0.5:8101
    epoch: int  # how often the room has changed hands
    ends_in: int = 0  # milliseconds after which the worker is taken for dead, unless it renews


class Leases(Protocol):
    """Which worker runs which room. All times are the store's, in milliseconds since 1970.

    A worker that has not renewed for LEASE_SECONDS is taken for dead: the next worker that looks for rooms frees all of
    its rooms at once. `LogFailed` where the store cannot be reached.
    """

    @property
    def secret(self) -> str:
        """By which the workers of a site know one another; empty before the first start()."""
        ...

    async def start(self, address: str) -> int:
        """Register this worker under a new name; the store's time."""
        ...

    async def renew(self) -> int:
        """Keep every room for LEASE_SECONDS more; the store's time. `LeaseLost` where the worker was taken for dead: it
        holds no room any more, and must start() again."""
        ...

    async def take(self, room: str) -> Lease:
        """This worker's lease of a room that was free or its own, or the lease of the live worker that runs it."""
        ...

    async def take_due(self, ahead: int, most: int) -> list[str]:
        """Take free rooms in which something is due within `ahead` milliseconds, the earliest first: those that this
        worker now holds because of this call."""
        ...

    async def release(self, rooms: Mapping[str, int | None]) -> None:
        """Free rooms that this worker holds, each with the time at which it has to be read again; without a time, the
        room's summary says when, as it does for the rooms of a worker that died. A room without rows is forgotten."""
        ...

    def is_mine(self, lease: Lease) -> bool:
        """Whether this worker holds the lease, as far as it knows."""
        ...

    async def stop(self) -> None:
        """Free every room that this worker holds, and forget the worker."""
        ...


class Log(Protocol):
    """A durable store: `append` returns only when the rows would survive a power failure."""

    @property
    def leases(self) -> Leases | None:
        """None where no other process can write to this log."""
        ...

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        """Write rows after the `known` first ones, all or none; `Conflict` if there are more than those, `LeaseLost`
        unless this worker holds the room. A summary goes with rows; without one, the summary that was written last
        stays."""
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

    async def rewrite(self, room: str, lines: Mapping[int, bytes]) -> None:
        """Replace the lines of rows by their numbers, all or none; their times stay. `LeaseLost` unless this worker
        holds the room. The line of a closed room for the list of rooms is emptied. So talk and names are erased."""
        ...

    async def remove(self, room: str) -> None:
        """Delete the rows and the summary of a room, unless it is open; `LeaseLost` unless this worker holds it."""
        ...

    async def closed_rooms(self, since: int, before: int) -> list[str]:
        """Rooms that are closed and whose last row was written in this time."""
        ...

    async def notes(self) -> dict[str, str]:
        """What the operator has decided or asked for, by name; the same for all workers."""
        ...

    async def write_notes(self, notes: Mapping[str, str | None]) -> None:
        """Write notes, all or none; None deletes one."""
        ...

    async def try_to_write(self) -> None:
        """A no-op write; `LogFailed` where rows could not be written now."""
        ...

    async def close(self) -> None: ...
