"""A relayed socket: what a client does not read waits at the owner, and closing passes through."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from roundtable.rooms import OwnedElsewhere
from roundtable.server.relay import CLOSE_MOVED, OwnerUnreachable, Relay
from roundtable.storage import LEASE_SECONDS
from support.virtual_time import VirtualLoop, run
from support.waiting import until

TURNS = 200  # of the event loop, in which a frame would have come


class Client:
    """A port to a client that reads only while it is ready."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.is_ready = True
        self.resume: Callable[[], None] | None = None
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def when_ready(self, call: Callable[[], None]) -> None:
        self.resume = call

    def send(self, *frames: str) -> None:
        self.frames += frames
        self.is_ready = False

    def close(self, code: int, reason: str) -> None:
        if self.closed is None:
            self.closed = (code, reason)
            self.said.put_nowait({"type": "websocket.disconnect"})

    def drop(self, code: int, reason: str) -> None:
        self.close(code, reason)

    async def finish(self) -> None: ...


async def relayed(
    owner: Callable[[ServerConnection], Awaitable[None]], watch: Callable[[Client], Awaitable[None]]
) -> None:
    """Relay a socket to an owner that does this, while the test watches the client."""
    client, relay = Client(), Relay(lambda: "secret")
    async with serve(owner, "127.0.0.1", 0, compression=None) as running:
        address = f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}"
        relaying = asyncio.create_task(
            relay.socket(
                OwnedElsewhere(address, 3_000), "/socket/ABCDEF", "192.0.2.1", "first", client, client.said.get
            )
        )
        await watch(client)
        client.close(1000, "")
        await relaying
    await relay.stop()


def test_a_client_that_does_not_read_gets_nothing_more_until_it_does() -> None:
    async def owner(connection: ServerConnection) -> None:
        assert await connection.recv() == "first"
        for number in range(100):
            await connection.send(f"{number}")
        await connection.wait_closed()

    async def watch(client: Client) -> None:
        for read in range(1, 6):
            await until(lambda: client.resume is not None, "a frame that waits for the client")
            for _ in range(TURNS):
                await asyncio.sleep(0)
            assert client.frames == [f"{number}" for number in range(read)]
            resume, client.resume, client.is_ready = client.resume, None, True
            assert resume is not None
            resume()

    asyncio.run(relayed(owner, watch))


@pytest.mark.parametrize("closed", [(4003, "room/removed"), (1013, "server/full"), CLOSE_MOVED, None])
def test_a_client_is_closed_as_the_owner_closes(closed: tuple[int, str] | None) -> None:
    """An owner that is gone without a word is one that has handed its rooms over."""

    async def owner(connection: ServerConnection) -> None:
        assert await connection.recv() == "first"
        if closed is None:
            connection.transport.abort()
        else:
            await connection.close(*closed)

    async def watch(client: Client) -> None:
        await until(lambda: client.closed is not None, "the end")
        assert client.closed == (closed or CLOSE_MOVED)

    asyncio.run(relayed(owner, watch))


def test_an_owner_that_does_not_answer_is_silent() -> None:
    async def main() -> None:
        client, nowhere = Client(), OwnedElsewhere("http://127.0.0.1:1", 0)
        with pytest.raises(OwnerUnreachable):
            await Relay(lambda: "secret").socket(nowhere, "/socket/A", "", "", client, client.said.get)

    asyncio.run(main())


def test_an_owner_that_renews_its_lease_and_cannot_be_reached_is_reported_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A dead one is not: its clients are led to the next owner."""

    async def main(loop: VirtualLoop) -> None:
        relay = Relay(lambda: "secret")

        async def ask(address: str, ends_in: int, *, is_reached: bool = False) -> None:
            with suppress(OwnerUnreachable):
                async with relay._reaching(OwnedElsewhere(address, ends_in)):
                    if not is_reached:
                        raise OwnerUnreachable(address)

        dead, alive = "http://10.0.0.5:8101", "http://127.0.0.1:8102"
        for ends_in in (0, 2_900, 0, 0):  # the first as this worker remembers it
            await ask(dead, ends_in)
        assert not caplog.records
        for _ in range(2):
            for _ in range(4):
                await ask(alive, LEASE_SECONDS * 1000 - 500)
            await ask(alive, 0, is_reached=True)

    run(main)
    told = [record.getMessage() for record in caplog.records]
    assert [line.partition(" runs, but this machine cannot reach it")[0] for line in told] == [
        "the worker at http://127.0.0.1:8102"
    ] * 2
