"""The codes with which a server closes a connection, as docs/protocol.md lists them."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.sync.client import connect
from websockets.typing import Origin

from roundtable.server.websocket_protocol import DirectSocket
from support.live_server import LiveServer
from support.raw_protocol import PLAIN
from support.waiting import PATIENCE

pytestmark = pytest.mark.slow

HERE = json.dumps({"is": "Here"})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("closing") / "rooms.db") as live:
        yield live


@pytest.fixture
def member(server: LiveServer) -> dict[str, Any]:
    with urllib.request.urlopen(f"{server.url}/api/rooms", b'{"name":"Ann"}', timeout=PATIENCE) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


def entering(member: dict[str, Any], **other: Any) -> str:
    return json.dumps({"is": "Enter", "token": member["token"]} | other)


def closing(server: LiveServer, room: str, *said: str) -> tuple[int, str]:
    """The close code and the reason after all these messages were sent at once."""
    with connect(f"{server.socket_url}/{room}", **PLAIN) as client:
        try:
            for text in said:
                client.send(text)
            while True:
                client.recv(timeout=PATIENCE)
        except ConnectionClosed:
            return client.close_code or 0, client.close_reason or ""


def test_a_first_word_that_is_no_enter(server: LiveServer) -> None:
    assert closing(server, "AAAAAA", "hello") == (4008, "text/unreadable")
    assert closing(server, "AAAAAA", HERE) == (4008, "text/unreadable")


def test_a_wrong_room_and_a_wrong_token_are_one_answer(server: LiveServer, member: dict[str, Any]) -> None:
    assert closing(server, "AAAAAA", entering(member)) == (4003, "room/unknown")
    assert closing(server, member["room"], entering(member, token="0" * 48)) == (4003, "room/unknown")


def test_leaving(server: LiveServer, member: dict[str, Any]) -> None:
    leave = json.dumps({"is": "Ask", "id": "bye", "request": {"is": "Leave"}})
    assert closing(server, member["room"], entering(member), leave) == (4003, "room/unknown")


@pytest.mark.parametrize("messages", [52, 60, 200])
def test_too_many_messages_however_they_come(server: LiveServer, member: dict[str, Any], messages: int) -> None:
    with connect(f"{server.socket_url}/{member['room']}", **PLAIN) as client:
        client.send(entering(member))
        with suppress(ConnectionClosed):
            for _ in range(20):  # one round is enough unless it takes a slow machine more than a second
                for _ in range(messages):
                    client.send(HERE)
                client.ping(ack_on_close=True).wait(PATIENCE)
        assert (client.close_code, client.close_reason) == (1008, "server/too_fast")


def test_a_frame_that_is_too_long(server: LiveServer, member: dict[str, Any]) -> None:
    assert closing(server, member["room"], entering(member), "x" * 8193)[0] == 1009


def test_a_page_of_another_site_is_turned_away_at_the_door(server: LiveServer) -> None:
    evil = Origin("https://evil.example")
    with pytest.raises(InvalidStatus) as refused, connect(f"{server.socket_url}/ABCDEF", **PLAIN, origin=evil):
        pass
    assert refused.value.response.status_code == 403


class FakeTransport:
    """A transport that keeps what is written, and whether reading goes on."""

    def __init__(self) -> None:
        self.written = b""
        self.is_reading = False

    def write(self, text: bytes) -> None:
        self.written += text

    def resume_reading(self) -> None:
        self.is_reading = True

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        """The close timeout, which this test does not reach."""


def test_a_connection_that_is_closed_while_it_sends_goes_on_reading() -> None:
    async def main() -> FakeTransport:
        direct, transport = DirectSocket.__new__(DirectSocket), FakeTransport()
        direct.close_sent = direct.disconnected = False
        direct.read_paused = True  # more frames were received than were handled
        direct.close_timeout = 10.0
        direct.transport = transport  # type: ignore[assignment]
        direct.queue, direct.loop, direct.conn = asyncio.Queue(), asyncio.get_running_loop(), ServerProtocol()
        direct.conn.state = State.OPEN
        direct.close_with(1008, "server/too_fast")
        assert direct.close_timer is not None
        direct.close_timer.cancel()
        return transport

    transport = asyncio.run(main())
    assert b"server/too_fast" in transport.written
    assert transport.is_reading, "or the connection would hang until time is up"
