"""What one network may do, whatever its addresses are, and what members may do wherever they are."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from roundtable.protocol.bodies import Membership, OpenRoom
from roundtable.rooms import InlineBotWorkers, networks
from roundtable.rooms.housekeeping import NEW_SECONDS, SWEEP_SECONDS, UNUSED_SECONDS
from roundtable.rooms.networks import Buckets
from roundtable.server.limits import Limits
from roundtable.storage import MemoryLog
from support.asgi_server import AsgiServer, Socket, Transcript, in_virtual_time
from support.live_server import LiveServer
from support.raw_protocol import Listener, http_to, open_room
from support.room_harness import virtual_time_test
from support.virtual_time import VirtualLoop
from support.waiting import until

HOME, AWAY = "192.0.2.7", "198.51.100.9"
FEW = Limits(
    opened_per_minute=3,
    joined_per_minute=3,
    asked_per_minute=3,
    records_per_minute=3,
    loaded_per_minute=3,
)


def in_one_site(number: int) -> str:
    """An address of another /64 in the same /48 for each number."""
    return f"2001:db8:7:{number:x}::1"


class Answer(NamedTuple):
    status: int
    body: Any


class House:
    """The application in virtual time, asked from any address."""

    def __init__(self, loop: VirtualLoop, server: AsgiServer) -> None:
        self.loop, self.server = loop, server
        self.transcript = Transcript(loop.time)

    async def fetch(self, path: str, address: str = HOME, *, token: str = "", body: Any = None) -> Answer:
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        await self.server.fetch(self.transcript, path, token=token, body=sent, address=address)
        told = self.transcript.lines[-1][1].removeprefix(path)
        status, text = re.match(r" (\d+) \[.*?\] (.*)", told, re.DOTALL).groups()  # type: ignore[union-attr]
        return Answer(int(status), json.loads(text) if text.startswith("{") else text)

    async def open(self, address: str = HOME, **more: Any) -> Answer:
        return await self.fetch("/api/rooms", address, body={"name": "Ann", **more})

    async def opened(self, address: str = HOME, **more: Any) -> Membership:
        answer = await self.open(address, **more)
        assert answer.status == 201, answer
        return Membership(**answer.body)

    async def join(self, room: str, address: str = HOME, **more: Any) -> Answer:
        return await self.fetch(f"/api/rooms/{room}/members", address, body={"name": "Ben", **more})

    async def say_ready(self, member: Membership, address: str = HOME) -> Answer:
        request = {"is": "SayReady", "is_ready": True}
        return await self.fetch(f"/api/rooms/{member.room}/requests", address, token=member.token, body=request)

    async def look(self, room: str, address: str = AWAY) -> int:
        return (await self.fetch(f"/api/rooms/{room}", address)).status

    def connect(self, address: str = HOME, room: str = "ABCDEF") -> Socket:
        return Socket(self.server.app, Transcript(self.loop.time), room, address)

    async def enter(self, room: str, token: str | None = None, address: str = HOME) -> Socket:
        socket = self.connect(address, room)
        socket.say(json.dumps({"is": "Enter", **({} if token is None else {"token": token})}))
        await asyncio.sleep(0.01)
        return socket


@asynccontextmanager
async def house(loop: VirtualLoop, limits: Limits, log: MemoryLog | None = None) -> AsyncIterator[House]:
    with in_virtual_time(loop, Transcript(loop.time)):
        server = AsgiServer(loop, log or MemoryLog(), InlineBotWorkers(), limits=limits)
        await server.start()
        yield House(loop, server)
        await server.stop()


def is_in(socket: Socket) -> bool:
    return socket.is_open and socket.last("Entered") is not None


# A full house


@virtual_time_test
async def test_one_site_cannot_fill_the_house(loop: VirtualLoop) -> None:
    async with house(loop, Limits(rooms=100, rooms_per_address=3)) as here:
        host = await here.opened(AWAY)
        inside = await here.enter(host.room, host.token, AWAY)
        for minute in range(3):
            for number in range(200):
                await here.open(in_one_site(number))
            assert (await here.open(in_one_site(minute))).status == 429
            assert await here.server.app.registry._services.log.open_rooms() <= 1 + 16 * 3
            await asyncio.sleep(60)
        assert (await here.open(HOME)).status == 201
        assert (await here.join(host.room, HOME)).status == 201
        assert (await here.say_ready(host, AWAY)).status == 200
        assert is_in(inside)
        assert is_in(await here.enter(host.room, host.token, AWAY))


@virtual_time_test
async def test_rooms_that_are_opened_at_once_count_before_they_are_written(loop: VirtualLoop) -> None:
    async with house(loop, Limits(rooms_per_address=3)) as here:
        registry, wanted = here.server.app.registry, OpenRoom(name="Ann")
        answers = await asyncio.gather(*(registry.open(wanted, HOME) for _ in range(10)), return_exceptions=True)
        assert sum(isinstance(answer, Membership) for answer in answers) == 3


@pytest.mark.slow
def test_one_site_behind_a_proxy_cannot_fill_a_real_server(tmp_path: Path) -> None:
    flags = ("--trusted-proxy", "127.0.0.1", "--requests-per-minute", "60", "--most-rooms", "40")

    async def main(url: str) -> None:
        async with http_to(url) as http:

            async def opened_from(address: str) -> int:
                headers = {"x-forwarded-for": address}
                return (await http.post("/api/rooms", json={"name": "Ann"}, headers=headers)).status_code

            answers = [await opened_from(in_one_site(number)) for number in range(60)]
            assert set(answers) == {201, 429}
            assert await opened_from(AWAY) == 201

    with LiveServer(tmp_path / "rooms.db", *flags) as server:
        asyncio.run(main(server.url))


@virtual_time_test
async def test_in_a_full_house_the_oldest_room_that_was_never_entered_makes_way(loop: VirtualLoop) -> None:
    async with house(loop, Limits(rooms=5, opened_per_minute=100)) as here:
        used = await here.opened()
        inside = await here.enter(used.room, used.token)
        unused = [(await here.opened()).room for _ in range(4)]
        assert (await here.open(AWAY)).status == 503  # new rooms are kept for a moment
        await asyncio.sleep(NEW_SECONDS)
        newcomers = [(await here.opened(AWAY)).room for _ in range(2)]
        assert [await here.look(room) for room in unused] == [404, 404, 200, 200]
        inside.hang_up()
        await asyncio.sleep(NEW_SECONDS)
        newcomers += [(await here.opened(AWAY)).room for _ in range(2)]
        assert [await here.look(room) for room in (*unused, *newcomers, used.room)] == [404] * 4 + [200] * 5


@virtual_time_test
async def test_a_room_that_no_connection_stays_in_is_closed_after_two_minutes(loop: VirtualLoop) -> None:
    async with house(loop, Limits()) as here:
        token = "c0ffee" * 8
        empty, brief = await here.opened(token=token), await here.opened()
        asked, used = await here.opened(), await here.opened()
        passing, staying = await here.enter(brief.room, brief.token), await here.enter(used.room, used.token)
        await asyncio.sleep(2)
        passing.hang_up()
        await asyncio.sleep(5)
        staying.hang_up()
        for _ in range(4):
            await asyncio.sleep(UNUSED_SECONDS / 3)
            assert (await here.say_ready(asked)).status == 200
        await asyncio.sleep(SWEEP_SECONDS)
        rooms = (empty, brief, asked, used)
        assert [await here.look(member.room) for member in rooms] == [404, 404, 200, 200]
        again = await here.opened(token=token)
        assert again.room != empty.room
        assert is_in(await here.enter(again.room, token))


@virtual_time_test
async def test_a_room_that_people_from_elsewhere_joined_takes_a_quarter_of_a_share(loop: VirtualLoop) -> None:
    async with house(loop, Limits(rooms_per_address=2, opened_per_minute=100)) as here:
        for _ in range(8):
            host = await here.opened()
            await here.enter(host.room, host.token)
            assert (await here.join(host.room, AWAY)).status == 201
            await asyncio.sleep(SWEEP_SECONDS)
        refused = await here.open()
        assert (refused.status, refused.body["variant"]) == (429, "open_rooms")
        assert (await here.open(AWAY)).status == 201


# Members and strangers


@virtual_time_test
async def test_sockets_of_strangers_keep_no_member_out(loop: VirtualLoop) -> None:
    async with house(loop, Limits(sockets=40, sockets_per_address=5)) as here:
        host = await here.opened()
        silent = [here.connect(f"203.0.{number}.1") for number in range(50)]
        watching = [await here.enter(host.room, None, f"203.1.{number}.1") for number in range(50)]
        neighbours = [here.connect() for _ in range(20)] + [await here.enter(host.room) for _ in range(20)]
        await asyncio.sleep(0.1)
        assert sum(is_in(one) for one in watching) <= 20
        assert sum(one.is_open for one in (*silent, *watching, *neighbours)) < 40
        members = [await here.enter(host.room, host.token) for _ in range(8)]
        assert all(is_in(one) for one in members)
        elsewhere = await here.enter(host.room, host.token, AWAY)
        assert is_in(elsewhere)


@virtual_time_test
async def test_members_with_many_connections_keep_no_other_member_out(loop: VirtualLoop) -> None:
    """Anyone can become a member, and a member may have eight connections."""
    async with house(loop, Limits(sockets=40, sockets_per_address=5)) as here:
        host = await here.opened()
        theirs = [await here.opened() for _ in range(6)]
        held = [await here.enter(one.room, one.token) for one in theirs for _ in range(8)]
        assert sum(is_in(one) for one in held) == 6 + 10  # the first of each, and twice as many as strangers may have
        far_away = [await here.opened(AWAY) for _ in range(5)]
        held += [await here.enter(one.room, one.token, f"198.51.{n}.1") for one in far_away for n in range(8)]
        assert sum(is_in(one) for one in held) == 40
        assert is_in(await here.enter(host.room, host.token))
        assert sum(one.is_open for one in held) == 39


@pytest.mark.slow
def test_idle_connections_keep_no_neighbour_out_of_a_real_server(tmp_path: Path) -> None:
    async def main(url: str) -> None:
        place = httpx.URL(url)
        idle = [await asyncio.open_connection(place.host, place.port) for _ in range(10)]
        ended = [asyncio.ensure_future(reader.read()) for reader, _ in idle]
        await until(lambda: sum(one.done() for one in ended) >= 5, "the end of the oldest")
        async with http_to(url) as http:
            assert (await http.get("/health")).status_code == 200
            host = await open_room(http)
        member = await Listener.enter(url.replace("http:", "ws:") + "/socket", host.room, host.token)
        await member.hears("Room")
        await member.leave()
        for _, writer in idle:
            writer.close()
        await asyncio.gather(*ended, return_exceptions=True)

    with LiveServer(tmp_path / "rooms.db", "--sockets-per-address", "5") as server:
        asyncio.run(main(server.url))


@virtual_time_test
async def test_a_member_is_not_refused_because_their_address_has_used_up_its_limits(loop: VirtualLoop) -> None:
    async with house(loop, FEW) as here:
        host = await here.opened(token="c0ffee" * 8)
        guest = (await here.join(host.room, token="beef" * 12)).body

        async def use_up() -> None:
            for _ in range(20):
                await here.open()
                await here.join(host.room)
                await here.fetch("/api/games")
                await here.fetch("/")
                await here.fetch(f"/api/rooms/{host.room}/games/1/record")
                (await here.enter("AAAAAA")).hang_up()
            assert (await here.fetch("/api/games")).status == 429
            assert not is_in(await here.enter(host.room))

        await use_up()
        stolen = Membership(room=host.room, member=1, token="0" * 48)
        for _ in range(3):
            assert (await here.say_ready(host)).status == 200
            assert (await here.say_ready(stolen)).status == 429
        inside = await here.enter(host.room, host.token)
        assert is_in(inside)
        wrong = await here.enter(host.room, stolen.token)
        assert not wrong.is_open
        assert wrong.frames == []
        assert (await here.open(token=host.token)).body == {"room": host.room, "member": 1, "token": host.token}
        assert (await here.join(host.room, token=guest["token"])).body == guest
        inside.hang_up()
        await asyncio.sleep(4 * SWEEP_SECONDS)
        assert host.room not in here.server.app.registry.rooms  # it was dropped from memory
        await use_up()
        assert is_in(await here.enter(host.room, host.token))


@virtual_time_test
async def test_a_restart_does_not_make_a_stranger_of_a_member(loop: VirtualLoop) -> None:
    """The room has not been read yet when its member comes back from an address that has used up its limits."""
    log = MemoryLog()
    async with house(loop, FEW, log) as here:
        host, other = await here.opened(AWAY), await here.opened(AWAY)
    for is_socket in (True, False):
        async with house(loop, FEW, log) as here:
            for _ in range(20):
                await here.join("AAAAAA")
                await here.fetch("/api/games")
                (await here.enter("AAAAAA")).hang_up()
            assert not is_in(await here.enter(other.room))
            if is_socket:
                assert is_in(await here.enter(host.room, host.token))
            else:
                assert (await here.say_ready(host)).status == 200


@virtual_time_test
async def test_a_member_who_asks_or_enters_too_often_is_told_so_and_others_are_not(loop: VirtualLoop) -> None:
    async with house(loop, Limits(asked_by_member=3, entered_by_member=2)) as here:
        host = await here.opened()
        guest = Membership(**(await here.join(host.room)).body)
        assert [(await here.say_ready(host)).status for _ in range(4)] == [200, 200, 200, 429]
        assert (await here.say_ready(host)).body["variant"] == "member"
        assert (await here.say_ready(guest)).status == 200
        entered = [is_in(await here.enter(host.room, host.token)) for _ in range(3)]
        assert entered == [True, True, False]
        assert is_in(await here.enter(host.room, guest.token))


# Every route


@virtual_time_test
async def test_every_route_has_a_rate_limit(loop: VirtualLoop) -> None:
    bodies: dict[str, Any] = {
        "/api/rooms": {"name": "Ann"},
        "/api/rooms/{code}/members": {"name": "Ann"},
        "/api/rooms/{code}/requests": {"is": "Leave"},
    }
    async with house(loop, FEW) as here:
        asked: list[tuple[str, Any]] = [("/nowhere", None)]
        for route in here.server.app.routes:
            filled = re.sub(r"\{\w+\}", "1", route.path)
            asked += [(filled, None)] if "GET" in (route.methods or ()) else []
            asked += [(filled, bodies[route.path]), (filled, b"{")] if "POST" in (route.methods or ()) else []
        for place, (path, body) in enumerate(asked):
            address = f"10.0.{place}.1"
            answers = [(await here.fetch(path, address, token="0" * 48, body=body)).status for _ in range(5)]
            assert 429 not in answers[:3], path
            assert answers[3:] == [429, 429], path
        assert [(await here.fetch("/health", "127.0.0.1")).status for _ in range(5)] == [200] * 5


# Networks


def test_a_site_has_one_bucket_however_many_networks_it_has() -> None:
    buckets = Buckets(10, 60, lambda: 0.0)
    assert sum(buckets.take(in_one_site(number)) for number in range(1000)) == 160
    assert sum(buckets.take(f"2001:db8:8:{number:x}::1") for number in range(256)) == 40
    assert sum(buckets.take(f"192.0.2.{number}") for number in range(256) for _ in range(5)) == 320
    assert not buckets.take("192.0.2.7")
    assert sum(buckets.take("198.51.100.1") for _ in range(20)) == 10


def test_a_network_that_was_refused_takes_nothing_from_its_site() -> None:
    buckets = Buckets(10, 60, lambda: 0.0)
    assert sum(buckets.take(in_one_site(1)) for _ in range(1000)) == 10
    assert sum(buckets.take(in_one_site(number * 256)) for number in range(2, 200)) == 150


def test_a_used_up_bucket_is_not_forgotten_for_the_sake_of_new_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "KEPT", 100)
    buckets = Buckets(2, 60, lambda: 0.0)
    assert [buckets.take(HOME) for _ in range(3)] == [True, True, False]
    assert all(buckets.take(f"2001:db8:{number:x}::1") for number in range(1000))
    assert not buckets.take(HOME)
    assert len(buckets._buckets) <= 100


def test_full_buckets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of members who come once, that is: they would take up memory until there are ten thousand of them."""
    monkeypatch.setattr(networks, "KEPT_AT_LEAST", 20)
    seconds = itertools.count()
    buckets = Buckets(6, 60, lambda: float(next(seconds)))
    assert all(buckets.take(f"{number:032x}") for number in range(1000))
    assert len(buckets._buckets) <= 21  # one is refilled after ten seconds


@pytest.mark.parametrize("name", ["testclient", "", "fe80::1%eth0", "c0ffee" * 8])
def test_what_is_no_address_has_a_bucket_by_itself(name: str) -> None:
    buckets = Buckets(2, 60, lambda: 0.0)
    assert [buckets.take(name) for _ in range(3)] == [True, True, False]
