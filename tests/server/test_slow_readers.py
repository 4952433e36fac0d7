"""HTTP clients that do not read: a slow line gets its answer, and an answer that is not read at all ends."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from roundtable.core.actions import CallOff, Say
from roundtable.core.seats import HOST
from roundtable.games import new_game
from roundtable.server.clock import steady_clock
from roundtable.server.http_protocol import MOST_PIPELINED, WRITING_SECONDS
from roundtable.server.limits import Limits
from roundtable.server.websocket_protocol import SLOWEST_READ
from roundtable.storage import MemoryLog
from support.manual_clock import ManualClockServer, manual_clock_server
from support.raw_protocol import http_to
from support.scenes import SEED
from support.stored_rooms import write_room
from support.waiting import PATIENCE, until

CODE = "QUXET2"
RECORD = f"/api/rooms/{CODE}/games/1/record"
TRIES = 30
LINES = 1_000  # of talk in the game, about 650 bytes each
SEND_BUFFER = 32 * 1024  # bytes; the system doubles them
PIECE = 2 * SEND_BUFFER + 4 * SLOWEST_READ  # bytes that a slow line passes in the time that the server gives it


@asynccontextmanager
async def serving(limits: Limits) -> AsyncIterator[ManualClockServer]:
    """A server with a long record."""
    play, log = new_game("avalon", 5, SEED), MemoryLog()
    for number in range(LINES):
        play.act(number % 5, Say(channel="table", text="Tôi nghĩ ghế số bốn là phe ác. " * 16))
    play.act(HOST, CallOff())
    await write_room(log, CODE, play, steady_clock()())
    async with manual_clock_server(log, limits, send_buffer_bytes=SEND_BUFFER) as server:
        yield server


class SlowClient:
    """A client with a small buffer, which reads when the test says so."""

    def __init__(self, server: ManualClockServer, sent: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(("127.0.0.1", server.port))
        with suppress(ConnectionError):  # if the server has ended it already
            self._socket.sendall(sent.encode())
        self.received = b""

    def read(self, size: int) -> bool:
        """Read this number of bytes, or up to the end of the connection; whether there are more."""
        end = len(self.received) + size
        while len(self.received) < end:
            try:
                got = self._socket.recv(min(65_536, end - len(self.received)))
            except ConnectionError:
                return False
            if not got:
                return False
            self.received += got
        return True

    @property
    def has_all(self) -> bool:
        head, _, body = self.received.partition(b"\r\n\r\n")
        announced = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        return len(body) == int(announced.partition(b":")[2])

    def hang_up(self) -> None:
        self._socket.close()


def get(path: str) -> str:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"


def get_and_close(path: str) -> str:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


async def advance(server: ManualClockServer, seconds: float) -> None:
    for clock in list(server.clocks):
        await asyncio.to_thread(clock.advance, seconds)


def test_an_answer_that_is_not_read_ends_and_is_no_longer_in_memory() -> None:
    async def is_served(server: ManualClockServer) -> bool:
        """Only one connection is allowed: another one is served when the first has ended."""
        await advance(server, WRITING_SECONDS)
        try:
            async with http_to(server.url) as http:
                return (await http.get("/health")).status_code == 200
        except httpx.HTTPError:
            return False

    async def main() -> None:
        async with serving(Limits(sockets_per_address=1)) as server:
            client = await asyncio.to_thread(SlowClient, server, get(RECORD))
            assert await asyncio.to_thread(client.read, 10)
            await until(lambda: is_served(server), "the end of an answer that is not read")
            await asyncio.to_thread(client.read, 10_000_000)
            assert not client.has_all
            client.hang_up()

    asyncio.run(main())


def test_a_slow_line_gets_the_whole_answer() -> None:
    async def main() -> None:
        async with serving(Limits()) as server:
            client = await asyncio.to_thread(SlowClient, server, get(RECORD))
            for _ in range(4):
                assert await asyncio.to_thread(client.read, PIECE)
                await advance(server, WRITING_SECONDS - 1)
            await asyncio.to_thread(client.read, 10_000_000)
            assert client.has_all
            client.hang_up()

    asyncio.run(main())


@pytest.mark.slow
def test_only_so_many_requests_wait_while_one_is_answered() -> None:
    few, many = (size // len(get("/health")) for size in (MOST_PIPELINED // 2, 20 * MOST_PIPELINED))

    async def answered(server: ManualClockServer, requests: int) -> int:
        client = await asyncio.to_thread(SlowClient, server, get("/health") * (requests - 1) + get_and_close("/health"))
        await asyncio.to_thread(client.read, 1_000 * requests)
        client.hang_up()
        return client.received.count(b"200 OK")

    async def main() -> None:
        async with serving(Limits()) as server:
            assert await answered(server, few) == few
            # Where the client sends no faster than the server answers, none has to wait.
            for _ in range(TRIES):
                if await answered(server, many) < many:
                    break
            else:
                pytest.fail("every request was answered")

    asyncio.run(main())
