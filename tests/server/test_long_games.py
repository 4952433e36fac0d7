"""Reconnecting to a long game over a slow line: it arrives in pieces, and the server does not time out meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from roundtable.core.actions import Say
from roundtable.core.play import Play
from roundtable.games import new_game
from roundtable.rooms import Session
from roundtable.rooms.sessions import LARGEST_FRAME, frames_of
from roundtable.server.clock import steady_clock
from roundtable.server.outbox import MOST_WAITING, has_room_for
from roundtable.server.websocket_protocol import SLOWEST_READ
from roundtable.storage import MemoryLog, SqliteLog
from support import raw_socket
from support.frames import FrameReader
from support.live_server import LiveServer
from support.manual_clock import ManualClockServer, manual_clock_server
from support.raw_protocol import Listener, http_to, open_room
from support.raw_socket import CLOSE, PONG, TEXT, RawSocket
from support.scenes import SEED
from support.stored_rooms import write_room
from support.virtual_time import FakeConnection
from support.waiting import until

CODE = "QUXET2"
LINES = 1_600  # of talk in the game, before the last one
LAST_LINE = "I have said all that I know."
PIECE, PAUSE = 65_536, 0.5  # bytes that the slow line passes at once, and seconds until the next ones
SEND_BUFFER = 32 * 1024  # bytes; the system doubles them
GROWTH = 30 * 1024 * 1024  # bytes of memory that an attack may take
NOT_READING = [f"token {member}" for member in (1, 3, 4, 5)] * 8 + [None] * 20
PING = 2  # seconds between two pings, and in which each has to be answered


@pytest.mark.slow
def test_who_comes_back_to_a_long_game_over_a_slow_line_hears_all_of_it() -> None:
    assert PIECE * PING / PAUSE - 2 * SEND_BUFFER > SLOWEST_READ  # it is slow, and not too slow

    async def main() -> None:
        async with long_game() as server:
            quick = await Listener.enter(server.socket_url, CODE, "token 2")
            await quick.caught_up()
            slow = await asyncio.to_thread(SlowLine, server, "token 1")
            for text in ("News.", "More news.", "The last line."):
                await asyncio.to_thread(slow.read, 4 * PIECE)  # while the game goes on
                await quick.say("Act", id=text, action={"is": "Say", "channel": "table", "text": text})
                assert (await quick.answered(text))["is"] == "Answered"
            frames = await asyncio.to_thread(slow.read_until, "The last line.")
            reader = FrameReader()
            told = [message for frame in frames for message in reader.read(frame)]
            assert lines_in(told) == lines_in(quick.received)
            assert sum(len(frame.encode()) for frame in frames) > 2 * MOST_WAITING
            assert max(map(len, frames)) <= LARGEST_FRAME
            assert slow.clock.time() > 3 * PING
            slow.hang_up()
            await quick.leave()

    asyncio.run(main())


@pytest.mark.slow
def test_only_those_who_say_nothing_are_asked_whether_they_are_there() -> None:
    def talk_and_fall_silent(server: ManualClockServer) -> None:
        line = SlowLine(server, "token 1")
        line.read_until(LAST_LINE)
        for number in range(5):
            line.say_ping()
            while (frame := line.read_frame())[1] != b'{"is":"Pong"}':
                assert frame[0] != raw_socket.PING or number == 0
                if frame[0] == raw_socket.PING:  # sent while it was still reading
                    line.send(PONG, frame[1])
            line.clock.advance(PING * 0.6)
        line.clock.advance(PING)
        assert line.read_frame()[0] == raw_socket.PING
        line.hang_up()

    async def main() -> None:
        async with long_game() as server:
            await asyncio.to_thread(talk_and_fall_silent, server)

    asyncio.run(main())


def lines_in(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    heard = [message["event"] for message in messages if message["is"] == "Heard"]
    return [event for event in heard if event["is"] == "Said"]


@asynccontextmanager
async def long_game() -> AsyncIterator[ManualClockServer]:
    """A server with a long game and short timeouts."""
    log = MemoryLog()
    await write_room(log, CODE, talkative_game(), steady_clock()())
    async with manual_clock_server(log, send_buffer_bytes=SEND_BUFFER, ping_seconds=PING) as server:
        yield server


def talkative_game() -> Play[Any, Any]:
    play = new_game("avalon", 5, SEED)
    for number in range(LINES):
        play.act(number % 5, Say(channel="table", text="Tôi nghĩ ghế số bốn là phe ác. " * 16))
    play.act(0, Say(channel="table", text=LAST_LINE))
    return play


class SlowLine(RawSocket):
    """A client at the far end of a slow line. The clock at the other end goes on as it reads."""

    def __init__(self, server: ManualClockServer, token: str) -> None:
        super().__init__(server.port, CODE)
        self.clock = server.clocks[-1]
        self.say("Enter", token=token)
        self._frames: list[str] = []
        self._taken = 0

    def say_ping(self) -> None:
        self.send(TEXT, b'{"is":"Ping"}'.ljust(126))

    def read_frame(self) -> tuple[int, bytes]:
        first, payload = super().read_frame()
        assert first != CLOSE, payload
        return first, payload

    def read(self, size: int) -> None:
        """Read this number of bytes, slowly."""
        end = self._taken + size
        while self._taken < end:
            self._read_slowly()

    def read_until(self, word: str) -> list[str]:
        """Read all text frames up to the first that contains this word."""
        while not self._frames or word not in self._frames[-1]:
            self._read_slowly()
        return self._frames

    def _read_slowly(self) -> None:
        first, payload = self.read_frame()
        if first == raw_socket.PING:
            self.send(PONG, payload)
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


def test_a_message_may_be_longer_than_the_buffer_but_no_more_waits_than_fits() -> None:
    assert has_room_for(10 * MOST_WAITING, 0)
    assert has_room_for(MOST_WAITING - 1, 1)
    assert not has_room_for(MOST_WAITING, 1)


# Memory


@pytest.mark.slow
def test_clients_that_do_not_read_a_long_game_take_little_memory(tmp_path: Path) -> None:
    """They ask for all of it again and again, and read nothing, while the game goes on."""
    database = tmp_path / "rooms.db"

    async def prepare() -> None:
        log = SqliteLog(database)
        await write_room(log, CODE, talkative_game(), steady_clock()())
        await log.close()

    def ask_for_all(port: int, token: str | None) -> RawSocket:
        one = RawSocket(port, CODE)
        one.say("Enter", token=token, views=True)
        return one

    async def attack(server: LiveServer) -> None:
        quick = await Listener.enter(server.socket_url, CODE, "token 2")
        await quick.caught_up()
        before = server.memory()
        port = int(server.url.rpartition(":")[2])
        lazy = [await asyncio.to_thread(ask_for_all, port, token) for token in NOT_READING]
        await until(lambda: quick.all("Room")[-1]["members"][4]["is_here"], "the last of them")
        for number in range(20):
            await quick.say("Act", id=f"{number}", action={"is": "Say", "channel": "table", "text": "News. " * 80})
            await quick.answered(f"{number}")
        assert server.memory() - before < GROWTH
        for one in lazy:
            one.hang_up()
        await until(lambda: not quick.last("Room")["members"][4]["is_here"], "the end of them")
        assert server.memory() - before < GROWTH
        await quick.leave()

    asyncio.run(prepare())
    with LiveServer(database) as server:
        asyncio.run(attack(server))


@pytest.mark.slow
def test_clients_that_send_rubbish_and_do_not_read_take_little_memory(tmp_path: Path) -> None:
    """Refusals must not repeat at length what they refuse."""
    rubbish = json.dumps({"is": "Ask", "id": "x", "request": {"is": "x" * 7_000}}).encode()

    def send_rubbish(port: int, room: str) -> RawSocket:
        one = RawSocket(port, room)
        one.say("Enter")
        for _ in range(45):
            one.send(TEXT, rubbish)
        return one

    async def attack(server: LiveServer) -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        quick = await Listener.enter(server.socket_url, host.room, host.token)
        await quick.hears("Room")
        before, port = server.memory(), int(server.url.rpartition(":")[2])
        lazy = [await asyncio.to_thread(send_rubbish, port, host.room) for _ in range(20)]
        others = [await asyncio.to_thread(RawSocket, port, host.room) for _ in range(100)]
        for one in others:  # that never enter
            one.send(TEXT, b"x" * 8_000)
        await quick.say("Ask", id="here", request={"is": "SayReady", "is_ready": True})
        await quick.answered("here")
        assert server.memory() - before < GROWTH / 3
        for one in (*lazy, *others):
            one.hang_up()
        await quick.leave()

    with LiveServer(tmp_path / "rooms.db") as server:
        asyncio.run(attack(server))
