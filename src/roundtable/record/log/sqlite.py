"""Rooms in a SQLite file. One thread writes, and everything that waits goes into one transaction: a group commit.

So the rate of moves does not hang on how long the disk takes, and what was answered is on the disk (WAL, FULL).
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

from roundtable.record.log.contract import Card, Conflict, LogFailed, Row

T = TypeVar("T")

MOST_AT_ONCE = 100  # appends in one transaction; whoever waits for them is told in one go, and keeps others waiting
PACE = 0.004  # seconds from one transaction to the next, so that under load many appends share one
FILED_AFTER = 4_000  # rows that the write-ahead log holds before they are brought into the file
CACHE = 32 * 1024  # KiB of pages that the writer need not read again
PATIENCE = 10.0  # seconds to wait for another process that is writing
CLOSED = "The log is closed."
NO_ROOM = ""  # under this code nothing is written but what was written before

# Each step takes the file from its number to the next; the file's user_version is the number of steps it has taken.
MIGRATIONS = (
    """
    CREATE TABLE rows (
        room TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, line BLOB NOT NULL,
        PRIMARY KEY (room, version)
    ) WITHOUT ROWID;
    CREATE TABLE cards (
        room TEXT PRIMARY KEY, wakes_at INTEGER NOT NULL, is_open INTEGER NOT NULL, shown BLOB NOT NULL,
        changed_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX open_cards ON cards (is_open, changed_at);
    """,
    """
    ALTER TABLE cards ADD COLUMN deadline INTEGER;
    ALTER TABLE cards ADD COLUMN patience INTEGER;
    UPDATE cards SET patience = 0 WHERE wakes_at = 0;
    UPDATE cards SET deadline = wakes_at WHERE wakes_at % 3600000 != 0;
    """,  # until then a card woke its room at a full hour, at a deadline, or, for the sake of bots, at once
    """
    ALTER TABLE rows RENAME TO rows_by_room;
    CREATE TABLE rows (
        room TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, line BLOB NOT NULL,
        PRIMARY KEY (room, version)
    );
    INSERT INTO rows SELECT room, version, at, line FROM rows_by_room;
    DROP TABLE rows_by_room;
    """,  # rows stand in the order in which they come: those of many rooms share a page, which is written once
)

# All or, where anybody came too late, nothing; and if it fails, all of its transaction is undone, so that SQLite need
# not take notes for undoing this alone.
UNLESS_ANY_IS_LATE = """
    INSERT OR ROLLBACK INTO rows WITH known (room, version) AS (VALUES {known})
    SELECT * FROM (VALUES {rows}) WHERE NOT EXISTS (
        SELECT 1 FROM known
        WHERE version IS NOT coalesce((SELECT max(version) FROM rows WHERE rows.room = known.room), 0)
    )
"""

# The time stands for the place in the list of rooms, which must not tell of rows that change nothing in it.
OR_CHANGE_CARD = """
    ON CONFLICT (room) DO UPDATE SET
        wakes_at = excluded.wakes_at, is_open = excluded.is_open, shown = excluded.shown,
        deadline = excluded.deadline, patience = excluded.patience,
        changed_at = CASE WHEN shown = excluded.shown THEN changed_at ELSE excluded.changed_at END
"""


class _Append(NamedTuple):
    room: str
    known: int
    rows: Sequence[Row]
    card: Card | None
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class SqliteLog:
    """The embedded store. Any number of processes may open the same file."""

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        self._queue: SimpleQueue[_Append | None] = SimpleQueue()
        self._is_closed = False
        _keep_from_others(self._path)
        self._writing = _open(self._path)
        self._reading = _connect(self._path)
        self._filing = _connect(self._path)
        self._unfiled = 0  # rows since what was written last began to be filed
        self._being_filed: Future[None] | None = None
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="log-reader")
        self._filer = ThreadPoolExecutor(1, thread_name_prefix="log-filer")
        self._writer = threading.Thread(target=self._write, name="log-writer", daemon=True)
        self._writer.start()

    async def append(self, room: str, known: int, rows: Sequence[Row], card: Card | None) -> None:
        if self._is_closed:
            raise LogFailed(CLOSED)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Append(room, known, rows, card, loop, done))
        await done

    async def read(self, room: str, after: int = 0) -> list[Row]:
        """All rows in one step: at each of them the event loop may get in between, for as long as it likes."""
        question = (
            "SELECT group_concat(version || ' ' || at || ' ' || hex(line)) FROM rows WHERE room = ? AND version > ?"
        )

        def rows() -> list[Row]:
            (joined,) = self._reading.execute(question, (room, after)).fetchone()
            return _apart(joined) if joined else []

        return await self._ask(rows)

    async def cards(self) -> dict[str, Card]:
        question = "SELECT room, wakes_at, shown, deadline, patience FROM cards WHERE is_open ORDER BY changed_at"
        return await self._ask(
            lambda: {
                room: Card(wakes_at, True, shown, deadline, patience)
                for room, wakes_at, shown, deadline, patience in self._reading.execute(question)
            }
        )

    async def open_rooms(self) -> int:
        question = "SELECT count(*) FROM cards WHERE is_open = 1"  # by the index: closed rooms are not even passed over
        return await self._ask(lambda: int(self._reading.execute(question).fetchone()[0]))

    async def shown(self, most: int) -> list[bytes]:
        question = "SELECT shown FROM cards WHERE is_open AND shown != x'' ORDER BY changed_at DESC, room LIMIT ?"
        return await self._ask(lambda: [shown for (shown,) in self._reading.execute(question, (most,))])

    async def try_to_write(self) -> None:
        await self.append(NO_ROOM, 0, (), None)

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        if self._is_closed:
            return
        self._is_closed = True
        self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(self._reader, self._writer.join)
        for thread in (self._reader, self._filer):
            thread.shutdown()
        for connection in (self._filing, self._reading, self._writing):
            connection.close()

    async def _ask(self, question: Callable[[], T]) -> T:
        if self._is_closed:
            raise LogFailed(CLOSED)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, question)
        except (sqlite3.Error, ValueError, OverflowError) as broken:  # the latter for what SQLite cannot be asked
            raise LogFailed(str(broken)) from broken

    # In the writer's thread

    def _write(self) -> None:
        begun = 0.0
        while (first := self._queue.get()) is not None:
            time.sleep(max(0.0, begun + PACE - time.monotonic()))
            begun = time.monotonic()
            waiting: list[_Append] = [first]
            is_closing = False
            while len(waiting) < MOST_AT_ONCE and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    is_closing = True
                    break
                waiting.append(following)
            self._commit(waiting)
            if is_closing:
                return
            self._unfiled += sum(len(append.rows) or 1 for append in waiting)
            self._keep_short()

    def _keep_short(self) -> None:
        """The write-ahead log is brought into the file in a thread of its own, and nobody waits for that. Then the
        writer does the same with what was written meanwhile, which is little; and with all of it in the file SQLite
        begins the log anew at the next row, instead of letting it grow."""
        if self._being_filed is None and self._unfiled >= FILED_AFTER:
            self._unfiled = 0
            self._being_filed = self._filer.submit(_file, self._filing)
        elif self._being_filed is not None and self._being_filed.done():
            self._being_filed = None
            _file(self._writing)

    def _commit(self, waiting: Sequence[_Append]) -> None:
        """All of them in one transaction. An append that came too late is left out; the others do not suffer."""
        try:
            try:
                self._write_all(waiting)
                late: set[int] = set()
            except sqlite3.IntegrityError:  # somebody came too late: find out who
                if self._writing.in_transaction:
                    self._writing.execute("ROLLBACK")
                late = self._write_each(waiting)
        except Exception as broken:  # whatever it was, the thread has to live on for those who come next
            with suppress(sqlite3.Error):
                self._writing.rollback()
            _answer([(append, LogFailed(str(broken))) for append in waiting])
            return
        answers = [(append, Conflict(append.room) if place in late else None) for place, append in enumerate(waiting)]
        _answer(answers)

    def _write_all(self, waiting: Sequence[_Append]) -> None:
        """In as few statements as possible, most often in one, which is a transaction of its own: at each of them the
        event loop may get in between, for milliseconds."""
        needs_another = len({append.room for append in waiting}) < len(waiting)  # two for one room
        if needs_another or not all(append.rows for append in waiting):
            raise sqlite3.IntegrityError
        rows = [
            (append.room, version, *row)
            for append in waiting
            for version, row in enumerate(append.rows, append.known + 1)
        ]
        cards = [_row_of(append.room, append.card, append.rows) for append in waiting if append.card]
        is_one_statement = not cards and len(rows) <= MOST_AT_ONCE
        if not is_one_statement:
            self._writing.execute("BEGIN IMMEDIATE")
        known = [part for append in waiting for part in append[:2]]
        first = rows[:MOST_AT_ONCE]
        statement = UNLESS_ANY_IS_LATE.format(known=_places(len(waiting), 2), rows=_places(len(first), 4))
        written = self._writing.execute(statement, [*known, *(part for row in first for part in row)])
        if written.rowcount < len(first):
            raise sqlite3.IntegrityError
        for place in range(MOST_AT_ONCE, len(rows), MOST_AT_ONCE):
            self._insert("rows", rows[place : place + MOST_AT_ONCE])
        if cards:
            self._insert("cards", cards, OR_CHANGE_CARD)
        if not is_one_statement:
            self._writing.execute("COMMIT")

    def _insert(self, table: str, rows: Sequence[tuple[object, ...]], otherwise: str = "") -> None:
        values = _places(len(rows), len(rows[0]))
        self._writing.execute(
            f"INSERT OR ROLLBACK INTO {table} VALUES {values} {otherwise}", [part for row in rows for part in row]
        )

    def _write_each(self, waiting: Sequence[_Append]) -> set[int]:
        """One after the other; the places of those who came too late."""
        late = set()
        self._writing.execute("BEGIN IMMEDIATE")
        for place, (room, known, rows, card, *_) in enumerate(waiting):
            latest = self._writing.execute("SELECT max(version) FROM rows WHERE room = ?", (room,)).fetchone()[0]
            if (latest or 0) != known:
                late.add(place)
                continue
            if rows:
                self._insert("rows", [(room, version, *row) for version, row in enumerate(rows, known + 1)])
            if card:
                self._insert("cards", [_row_of(room, card, rows)], OR_CHANGE_CARD)
        if any(append.room == NO_ROOM for append in waiting):
            # SQLite writes the page with this number even where it stays the same, which tells whether it can write
            self._writing.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        self._writing.execute("COMMIT")
        return late


def _file(connection: sqlite3.Connection) -> None:
    """Bring what stands in the write-ahead log into the file, without keeping anybody from reading or writing."""
    with suppress(sqlite3.Error):  # it stays in the log, safe and sound, until the next time
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()


def _places(rows: int, width: int) -> str:
    """Where values go into a statement."""
    return ",".join(["(" + ",".join("?" * width) + ")"] * rows)


def _row_of(room: str, card: Card, rows: Sequence[Row]) -> tuple[object, ...]:
    return room, card.wakes_at, card.is_open, card.shown, rows[-1].at, card.deadline, card.patience


def _apart(joined: str) -> list[Row]:
    rows = sorted((int(version), int(at), line) for version, at, line in (one.split(" ") for one in joined.split(",")))
    return [Row(at, bytes.fromhex(line)) for _, at, line in rows]


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file to the newest shape; one that a newer version has written is left alone."""
    connection.execute("BEGIN IMMEDIATE")
    (taken,) = connection.execute("PRAGMA user_version").fetchone()
    if taken > len(MIGRATIONS):
        raise LogFailed(
            f"The database was written by a newer Round Table (shape {taken}); this one knows {len(MIGRATIONS)}."
        )
    for number, step in enumerate(MIGRATIONS[taken:], taken + 1):
        for statement in filter(str.strip, step.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("COMMIT")


def _keep_from_others(path: str) -> None:
    """A new file is for its owner's eyes: it holds every secret of its games. SQLite's files beside it follow suit."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as broken:
        raise LogFailed(f"{path} cannot be used as a database: {broken.strerror}.") from broken


def _open(path: str) -> sqlite3.Connection:
    """Closing a connection undoes what it has begun, so a file that cannot be used stays as it was."""
    connection = _connect(path)
    try:
        migrate(connection)
    except sqlite3.Error as broken:
        connection.close()
        raise LogFailed(f"{path} cannot be used as a database: {broken}.") from broken
    except LogFailed:
        connection.close()
        raise
    connection.execute(f"PRAGMA cache_size = -{CACHE}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # see `_keep_short`
    return connection


def _connect(path: str) -> sqlite3.Connection:
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as broken:
        if connection:
            connection.close()
        raise LogFailed(f"{path} cannot be used as a database: {broken}.") from broken
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """A new file takes to WAL once; SQLite does not wait for another process that is just about to do the same."""
    given_up = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as busy:
            if busy.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > given_up:
                raise
            time.sleep(0.01)


def _answer(answers: Sequence[tuple[_Append, Exception | None]]) -> None:
    """Tell everybody who waits, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
    for append, problem in answers:
        by_loop.setdefault(append.loop, []).append((append.done, problem))
    for loop, told in by_loop.items():
        with suppress(RuntimeError):  # a loop that is closed has nobody in it who waits
            loop.call_soon_threadsafe(_tell, told)


def _tell(told: Sequence[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, problem in told:
        if done.done():
            continue
        if problem is None:
            done.set_result(None)
        else:
            done.set_exception(problem)
