"""All rooms of a PostgreSQL database, read or written in one transaction while no worker runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg

from roundtable.core.errors import SetupError
from roundtable.storage.addresses import without_password
from roundtable.storage.moving import (
    CHUNK,
    SUMMARY_COLUMNS,
    TOTALS,
    StoredNote,
    StoredRow,
    StoredSummary,
    Totals,
    in_use,
)
from roundtable.storage.postgres_connection import setup_connection
from roundtable.storage.postgres_leases import DUE
from roundtable.storage.postgres_schema import prepare

NO_TIMEOUT = 0.0
IS_IN_USE = "SELECT EXISTS (SELECT FROM workers WHERE until > clock_timestamp())"


@asynccontextmanager
async def open_postgres_site(address: str, *, is_source: bool) -> AsyncIterator[PostgresSite]:
    """Until the block ends, no worker can start."""
    name = without_password(address)
    async with setup_connection(address, NO_TIMEOUT) as connection:
        if is_source and await connection.fetchval("SELECT to_regclass('site')") is None:
            raise SetupError("setup/option", "move_nothing", database=name)
        await prepare(address)
        async with connection.transaction():
            await connection.execute("LOCK TABLE workers IN SHARE MODE")
            if await connection.fetchval(IS_IN_USE):
                raise in_use(name)
            yield PostgresSite(connection)


class PostgresSite:
    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def totals(self) -> Totals:
        return Totals(*await self._connection.fetchrow(TOTALS))

    async def rows(self) -> AsyncIterator[StoredRow]:
        question = "SELECT room, version, at, line FROM rows ORDER BY room, version"
        async for row in self._connection.cursor(question, prefetch=CHUNK):
            yield tuple(row)

    async def summaries(self) -> Sequence[StoredSummary]:
        found = await self._connection.fetch(f"SELECT {', '.join(SUMMARY_COLUMNS)} FROM summaries")
        return [tuple(summary) for summary in found]

    async def notes(self) -> Sequence[StoredNote]:
        return [(name, text) for name, text in await self._connection.fetch("SELECT name, text FROM notes")]

    async def write(
        self, rows: AsyncIterator[StoredRow], summaries: Sequence[StoredSummary], notes: Sequence[StoredNote]
    ) -> None:
        """Open rooms are free, and due as those of a worker that died now."""
        await self._connection.execute("DELETE FROM notes")
        await self._connection.copy_records_to_table("notes", records=notes, columns=("name", "text"))
        await self._connection.copy_records_to_table("rows", records=rows, columns=("room", "version", "at", "line"))
        await self._connection.copy_records_to_table("summaries", records=summaries, columns=SUMMARY_COLUMNS)
        await self._connection.execute("INSERT INTO leases (room, epoch) SELECT room, 0 FROM summaries WHERE is_open")
        await self._connection.execute(f"UPDATE leases SET due = {DUE}")
