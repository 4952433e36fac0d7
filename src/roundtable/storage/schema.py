"""The schema of a SQLite file of rooms, and its migrations.

`rows` holds every row in insertion order, each with the place of the previous row of its room; `ends` points to the
last row of each room; `summaries` holds one summary per room. All inserts go through the view `log`, whose trigger
accepts only the next version of a room: that is the optimistic lock.

No index covers all rows. With one, every append to another room would dirty another page; following `before` from the
end of a room reads it just as well. `changed_at` orders the public list of rooms, so it moves only when what the list
shows has changed. `notes` holds what the operator has decided or asked for.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from roundtable.core.errors import SetupError

# Step N takes a file from user_version N to N + 1.
MIGRATIONS = (
    """
    CREATE TABLE rows (
        place INTEGER PRIMARY KEY, room TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
        line BLOB NOT NULL, before INTEGER
    );
    CREATE TABLE ends (room TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, place INTEGER NOT NULL);
    CREATE TABLE summaries (
        room TEXT PRIMARY KEY, wakes_at INTEGER NOT NULL, is_open INTEGER NOT NULL, listing BLOB NOT NULL,
        changed_at INTEGER NOT NULL, deadline INTEGER, takeover_grace INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX open_summaries ON summaries (is_open, changed_at);
    CREATE VIEW log AS SELECT * FROM rows LEFT JOIN summaries USING (room);
    CREATE TRIGGER append INSTEAD OF INSERT ON log BEGIN
        SELECT raise(ROLLBACK, 'late')
            WHERE new.version IS NOT 1 + coalesce((SELECT version FROM ends WHERE room = new.room), 0);
        INSERT INTO rows (room, version, at, line, before)
            VALUES (new.room, new.version, new.at, new.line, (SELECT place FROM ends WHERE room = new.room));
        INSERT INTO ends VALUES (new.room, new.version, last_insert_rowid())
            ON CONFLICT (room) DO UPDATE SET version = excluded.version, place = excluded.place;
        INSERT INTO summaries (room, wakes_at, is_open, listing, changed_at, deadline, takeover_grace)
            SELECT new.room, new.wakes_at, new.is_open, new.listing, new.at, new.deadline, new.takeover_grace
            WHERE new.wakes_at IS NOT NULL
            ON CONFLICT (room) DO UPDATE SET
                wakes_at = excluded.wakes_at, is_open = excluded.is_open, listing = excluded.listing,
                deadline = excluded.deadline, takeover_grace = excluded.takeover_grace,
                changed_at = iif(listing = excluded.listing, changed_at, excluded.changed_at);
    END;
    """,
    "CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;",
)


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Bring a file to the newest schema. One that a newer version has written is refused and left as it is."""
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise SetupError("setup/option", "database_newer", path=path, found=version, known=len(MIGRATIONS))
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
        for statement in _statements(step):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("COMMIT")


def write_nothing_new(connection: sqlite3.Connection) -> None:
    """A no-op write for readiness checks: SQLite writes `user_version` even when it stays the same."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version = {version}")


def _statements(step: str) -> Iterator[str]:
    """Split a migration into statements; a trigger contains semicolons of its own."""
    statement = ""
    for part in re.findall(r"[^;]*;|[^;]+", step):
        statement += part
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        raise ValueError(f"an incomplete statement in a migration: {statement.strip()}")
