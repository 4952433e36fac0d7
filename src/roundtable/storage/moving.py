"""Moving a site: every room of one database copied into another, empty one, SQLite or PostgreSQL.

Everything is written in one transaction, so that a target is either whole or empty. No server may use either of them
meanwhile. The source stays as it is.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from typing import Any, NamedTuple, Protocol

from roundtable.core.errors import SetupError
from roundtable.storage.addresses import require_file, sqlite_file, without_password
from roundtable.storage.database_files import lock_database
from roundtable.storage.sqlite import open_database

CHUNK = 1_000  # rows that are read or written at once

StoredRow = tuple[str, int, int, bytes]  # room, version, time, line
StoredSummary = tuple[str, int, bool, bytes, int, int | None, int | None]
StoredNote = tuple[str, str]  # of the operator: name and text
SUMMARY_COLUMNS = ("room", "wakes_at", "is_open", "listing", "changed_at", "deadline", "takeover_grace")

TOTALS = """
    SELECT (SELECT count(*) FROM (SELECT DISTINCT room FROM rows) AS rooms), count(*),
        coalesce(sum(length(line)), 0), (SELECT count(*) FROM summaries WHERE is_open) FROM rows
"""


class Totals(NamedTuple):
    """What two databases with the same rooms have in common."""

    rooms: int
    rows: int
    bytes: int
    open_rooms: int


class Site(Protocol):
    """All rooms of a database, in one transaction."""

    async def totals(self) -> Totals: ...

    def rows(self) -> AsyncIterator[StoredRow]:
        """Those of each room in their order."""
        ...

    async def summaries(self) -> Sequence[StoredSummary]: ...

    async def notes(self) -> Sequence[StoredNote]: ...

    async def write(
        self, rows: AsyncIterator[StoredRow], summaries: Sequence[StoredSummary], notes: Sequence[StoredNote]
    ) -> None: ...


async def move(source: str, target: str, show: Callable[[int, int], None]) -> Totals:
    """Copy all rooms from one address to another. `show` is called with the rows that were copied and all rows."""
    async with open_site(source, is_source=True) as old, open_site(target, is_source=False) as new:
        wanted = await old.totals()
        if not wanted.rows:
            raise SetupError("setup/option", "move_nothing", database=without_password(source))
        if (await new.totals()).rows:
            raise SetupError("setup/option", "move_occupied", database=without_password(target))

        async def counted() -> AsyncIterator[StoredRow]:
            done = 0
            async for row in old.rows():
                yield row
                done += 1
                if done % CHUNK == 0 or done == wanted.rows:
                    show(done, wanted.rows)

        await new.write(counted(), await old.summaries(), await old.notes())
        written = await new.totals()
        if written != wanted:
            name = without_password(target)
            raise SetupError("setup/option", "move_differs", database=name, rows=wanted.rows, found=written.rows)
    return written


@asynccontextmanager
async def open_site(address: str, *, is_source: bool) -> AsyncIterator[Site]:
    """A database that no server uses; what was written to it is undone unless the block ends well."""
    path = sqlite_file(address, is_kept=True)
    if path is None:
        from roundtable.storage.postgres_site import open_postgres_site  # its driver may not be installed

        async with open_postgres_site(address, is_source=is_source) as site:
            yield site
        return
    if is_source:
        require_file(path)
    try:
        lock = lock_database(path)
    except SetupError as refused:
        if refused.variant == "database_taken":
            raise in_use(str(path)) from refused
        raise
    try:
        with closing(open_database(str(path))) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield SqliteSite(connection)
            connection.execute("COMMIT")
    except sqlite3.Error as broken:
        raise SetupError("setup/option", "database_file", path=str(path), reason=str(broken)) from broken
    finally:
        os.close(lock)


def in_use(database: str) -> SetupError:
    return SetupError("setup/option", "move_in_use", database=database)


class SqliteSite:
    """Closing the connection undoes what was not committed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def totals(self) -> Totals:
        return Totals(*self._connection.execute(TOTALS).fetchone())

    async def rows(self) -> AsyncIterator[StoredRow]:
        for row in self._connection.execute("SELECT room, version, at, line FROM rows ORDER BY place"):
            yield row

    async def summaries(self) -> Sequence[StoredSummary]:
        found = self._connection.execute(f"SELECT {', '.join(SUMMARY_COLUMNS)} FROM summaries")
        return [(room, wakes_at, bool(is_open), *rest) for room, wakes_at, is_open, *rest in found]

    async def notes(self) -> Sequence[StoredNote]:
        return self._connection.execute("SELECT name, text FROM notes").fetchall()

    async def write(
        self, rows: AsyncIterator[StoredRow], summaries: Sequence[StoredSummary], notes: Sequence[StoredNote]
    ) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?)", notes)
        chunk: list[Any] = []
        async for row in rows:
            chunk.append(row)
            if len(chunk) == CHUNK:
                self._insert(chunk)
                chunk.clear()
        self._insert(chunk)
        places = ", ".join("?" * len(SUMMARY_COLUMNS))
        self._connection.executemany(
            f"INSERT INTO summaries ({', '.join(SUMMARY_COLUMNS)}) VALUES ({places})", summaries
        )

    def _insert(self, rows: Sequence[StoredRow]) -> None:
        self._connection.executemany("INSERT INTO log (room, version, at, line) VALUES (?, ?, ?, ?)", rows)
