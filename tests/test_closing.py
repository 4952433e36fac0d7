"""With which codes a real server closes a connection, as docs/protocol.md says."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.sync.client import connect
from websockets.typing import Origin

from roundtable.server.gateway import DirectSocket

pytestmark = pytest.mark.slow

PATIENCE = 120.0  # seconds; the machine may be busy
HERE = json.dumps({"is": "Here"})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    options = ["--host", "127.0.0.1", "--port", str(port), "--database", "memory:"]
    command = [sys.executable, "-m", "roundtable", "serve", *options]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while not is_ready(port):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    yield port
    server.terminate()
    server.wait(PATIENCE)


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture
def member(port: int) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/rooms", b'{"name":"Ann"}', timeout=PATIENCE) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


def entering(member: dict[str, Any], **other: Any) -> str:
    return json.dumps({"is": "Enter", "room": member["room"], "token": member["token"]} | other)


def closing(port: int, *said: str) -> tuple[int, str]:
    """The code and the reason that close a connection on which all of this is said at once."""
    with connect(f"ws://127.0.0.1:{port}/socket") as client:
        try:
            for text in said:
                client.send(text)
            while True:
                client.recv(timeout=PATIENCE)
        except ConnectionClosed:
            return client.close_code or 0, client.close_reason or ""


def test_a_first_word_that_is_no_enter(port: int) -> None:
    assert closing(port, "hello") == (4008, "text/unreadable")
    assert closing(port, HERE) == (4008, "text/unreadable")


def test_a_wrong_room_and_a_wrong_token_are_one_answer(port: int, member: dict[str, Any]) -> None:
    assert closing(port, entering(member, room="AAAAAA")) == (4003, "room/unknown")
    assert closing(port, entering(member, token="0" * 48)) == (4003, "room/unknown")


def test_leaving(port: int, member: dict[str, Any]) -> None:
    leave = json.dumps({"is": "Ask", "id": "bye", "request": {"is": "Leave"}})
    assert closing(port, entering(member), leave) == (4003, "room/unknown")


@pytest.mark.parametrize("messages", [52, 60, 200])
def test_too_many_messages_however_they_come(port: int, member: dict[str, Any], messages: int) -> None:
    assert closing(port, entering(member), *[HERE] * messages) == (1008, "house/too_fast")


def test_a_frame_that_is_too_long(port: int, member: dict[str, Any]) -> None:
    assert closing(port, entering(member), "x" * 8193)[0] == 1009


def test_a_page_of_another_site_is_turned_away_at_the_door(port: int) -> None:
    evil = Origin("https://evil.example")
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://127.0.0.1:{port}/socket", origin=evil):
        pass
    assert refused.value.response.status_code == 403


class Wire:
    """What a connection writes to, and whether it reads on."""

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
        """Nobody waits that long here."""


def test_whoever_is_shown_out_while_they_talk_is_heard_saying_goodbye() -> None:
    async def main() -> Wire:
        direct, wire = DirectSocket.__new__(DirectSocket), Wire()
        direct.close_sent = direct.disconnected = False
        direct.read_paused = True  # more has come in than anybody has looked at
        direct.close_timeout = 10.0
        direct.transport = wire  # type: ignore[assignment]
        direct.queue, direct.loop, direct.conn = asyncio.Queue(), asyncio.get_running_loop(), ServerProtocol()
        direct.conn.state = State.OPEN
        direct.close_with(1008, "house/too_fast")
        assert direct.close_timer is not None
        direct.close_timer.cancel()
        return wire

    wire = asyncio.run(main())
    assert b"house/too_fast" in wire.written
    assert wire.is_reading, "or the connection would hang until time is up"
