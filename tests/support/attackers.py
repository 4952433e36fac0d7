"""Attackers of a live server, one class for each kind of attack, all at once in a process of their own."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from roundtable.bots.dice import Dice
from support.client_messages import World
from support.hostile_messages import OLD_IDS, any_hostile_message, nested
from support.raw_protocol import PLAIN, Listener, Member, http_to, join_room, seat_five
from support.raw_socket import RawSocket
from support.room_harness import TIMED
from support.stored_rooms import IDLE, OVER, RUNNING

MOST_STRIKES = 10_000  # of one attacker
STRIKE_SECONDS = 60.0  # after which a strike is given up
CUT_OFF = (OSError, EOFError, TimeoutError, httpx.HTTPError, WebSocketException, asyncio.IncompleteReadError)


class Plan(NamedTuple):
    """What is attacked, and for how long."""

    url: str
    rooms: Sequence[str]  # of honest people
    neighbour: str  # the address of some of them
    seconds: float

    @property
    def socket_url(self) -> str:
        return self.url.replace("http://", "ws://") + "/socket"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


Report = dict[str, Counter[str]]  # what each kind of attacker saw, and how often


def attack(plan: Plan) -> Report:
    """Attack with everything, in this process."""
    return asyncio.run(_attack(plan))


async def _attack(plan: Plan) -> Report:
    async with http_to(plan.url) as http:
        attackers = [kind(plan, http) for kind in ATTACKERS]
        for attacker in attackers:
            await attacker.prepare()
        end = time.monotonic() + plan.seconds
        await asyncio.gather(*(attacker.run(end) for attacker in attackers))
    return {type(attacker).__name__: attacker.seen for attacker in attackers}


class Attacker:
    """One kind of attack: short strikes, one after the other, until the time is over."""

    pause: ClassVar[float] = 0.5  # seconds between two strikes

    def __init__(self, plan: Plan, http: httpx.AsyncClient) -> None:
        self.plan, self.http = plan, http
        self.seen: Counter[str] = Counter()
        self.dice = Dice(type(self).__name__)

    async def prepare(self) -> None:
        """What has to be there before the first strike."""

    async def strike(self, number: int) -> None:
        raise NotImplementedError

    async def end(self) -> None:
        """Let go of what is held."""

    async def run(self, end: float) -> None:
        for number in range(MOST_STRIKES):
            try:
                async with asyncio.timeout(STRIKE_SECONDS):
                    await self.strike(number)
            except CUT_OFF:
                self.seen["cut off"] += 1
            if time.monotonic() > end:
                break
            await asyncio.sleep(self.pause)
        await self.end()

    async def get(self, path: str, address: str) -> None:
        self._count(await self.http.get(path, headers={"x-forwarded-for": address}))

    async def post(self, path: str, address: str, body: object) -> None:
        self._count(await self.http.post(path, json=body, headers={"x-forwarded-for": address}))

    def _count(self, answer: httpx.Response) -> None:
        self.seen[str(answer.status_code)] += 1

    async def connect(self, room: str, address: str) -> ClientConnection:
        url = f"{self.plan.socket_url}/{room}"
        return await connect(url, **PLAIN, additional_headers={"x-forwarded-for": address})

    async def enter(self, member: Member, address: str) -> Listener:
        listener = Listener(await self.connect(member.room, address))
        await listener.say("Enter", token=member.token)
        return listener

    def room(self, number: int) -> str:
        return self.plan.rooms[number % len(self.plan.rooms)]


class SlowReaders(Attacker):
    """Watch a long game and honest tables, and ask for a long record, without reading any of it."""

    pause = 1.0
    most = 80  # connections at a time

    def __init__(self, plan: Plan, http: httpx.AsyncClient) -> None:
        super().__init__(plan, http)
        self._watching: list[RawSocket] = []
        self._asking: list[socket.socket] = []

    async def strike(self, number: int) -> None:
        await asyncio.to_thread(self._strike, number)

    def _strike(self, number: int) -> None:
        address = f"198.51.100.{number % 8}"
        for room in (RUNNING, RUNNING, RUNNING, self.room(number), self.room(number + 1)):
            self._watching.append(RawSocket(self.plan.port, room, headers=f"X-Forwarded-For: {address}\r\n"))
            self._watching[-1].say("Enter")
            self.seen["entered"] += 1
        self._asking.append(self._ask(f"/api/rooms/{OVER}/games/1/record", address))
        self._let_go(self.most)

    def _ask(self, path: str, address: str) -> socket.socket:
        asking = socket.socket()
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asking.connect(("127.0.0.1", self.plan.port))
        asking.sendall(get(path, self.plan.port, address))
        return asking

    def _let_go(self, kept: int) -> None:
        while len(self._watching) > kept:
            self._watching.pop(0).hang_up()
        while len(self._asking) > kept:
            self._asking.pop(0).close()

    async def end(self) -> None:
        self._let_go(0)


class MessageFlooders(Attacker):
    """Enter honest rooms, and send messages too fast and frames that are none."""

    frames = ("Ping", "Here", "Ask", "Enter", "{", "[" * 500, b"\xff\xfe", b"\x00" * 2000, "x" * 20_000)

    async def strike(self, number: int) -> None:
        address = f"192.0.2.{number % 16}"
        one = await self.connect(self.room(number), address)
        await one.send(json.dumps({"is": "Enter"}))
        with suppress(WebSocketException):
            for place in range(200):
                frame = self.frames[(number + place) % len(self.frames)] if number % 2 else "Here"
                await one.send(json.dumps({"is": frame}) if isinstance(frame, str) and frame.isalpha() else frame)
            async for _ in one:
                pass
        self.seen[str(one.close_code)] += 1
        await asyncio.to_thread(self._send_no_frames, number, address)

    def _send_no_frames(self, number: int, address: str) -> None:
        raw = RawSocket(self.plan.port, self.room(number), headers=f"X-Forwarded-For: {address}\r\n")
        raw.say("Enter")
        for first in (0xF1, 0x01, 0x80, 0x83, 0x0B)[number % 5 :]:
            raw.send(first, b"\xff" * 100)
        raw.hang_up()


class RequestFlooders(Attacker):
    """Many requests in one piece, from many addresses: pages, routes and what is not there."""

    connections, requests = 4, 30
    paths: ClassVar[tuple[str, ...]] = (
        "/api/games",
        "/",
        "/nowhere",
        "/api/rooms/NONE22",
        "/api/openapi.json",
        "/api/games/avalon",
    )

    async def strike(self, number: int) -> None:
        addresses = [self.address(number * self.connections + place) for place in range(self.connections)]
        await asyncio.gather(*(self._flood(address) for address in addresses))

    def address(self, number: int) -> str:
        return f"198.18.{number % 3}.{number % 200}"

    async def _flood(self, address: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.plan.port)
        for place in range(self.requests):
            writer.write(get(self.paths[place % len(self.paths)], self.plan.port, address))
        writer.write(get("/health", self.plan.port, address, "Connection: close\r\n"))
        self.seen.update(re.findall(r"HTTP/1\.1 (\d+)", (await reader.read()).decode(errors="replace")))
        writer.close()


class HalfRequests(Attacker):
    """Requests that never end, past the proxy."""

    pause = 1.0
    most = 400  # connections at a time

    def __init__(self, plan: Plan, http: httpx.AsyncClient) -> None:
        super().__init__(plan, http)
        self._open: list[asyncio.StreamWriter] = []

    async def strike(self, number: int) -> None:
        for place in range(40):
            source = (f"127.9.{number % 4}.{1 + place % 4}", 0)
            _, writer = await asyncio.open_connection("127.0.0.1", self.plan.port, local_addr=source)
            writer.write(f"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {place * 9}\r\n".encode())
            self._open.append(writer)
        self.seen["opened"] += 40
        self._let_go(self.most)

    def _let_go(self, kept: int) -> None:
        while len(self._open) > kept:
            self._open.pop(0).transport.abort()

    async def end(self) -> None:
        self._let_go(0)


class RecordSeekers(Attacker):
    """Ask for records and replays that are refused, and for those of a long game that is over."""

    async def strike(self, number: int) -> None:
        paths = [
            f"/api/rooms/{RUNNING}/games/1/record",
            f"/api/rooms/{IDLE}/games/1/replay/all",
            f"/api/rooms/{OVER}/games/1/replay/99",
            f"/api/rooms/{OVER}/games/2/record",
            f"/api/rooms/{OVER}/games/1/replay/{number % 5}",
            f"/api/rooms/{OVER}/games/1/record",
            *(f"/api/rooms/{self.room(number + place)}/games/1/record" for place in range(4)),
        ]
        await asyncio.gather(*(self.get(path, f"198.51.100.{100 + number % 10}") for path in paths))


class BrokenIds(Attacker):
    """Members of a room who send hostile values under ids of an earlier game, and any other hostile message."""

    address = "192.0.2.200"
    spared = ('"Leave"', '"Kick"', '"CallItOff"', '"Enter"')  # after which there is less to attack
    broken = (
        *(f'{{"is":"Act","id":"{own}","action":{{"a":1e400}}}}' for own in OLD_IDS),
        f'{{"is":"Ask","id":"deep","request":{{"is":"ChangeTable","options":{{"lady":{nested(960)}}}}}}}',
    )

    async def prepare(self) -> None:
        async with http_to(self.plan.url) as http:
            http.headers["x-forwarded-for"] = self.address
            self._members = members = await seat_five(http, options=TIMED)
            self._listeners = [await self.enter(member, self.address) for member in members]
            for one, own in zip(self._listeners, OLD_IDS, strict=True):
                await one.say("Act", id=own, action={"is": "AskCallOff"})
                await one.answered(own)
            for kind in ("CallItOff", "Rematch"):
                await members[0].ask(kind)
            for member in members:
                await member.ask("SayReady", is_ready=True)
            await members[0].ask("Start")

    async def strike(self, number: int) -> None:
        room = self._members[0].room
        world = World(room, 5, 5, 1, [], (room, "NONE22"))
        for place, one in enumerate(self._listeners):
            text = self.broken[(number + place) % len(self.broken)]
            if number % 3 == 2:
                text = any_hostile_message(world, self.dice, [])
            if not any(word in text for word in self.spared):
                await self._send(place, one, text)

    async def _send(self, place: int, one: Listener, text: str) -> None:
        try:
            await one.socket.send(text)
            self.seen["sent"] += 1
        except WebSocketException:
            self.seen[str(one.socket.close_code)] += 1
            self._listeners[place] = await self.enter(self._members[place], self.address)

    async def end(self) -> None:
        for one in self._listeners:
            self.seen.update(refused["code"] for refused in one.all("Refused"))
            await one.leave()


class RoomOpeners(Attacker):
    """Open rooms from a few sites with very many addresses each, until the house is full, and go on."""

    async def strike(self, number: int) -> None:
        addresses = [f"2001:db8:{place % 3}:{20 * number + place:x}::1" for place in range(20)]
        await asyncio.gather(*(self.post("/api/rooms", address, {"name": "Ann"}) for address in addresses))


class SeatThieves(Attacker):
    """Claim the seats of players who dropped out, and of players who did not, and agree to their own claims."""

    address = "192.0.2.201"

    async def prepare(self) -> None:
        self._own = http_to(self.plan.url)
        self._own.headers["x-forwarded-for"] = self.address
        self._victim, *_ = await seat_five(self._own)
        self._thief = await join_room(self._own, self._victim.room, "Thief", watch=True)
        self._listener = await self.enter(self._thief, self.address)

    async def strike(self, number: int) -> None:
        victim = await self.enter(self._victim, self.address)
        await victim.caught_up()
        await victim.leave()
        await self._ask(self._thief, "ClaimSeat", "claimed", seat=0)
        await self._ask(self._thief, "AnswerClaim", "STOLEN", member=self._thief.member, is_granted=True)
        await self._rob_strangers(number)
        if any(told["seat"] != -1 for told in self._listener.all("Welcome")) or self._listener.all("Asked"):
            self.seen["STOLEN"] += 1

    async def _rob_strangers(self, number: int) -> None:
        """Join an honest table as a spectator, and claim each of its seats."""
        answer = await self._own.post(f"/api/rooms/{self.room(number)}/members", json={"name": "Thief", "watch": True})
        self.seen[str(answer.status_code)] += 1
        if answer.status_code == 201:
            thief = Member(self._own, answer.json())
            for seat in range(5):
                await self._ask(thief, "ClaimSeat", "STOLEN", seat=seat)
            await self._ask(thief, "AnswerClaim", "STOLEN", member=thief.member, is_granted=True)
            await self._ask(thief, "Leave", "left")

    async def _ask(self, asking: Member, kind: str, if_done: str, **more: Any) -> None:
        answer = await asking.ask(kind, **more)
        self.seen[if_done if answer.status_code == 200 else str(answer.status_code)] += 1

    async def end(self) -> None:
        await self._listener.leave()
        await self._own.aclose()


class Neighbours(RequestFlooders):
    """Share the address of honest people, and use up all that the address may do."""

    pause = 2.0
    connections, requests = 2, 350  # in one strike more than an address may send in a minute
    paths = ("/api/games",)

    def address(self, number: int) -> str:
        return self.plan.neighbour

    async def strike(self, number: int) -> None:
        await super().strike(number)
        address = self.plan.neighbour
        idle = [await self.connect(self.room(number), address) for _ in range(10)]
        await self.post("/api/rooms", address, {"name": "Ann"})
        await self.post(f"/api/rooms/{self.room(number)}/members", address, {"name": "Ann"})
        await self.get(f"/api/rooms/{OVER}/games/1/record", address)
        for one in idle:
            await one.close()


ATTACKERS: tuple[type[Attacker], ...] = (
    BrokenIds,
    SeatThieves,
    SlowReaders,
    MessageFlooders,
    RequestFlooders,
    HalfRequests,
    RecordSeekers,
    Neighbours,
    RoomOpeners,
)


def get(path: str, port: int, address: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Forwarded-For: {address}\r\n{more}\r\n".encode()
