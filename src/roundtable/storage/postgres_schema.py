"""The schema of a PostgreSQL database of rooms, and its migrations.

`rows` holds every row, and its primary key is the optimistic lock; `summaries` holds one summary per room, as in
SQLite. `workers` holds the servers that share the database, each with the time until which it counts as alive.
`leases` says which of them runs a room and, while no worker does, when the room has to be read. `site` is one line.
`notes` holds what the operator has decided or asked for.
"""

from __future__ import annotations

import secrets

from roundtable.core.errors import SetupError
from roundtable.storage.addresses import without_password
from roundtable.storage.postgres_connection import setup_connection

TIMEOUT = 60.0  # seconds for a migration, which may have to wait for another worker's
SECRET_BYTES = 32
MIGRATION_LOCK = 0x52540001  # the number of an advisory lock

# Step N takes a database from version N to N + 1.
MIGRATIONS = (
    """
    CREATE TABLE rows (
        room text COLLATE "C" NOT NULL, version integer NOT NULL, at bigint NOT NULL, line bytea NOT NULL,
        PRIMARY KEY (room, version)
    );
    CREATE TABLE summaries (
        room text COLLATE "C" PRIMARY KEY, wakes_at bigint NOT NULL, is_open boolean NOT NULL, listing bytea NOT NULL,
        changed_at bigint NOT NULL, deadline bigint, takeover_grace bigint
    ) WITH (fillfactor = 70);
    CREATE INDEX open_summaries ON summaries (changed_at) WHERE is_open;
    CREATE TABLE workers (worker text COLLATE "C" PRIMARY KEY, address text NOT NULL, until timestamptz NOT NULL);
    CREATE TABLE leases (
        room text COLLATE "C" PRIMARY KEY, worker text COLLATE "C", epoch bigint NOT NULL, due bigint
    ) WITH (fillfactor = 70);
    CREATE INDEX held_leases ON leases (worker) WHERE worker IS NOT NULL;
    CREATE INDEX due_leases ON leases (due) WHERE worker IS NULL;
    """,
    'CREATE TABLE notes (name text COLLATE "C" PRIMARY KEY, text text NOT NULL);',
)


async def prepare(address: str) -> bool:
    """Bring a database to the newest schema; whether it was empty before. One that a newer version has written is
    refused and left as it is."""
    async with setup_connection(address, TIMEOUT) as connection, connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        if await connection.fetchval("SELECT to_regclass('site')") is None:
            await connection.execute(
                "CREATE TABLE site (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), schema_version integer "
                "NOT NULL, secret text NOT NULL)"
            )
            secret = secrets.token_hex(SECRET_BYTES)
            await connection.execute("INSERT INTO site (schema_version, secret) VALUES (0, $1)", secret)
        version: int = await connection.fetchval("SELECT schema_version FROM site")
        if version > len(MIGRATIONS):
            path = without_password(address)
            raise SetupError("setup/option", "database_newer", path=path, found=version, known=len(MIGRATIONS))
        for number, step in enumerate(MIGRATIONS[version:], version + 1):
            await connection.execute(step)
            await connection.execute("UPDATE site SET schema_version = $1", number)
        return version == 0
