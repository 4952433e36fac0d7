"""Leases in a PostgreSQL database: which worker runs which room. Time is the database's.

A worker is alive as long as its row in `workers` is there, and renews all of its rooms by one small update. A room is
taken only if its lease names no worker. A worker that did not renew is removed first, and its rooms are freed in the
same transaction; a renewal at the same moment either comes first, or finds that the worker is gone.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime

import asyncpg

from roundtable.storage.contract import LEASE_SECONDS, Lease, LeaseLost, LogFailed
from roundtable.storage.postgres_connection import PostgresConnection

TIMEOUT = 2.0  # seconds for a statement: a worker that cannot renew has to know before its lease ends
ATTEMPTS = 10  # to take a room that changes hands meanwhile
NAME_BYTES = 16
FREEING_LOCK = 0x52540002  # the number of an advisory lock

NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
# When a free room has to be read, by its summary.
DUE = f"""(
    SELECT least(deadline, wakes_at, {NOW} + takeover_grace)
        FROM summaries WHERE summaries.room = leases.room AND is_open
)"""
HAS_ROWS = "EXISTS (SELECT FROM rows WHERE rows.room = leases.room)"
IS_DEAD = "worker IS NOT NULL AND worker NOT IN (SELECT worker FROM workers)"
# The live worker itself. Its row cannot be removed while the statement runs, but it can be renewed.
ALIVE = """alive AS MATERIALIZED (
    SELECT worker FROM workers WHERE worker = $1 AND until > clock_timestamp() FOR KEY SHARE
)"""

START = f"""
    INSERT INTO workers VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
        RETURNING {NOW}, (SELECT secret FROM site)
"""
RENEW = f"""
    UPDATE workers SET until = clock_timestamp() + make_interval(secs => $2)
        WHERE worker = $1 AND until > clock_timestamp() RETURNING {NOW}
"""
TAKE = f"""
    WITH {ALIVE}, taken AS (
        INSERT INTO leases SELECT $2, worker, 1, NULL FROM alive
            ON CONFLICT (room) DO UPDATE SET worker = excluded.worker, epoch = leases.epoch + 1, due = NULL
            WHERE leases.worker IS NULL RETURNING epoch
    )
    SELECT EXISTS (SELECT FROM alive), (SELECT epoch FROM taken)
"""
OWNER = """
    SELECT worker, address, epoch, ceil(extract(epoch FROM until - clock_timestamp()) * 1000)::bigint
        FROM leases JOIN workers USING (worker) WHERE room = $1
"""
HAS_DEAD = "SELECT EXISTS (SELECT FROM workers WHERE until <= clock_timestamp())"
# Appends in flight hold locks on the leases of their rooms. To lock the leases first means to wait for these rows, and
# the next statement sees them.
FREE_DEAD = f"""
    SELECT pg_advisory_xact_lock({FREEING_LOCK});
    DELETE FROM workers WHERE until <= clock_timestamp();
    SELECT count(*) FROM (SELECT FROM leases WHERE {IS_DEAD} ORDER BY room FOR UPDATE) AS locked;
    DELETE FROM leases WHERE {IS_DEAD} AND NOT {HAS_ROWS};
    UPDATE leases SET worker = NULL, due = {DUE} WHERE {IS_DEAD};
"""
LOCK = (
    "SELECT count(*) FROM (SELECT FROM leases WHERE worker = $1 AND room = ANY ($2) ORDER BY room FOR UPDATE) AS locked"
)
RELEASE = f"""
    WITH given AS MATERIALIZED (SELECT * FROM unnest($2::text[], $3::bigint[]) AS given (room, due)),
    forgotten AS (DELETE FROM leases USING given WHERE leases.room = given.room AND worker = $1 AND NOT {HAS_ROWS})
    UPDATE leases SET worker = NULL, due = coalesce(given.due, {DUE})
        FROM given WHERE leases.room = given.room AND worker = $1 AND {HAS_ROWS}
"""
TAKE_DUE = f"""
    WITH {ALIVE}, due AS MATERIALIZED (
        SELECT room, due FROM leases WHERE worker IS NULL AND due <= {NOW} + $2::bigint
            ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED
    ), taken AS (
        UPDATE leases SET worker = $1, epoch = epoch + 1, due = NULL FROM alive, due
            WHERE leases.room = due.room RETURNING leases.room, epoch
    )
    SELECT EXISTS (SELECT FROM alive), ARRAY (SELECT room FROM taken JOIN due USING (room) ORDER BY due.due, room),
        ARRAY (SELECT epoch FROM taken JOIN due USING (room) ORDER BY due.due, room)
"""
END = "UPDATE workers SET until = clock_timestamp() WHERE worker = $1"
LIVE = "SELECT worker, address, until FROM workers WHERE until > clock_timestamp()"
IS_FAR = "SELECT inet_client_addr() IS DISTINCT FROM inet_server_addr()"


class PostgresLeases:
    """The leases of one worker."""

    def __init__(self, address: str) -> None:
        self.secret = ""
        self.worker = ""
        self._address = ""
        self._connection = PostgresConnection(address, TIMEOUT)
        self._epochs: dict[str, int] = {}  # of the rooms that this worker holds

    async def start(self, address: str) -> int:
        worker = secrets.token_hex(NAME_BYTES)
        [(now, secret)] = await self._connection.fetch(START, worker, address, LEASE_SECONDS)
        self.worker, self.secret, self._address = worker, secret, address
        self._epochs.clear()
        return int(now)

    async def renew(self) -> int:
        renewed = await self._connection.fetch(RENEW, self.worker, LEASE_SECONDS)
        if not renewed:
            raise self._lost()
        return int(renewed[0][0])

    async def take(self, room: str) -> Lease:
        me = self.worker
        for _ in range(ATTEMPTS):
            [(is_alive, epoch)] = await self._connection.fetch(TAKE, me, room)
            if not is_alive:
                raise self._lost()
            if epoch is not None:
                return self._hold(me, room, epoch)
            for worker, address, epoch, ends_in in await self._connection.fetch(OWNER, room):
                if worker == me:
                    return self._hold(me, room, epoch)
                if ends_in > 0:
                    return Lease(worker, address, epoch, ends_in)
                await self._connection.execute(FREE_DEAD)
        raise LogFailed(f"room {room} changes hands all the time")

    async def take_due(self, ahead: int, most: int) -> list[str]:
        me = self.worker
        if (await self._connection.fetch(HAS_DEAD))[0][0]:
            await self._connection.execute(FREE_DEAD)
        [(is_alive, rooms, epochs)] = await self._connection.fetch(TAKE_DUE, me, ahead, most)
        if not is_alive:
            raise self._lost()
        for room, epoch in zip(rooms, epochs, strict=True):
            self._hold(me, room, epoch)
        return list(rooms)

    async def release(self, rooms: Mapping[str, int | None]) -> None:
        me, codes, due = self.worker, list(rooms), list(rooms.values())

        async def free(connection: asyncpg.Connection) -> None:
            async with connection.transaction():
                await connection.execute(LOCK, me, codes)
                await connection.execute(RELEASE, me, codes, due)

        await self._connection.run(free)
        for room in rooms:
            self._epochs.pop(room, None)

    def is_mine(self, lease: Lease) -> bool:
        return lease.worker == self.worker

    async def stop(self) -> None:
        """The worker declares itself dead, and frees its rooms as those of any dead worker."""
        worker, self.worker = self.worker, ""
        self._epochs.clear()
        await self._connection.fetch(END, worker)
        await self._connection.execute(FREE_DEAD)

    async def close(self) -> None:
        await self._connection.close()

    def epoch_of(self, room: str) -> int | None:
        """None for a room that this worker does not hold."""
        return self._epochs.get(room)

    def forget(self, room: str, epoch: int) -> None:
        """The room was taken away from this worker."""
        if self._epochs.get(room) == epoch:
            del self._epochs[room]

    def _hold(self, worker: str, room: str, epoch: int) -> Lease:
        if worker != self.worker:  # it was taken for dead meanwhile, and has started again
            raise LeaseLost(room)
        self._epochs[room] = epoch
        return Lease(worker, self._address, epoch)

    def _lost(self) -> LeaseLost:
        self._epochs.clear()
        return LeaseLost("this worker was taken for dead")


async def live_workers(connection: asyncpg.Connection) -> list[tuple[str, str, datetime]]:
    """The name and address of each worker, and until when its lease lasts unless it renews."""
    return [tuple(worker) for worker in await connection.fetch(LIVE)]


async def site_secret(connection: asyncpg.Connection) -> str:
    secret: str = await connection.fetchval("SELECT secret FROM site")
    return secret


async def is_far(connection: asyncpg.Connection) -> bool:
    """Whether the database is on another machine."""
    return bool(await connection.fetchval(IS_FAR))
