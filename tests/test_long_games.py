"""Coming back to a long game over a slow line: it comes in pieces, and nobody is let go while they read it."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import threading
import time
from contextlib import suppress
from typing import Any, BinaryIO

import pytest
import uvicorn

from left_rooms import write_room
from live import Listener
from roundtable.games.registry import new_game
from roundtable.record.log import MemoryLog
from roundtable.room import InlineThinker, Services, Session
from roundtable.room.sessions import LARGEST_FRAME, frames_of
from roundtable.server.app import Application
from roundtable.server.clock import steady_clock
from roundtable.server.gateway import sockets_with
from roundtable.server.limits import Limits
from roundtable.server.outbox import MOST_WAITING, Allowance
from roundtable.server.serving import listen
from roundtable.table.actions import Say
from roundtable.testing.scenes import SEED
from virtual import Client
from waiting import PATIENCE

CODE = "QUXET2"
LINES = 1_600  # of talk in the game
PIECE, PAUSE = 65_536, 0.2  # what the slow line lets through, and how often in seconds
PINGED = 0x89  # how a ping begins
PING = 2  # seconds between two pings, and in which each has to be answered


@pytest.mark.slow
def test_who_comes_back_to_a_long_game_over_a_slow_line_hears_all_of_it() -> None:
    async def main() -> None:
        server, thread, port = await serve_long_game()
        url = f"ws://127.0.0.1:{port}/socket"
        quick = await Listener.enter(url, CODE, "token 2")
        await quick.hears("Clock")
        slow = SlowLine(port, "token 1")
        reading = asyncio.create_task(asyncio.to_thread(slow.read_until, "The last line."))
        for text in [*(f"News {number}" for number in range(5)), "The last line."]:
            await asyncio.sleep(PING * 0.7)  # while the other one reads, the game goes on
            await quick.say("Act", id=text, action={"is": "Say", "channel": "table", "text": text})
            assert (await quick.answered(text))["is"] == "Answered"
        frames = await reading
        told = [json.loads(line) for frame in frames for line in frame.split("\n")]
        heard = [message["number"] for message in told if message["is"] == "Heard"]
        assert heard == list(range(1, len(heard) + 1))
        assert sum(len(frame.encode()) for frame in frames) > 2 * MOST_WAITING
        assert max(len(frame) for frame in frames) <= LARGEST_FRAME + 100
        await quick.leave()
        server.should_exit = True
        await asyncio.to_thread(thread.join, PATIENCE)

    asyncio.run(main())


@pytest.mark.slow
def test_only_those_who_say_nothing_are_asked_whether_they_are_there() -> None:
    async def main() -> None:
        server, thread, port = await serve_long_game()
        line = SlowLine(port, "token 1")
        reading = asyncio.create_task(asyncio.to_thread(line.time_of_first_ping))
        last, longest = time.monotonic(), 0.0
        end = last + 2.5 * PING
        while last < end:
            await asyncio.sleep(PING / 20)
            with suppress(OSError):
                line.say_ping()
            longest, last = max(longest, time.monotonic() - last), time.monotonic()
        asked_at = await reading
        line.hang_up()
        assert asked_at > last or longest > PING / 2  # unless this machine kept us from speaking
        server.should_exit = True
        await asyncio.to_thread(thread.join, PATIENCE)

    asyncio.run(main())


async def serve_long_game() -> tuple[uvicorn.Server, threading.Thread, int]:
    """A real server in a thread of its own, with little patience."""
    play = new_game("avalon", 5, SEED)
    for number in range(LINES):
        play.act(number % 5, Say(channel="table", text="Tôi nghĩ ghế số bốn là phe ác. " * 16))
    log = MemoryLog()
    now = steady_clock()
    await write_room(log, CODE, play, now())
    app = Application(Services(log, now, secrets.token_bytes, InlineThinker()))
    config = uvicorn.Config(
        app, ws=sockets_with(Limits()), ws_ping_interval=PING, ws_ping_timeout=PING, log_level="critical"
    )
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE
    while not server.started:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
    return server, thread, listening.getsockname()[1]


class SlowLine:
    """A client at the far end of a slow line, frame by frame (RFC 6455, 5.2)."""

    def __init__(self, port: int, token: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(("127.0.0.1", port))
        self._socket.sendall(
            f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        greeting = b""
        while not greeting.endswith(b"\r\n\r\n"):
            greeting += self._socket.recv(1)
        self._say(0x81, json.dumps({"is": "Enter", "room": CODE, "token": token}).encode())
        self._taken = 0

    def _say(self, kind: int, words: bytes) -> None:
        self._socket.sendall(bytes((kind, 0x80 | 126, *len(words).to_bytes(2, "big"), 0, 0, 0, 0)) + words)

    def hang_up(self) -> None:
        self._socket.close()

    def say_ping(self) -> None:
        self._say(0x81, b'{"is":"Ping"}'.ljust(126))

    def read_until(self, word: str) -> list[str]:
        """Every frame of text, up to the one with this word."""
        frames: list[str] = []
        with self._socket, self._socket.makefile("rb") as stream:
            while not frames or word not in frames[-1]:
                kind, payload = _frame_of(stream)
                if kind == PINGED:
                    self._say(0x8A, payload)
                else:
                    frames.append(payload.decode())
                self._dawdle(len(payload))
        return frames

    def time_of_first_ping(self) -> float:
        with self._socket.makefile("rb") as stream:
            while _frame_of(stream)[0] != PINGED:
                pass
            return time.monotonic()

    def _dawdle(self, length: int) -> None:
        self._taken += length
        while self._taken > PIECE:
            self._taken -= PIECE
            time.sleep(PAUSE)


def _frame_of(stream: BinaryIO) -> tuple[int, bytes]:
    kind, length = stream.read(2)
    if length >= 126:
        length = int.from_bytes(stream.read(2 if length == 126 else 8), "big")
    payload = stream.read(length)
    assert kind != 0x88, payload
    return kind, payload


def test_what_has_gathered_goes_out_in_as_few_frames_as_fit() -> None:
    lines = ["x" * size for size in (10, 30_000, 40_000, 90_000, 5)]
    assert [[len(line) for line in frame.split("\n")] for frame in frames_of(lines)] == [
        [10, 30_000],
        [40_000],
        [90_000],
        [5],
    ]
    client = Client()
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
