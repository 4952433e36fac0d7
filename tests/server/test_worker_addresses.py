"""Workers of two machines that cannot reach one another: the second server says so and does not start."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from roundtable.core.errors import SetupError
from roundtable.server import worker_addresses
from roundtable.server.run import reachable
from roundtable.server.worker_addresses import require_reach
from support.live_server import run_to_its_end
from support.postgres import ask, prepared_database

FAR_AWAY = "http://203.0.113.9:8101"  # no machine has this address
UNREACHED = "http://127.0.0.1:1"  # nothing listens here
REGISTER = """
    INSERT INTO workers VALUES ($1, $2, clock_timestamp() + make_interval(secs => 3))
        ON CONFLICT (worker) DO UPDATE SET until = excluded.until
"""


@contextmanager
def worker_at(database: str, address: str) -> Iterator[None]:
    """A worker that renews its lease."""
    name, is_over = secrets.token_hex(8), threading.Event()

    def renew() -> None:
        while not is_over.wait(0.2):
            ask(database, REGISTER, name, address)

    ask(database, REGISTER, name, address)
    renewing = threading.Thread(target=renew)
    renewing.start()
    try:
        yield
    finally:
        is_over.set()
        renewing.join()


@pytest.mark.parametrize(
    ("address", "host", "variant"),
    [
        (UNREACHED, "127.0.0.1", "worker_unreached"),
        (UNREACHED, "10.0.0.5", "worker_unreached"),
        (FAR_AWAY, "127.0.0.1", "worker_host"),
        (FAR_AWAY, "localhost", "worker_host"),
    ],
)
def test_a_live_worker_that_cannot_be_reached_or_cannot_reach_this_server_stops_its_start(
    address: str, host: str, variant: str
) -> None:
    database = prepared_database()
    with worker_at(database, address), pytest.raises(SetupError) as refused:
        asyncio.run(require_reach(database, host))
    assert refused.value.variant == variant
    assert address in str(refused.value)
    assert "--worker-host" in str(refused.value)


def test_workers_that_reach_one_another_may_run() -> None:
    database = prepared_database()
    with worker_at(database, FAR_AWAY):
        asyncio.run(require_reach(database, "10.0.0.5"))
    database, own = prepared_database(), reachable("0.0.0.0")
    if own != "127.0.0.1":  # two servers of this machine, of which one is also for other machines
        with worker_at(database, f"http://{own}:8101"):
            asyncio.run(require_reach(database, "127.0.0.1"))


def test_a_dead_worker_is_waited_for() -> None:
    database = prepared_database()
    for address in (UNREACHED, FAR_AWAY):
        ask(database, REGISTER, secrets.token_hex(8), address)
    asyncio.run(require_reach(database, "127.0.0.1"))
    assert ask(database, "SELECT count(*) FROM workers WHERE until > clock_timestamp()") == 0


def test_a_database_on_another_machine_is_worth_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def yes(connection: object) -> bool:
        return True

    database = prepared_database()
    asyncio.run(require_reach(database, "127.0.0.1"))
    monkeypatch.setattr(worker_addresses, "is_far", yes)
    asyncio.run(require_reach(database, "10.0.0.5"))
    assert not caplog.records
    asyncio.run(require_reach(database, "127.0.0.1"))
    (warned,) = caplog.records
    assert warned.levelno == logging.WARNING
    assert "--worker-host" in warned.getMessage()


@pytest.mark.slow
def test_a_server_on_a_second_machine_without_worker_host_ends_with_one_sentence() -> None:
    database = prepared_database()
    with worker_at(database, FAR_AWAY):
        ended = run_to_its_end(database, "--port", "0")
    assert ended.returncode == 2
    assert ended.stderr == (
        f"roundtable: A worker at {FAR_AWAY} uses this database from another machine and could not reach this server "
        "at 127.0.0.1; add --worker-host with an address of this machine.\n"
    )
