"""A log in a SQLite file. One thread writes, and puts all waiting appends into one transaction: a group commit.

So throughput does not depend on the latency of the disk, and what was acknowledged is on the disk (WAL, FULL).
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

from roundtable.core.errors import SetupError
from roundtable.storage.contract import Conflict, LogFailed, LogLost, RoomSummary, RoomUnreadable, Row
from roundtable.storage.database_files import DatabaseFiles, warn_if_readable
from roundtable.storage.schema import migrate, write_nothing_new

T = TypeVar("T")

ROWS_PER_STATEMENT = 1_000  # SQLite takes at most 32,766 values in a statement
APPENDS_PER_TRANSACTION = 100  # more would delay the next transaction, because their callers are woken together
COMMIT_INTERVAL = 0.002  # seconds from one transaction to the next, so that under load many appends share one
CHECKPOINT_AFTER = 4_000  # rows in the write-ahead log
CACHE = 1024  # KiB of pages for the writer: with four times as much, an append takes as long
BUSY_TIMEOUT = 10.0  # seconds to wait for another process that is writing
CLOSED = "The log is closed."
PROBE = ""  # a pseudo-room for write probes

# Follows `before` from the last row of a room. One step returns all rows: between two steps of a query, the event loop
# may hold the interpreter lock for milliseconds.
ROWS_AFTER = """
    WITH RECURSIVE found (place) AS (
        SELECT place FROM ends WHERE room = :room AND version > :after
        UNION ALL
        SELECT (SELECT before FROM rows WHERE rows.place = found.place AND version > :after + 1)
            FROM found WHERE place IS NOT NULL
    )
    SELECT group_concat((SELECT version || ' ' || at || ' ' || hex(line) FROM rows WHERE rows.place = found.place))
        FROM found
"""
PLACES = """
    WITH RECURSIVE found (place) AS (
        SELECT place FROM ends WHERE room = :room
        UNION ALL
        SELECT (SELECT before FROM rows WHERE rows.place = found.place) FROM found WHERE place IS NOT NULL
    )
    SELECT version, place FROM rows WHERE place IN (SELECT place FROM found)
"""
CLOSED_ROOMS = """
    SELECT ends.room FROM summaries JOIN ends ON ends.room = summaries.room JOIN rows ON rows.place = ends.place
        WHERE is_open = 0 AND at >= ? AND at < ? ORDER BY ends.room
"""
APPEND = "INSERT INTO log (room, version, at, line, wakes_at, is_open, listing, deadline, takeover_grace) VALUES "
NO_SUMMARY = (None,) * len(RoomSummary._fields)


class _Append(NamedTuple):
    room: str
    known: int
    rows: Sequence[Row]
    summary: RoomSummary | None
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class SqliteLog:
    """The embedded store, for one server; `SetupError` where the file cannot be used."""

    leases = None

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        self._queue: SimpleQueue[_Append | None] = SimpleQueue()
        self._is_closed = False
        create_private(self._path)
        self._writing = open_database(self._path)
        self._reading = _connect(self._path)
        self._checkpointing = _connect(self._path)
        self._editing = _connect(self._path)
        self._editing.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten
        self._files = DatabaseFiles(self._path)
        warn_if_readable(self._path)
        self._rows_since_checkpoint = 0
        self._running_checkpoint: Future[None] | None = None
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="log-reader")
        self._checkpointer = ThreadPoolExecutor(1, thread_name_prefix="log-checkpointer")
        self._writer = threading.Thread(target=self._write, name="log-writer", daemon=True)
        self._writer.start()

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        if self._is_closed:
            raise LogFailed(CLOSED)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Append(room, known, rows, summary, loop, done))
        try:
            await done
        finally:
            del done  # break the cycle between exception and frame

    async def read(self, room: str, after: int = 0) -> list[Row]:
        def rows() -> list[Row]:
            (joined,) = self._reading.execute(ROWS_AFTER, {"room": room, "after": after}).fetchone()
            try:
                return _split(joined) if joined else []
            except ValueError as broken:
                raise RoomUnreadable(f"room {room}: a row after row {after} has no time") from broken

        return await self._ask(rows)

    async def summaries(self) -> dict[str, RoomSummary]:
        question = (
            "SELECT room, wakes_at, listing, deadline, takeover_grace FROM summaries WHERE is_open ORDER BY changed_at"
        )
        return await self._ask(
            lambda: {
                room: RoomSummary(wakes_at, True, listing, deadline, takeover_grace)
                for room, wakes_at, listing, deadline, takeover_grace in self._reading.execute(question)
            }
        )

    async def open_rooms(self) -> int:
        question = "SELECT count(*) FROM summaries WHERE is_open = 1"  # by the index: closed rooms are not read
        return await self._ask(lambda: int(self._reading.execute(question).fetchone()[0]))

    async def listed(self, most: int) -> list[bytes]:
        question = (
            "SELECT listing FROM summaries WHERE is_open AND listing != x'' ORDER BY changed_at DESC, room LIMIT ?"
        )
        return await self._ask(lambda: [listing for (listing,) in self._reading.execute(question, (most,))])

    async def rewrite(self, room: str, lines: Mapping[int, bytes]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            places = dict(connection.execute(PLACES, {"room": room}))
            changes = [(line, places[version]) for version, line in lines.items()]
            connection.executemany("UPDATE rows SET line = ? WHERE place = ?", changes)
            connection.execute("UPDATE summaries SET listing = x'' WHERE room = ? AND NOT is_open", (room,))

        await self._edit(write)

    async def remove(self, room: str) -> None:
        def write(connection: sqlite3.Connection) -> None:
            if connection.execute("DELETE FROM summaries WHERE room = ? AND NOT is_open", (room,)).rowcount:
                places = [(place,) for _, place in connection.execute(PLACES, {"room": room})]
                connection.executemany("DELETE FROM rows WHERE place = ?", places)
                connection.execute("DELETE FROM ends WHERE room = ?", (room,))

        await self._edit(write)

    async def closed_rooms(self, since: int, before: int) -> list[str]:
        return await self._ask(lambda: [room for (room,) in self._reading.execute(CLOSED_ROOMS, (since, before))])

    async def notes(self) -> dict[str, str]:
        return await self._ask(lambda: dict(self._reading.execute("SELECT name, text FROM notes").fetchall()))

    async def write_notes(self, notes: Mapping[str, str | None]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM notes WHERE name = ?", [(name,) for name in notes])
            given = [(name, text) for name, text in notes.items() if text is not None]
            connection.executemany("INSERT INTO notes VALUES (?, ?)", given)

        await self._edit(write, erases=False)

    async def _edit(self, write: Callable[[sqlite3.Connection], None], *, erases: bool = True) -> None:
        """Change the file in a transaction, beside the writer. A checkpoint takes what was erased out of the
        write-ahead log."""

        def edit() -> None:
            self._editing.execute("BEGIN IMMEDIATE")
            try:
                write(self._editing)
                self._editing.execute("COMMIT")
            except BaseException:
                self._editing.execute("ROLLBACK")
                raise
            if erases:
                _checkpoint(self._editing, "TRUNCATE")

        await self._ask(edit)

    async def try_to_write(self) -> None:
        await self.append(PROBE, 0, (), None)

    async def close(self) -> None:
        """Write what is queued, then close the file."""
        if self._is_closed:
            return
        self._is_closed = True
        self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(self._reader, self._writer.join)
        for thread in (self._reader, self._checkpointer):
            thread.shutdown()
        for connection in (self._editing, self._checkpointing, self._reading, self._writing):
            connection.close()

    async def _ask(self, question: Callable[[], T]) -> T:
        if self._is_closed:
            raise LogFailed(CLOSED)

        def checked() -> T:
            """What was written just as the file was lost must not be read: it would count as done."""
            self._files.require()
            return question()

        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, checked)
        except (sqlite3.Error, ValueError, OverflowError) as broken:  # the latter two for parameters out of range
            raise LogFailed(str(broken)) from broken

    # In the writer's thread

    def _write(self) -> None:
        begun = 0.0
        while (first := self._queue.get()) is not None:
            time.sleep(max(0.0, begun + COMMIT_INTERVAL - time.monotonic()))
            begun = time.monotonic()
            waiting: list[_Append] = [first]
            is_closing = False
            while len(waiting) < APPENDS_PER_TRANSACTION and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    is_closing = True
                    break
                waiting.append(following)
            self._commit(waiting)
            if is_closing:
                return
            self._rows_since_checkpoint += sum(len(append.rows) or 1 for append in waiting)
            self._checkpoint_when_due()

    def _checkpoint_when_due(self) -> None:
        """Checkpoint the write-ahead log in a thread of its own; nothing waits for it. The writer then checkpoints the
        little that was written meanwhile, so that SQLite restarts the log instead of letting it grow."""
        if self._running_checkpoint is None and self._rows_since_checkpoint >= CHECKPOINT_AFTER:
            self._rows_since_checkpoint = 0
            self._running_checkpoint = self._checkpointer.submit(_checkpoint, self._checkpointing)
        elif self._running_checkpoint is not None and self._running_checkpoint.done():
            self._running_checkpoint = None
            _checkpoint(self._writing)

    def _commit(self, waiting: Sequence[_Append]) -> None:
        """Commit appends in one transaction. Those that conflict, or that SQLite cannot store, fail by themselves."""
        try:
            self._files.require()
            late = self._written(waiting)
            self._files.require()  # before anything is acknowledged
        except LogLost as lost:
            _checkpoint(self._writing, "TRUNCATE")  # into the opened file, wherever it is; another gets nothing of it
            _answer([(append, LogLost(str(lost))) for append in waiting])
            return
        except Exception as broken:  # the thread has to survive every error
            with suppress(sqlite3.Error):
                self._writing.rollback()
            if len(waiting) > 1 and not isinstance(broken, sqlite3.OperationalError):
                for append in waiting:
                    self._commit([append])
            else:
                _answer([(append, LogFailed(str(broken))) for append in waiting])
            return
        answers = [(append, Conflict(append.room) if place in late else None) for place, append in enumerate(waiting)]
        _answer(answers)

    def _written(self, waiting: Sequence[_Append]) -> set[int]:
        """Write appends; the places of those that conflict. Usually it takes a single statement, which is a transaction
        by itself: between two statements, the event loop may hold the interpreter lock for milliseconds."""
        rows = [row for append in waiting for row in _rows_of(append)]
        if len(rows) > ROWS_PER_STATEMENT or not all(append.rows for append in waiting):
            return self._write_each(waiting)
        try:
            self._insert(rows)
        except sqlite3.IntegrityError:  # one append of the batch conflicts: find out which
            return self._write_each(waiting)
        return set()

    def _insert(self, rows: Sequence[tuple[object, ...]]) -> None:
        for place in range(0, len(rows), ROWS_PER_STATEMENT):
            some = rows[place : place + ROWS_PER_STATEMENT]
            values = ",".join(["(?,?,?,?,?,?,?,?,?)"] * len(some))
            self._writing.execute(APPEND + values, [part for row in some for part in row])

    def _write_each(self, waiting: Sequence[_Append]) -> set[int]:
        """Write appends one by one in a transaction; the places of those that conflict."""
        late = set()
        self._writing.execute("BEGIN IMMEDIATE")
        for place, append in enumerate(waiting):
            latest = self._writing.execute("SELECT version FROM ends WHERE room = ?", (append.room,)).fetchone()
            if (latest[0] if latest else 0) != append.known:
                late.add(place)
                continue
            if append.rows:
                self._insert(_rows_of(append))
        if any(append.room == PROBE for append in waiting):
            write_nothing_new(self._writing)
        self._writing.execute("COMMIT")
        return late


def _checkpoint(connection: sqlite3.Connection, mode: str = "PASSIVE") -> None:
    """Copy the write-ahead log into the file; PASSIVE does not block readers or writers."""
    with suppress(sqlite3.Error):  # the rows stay in the log until the next checkpoint
        connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()


def _rows_of(append: _Append) -> list[tuple[object, ...]]:
    """The rows of an append as they are inserted; the summary goes with the last."""
    rows: list[tuple[object, ...]] = [
        (append.room, version, *row, *NO_SUMMARY) for version, row in enumerate(append.rows, append.known + 1)
    ]
    if append.summary:
        rows[-1] = (*rows[-1][:4], *append.summary)
    return rows


def _split(joined: str) -> list[Row]:
    rows = sorted((int(version), int(at), line) for version, at, line in (one.split(" ") for one in joined.split(",")))
    return [Row(at, bytes.fromhex(line)) for _, at, line in rows]


def create_private(path: str) -> None:
    """Create the file with mode 600: it holds every secret of its games. SQLite gives its side files the same mode.
    An existing file is not opened: closing it would drop the POSIX locks that this process holds on it."""
    if os.path.exists(path):
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as broken:
        raise _unusable(path, str(broken.strerror)) from broken


def open_database(path: str) -> sqlite3.Connection:
    """Closing a connection rolls back its transaction, so a file that cannot be used stays as it was."""
    connection = _connect(path)
    try:
        migrate(connection, path)
    except Exception as broken:
        connection.close()
        if isinstance(broken, sqlite3.Error):
            raise _unusable(path, str(broken)) from broken
        raise
    connection.execute(f"PRAGMA cache_size = -{CACHE}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # see `_checkpoint_when_due`
    return connection


def _connect(path: str) -> sqlite3.Connection:
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as broken:
        if connection:
            connection.close()
        raise _unusable(path, str(broken)) from broken
    return connection


def _unusable(path: str, reason: str) -> SetupError:
    return SetupError("setup/option", "database_file", path=path, reason=reason)


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL; retry on SQLITE_BUSY, because the busy timeout does not apply to this switch."""
    given_up = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as busy:
            if busy.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > given_up:
                raise
            time.sleep(0.01)


def _answer(answers: Sequence[tuple[_Append, Exception | None]]) -> None:
    """Resolve the futures of these appends, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
    for append, problem in answers:
        by_loop.setdefault(append.loop, []).append((append.done, problem))
    for loop, outcomes in by_loop.items():
        with suppress(RuntimeError):  # the event loop is closed
            loop.call_soon_threadsafe(_resolve, outcomes)


def _resolve(outcomes: Sequence[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, problem in outcomes:
        if done.done():
            continue
        if problem is None:
            done.set_result(None)
        else:
            done.set_exception(problem)
