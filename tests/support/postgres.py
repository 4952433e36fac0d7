"""PostgreSQL for tests: the server on this machine's usual port with a database of our own, or a private server."""

from __future__ import annotations

import asyncio
import atexit
import ipaddress
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Self

import asyncpg
import pytest

from roundtable.storage import LeaseLost, RoomSummary, Row, postgres, postgres_leases
from roundtable.storage.postgres import PostgresLog
from roundtable.storage.postgres_connection import LOST
from roundtable.storage.postgres_schema import prepare
from support.live_server import children_of
from support.waiting import PATIENCE, wait_until

USUAL = "postgresql://postgres@127.0.0.1:5432/postgres"
MISSING = "PostgreSQL is not installed: run tools/install_postgres.sh"
UNPRIVILEGED = "postgres"  # the user of Debian's package; `initdb` refuses root
LONG_LEASE = 3_600  # seconds

_numbers = count(1)


def ask(address: str, statement: str, *values: object) -> Any:
    """The first value of the answer."""

    async def answer() -> Any:
        connection = await asyncpg.connect(address, timeout=30)
        try:
            return await connection.fetchval(statement, *values)
        finally:
            await connection.close()

    return asyncio.run(answer())


def new_database() -> str:
    """The address of an empty database: a schema of its own in the database of this process."""
    schema = f"test_{next(_numbers)}"
    ask(_database(), f"CREATE SCHEMA {schema}")
    return f"{_database()}?search_path={schema}"


@cache
def _database() -> str:
    """A database for this process, dropped at its end."""
    server, name = _server(), f"roundtable_test_{os.getpid()}"
    ask(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")  # of a process that was killed
    ask(server, f"CREATE DATABASE {name}")

    def drop() -> None:
        with suppress(OSError, asyncpg.PostgresError):
            ask(server, f"DROP DATABASE {name} WITH (FORCE)")

    atexit.register(drop)
    return server.removesuffix("/postgres") + f"/{name}"


@cache
def _server() -> str:
    """The usual server, if we may create databases there; otherwise one of our own, which ends with this process."""
    try:
        may_create = ask(USUAL, "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user")
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        may_create = False
    if may_create:
        return USUAL
    server = PrivateServer().start()
    atexit.register(server.remove)
    return server.address


def prepared_database() -> str:
    """The address of a database with the tables of the log."""
    address = new_database()
    asyncio.run(prepare(address))
    return address


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no statement time out and no lease end because the machine is busy."""
    for module in (postgres, postgres_leases):
        monkeypatch.setattr(module, "TIMEOUT", PATIENCE)
    monkeypatch.setattr(postgres_leases, "LEASE_SECONDS", LONG_LEASE)


class EagerLog(PostgresLog):
    """A log of one worker, which takes every room before it writes to it."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._taking = asyncio.Lock()

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        async with self._taking:
            while self.leases.epoch_of(room) is None:
                try:
                    await self.leases.take(room)
                except LeaseLost:  # it has not started yet, or took too long
                    await self.leases.start("http://127.0.0.1:1")
        await super().append(room, known, rows, summary)


class PrivateServer:
    """A server with a new cluster, which can be killed and started again at the same port. It can listen in another
    network besides this machine's own, such as "10.1.2.1/24"."""

    def __init__(self, place: str = "") -> None:
        self.binaries = _binaries()
        self._folder = Path(tempfile.mkdtemp(prefix="roundtable-postgres-"))  # pytest's are for their owner alone
        self._data = self._folder / "data"
        self._port = free_port()
        self._hosts = ["127.0.0.1", *([place.partition("/")[0]] if place else [])]
        self.addresses = [f"postgresql://postgres@{host}:{self._port}/postgres" for host in self._hosts]
        self.address = self.addresses[0]
        self._process: subprocess.Popen[bytes] | None = None
        self._data.mkdir()
        if os.geteuid() == 0:
            for folder in (self._folder, self._data):
                shutil.chown(folder, UNPRIVILEGED)
        self._run("initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync").wait()
        if place:
            with (self._data / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {ipaddress.ip_interface(place).network} trust\n")

    def start(self) -> Self:
        settings = (
            f"port={self._port}",
            f"listen_addresses={','.join(self._hosts)}",
            "unix_socket_directories=",
            "max_connections=50",
        )
        flags = [part for setting in settings for part in ("-c", setting)]
        self._process = self._run("postgres", "-D", str(self._data), *flags)
        wait_until(self._answers, "a private PostgreSQL server answers")
        return self

    def kill(self) -> None:
        """End it and every process of it without a warning, like a power failure."""
        processes = self._signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait()
        wait_until(lambda: not any(Path(f"/proc/{process}").exists() for process in processes), "its processes end")

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def require_password(self, user: str) -> None:
        """Of this user; all others are trusted."""
        rules = self._data / "pg_hba.conf"
        rules.write_text(f"host all {user} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        ask(self.address, "SELECT pg_reload_conf()")

    def freeze(self) -> None:
        """Let it keep its connections and answer nothing."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, how: signal.Signals) -> list[int]:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        state = Path(f"/proc/{self._process.pid}/stat")
        wait_until(lambda: ") T " in state.read_text(), "it starts no more processes")
        processes = [self._process.pid, *children_of(self._process.pid)]
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, how)
        return processes

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self._folder / "postgres.log").read_text()[-2_000:]
        try:
            return bool(ask(self.address, "SELECT true"))
        except LOST:
            return False

    def _run(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [str(self.binaries / program), *arguments]
        user = UNPRIVILEGED if os.geteuid() == 0 else None
        with (self._folder / f"{program}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                user=user,
                group=user,
                extra_groups=[] if user else None,
                cwd=self._data,
                stdout=log,
                stderr=log,
            )


@contextmanager
def private_server(place: str = "") -> Iterator[PrivateServer]:
    server = PrivateServer(place).start()
    try:
        yield server
    finally:
        server.remove()


def _binaries() -> Path:
    """The folder of `initdb` and `postgres`."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if found := shutil.which("initdb"):
        folders.append(Path(found).resolve().parent)
    for folder in folders:
        if (folder / "initdb").exists():
            return folder
    pytest.skip(MISSING)


def free_port() -> int:
    """Not one that the system gives to clients: while the server is dead, a client could take it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
