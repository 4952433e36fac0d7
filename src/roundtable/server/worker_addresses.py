"""Before a server starts: can its workers and those that already run on other machines reach one another?"""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from datetime import datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

from roundtable.core.errors import SetupError
from roundtable.server.hosts import is_address
from roundtable.server.relay import SECRET, OwnerUnreachable, fetch
from roundtable.storage.postgres_connection import setup_connection
from roundtable.storage.postgres_leases import is_far, live_workers, site_secret

TIMEOUT = 10.0  # seconds for a statement
ANSWER_SECONDS = 2.0  # in which a worker of this machine has to answer
LOOK_SECONDS = 0.25  # between two looks at a worker that may be dead

logger = logging.getLogger("roundtable.server")


async def require_reach(database: str, host: str) -> None:
    """`SetupError` where a worker runs that cannot reach workers at this host, or that they cannot reach. The row of a
    dead worker stays until its lease ends, so only one that renews its lease counts."""
    seen: dict[str, datetime] = {}  # until when the lease of a worker lasted at the first look
    async with setup_connection(database, TIMEOUT) as connection:
        secret = await site_secret(connection)
        has_doubts = True
        while has_doubts:
            has_doubts = False
            for worker, address, until in await live_workers(connection):
                if (problem := await problem_with(address, host, secret)) is not None:
                    if until > seen.setdefault(worker, until):
                        raise problem
                    has_doubts = True
            if has_doubts:
                await asyncio.sleep(LOOK_SECONDS)
        if is_loopback(host) and await is_far(connection):
            logger.warning(
                "the database seems to be on another machine, and only this machine reaches workers at %s: as soon as "
                "a second machine serves the same rooms, give each of them its own --worker-host",
                host,
            )


async def problem_with(address: str, host: str, secret: str) -> SetupError | None:
    """Why a worker at this address and those at this host cannot work together."""
    its_host = urlsplit(address).hostname or ""
    if is_loopback(its_host):
        if not await answers(address, secret):
            return SetupError("setup/option", "worker_unreached", address=address)
    elif is_loopback(host) and not is_own(its_host):
        return SetupError("setup/option", "worker_host", address=address, host=host)
    return None


async def answers(address: str, secret: str) -> bool:
    """Whether a worker of this site is there. One that is only slow or suspended accepts the connection."""
    try:
        answer = await fetch(address, "GET", b"/health", [(SECRET, secret.encode())], seconds=ANSWER_SECONDS)
    except OwnerUnreachable as unreachable:
        return unreachable.was_reached
    return answer.status == 200


def is_loopback(host: str) -> bool:
    return host == "localhost" or (is_address(host) and ip_address(host).is_loopback)


def is_own(host: str) -> bool:
    """Whether this machine has the address: only then a socket can be bound to it."""
    with suppress(OSError):
        family, kind, *_, place = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(place)
            return True
    return False
