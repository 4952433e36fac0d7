"""Reconnecting to a long game over a slow line: it arrives in pieces, and the server does not time out meanwhile."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from roundtable.core.actions import Say
from roundtable.games import new_game
from roundtable.rooms import Session
from roundtable.rooms.sessions import LARGEST_FRAME, frames_of
from roundtable.server.clock import steady_clock
from roundtable.server.outbox import MOST_WAITING, Allowance
from roundtable.server.websocket_protocol import SLOWEST_READ
from roundtable.storage import MemoryLog
from support.manual_clock import ManualClockServer, manual_clock_server
from support.raw_protocol import Listener
from support.scenes import SEED
from support.stored_rooms import write_room
from support.virtual_time import FakeConnection
from support.waiting import PATIENCE

CODE = "QUXET2"
LINES = 1_600  # of talk in the game
PIECE, PAUSE = 65_536, 0.5  # bytes that the slow line passes at once, and seconds until the next ones
SEND_BUFFER = 32 * 1024  # bytes; the system doubles them
PINGED = 0x89  # how a ping begins
PING = 2  # seconds between two pings, and in which each has to be answered


@pytest.mark.slow
def test_who_comes_back_to_a_long_game_over_a_slow_line_hears_all_of_it() -> None:
    assert PIECE * PING / PAUSE - 2 * SEND_BUFFER > SLOWEST_READ  # it is slow, and not too slow

    async def main() -> None:
        async with long_game() as server:
            quick = await Listener.enter(server.socket_url, CODE, "token 2")
            await quick.hears("Clock")
            slow = await asyncio.to_thread(SlowLine, server, "token 1")
            for text in ("News.", "More news.", "The last line."):
                await asyncio.to_thread(slow.read, 4 * PIECE)  # while the game goes on
                await quick.say("Act", id=text, action={"is": "Say", "channel": "table", "text": text})
                assert (await quick.answered(text))["is"] == "Answered"
            frames = await asyncio.to_thread(slow.read_until, "The last line.")
            told = [json.loads(line) for frame in frames for line in frame.split("\n")]
            heard = [message["number"] for message in told if message["is"] == "Heard"]
            assert heard == list(range(1, len(heard) + 1))
            assert sum(len(frame.encode()) for frame in frames) > 2 * MOST_WAITING
            assert max(len(frame) for frame in frames) <= LARGEST_FRAME + 100
            assert slow.clock.time() > 3 * PING
            slow.hang_up()
            await quick.leave()

    asyncio.run(main())


@pytest.mark.slow
def test_only_those_who_say_nothing_are_asked_whether_they_are_there() -> None:
    def talk_and_fall_silent(server: ManualClockServer) -> None:
        line = SlowLine(server, "token 1")
        for _ in range(5):
            line.say_ping()
            while (frame := line.read_frame())[1] != b'{"is":"Pong"}':
                assert frame[0] != PINGED
            line.clock.advance(PING * 0.6)
        line.clock.advance(PING)
        assert line.read_frame()[0] == PINGED
        line.hang_up()

    async def main() -> None:
        async with long_game() as server:
            await asyncio.to_thread(talk_and_fall_silent, server)

    asyncio.run(main())


@asynccontextmanager
async def long_game() -> AsyncIterator[ManualClockServer]:
    """A server with a long game and short timeouts."""
    play = new_game("avalon", 5, SEED)
    for number in range(LINES):
        play.act(number % 5, Say(channel="table", text="Tôi nghĩ ghế số bốn là phe ác. " * 16))
    log = MemoryLog()
    await write_room(log, CODE, play, steady_clock()())
    async with manual_clock_server(log, send_buffer_bytes=SEND_BUFFER, ping_seconds=PING) as server:
        yield server


class SlowLine:
    """A client at the far end of a slow line, frame by frame (RFC 6455, 5.2). The clock at the other end goes on as it
    reads."""

    def __init__(self, server: ManualClockServer, token: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(("127.0.0.1", server.port))
        self._socket.sendall(
            f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        self._stream = self._socket.makefile("rb")
        while self._stream.readline() != b"\r\n":
            pass
        self.clock = server.clocks[-1]
        self._say(0x81, json.dumps({"is": "Enter", "room": CODE, "token": token}).encode())
        self._frames: list[str] = []
        self._taken = 0

    def _say(self, kind: int, words: bytes) -> None:
        self._socket.sendall(bytes((kind, 0x80 | 126, *len(words).to_bytes(2, "big"), 0, 0, 0, 0)) + words)

    def hang_up(self) -> None:
        self._stream.close()
        self._socket.close()

    def say_ping(self) -> None:
        self._say(0x81, b'{"is":"Ping"}'.ljust(126))

    def read_frame(self) -> tuple[int, bytes]:
        kind, length = self._stream.read(2)
        if length >= 126:
            length = int.from_bytes(self._stream.read(2 if length == 126 else 8), "big")
        payload = self._stream.read(length)
        assert kind != 0x88, payload
        return kind, payload

    def read(self, size: int) -> None:
        """Read this number of bytes, slowly."""
        end = self._taken + size
        while self._taken < end:
            self._read_slowly()

    def read_until(self, word: str) -> list[str]:
        """Read all text frames up to the first that contains this word."""
        while word not in self._frames[-1]:
            self._read_slowly()
        return self._frames

    def _read_slowly(self) -> None:
        kind, payload = self.read_frame()
        if kind == PINGED:
            self._say(0x8A, payload)
        else:
            self._frames.append(payload.decode())
        pieces = (self._taken + len(payload)) // PIECE - self._taken // PIECE
        self._taken += len(payload)
        self.clock.advance(pieces * PAUSE)


def test_what_has_gathered_goes_out_in_as_few_frames_as_fit() -> None:
    lines = ["x" * size for size in (10, 30_000, 40_000, 90_000, 5)]
    assert [[len(line) for line in frame.split("\n")] for frame in frames_of(lines)] == [
        [10, 30_000],
        [40_000],
        [90_000],
        [5],
    ]
    client = FakeConnection()
    session = Session(client)
    session._waiting = lines
    session.flush()
    assert "\n".join(client.frames).split("\n") == ["x" * size for size in (10, 30_000, 40_000, 90_000, 5)]
    session.flush()
    assert len(client.frames) == 4


def pieces(*sizes: int) -> list[str]:
    return ["x" * size for size in sizes]


def test_news_may_wait_beside_what_was_missed_and_no_more() -> None:
    allowance, missed = Allowance(), [LARGEST_FRAME] * 20
    assert allowance.has_room_for(pieces(*missed), 0)
    waiting = sum(missed)
    assert allowance.has_room_for(pieces(MOST_WAITING), waiting)
    assert not allowance.has_room_for(pieces(1), waiting + MOST_WAITING)


def test_what_was_read_of_it_does_not_count_any_more() -> None:
    allowance: Any = Allowance()
    assert allowance.has_room_for(pieces(*[LARGEST_FRAME] * 20), 0)
    assert allowance.has_room_for(pieces(10), 1000)  # nearly all was read
    assert not allowance.has_room_for(pieces(10), MOST_WAITING + 1000)
    assert allowance.has_room_for(pieces(10), 0)
    assert not allowance.has_room_for(pieces(10), MOST_WAITING)
