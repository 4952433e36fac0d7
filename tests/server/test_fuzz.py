"""A fuzzer that knows the protocol: whatever a client sends gets one of our answers, and no table notices."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from roundtable.bots.dice import Dice
from roundtable.core.actions import AskCallOff
from roundtable.core.chance import Chance
from roundtable.core.codec import encode
from roundtable.core.errors import CODES, Unreadable
from roundtable.protocol import Act, Reader
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import is_id
from roundtable.protocol.rooms import TO_SERVER, Ask, Enter, Ping
from roundtable.rooms import InlineBotWorkers, Room
from roundtable.storage import MemoryLog
from support.asgi_server import AsgiServer, Socket, Transcript, in_virtual_time
from support.client_messages import World
from support.frames import FrameReader
from support.hostile_messages import (
    OLD_IDS,
    any_hostile_message,
    any_hostile_post,
    any_id,
    every_hostile_message,
    nested,
)
from support.live_server import GENEROUS, LiveServer, traceback_free
from support.raw_protocol import Listener, Member, http_to, open_room, seat_five
from support.relayed_server import RelayedServer
from support.room_harness import TIMED
from support.sizes import FUZZED_STEP, FUZZED_TABLES, RELAYED_FUZZ
from support.virtual_time import VirtualLoop, run
from support.waiting import until

READER = Reader(*TO_SERVER)
MESSAGES = 40  # on each table, and a request by HTTP after every fourth
PAUSE = 0.45  # seconds between two: the rate limit is not what is tested here
ANSWERS = ("Answered", "Refused", "Pong")
DOCUMENTED = {(4003, "room/unknown"), (4003, "room/removed"), (4004, "room/unknown"), (4008, "text/unreadable")}


def answers_to(text: str) -> int:
    """How many answers a message gets."""
    try:
        return int(isinstance(READER.read(text), Act | Ask | Ping | Enter))
    except Unreadable:
        return 1


class Attacker:
    """A member, or a spectator without a token, who sends hostile messages."""

    def __init__(self, table: HostileTable, token: str | None) -> None:
        self.table, self.token = table, token
        self.socket = self._open()

    def _open(self) -> Socket:
        self.transcript = Transcript(self.table.loop.time)
        socket = Socket(self.table.server.entrance, self.transcript, self.table.code)
        entering: dict[str, Any] = {"is": "Enter"}
        socket.say(json.dumps(entering | ({} if self.token is None else {"token": self.token})))
        return socket

    def answers(self) -> list[dict[str, Any]]:
        reader = FrameReader()
        told = [message for frame in self.socket.frames for message in reader.read(frame)]
        return [message for message in told if message["is"] in ANSWERS]

    @property
    def closed(self) -> tuple[int, str] | None:
        ends = [json.loads(line) for _, line in self.transcript.lines if '"websocket.close"' in line]
        return (ends[0]["code"], ends[0]["reason"]) if ends else None

    def moves(self) -> list[dict[str, Any]]:
        asked = self.socket.last("Asked")
        return [move for offer in asked["options"] for move in offer["moves"]] if asked else []

    async def send(self, text: str) -> None:
        """Send it, and require exactly one of our answers or a documented close."""
        before = len(self.answers())
        self.socket.say(text)
        await asyncio.sleep(PAUSE)
        if self.closed is not None:
            assert self.closed in DOCUMENTED, (text, self.closed)
            self.token = None if self.closed[0] == 4003 else self.token
            self.socket = self._open()
            await asyncio.sleep(PAUSE)
            return
        answers = self.answers()[before:]
        assert len(answers) == answers_to(text), (text, answers)
        for answer in answers:
            require_ours(text, answer)


def require_ours(text: str, answer: dict[str, Any]) -> None:
    if answer["is"] == "Refused":
        assert answer["code"] in CODES, (text, answer)
        assert answer["code"] != "server/broken", (text, answer)
    try:
        message = READER.read(text)
    except Unreadable:
        return
    if isinstance(message, Act | Ask):
        assert answer["id"] == (message.id if is_id(message.id) else ""), (text, answer)


class HostileTable:
    """A server with a table whose members attack it, and a table beside it that must not notice. Both play by a clock,
    and in an earlier game each member of the first has done something under an id."""

    def __init__(self, loop: VirtualLoop, kind: type[AsgiServer | RelayedServer]) -> None:
        self.loop = loop
        self.server = kind(loop, MemoryLog(), InlineBotWorkers())
        self.transcript = Transcript(loop.time)
        self.code = self.other = ""
        self.attackers: list[Attacker] = []

    async def open(self) -> None:
        await self.server.start()
        self.code, tokens = await self._seat()
        self.other, others = await self._seat()
        self.attackers = [Attacker(self, token) for token in tokens]
        self.bystander = Attacker(self, None)
        await asyncio.sleep(PAUSE)
        for attacker, own in zip(self.attackers, OLD_IDS, strict=True):
            await attacker.send(f'{{"is":"Act","id":"{own}","action":{encode(AskCallOff()).decode()}}}')
        if self.room.state.is_playing:
            await self.room.ask(tokens[0], protocol.CallItOff())
        await self.room.ask(tokens[0], protocol.Rematch())
        await self._start(self.room, tokens)
        self.code, attacked = self.other, self.code
        self.bystander = Attacker(self, others[1])
        self.code = attacked
        self.attackers = [self.attackers[0], self.attackers[2], Attacker(self, None)]
        await asyncio.sleep(PAUSE)

    @property
    def room(self) -> Room:
        return self.server.rooms[self.code]

    @property
    def rooms(self) -> list[Room]:
        return [self.server.rooms[code] for code in (self.code, self.other)]

    async def _seat(self) -> tuple[str, list[str]]:
        """A room of five whose game has started; the room's code, and the members' tokens."""
        body = {"name": "Host", "options": TIMED, "settings": {"takeover_seconds": None, "spectator_delay": 0}}
        opened = json.loads(await self.server.fetch(self.transcript, "/api/rooms", body=json.dumps(body).encode()))
        room = self.server.rooms[opened["room"]]
        tokens = [opened["token"], *[(await room.join(f"Guest {n}", watch=False))[1] for n in range(1, 5)]]
        await self._start(room, tokens)
        return room.code, tokens

    async def _start(self, room: Room, tokens: Sequence[str]) -> None:
        for token in tokens:
            await room.ask(token, protocol.SayReady(is_ready=True))
        await room.ask(tokens[0], protocol.Start())

    def world(self) -> World:
        play = self.room.play
        tokens = [attacker.token for attacker in self.attackers if attacker.token]
        return World(self.code, 5, 5, play.phase.number if play else 0, tokens, (self.code, "NONE22"))

    async def attack(self, chance: Chance) -> None:
        for number in range(MESSAGES):
            attacker = self.attackers[chance.below(len(self.attackers))]
            await attacker.send(any_hostile_message(self.world(), chance, attacker.moves()))
            if number % 4 == 0:
                await self.post(chance)
            self.require_health()

    async def post(self, chance: Chance) -> None:
        """Send a hostile body by HTTP, and require one of the route's answers."""
        route, path, body = any_hostile_post(self.server.app.api_routes, self.world(), chance)
        tokens = [attacker.token or "" for attacker in self.attackers]
        key = any_id(chance)
        content = await self.server.fetch(
            self.transcript,
            path,
            token=tokens[chance.below(len(tokens))],
            body=body.encode(errors="replace") or b" ",
            key=key if key.isascii() else "",
        )
        status = int(self.transcript.lines[-1][1].removeprefix(path).split()[0])
        assert status in (route.status, *route.refusals), (path, body, status)
        assert status == route.status or json.loads(content)["code"] in CODES, (path, body, content)

    def require_health(self) -> None:
        """No deadline is overdue, and no room was read from the log."""
        for room in self.rooms:
            ends_at = room.state.clock.ends_at
            assert ends_at is None or room.state.is_closed or ends_at + 100 >= self.loop.now()
            assert room.state.reloads == 0

    async def finish(self) -> None:
        """The table beside plays on, and its clock has run."""
        await self.bystander.send('{"is":"Act","id":"calm","action":{"is":"Say","channel":"table","text":"Hm."}}')
        assert self.bystander.answers()[-1] == {"is": "Answered", "id": "calm"}
        await asyncio.sleep(31)
        self.require_health()
        assert any(entry.actor < -1 for entry in self.rooms[1].play.entries)  # type: ignore[union-attr]
        await self.server.stop()


def fuzz(chance: Chance, *first: str, kind: type[AsgiServer | RelayedServer] = AsgiServer) -> None:
    """Attack a table with these messages of its members, and then with others."""

    async def main(loop: VirtualLoop) -> list[str]:
        logged = Transcript(loop.time)
        with in_virtual_time(loop, logged):
            table = HostileTable(loop, kind)
            await table.open()
            for text in first:
                for attacker in table.attackers:
                    await attacker.send(text)
                    table.require_health()
            await table.attack(chance)
            await table.finish()
        return [line for _, line in logged.lines]

    logged = run(main)
    ours = [line for line in logged if line.startswith("roundtable") and line.split()[1] in ("ERROR", "CRITICAL")]
    assert not ours


@pytest.mark.slow
@given(seed=st.integers(0, 1 << 48))
@settings(max_examples=FUZZED_TABLES, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
def test_hostile_messages_get_our_answers_and_stop_no_clock(seed: int) -> None:
    fuzz(Dice(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(RELAYED_FUZZ))
def test_hostile_messages_through_a_relay_get_the_same_kinds_of_answers(seed: int) -> None:
    before = RelayedServer.relayed
    fuzz(Dice(seed), kind=RelayedServer)
    assert RelayedServer.relayed >= before + 5


def deep_options(depth: int) -> str:
    """Options that a decoder can just read, and an encoder deeper in the stack cannot write."""
    return f'{{"is":"Ask","id":"deep","request":{{"is":"ChangeTable","options":{{"lady":{nested(depth)}}}}}}}'


@pytest.mark.parametrize(
    "text",
    [
        *(f'{{"is":"Act","id":"{own}","action":{{"a":1e400}}}}' for own in OLD_IDS[:2]),
        '{"is":"Act","id":"new","action":{"is":"CastVote","phase":1e400,"approve":true}}',
        deep_options(960),
    ],
    ids=["old_id", "other_old_id", "new_id", "deep_options"],
)
def test_messages_that_once_raised_in_a_room_are_refused(text: str) -> None:
    fuzz(Dice(1), text)


@pytest.mark.slow
def test_a_live_server_answers_every_field_with_every_hostile_value(tmp_path: Path) -> None:
    """Each message is followed by a request, whose answer says that the room has handled both."""

    async def main(server: LiveServer) -> None:
        async with http_to(server.url) as http:
            guests = await seat_five(http, options=TIMED)
            bystander = await open_room(http, "Neighbour")
            calm = await Listener.enter(server.socket_url, bystander.room, bystander.token)
            await calm.hears("Room")
            world = World(guests[0].room, 5, 5, 1, [], (guests[0].room, "NONE22"))
            texts = list(dict.fromkeys(every_hostile_message(world, Dice(1))))[::FUZZED_STEP]
            await send_all(server, guests[0], [deep_options(depth) for depth in range(940, 1000)])
            await asyncio.gather(*(send_all(server, guest, texts[n::4]) for n, guest in enumerate(guests[1:])))
            assert {message["is"] for message in calm.received} == {"Entered", "Room"}
            await calm.say("Ask", id="calm", request={"is": "Chat", "text": "Hm."})
            assert (await calm.answered("calm"))["is"] == "Answered"
            await calm.leave()

    flags = ("--messages-per-20-seconds", "1000000")
    with LiveServer(tmp_path / "rooms.db", *GENEROUS, *flags) as server:
        asyncio.run(main(server))
        assert server.stop() == 0
        assert traceback_free([server.logged()]), server.logged()
        assert "ERROR" not in server.logged()


async def send_all(server: LiveServer, guest: Member, texts: Sequence[str]) -> None:
    listener = await Listener.enter(server.socket_url, guest.room, guest.token)
    await listener.hears("Entered")
    for text in texts:
        if '"Leave"' in text:
            continue  # the member has more to send
        answers = sum(len(listener.all(kind)) for kind in ANSWERS)
        await listener.socket.send(text)
        await listener.socket.send('{"is":"Ask","id":"last","request":{"is":"Pardon","member":999}}')
        expected = answers + answers_to(text) + 1
        await until(lambda: sum(len(listener.all(kind)) for kind in ANSWERS) >= expected, f"an answer to {text[:200]}")  # noqa: B023
        assert sum(len(listener.all(kind)) for kind in ANSWERS) == expected, text
        assert "server/broken" not in [message["code"] for message in listener.all("Refused")]
    await listener.leave()
