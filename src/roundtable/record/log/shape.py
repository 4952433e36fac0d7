"""The shape of a SQLite file of rooms, and how files of earlier shapes come to have it.

`rows` has all rows in the order in which they came, each with the place of the one before it in its room; `ends` has
the last of each room, `cards` its card. All are written by way of `log`, which takes no row but the next of its room:
that is the lock.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from roundtable.record.log.contract import LogFailed

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
    """
    ALTER TABLE rows RENAME TO rows_by_version;
    CREATE TABLE rows (
        place INTEGER PRIMARY KEY, room TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
        line BLOB NOT NULL, before INTEGER
    );
    CREATE TABLE ends (room TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, place INTEGER NOT NULL);
    INSERT INTO rows SELECT rowid, room, version, at, line, (
        SELECT rowid FROM rows_by_version AS other WHERE other.room = this.room AND other.version = this.version - 1
    ) FROM rows_by_version AS this;
    INSERT INTO ends SELECT room, max(version), rowid AS place FROM rows_by_version GROUP BY room ORDER BY place;
    DROP TABLE rows_by_version;
    CREATE VIEW log AS SELECT * FROM rows LEFT JOIN cards USING (room);
    CREATE TRIGGER append INSTEAD OF INSERT ON log BEGIN
        SELECT raise(ROLLBACK, 'late')
            WHERE new.version IS NOT 1 + coalesce((SELECT version FROM ends WHERE room = new.room), 0);
        INSERT INTO rows (room, version, at, line, before)
            VALUES (new.room, new.version, new.at, new.line, (SELECT place FROM ends WHERE room = new.room));
        INSERT INTO ends VALUES (new.room, new.version, last_insert_rowid())
            ON CONFLICT (room) DO UPDATE SET version = excluded.version, place = excluded.place;
        INSERT INTO cards (room, wakes_at, is_open, shown, changed_at, deadline, patience)
            SELECT new.room, new.wakes_at, new.is_open, new.shown, new.at, new.deadline, new.patience
            WHERE new.wakes_at IS NOT NULL
            ON CONFLICT (room) DO UPDATE SET
                wakes_at = excluded.wakes_at, is_open = excluded.is_open, shown = excluded.shown,
                deadline = excluded.deadline, patience = excluded.patience,
                changed_at = iif(shown = excluded.shown, changed_at, excluded.changed_at);
    END;
    """,
    # There is no index of all rows, of which a page would have to be written for every room that has a new one: each
    # row says where the one before it stands. The time of a card is its place in the list of rooms, which must not tell
    # of rows that change nothing in it.
)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file to the newest shape; one that a newer version has written is left alone."""
    connection.execute("BEGIN IMMEDIATE")
    (taken,) = connection.execute("PRAGMA user_version").fetchone()
    if taken > len(MIGRATIONS):
        raise LogFailed(
            f"The database was written by a newer Round Table (shape {taken}); this one knows {len(MIGRATIONS)}."
        )
    for number, step in enumerate(MIGRATIONS[taken:], taken + 1):
        for statement in _statements(step):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("COMMIT")


def write_in_vain(connection: sqlite3.Connection) -> None:
    """Say again how many steps the file has taken: SQLite writes that down even where it stays the same."""
    (taken,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version = {taken}")


def _statements(step: str) -> Iterator[str]:
    """One after the other; that of a trigger has semicolons within."""
    statement = ""
    for part in re.findall(r"[^;]*;|[^;]+", step):
        statement += part
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        raise ValueError(f"a step of the migrations does not end: {statement.strip()}")
