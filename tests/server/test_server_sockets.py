"""WebSockets of a live server: invalid input, floods, slow readers and dead bots disturb no other connection."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import random
import re
import secrets
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from roundtable.client import Client, Table
from roundtable.protocol.rooms import SayReady, SeatBot, Settings, Start
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services
from roundtable.rooms.sessions import MOST_CONNECTIONS
from roundtable.server.http_protocol import READING_SECONDS
from roundtable.server.limits import Limits
from roundtable.server.metrics import Metrics
from roundtable.server.sockets import NETWORK_PART, Sockets
from roundtable.storage import MemoryLog
from support.frames import FrameReader
from support.live_server import LiveServer, Player, run_to_its_end, traceback_free
from support.manual_clock import ManualClockLoop, manual_clock_server
from support.raw_protocol import PLAIN, Listener, Member, http_to, join_room, open_room, seat_five
from support.raw_socket import RawSocket
from support.sizes import GENERATED_REQUESTS
from support.waiting import PATIENCE, until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("sockets") / "rooms.db") as live:
        yield live
        assert live.stop() == 0
        assert traceback_free([live.logged()]), live.logged()


class Bystanders:
    """A room beside the one under attack, which must not notice anything."""

    def __init__(self, guests: list[Member], listener: Listener) -> None:
        self._guests, self._listener = guests, listener
        self._lines = 0
        self._greeted = len(listener.received)

    @classmethod
    async def seat(cls, server: LiveServer) -> Bystanders:
        async with http_to(server.url) as http:
            guests = await seat_five(http)
        listener = await Listener.enter(server.socket_url, guests[0].room, guests[0].token)
        await listener.caught_up()
        return cls(guests, listener)

    async def notice_nothing(self) -> None:
        """They received nothing, and are answered as usual."""
        self._lines += 1
        await self._listener.say("Act", id=f"line {self._lines}", action=say(f"Line {self._lines}"))
        assert (await self._listener.answered(f"line {self._lines}"))["is"] == "Answered"
        kinds = [message["is"] for message in self._listener.received[self._greeted :]]
        assert kinds == ["Heard", "Answered"]
        await self._listener.leave()


def say(text: str) -> dict[str, Any]:
    return {"is": "Say", "channel": "table", "text": text}


async def close_of(server: LiveServer, room: str, *frames: str | bytes) -> tuple[int | None, str | None]:
    """How the server closes a connection on which these frames were sent."""
    async with connect(f"{server.socket_url}/{room}", **PLAIN) as one:
        with suppress(ConnectionClosed):
            for frame in frames:
                await one.send(frame)
            async with asyncio.timeout(PATIENCE):
                while True:
                    await one.recv()
        return one.close_code, one.close_reason


def enter(**more: Any) -> str:
    return json.dumps({"is": "Enter", **more})


# The first message


def test_a_wrong_token_and_a_wrong_room_are_the_same_answer(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http, settings={"has_spectators": False})
            other = await open_room(http)
        unknown = (4003, "room/unknown")
        assert await close_of(server, "ZZZZZZ", enter(token=host.token)) == unknown
        assert await close_of(server, host.room, enter(token="0" * 48)) == unknown
        assert await close_of(server, host.room, enter(token="")) == unknown
        assert await close_of(server, host.room, enter(token=other.token)) == unknown
        assert await close_of(server, host.room, enter()) == unknown  # the room allows no spectators
        assert await close_of(server, quote("\u0000'; DROP TABLE rows"), enter()) == unknown

    asyncio.run(main())


def test_who_does_not_say_who_they_are_is_removed(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        unreadable = (4008, "text/unreadable")
        for first in ("", "hello", "{}", "[]", "null", '{"is":"Here"}', '{"is":"Act"}', b"\x00\xff", "[" * 8000):
            assert await close_of(server, host.room, first) == unreadable, first
        for wrong in ({"heard": "1"}, {"number": 1.5}, {"views": 1}, {"token": 5}, {"seat": 2}):
            assert await close_of(server, host.room, enter(**wrong)) == unreadable, wrong

    asyncio.run(main())


def test_who_says_nothing_at_all_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundtable.server.sockets.ENTER_TIMEOUT", 0.05)

    async def main() -> None:
        services = Services(MemoryLog(), lambda: 0, secrets.token_bytes, InlineBotWorkers())
        sockets = Sockets(RoomRegistry(services), Limits(), Metrics())
        said: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        told: list[Any] = []

        async def send(message: Any) -> None:
            told.append(message)

        await said.put({"type": "websocket.connect"})
        await sockets({"type": "websocket", "path": "/socket/ABCDEF", "client": ("127.0.0.1", 5)}, said.get, send)
        assert told == [
            {"type": "websocket.accept"},
            {"type": "websocket.close", "code": 4008, "reason": "text/unreadable"},
        ]

    asyncio.run(main())


# Invalid input


def test_a_second_enter_and_binary_frames_change_nothing(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
            other = await open_room(http)
        one = await Listener.enter(server.socket_url, host.room, host.token)
        await one.hears("Room")
        await one.say("Enter", token=other.token)
        refused = await one.hears("Refused")
        assert (refused["id"], refused["code"]) == ("", "text/unreadable")
        await one.socket.send(b'{"is":"Ask","id":"ready","request":{"is":"SayReady","is_ready":true}}')
        assert (await one.answered("ready"))["is"] == "Answered"
        await one.socket.send(b"\xff\xfe\x00")
        await one.hears("Refused", 2)
        assert {room["code"] for room in one.all("Room")} == {host.room}
        await one.leave()

    asyncio.run(main())


def test_a_frame_of_more_than_8_kib_ends_the_connection(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        entering = enter(token=host.token)
        assert (await close_of(server, host.room, entering, " " * 8193))[0] == 1009
        assert (await close_of(server, host.room, " " * 1_000_000))[0] == 1009
        one = await Listener.enter(server.socket_url, host.room, host.token)
        await one.socket.send([" " * 4096, " " * 4097])  # in two parts
        assert (await one.closed())[0] == 1009
        largest = await Listener.enter(server.socket_url, host.room, host.token)
        await largest.socket.send(json.dumps({"is": "Here"}).ljust(8192))
        await largest.say("Ask", id="x", request={"is": "SayReady", "is_ready": True})
        assert (await largest.answered("x"))["is"] == "Answered"
        await largest.leave()

    asyncio.run(main())


def test_text_that_is_no_utf_8_ends_the_connection_and_is_no_mistake_of_ours(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        one = await Listener.enter(server.socket_url, host.room, host.token)
        await one.hears("Room")
        await one.socket.send(b"\xff\xff", text=True)
        assert (await one.closed())[0] == 1007

    asyncio.run(main())


def test_a_ping_is_answered_at_once_in_a_frame_of_its_own(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        for token in (host.token, None):
            async with connect(f"{server.socket_url}/{host.room}", **PLAIN) as socket:
                await socket.send(json.dumps({"is": "Enter", "token": token}))
                assert json.loads(str(await socket.recv()).split("\n")[0])["is"] == "Entered"
                await socket.send('{"is":"Ping"}')
                while (told := await asyncio.wait_for(socket.recv(), PATIENCE)) != '{"is":"Pong"}':
                    assert "Pong" not in told

    asyncio.run(main())


def test_pings_do_not_count_as_messages_and_are_bounded_too(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        one = await Listener.enter(server.socket_url, host.room, host.token)
        for _ in range(45):
            await one.say("Ping")
            await one.say("Here")
        await one.say("Ask", id="ready", request={"is": "SayReady", "is_ready": True})
        assert (await one.answered("ready"))["is"] == "Answered"
        with suppress(ConnectionClosed):
            for _ in range(200):
                await one.say("Ping")
        assert await one.closed() == (1008, "server/too_fast")

    asyncio.run(main())


def test_a_flood_ends_the_connection_and_the_way_back_is_open(server: LiveServer) -> None:
    async def main() -> None:
        bystanders = await Bystanders.seat(server)
        async with http_to(server.url) as http:
            guests = await seat_five(http)
        one = await Listener.enter(server.socket_url, guests[0].room, guests[0].token)
        with suppress(ConnectionClosed):
            for _ in range(200):
                await one.say("Here")
        assert await one.closed() == (1008, "server/too_fast")
        again = await Listener.enter(server.socket_url, guests[0].room, guests[0].token)
        await again.caught_up()
        await again.leave()
        await bystanders.notice_nothing()

    asyncio.run(main())


CONTINUED = bytes((0x00, 0x80, 0, 0, 0, 0))  # a piece of a message that never ends, with nothing in it
BEGUN = bytes((0x01, 0x80, 0, 0, 0, 0))
PING = bytes((0x89, 0xFD, 0, 0, 0, 0)) + bytes(125)
TINY = bytes((0x81, 0x82, 0, 0, 0, 0)) + b"{}"


@pytest.mark.parametrize("frames", [BEGUN + CONTINUED * 20_000, TINY * 20_000, PING * 20_000])
def test_frames_of_every_kind_are_counted_and_a_flood_is_not_read_to_its_end(server: LiveServer, frames: bytes) -> None:
    async def main() -> None:
        bystanders = await Bystanders.seat(server)
        async with http_to(server.url) as http:
            host = await open_room(http)
        reader, writer = await open_socket(server, host.room)
        writer.write(masked(enter()))
        with suppress(ConnectionError):
            for place in range(0, len(frames), 60_000):
                writer.write(frames[place : place + 60_000])
                await writer.drain()
        with suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), PATIENCE)  # until it is closed
        writer.close()
        await bystanders.notice_nothing()

    asyncio.run(main())


@pytest.mark.parametrize("seed", range(4))
def test_however_frames_are_cut_up_on_their_way_each_is_heard_once_and_in_order(server: LiveServer, seed: int) -> None:
    chance = random.Random(seed)

    async def main() -> None:
        ids = [f"word {number}" for number in range(30)]
        async with http_to(server.url) as http:
            host = await open_room(http)
            reader, writer = await open_socket(server, host.room)
            writer.write(masked(enter(token=host.token)))
            for piece in pieces([frames_of(ready(one, chance), chance) for one in ids], chance):
                writer.write(piece)
                await let_it_read(http)
        answered: list[str] = []
        told = b""
        async with asyncio.timeout(PATIENCE):
            while len(answered) < len(ids):
                told += await reader.read(65_536)
                answered = re.findall(r'"id":"([^"]*)","is":"Answered"', told.decode(errors="replace"))
        assert answered == ids
        writer.close()

    asyncio.run(main())


def test_what_looks_like_a_frame_in_the_middle_of_one_is_none(server: LiveServer) -> None:
    asked = '{"is":"Ask","id":"one","request":{"is":"Chat","text":"A digit: \u1049abcdefghij"}}'
    cut = masked(asked).index(b"\x81\x89")  # from here on it reads: a text of nine bytes under the mask "abcd"

    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
            reader, writer = await open_socket(server, host.room)
            writer.write(masked(enter(token=host.token)))
            await asyncio.wait_for(reader.readuntil(b'"is":"Room"'), PATIENCE)
            for piece in (masked(asked)[:cut], masked(asked)[cut:]):
                writer.write(piece)
                await let_it_read(http)
        told = await asyncio.wait_for(reader.readuntil(b'"id":"one"'), PATIENCE)
        assert b"Refused" not in told
        assert (await asyncio.wait_for(reader.readuntil(b"}"), PATIENCE)) == b',"is":"Answered"}'
        writer.close()

    asyncio.run(main())


async def let_it_read(http: httpx.AsyncClient) -> None:
    """When it has answered on a new connection, the server has read what was sent on the others before: what is sent
    now arrives by itself."""
    assert (await http.get("/health")).status_code == 200


def ready(id: str, chance: random.Random) -> str:
    """A request, short or long."""
    said = {"is": "Ask", "id": id, "request": {"is": "SayReady", "is_ready": chance.random() < 0.5}}
    return json.dumps(said) + chance.choice(["", " " * 40, " " * 400])


def frames_of(text: str, chance: random.Random) -> bytes:
    """One frame; or two pieces of a message, perhaps with a ping in between."""
    whole, mask = text.encode(), chance.randbytes(4)
    if chance.random() < 0.6:
        return frame(0x81, whole, mask)
    cut = chance.randrange(len(whole))
    ping = frame(0x89, b"ping", mask) if chance.random() < 0.5 else b""
    return frame(0x01, whole[:cut], mask) + ping + frame(0x80, whole[cut:], mask)


def frame(head: int, body: bytes, mask: bytes) -> bytes:
    size = bytes((0x80 | len(body),)) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
    return bytes((head,)) + size + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(body))


def pieces(frames: list[bytes], chance: random.Random) -> Iterator[bytes]:
    """Most frames by themselves, some together, some cut anywhere."""
    while frames:
        data = b"".join(frames.pop(0) for _ in range(min(len(frames), chance.choice([1, 1, 1, 2, 3]))))
        cut = chance.choice([0, 0, 0, 1, 2, 5, 6, chance.randrange(len(data))])
        yield from filter(None, (data[:cut], data[cut:]))


async def open_socket(server: LiveServer, room: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection whose frames the test makes by hand."""
    place = server.url.removeprefix("http://")
    name, _, port = place.partition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    asked = f"GET /socket/{room} HTTP/1.1\r\nHost: {place}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    writer.write(f"{asked}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


def masked(text: str) -> bytes:
    """A frame as a client sends it, under a mask of zeros."""
    body = text.encode()
    assert 126 <= len(body) < 65_536 or len(body) < 126
    size = bytes((0x80 | len(body),)) if len(body) < 126 else bytes((0xFE,)) + len(body).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + body


def test_half_a_request_holds_up_no_other_connection() -> None:
    async def main() -> None:
        async with manual_clock_server(limits=Limits(sockets_per_address=20)) as server:
            halves = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(40)]
            for _, writer in halves:
                writer.write(b"GET /health HTTP/1.1\r\nHost: half")
            ended = [asyncio.ensure_future(reader.read()) for reader, _ in halves]
            await until(lambda: sum(one.done() for one in ended) >= 20, "the end of those beyond the twenty")
            assert sum(one.done() for one in ended) == 20
            for clock in server.clocks:
                await asyncio.to_thread(clock.advance, READING_SECONDS)
            await until(lambda: all(one.done() for one in ended), "the end of the rest, who have had their time")
            await asyncio.gather(*ended, return_exceptions=True)
            for _, writer in halves:
                writer.close()
            async with http_to(server.url) as http:
                assert (await http.get("/health")).json() == {"status": "ok"}

    asyncio.run(main())


def test_one_network_that_watches_keeps_out_neither_players_nor_others_who_watch(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        most = Limits().sockets_per_room // NETWORK_PART
        crowd = [await Listener.enter(server.socket_url, host.room, None) for _ in range(most)]
        for one in crowd:
            await one.hears("Room")
        assert await close_of(server, host.room, enter()) == (1013, "server/full")
        player = await Listener.enter(server.socket_url, host.room, host.token)
        elsewhere = Listener(
            await connect(f"{server.socket_url}/{host.room}", **{**PLAIN, "local_addr": ("127.0.0.2", 0)})
        )
        await elsewhere.say("Enter")
        for one in (player, elsewhere):
            await one.hears("Room")
        for one in (*crowd, player, elsewhere):
            await one.leave()

    asyncio.run(main())


def test_a_member_has_so_many_lines_and_the_newest_counts(server: LiveServer) -> None:
    async def main() -> None:
        async with http_to(server.url) as http:
            host = await open_room(http)
        lines = [await Listener.enter(server.socket_url, host.room, host.token) for _ in range(MOST_CONNECTIONS)]
        for one in lines:
            await one.hears("Room")
        newest = await Listener.enter(server.socket_url, host.room, host.token)
        await newest.hears("Room")
        assert await lines[0].closed() == (1013, "server/full")
        await newest.say("Ask", id="one", request={"is": "SayReady", "is_ready": True})
        assert (await newest.answered("one"))["is"] == "Answered"
        assert [member["is_here"] for member in newest.last("Room")["members"]] == [True]
        for one in (*lines, newest):
            await one.leave()

    asyncio.run(main())


def test_a_trusted_proxy_may_hold_as_many_connections_as_people_come_through_it(tmp_path: Path) -> None:
    flags = ("--sockets-per-address", "5", "--trusted-proxy", "127.0.0.1")
    with LiveServer(tmp_path / "rooms.db", *flags) as server:
        place = httpx.URL(server.url)

        def asked(number: int) -> bytes:
            forwarded = f"X-Forwarded-For: 192.0.2.{number}"
            return f"GET /health HTTP/1.1\r\nHost: {place.netloc.decode()}\r\n{forwarded}\r\n\r\n".encode()

        async def main() -> None:
            lines = [await asyncio.open_connection(place.host, place.port) for _ in range(20)]
            for number, (reader, writer) in enumerate(lines):
                writer.write(asked(number))
                assert b" 200 " in await asyncio.wait_for(reader.readline(), PATIENCE)
            for _, writer in lines:
                writer.close()

        asyncio.run(main())
        assert server.stop() == 0


def test_a_second_server_on_the_same_file_says_so_and_ends(server: LiveServer) -> None:
    ended = run_to_its_end(f"sqlite:///{server.database}", "--port", "0")
    assert ended.returncode == 2
    assert "Another server uses" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_file_that_another_server_uses_keeps_its_shape(tmp_path: Path) -> None:
    path = tmp_path / "rooms.db"
    with path.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ended = run_to_its_end(f"sqlite:///{path}", "--port", "0")
        assert "Another server uses" in ended.stderr
        assert path.read_bytes() == b""


def named_act(name: str, action: Any) -> str:
    return json.dumps({"is": "Act", "id": name, "action": action})


def named_ask(name: str, request: Any) -> str:
    return json.dumps({"is": "Ask", "id": name, "request": request})


KINDS = ("Enter", "Here", "Ask", "Act", "Pass", "Heard", "Room", "", "act")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("is", "id", "phase", "x")), inner),
    max_leaves=8,
)
ACTIONS = st.fixed_dictionaries(
    {"is": st.sampled_from(("CastVote", "ProposeTeam", "PlayCard", "Say", "Contribute", "AskCallOff", "Expire"))},
    optional={
        "phase": st.integers(-2, 5) | SCALARS,
        "approve": st.booleans() | SCALARS,
        "team": st.lists(st.integers(-1, 9), max_size=6) | SCALARS,
        "quest": SCALARS,
        "excalibur": SCALARS,
        "card": st.sampled_from(("Success", "Fail", "Reverse")) | SCALARS,
        "channel": st.just("table") | SCALARS,
        "text": SCALARS,
        "entropy": SCALARS,
    },
)
REQUESTS = st.fixed_dictionaries(
    {"is": st.sampled_from(("TakeSeat", "SeatBot", "Kick", "Start", "ChangeTable", "HoldClock", "Chat", "HandOver"))},
    optional={
        "seat": st.integers(-1, 99),
        "member": st.integers(0, 9),
        "text": SCALARS,
        "options": VALUES,
        "do": SCALARS,
    },
)
RUBBISH = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200),
    VALUES.map(json.dumps),
    st.fixed_dictionaries(
        {"is": st.sampled_from(KINDS)},
        optional={"id": st.text(max_size=70) | SCALARS, "action": ACTIONS | VALUES, "request": REQUESTS | VALUES},
    ).map(json.dumps),
    st.builds(named_act, st.text(max_size=5), ACTIONS),
    st.builds(named_ask, st.text(max_size=5), REQUESTS),
)


def test_generated_rubbish_is_refused_and_disturbs_no_other_room(server: LiveServer) -> None:
    """The sender holds a seat and is not the host. Whatever is sent, the room goes on."""

    @settings(
        max_examples=GENERATED_REQUESTS * 4, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(frames=st.lists(RUBBISH, min_size=10, max_size=40))
    def survives(frames: list[str | bytes]) -> None:
        runner.run(throw(frames))

    async def throw(frames: list[str | bytes]) -> None:
        one = await Listener.enter(server.socket_url, guests[1].room, guests[1].token)
        await one.caught_up()
        for frame in frames:
            await one.socket.send(frame)
        await one.say("Act", id="last", action={"is": "CastVote", "phase": 99, "approve": True})
        assert (await one.answered("last"))["code"] == "action/late"
        await one.leave()

    async def seat() -> tuple[list[Member], Bystanders]:
        async with http_to(server.url) as http:
            return await seat_five(http), await Bystanders.seat(server)

    with asyncio.Runner() as runner:
        guests, bystanders = runner.run(seat())
        survives()
        runner.run(bystanders.notice_nothing())


def test_bytes_that_are_no_http_and_no_frames_disturb_no_other_room(server: LiveServer) -> None:
    async def main() -> None:
        bystanders = await Bystanders.seat(server)
        dice = random.Random(7)
        host, port = server.url.removeprefix("http://").split(":")
        upgrade = (
            f"GET /socket/ABCDEF HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()
        beginnings = (b"", b"GET / HTTP/1.1\r\n", b"POST /api/rooms HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{")
        async with http_to(server.url) as http:
            for number in range(GENERATED_REQUESTS * 5):
                begin = upgrade if number % 2 else dice.choice(beginnings)
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(begin + dice.randbytes(dice.randrange(400)))
                if number % 3 == 0:
                    await let_it_read(http)  # before the end of it comes
                with suppress(ConnectionError):
                    writer.write_eof()
                    answer = await asyncio.wait_for(reader.read(), PATIENCE)
                    assert not answer.startswith(b"HTTP/1.1 5"), answer
                writer.close()
        await bystanders.notice_nothing()

    asyncio.run(main())


# Slow readers


LONG_NAME = "o\u0323\u0302\u0301" * 22  # so that every change of the room is a long message
CHANGES = 200


@asynccontextmanager
async def lazy_reader_beside_a_quick_one() -> AsyncIterator[tuple[ManualClockLoop, RawSocket, Listener]]:
    """A room that has changed many times while one client read nothing, and another everything."""
    async with manual_clock_server() as server, http_to(server.url) as http:
        host = await open_room(http)
        ben = await join_room(http, host.room, "Ben")
        quick = await Listener.enter(server.socket_url, host.room, ben.token)
        await quick.hears("Room")
        for number in range(37):
            await join_room(http, host.room, f"{number:02}{LONG_NAME}", watch=True)
        lazy = await asyncio.to_thread(RawSocket, server.port, host.room)
        try:
            clock = server.clocks[-1]
            lazy.say("Enter", token=host.token)
            await until(lambda: quick.last("Room")["members"][0]["is_here"], "the lazy reader")
            seen = len(quick.all("Room"))
            for _ in range(CHANGES // 2):  # each makes the list of members longer, or shorter again
                guest = await join_room(http, host.room, "Guest", watch=True)
                assert (await guest.ask("Leave")).status_code == 200
            await quick.hears("Room", seen + CHANGES)
            yield clock, lazy, quick
        finally:
            lazy.hang_up()
            await quick.leave()


def test_a_client_that_reads_on_is_sent_the_latest_room_and_not_all_before_it() -> None:
    def read_on(lazy: RawSocket, latest: dict[str, Any]) -> int:
        rooms: list[Any] = []
        reader = FrameReader()
        while latest not in rooms:
            messages = reader.read(lazy.read_frame()[1].decode())
            rooms += [message for message in messages if message["is"] == "Room"]
        return len(rooms)

    async def main() -> None:
        async with lazy_reader_beside_a_quick_one() as (_, lazy, quick):
            assert await asyncio.to_thread(read_on, lazy, quick.last("Room")) < CHANGES / 2

    asyncio.run(main())


def test_a_client_that_does_not_read_is_cut_off_and_holds_up_no_other() -> None:
    async def main() -> None:
        async with lazy_reader_beside_a_quick_one() as (clock, _, quick):
            for _ in range(4):
                await asyncio.to_thread(clock.advance, 20)
            await until(lambda: not quick.last("Room")["members"][0]["is_here"], "the end of the lazy reader")

    asyncio.run(main())


# Bots


def test_a_game_with_bots_goes_on_when_their_process_is_killed(server: LiveServer) -> None:
    async def main() -> None:
        async with server.client() as client:
            table = await start_with_bots(client)
            player = Player(table, "bots")
            playing = asyncio.create_task(player.play())
            for heard in (10, 30):
                await until(lambda heard=heard: len(player.heard) > heard, "some of the game")  # type: ignore[misc]
                await until(server.workers, "a process in which bots think")
                for worker in server.workers():
                    os.kill(worker, signal.SIGKILL)
            await playing
            assert await client.http.record(table.room.code, 1)

    asyncio.run(main())


async def start_with_bots(client: Client) -> Table:
    table = await client.open("Host", settings=Settings(bot_pace="instant"))
    for request in (SeatBot(), SayReady(is_ready=True), Start()):
        await table.ask(request)
    return table


@pytest.mark.parametrize("is_awake", [False, True])
def test_no_bot_outlives_its_server(is_awake: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    server = LiveServer(tmp_path_factory.mktemp("orphans") / "rooms.db")

    async def main() -> None:
        async with server.client() as client:
            await start_with_bots(client)
        await until(server.workers, "a process in which bots think")
        workers = server.workers()
        if is_awake:
            await until(lambda: all(map(watches_its_server, workers)), "a process in which bots think")
        server.kill()
        await until(lambda: not any(is_running(worker) for worker in workers), "the end of the bots")

    with server:
        asyncio.run(main())


def watches_its_server(pid: int) -> bool:
    """Whether a worker has started the thread that watches the server; it does so before its first choice."""
    return len(list(Path(f"/proc/{pid}/task").iterdir())) > 1


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
