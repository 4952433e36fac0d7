"""A log in a PostgreSQL database, which several workers share. All waiting appends go into one statement.

While a statement runs, the next appends gather. So throughput does not depend on the latency of the database, and what
was acknowledged is on its disk. An append whose statement was cut off is `LogFailed`; it may have been written, and the
room has to be read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from roundtable.storage.contract import Conflict, LeaseLost, LogFailed, RoomSummary, Row
from roundtable.storage.postgres_connection import CLOSED, PostgresConnection, StatementRefused
from roundtable.storage.postgres_leases import PostgresLeases

TIMEOUT = 8.0  # seconds for an append or a question
APPENDS_PER_STATEMENT = 500

# `held` locks the lease of each room until the rows are written: a worker that takes the room over waits for them, and
# rows that come later find that the lease is gone. Of an append whose lease is held and whose last known row exists,
# all rows are inserted; if one of them exists, the statement fails as a whole.
APPEND = """
    WITH asked AS MATERIALIZED (
        SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS asked (room, known, epoch)
    ), held AS MATERIALIZED (
        SELECT room FROM asked JOIN leases USING (room, epoch) WHERE worker = $4 ORDER BY room FOR SHARE OF leases
    ), written AS MATERIALIZED (
        SELECT room FROM asked JOIN held USING (room)
            WHERE known = 0 OR EXISTS (SELECT FROM rows WHERE rows.room = asked.room AND version = known)
    ), inserted AS (
        INSERT INTO rows SELECT new.*
            FROM unnest($5::text[], $6::integer[], $7::bigint[], $8::bytea[]) AS new (room, version, at, line)
            JOIN written USING (room) ORDER BY room, version
    ), summarised AS (
        INSERT INTO summaries AS old SELECT new.*
            FROM unnest($9::text[], $10::bigint[], $11::boolean[], $12::bytea[], $13::bigint[], $14::bigint[],
                $15::bigint[]) AS new (room, wakes_at, is_open, listing, changed_at, deadline, takeover_grace)
            JOIN written USING (room) ORDER BY room
            ON CONFLICT (room) DO UPDATE SET
                wakes_at = excluded.wakes_at, is_open = excluded.is_open, listing = excluded.listing,
                deadline = excluded.deadline, takeover_grace = excluded.takeover_grace,
                changed_at = CASE old.listing WHEN excluded.listing THEN old.changed_at ELSE excluded.changed_at END
    )
    SELECT held.room, written.room IS NOT NULL AS is_written FROM held LEFT JOIN written USING (room)
"""
SUMMARIES = "SELECT room, wakes_at, listing, deadline, takeover_grace FROM summaries WHERE is_open ORDER BY changed_at"
# The lease stays locked until the statement is done. One row says whether this worker holds it.
HELD = "held AS MATERIALIZED (SELECT room FROM leases WHERE room = $1 AND worker = $2 AND epoch = $3 FOR SHARE)"
REWRITE = f"""
    WITH {HELD}, rewritten AS (
        UPDATE rows SET line = new.line FROM held, unnest($4::integer[], $5::bytea[]) AS new (version, line)
            WHERE rows.room = held.room AND rows.version = new.version
    ), unlisted AS (
        UPDATE summaries SET listing = '' FROM held WHERE summaries.room = held.room AND NOT is_open
    )
    SELECT FROM held
"""
REMOVE = f"""
    WITH {HELD}, removed AS (
        DELETE FROM summaries USING held WHERE summaries.room = held.room AND NOT is_open RETURNING summaries.room
    ), deleted AS (DELETE FROM rows USING removed WHERE rows.room = removed.room)
    SELECT FROM held
"""
CLOSED_ROOMS = """
    SELECT room FROM summaries CROSS JOIN LATERAL (
        SELECT at FROM rows WHERE rows.room = summaries.room ORDER BY version DESC LIMIT 1
    ) AS last WHERE NOT is_open AND at >= $1 AND at < $2 ORDER BY room
"""
WRITE_NOTES = """
    WITH new AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::text[]) AS new (name, text)),
    deleted AS (DELETE FROM notes USING new WHERE notes.name = new.name AND new.text IS NULL)
    INSERT INTO notes SELECT name, text FROM new WHERE text IS NOT NULL
        ON CONFLICT (name) DO UPDATE SET text = excluded.text
"""
LISTED = "SELECT listing FROM summaries WHERE is_open AND listing != '' ORDER BY changed_at DESC, room LIMIT $1"


class _Append(NamedTuple):
    room: str
    epoch: int
    known: int
    rows: Sequence[Row]
    summary: RoomSummary | None
    done: asyncio.Future[None]


class PostgresLog:
    """The shared store. `prepare` has to have brought the database to the newest schema."""

    def __init__(self, address: str) -> None:
        self.leases = PostgresLeases(address)
        self._writing = PostgresConnection(address, TIMEOUT)
        self._reading = PostgresConnection(address, TIMEOUT)
        self._waiting: list[_Append] = []
        self._writer: asyncio.Task[None] | None = None
        self._is_closed = False

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        if self._is_closed:
            raise LogFailed(CLOSED)
        epoch = self.leases.epoch_of(room)
        if epoch is None:
            raise LeaseLost(room)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append(_Append(room, epoch, known, rows, summary, done))
        if self._writer is None:
            self._writer = loop.create_task(self._write())
        try:
            await done
        finally:
            del done  # break the cycle between exception and frame

    async def read(self, room: str, after: int = 0) -> list[Row]:
        question = "SELECT at, line FROM rows WHERE room = $1 AND version > $2 ORDER BY version"
        return [Row(at, line) for at, line in await self._reading.fetch(question, room, after)]

    async def summaries(self) -> dict[str, RoomSummary]:
        return {
            room: RoomSummary(wakes_at, True, listing, deadline, takeover_grace)
            for room, wakes_at, listing, deadline, takeover_grace in await self._reading.fetch(SUMMARIES)
        }

    async def open_rooms(self) -> int:
        [(count,)] = await self._reading.fetch("SELECT count(*) FROM summaries WHERE is_open")
        return int(count)

    async def listed(self, most: int) -> list[bytes]:
        return [listing for (listing,) in await self._reading.fetch(LISTED, most)]

    async def rewrite(self, room: str, lines: Mapping[int, bytes]) -> None:
        await self._edit(REWRITE, room, list(lines), list(lines.values()))

    async def remove(self, room: str) -> None:
        await self._edit(REMOVE, room)

    async def _edit(self, statement: str, room: str, *values: object) -> None:
        epoch = self.leases.epoch_of(room)
        if epoch is None or not await self._writing.fetch(statement, room, self.leases.worker, epoch, *values):
            raise LeaseLost(room)

    async def closed_rooms(self, since: int, before: int) -> list[str]:
        return [room for (room,) in await self._reading.fetch(CLOSED_ROOMS, since, before)]

    async def notes(self) -> dict[str, str]:
        return dict(await self._reading.fetch("SELECT name, text FROM notes"))

    async def write_notes(self, notes: Mapping[str, str | None]) -> None:
        await self._writing.fetch(WRITE_NOTES, list(notes), list(notes.values()))

    async def try_to_write(self) -> None:
        await self._writing.fetch("UPDATE site SET schema_version = schema_version")

    async def close(self) -> None:
        """Write what is queued, then close the connections."""
        self._is_closed = True
        if self._writer is not None:
            await asyncio.wait([self._writer])
        for connection in (self._writing, self._reading, self.leases):
            await connection.close()

    async def _write(self) -> None:
        """Write until no append waits."""
        try:
            while self._waiting:
                await self._write_together(self._next_batch())
        finally:
            self._writer = None

    def _next_batch(self) -> list[_Append]:
        """The first append of each waiting room."""
        batch: dict[str, _Append] = {}
        later: list[_Append] = []
        for append in self._waiting:
            if append.room in batch or len(batch) == APPENDS_PER_STATEMENT:
                later.append(append)
            else:
                batch[append.room] = append
        self._waiting = later
        return list(batch.values())

    async def _write_together(self, batch: Sequence[_Append]) -> None:
        """Write appends in one statement. If the database refuses one, halve them until it fails by itself."""
        try:
            answers = await self._writing.fetch(APPEND, *self._values(batch))
        except StatementRefused as refused:
            if len(batch) == 1:
                _answer(batch[0], Conflict(batch[0].room) if refused.is_duplicate else LogFailed(str(refused)))
                return
        except Exception as broken:  # the writer has to survive every error
            for append in batch:
                _answer(append, LogFailed(str(broken)))
            return
        else:
            is_written = dict(answers)
            for append in batch:
                self._acknowledge(append, is_written.get(append.room))
            return
        half = len(batch) // 2
        await self._write_together(batch[:half])
        await self._write_together(batch[half:])

    def _values(self, batch: Sequence[_Append]) -> tuple[object, ...]:
        """The values of `APPEND`: appends, rows and summaries, each as a list for every column."""
        appends = [(append.room, append.known, append.epoch) for append in batch]
        rows = [
            (append.room, version, row.at, row.line)
            for append in batch
            for version, row in enumerate(append.rows, append.known + 1)
        ]
        summaries = [
            (append.room, new.wakes_at, new.is_open, new.listing, append.rows[-1].at, new.deadline, new.takeover_grace)
            for append in batch
            if (new := append.summary) is not None
        ]
        return (*_columns(appends, 3), self.leases.worker, *_columns(rows, 4), *_columns(summaries, 7))

    def _acknowledge(self, append: _Append, is_written: bool | None) -> None:
        """None where this worker does not hold the room."""
        if is_written is None:
            self.leases.forget(append.room, append.epoch)
            _answer(append, LeaseLost(append.room))
        else:
            _answer(append, None if is_written else Conflict(append.room))


def _columns(lines: Sequence[tuple[object, ...]], width: int) -> list[tuple[object, ...]]:
    return list(zip(*lines, strict=True)) or [()] * width


def _answer(append: _Append, problem: Exception | None) -> None:
    if append.done.done():  # the caller was cancelled
        return
    if problem is None:
        append.done.set_result(None)
    else:
        append.done.set_exception(problem)
