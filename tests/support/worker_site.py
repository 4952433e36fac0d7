"""Three workers on a PostgreSQL server of their own, and everything that can happen to them."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import urlsplit

import asyncpg

from roundtable.storage.postgres_connection import LOST
from support.live_server import GENEROUS, LiveServer, changed_program
from support.postgres import PrivateServer, free_port, private_server
from support.waiting import DEAR, PATIENCE, until

WORKERS = 3
# After SIGUSR1 the worker dies as soon as something is in the database, before anyone hears of it.
DIES_UNANSWERED = """
import os, signal
from roundtable.storage.postgres import PostgresLog
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
def wait_for_an_append(*_): PostgresLog._acknowledge = die
signal.signal(signal.SIGUSR1, wait_for_an_append)
"""
PROGRAM = changed_program(DIES_UNANSWERED)
Kind = Literal["cut off", "kill before the answer", "kill", "stop", "kill the database"]
KINDS: tuple[Kind, ...] = get_args(Kind)  # those that need a certain worker come first
IS_KNOWN = "SELECT EXISTS (SELECT FROM workers WHERE address LIKE $1)"
OWNER = "SELECT address FROM leases JOIN workers USING (worker) WHERE room = $1 AND until > clock_timestamp()"
ROWS = "SELECT room, version, at, line FROM rows ORDER BY room, version"


class Network:
    """A network namespace, joined to this machine by a cable that can be cut."""

    def __init__(self) -> None:
        self._name = f"roundtable-{os.getpid()}"
        self._cable = f"rt{os.getpid()}"
        self.hosts = hosts_in(10)  # the last one is inside
        self.enter = ("ip", "netns", "exec", self._name)  # before the command of a process

    def lay(self) -> None:
        _ip("netns", "add", self._name)
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "inside", "netns", self._name)
        for host in self.hosts[:-1]:
            _ip("address", "add", f"{host}/24", "dev", self._cable)
        _ip("link", "set", self._cable, "up")
        _ip("-n", self._name, "address", "add", f"{self.hosts[-1]}/24", "dev", "inside")
        _ip("-n", self._name, "link", "set", "lo", "up")
        self.mend()

    def cut(self) -> None:
        """From now on everything that is sent gets lost without a word."""
        _ip("-n", self._name, "link", "set", "inside", "down")

    def mend(self) -> None:
        _ip("-n", self._name, "link", "set", "inside", "up")

    def remove(self) -> None:
        subprocess.run(("ip", "netns", "delete", self._name), check=False, capture_output=True)


@contextmanager
def laid_network() -> Iterator[Network | None]:
    """None where this machine does not let us: only root may, and not everywhere."""
    network = Network()
    try:
        try:
            network.lay()
        except (OSError, subprocess.CalledProcessError):
            yield None
        else:
            yield network
    finally:
        network.remove()


def hosts_in(first: int) -> list[str]:
    """An address for each worker in a random network."""
    middle = f"{random.randrange(1, 250)}.{random.randrange(1, 250)}"
    return [f"{first}.{middle}.{number}" for number in range(1, WORKERS + 1)]


def _ip(*arguments: str) -> None:
    subprocess.run(("ip", *arguments), check=True, capture_output=True)


class Fault(NamedTuple):
    kind: Kind
    url: str  # of the worker that could not be reached meanwhile; "" for the database
    began: float  # by `time.monotonic`
    ended: float


@contextmanager
def worker_site(folder: Path) -> Iterator[WorkerSite]:
    with laid_network() as network, private_server(f"{network.hosts[0]}/24" if network else "") as postgres:
        site = WorkerSite(folder, postgres, network)
        try:
            with ThreadPoolExecutor() as starting:
                list(starting.map(LiveServer.start, site.workers))
            yield site
        finally:
            for worker in site.workers:
                worker.__exit__()


class WorkerSite:
    """Three workers, each at an address of its own, which it keeps. If this machine lets us, the last one is in another
    network, and can be cut off."""

    def __init__(self, folder: Path, postgres: PrivateServer, network: Network | None) -> None:
        self._postgres = postgres
        self._network = network
        self._hosts = network.hosts if network else hosts_in(127)
        self._changing_database = asyncio.Lock()  # while it is away no worker can start
        self.workers = [self._worker(folder, host) for host in self._hosts]

    def _worker(self, folder: Path, host: str) -> LiveServer:
        place = ("--host", host, "--port", str(free_port()), "--worker-host", host)
        is_apart = self._network is not None and host == self._hosts[-1]
        program = [*self._network.enter, *PROGRAM] if self._network and is_apart else PROGRAM
        database = self._postgres.addresses[-1]
        return LiveServer(folder / f"{host}.db", *GENEROUS, *place, program=program, address=database)

    @property
    def kinds(self) -> Sequence[Kind]:
        """The faults that can be made here."""
        return KINDS if self._network else KINDS[1:]

    async def rows(self) -> list[Any]:
        """The whole log, room by room."""
        connection = await asyncpg.connect(self._postgres.address)
        try:
            return list(await connection.fetch(ROWS))
        finally:
            await connection.close()

    # Faults

    async def make_faults(self, kinds: Sequence[Kind], room: str) -> list[Fault]:
        """All at the same time, each of a worker of its own. People play in the room."""
        free, faults = list(self.workers), []
        for kind in sorted(kinds, key=KINDS.index):
            if kind == "kill the database":
                faults.append(self._kill_database())
                continue
            wanted = self._hosts[-1] if kind == "cut off" else await self._owner_of(room)
            worker = next((worker for worker in free if host_of(worker.url) == wanted), free[0])
            free.remove(worker)
            faults.append(self._hurt(kind, worker, room))
        return await asyncio.gather(*faults)

    async def _hurt(self, kind: Kind, worker: LiveServer, room: str) -> Fault:
        if kind == "kill before the answer":
            os.kill(worker.pid, signal.SIGUSR1)
            await until(lambda: self._is_dead_or_idle(worker, room), "the worker dies, or does not run the room", DEAR)
        began = time.monotonic()
        if kind == "stop":
            os.kill(worker.pid, signal.SIGSTOP)
            await until(
                lambda: self._is_taken_for_dead(worker), "the others have taken a sleeping worker for dead", DEAR
            )
            os.kill(worker.pid, signal.SIGCONT)
        elif kind == "cut off":
            assert self._network is not None
            self._network.cut()
            await until(lambda: self._is_taken_for_dead(worker), "the others have taken a lonely worker for dead", DEAR)
            self._network.mend()
        else:
            worker.kill()
            async with self._changing_database:
                await asyncio.to_thread(worker.start)
        return Fault(kind, worker.url, began, time.monotonic())

    async def _kill_database(self) -> Fault:
        async with self._changing_database:
            began = time.monotonic()
            await asyncio.to_thread(self._postgres.kill)
            await asyncio.to_thread(self._postgres.start)
        return Fault("kill the database", "", began, time.monotonic())

    async def _is_dead_or_idle(self, worker: LiveServer, room: str) -> bool:
        return worker.has_ended or await self._owner_of(room) not in (host_of(worker.url), None)

    async def _is_taken_for_dead(self, worker: LiveServer) -> bool:
        return await self._ask(IS_KNOWN, f"http://{host_of(worker.url)}:%") is False

    async def _owner_of(self, room: str) -> str | None:
        """The host of the worker that runs the room, if one does."""
        address = await self._ask(OWNER, room)
        return host_of(address) if address else None

    async def _ask(self, statement: str, *values: object) -> Any:
        """None where the database does not answer."""
        with suppress(*LOST):
            connection = await asyncpg.connect(self._postgres.address, timeout=PATIENCE)
            try:
                return await connection.fetchval(statement, *values)
            finally:
                connection.terminate()
        return None


def host_of(url: str) -> str:
    return str(urlsplit(url).hostname)
