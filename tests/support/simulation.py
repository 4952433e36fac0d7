"""A simulated room: time, network, disk and crashes all follow from one seed, and a game takes a fraction of a second.

Clients lose their connection in the middle of a message, come back, and send under the same id until they are answered.
Servers crash at any moment, also between the commit and the answer, and others start on the same log. In half of the
simulations there are several workers with leases: they relay players to the room's owner, sleep past their leases, are
cut off from the log, and their clocks differ. A failure can be repeated by its seed:

    PYTHONPATH=src:tests python -m support.simulation 17
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Raw

from roundtable.core.actions import Say
from roundtable.core.codec import encode
from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused
from roundtable.core.game import OPEN_TALK
from roundtable.core.play import Play
from roundtable.core.seats import CLOCK, SPECTATOR
from roundtable.games import codec_of, game_named
from roundtable.protocol import Act, bodies
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import text_of_told
from roundtable.rooms import InlineBotWorkers, OwnedElsewhere, Room, RoomRegistry, Services, Session, events
from roundtable.rooms.events import READER, RoomRow
from roundtable.rooms.reducer import absorb
from roundtable.rooms.state import RoomState
from roundtable.storage import LEASE_SECONDS, Lease, LeaseLost, LogFailed, MemoryLog, RoomSummary, Row
from support.frames import Offered, changed
from support.memory_leases import MemoryLeases, MemorySite
from support.virtual_time import SeededBytes, VirtualLoop, run

LASTS = 32.0  # virtual seconds with faults
CALM = 60.0  # virtual seconds without faults in which everything must be answered
RESEND_AFTER = 2.0
TICK = 1e-6  # seconds between two messages on one connection, so that they keep their order
TABLES: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "avalon": [
        (5, {}),
        (5, {"propose_seconds": 6, "vote_seconds": 5, "quest_seconds": 5, "shot_seconds": 6}),
        (7, {"lady": True, "excalibur": "both", "vote_seconds": 5, "countdown_seconds": 5}),
    ],
    "thavalon": [(5, {"declare_seconds": 2}), (7, {"declare_seconds": 1, "vote_seconds": 5, "propose_seconds": 6})],
    "saviom": [
        (6, {"day_seconds": 6, "defense_seconds": 3, "night_seconds": 5}),
        (7, {"mode": "advanced", "begins_with": "night", "day_seconds": 5, "defense_seconds": 3, "night_seconds": 5}),
    ],
}


class SimulatedLeases(MemoryLeases):
    """A worker's leases, as far away as its log."""

    def __init__(self, world: World, server: Server) -> None:
        super().__init__(world.site)
        self._server = server

    async def start(self, address: str) -> int:
        await self._server.reach()
        return await super().start(address)

    async def renew(self) -> int:
        await self._server.reach()
        return await super().renew()

    async def take(self, room: str) -> Lease:
        await self._server.reach()
        return await super().take(room)

    async def take_due(self, ahead: int, most: int) -> list[str]:
        await self._server.reach()
        return await super().take_due(ahead, most)

    async def release(self, rooms: Mapping[str, int | None]) -> None:
        await self._server.reach()
        await super().release(rooms)

    async def stop(self) -> None:
        """Servers crash; none is stopped."""


class Disk:
    """A server's access to the log that all servers share: it is slow, fails at random, and ends with the server."""

    def __init__(self, world: World, server: Server) -> None:
        self._world, self._server = world, server
        self.leases = SimulatedLeases(world, server) if world.has_workers else None

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        world = self._world
        epoch = self.leases.held.get(room) if self.leases else None
        await self._server.reach()
        if world.happens(0.01):
            world.sometimes["append failed"] += 1
            raise LogFailed("The disk is full.")
        if self.leases and (epoch is None or not self.leases.is_held(room, epoch)):
            world.sometimes["a late write lost"] += 1
            raise LeaseLost(room)
        world.check_who_is_replaced(rows)
        await world.log.append(room, known, rows, summary)
        if world.happens(0.006):
            world.sometimes["crash between commit and answer"] += 1
            world.crash(self._server)
        await self._server.reach(is_answer=True)

    async def read(self, room: str, after: int = 0) -> list[Row]:
        await self._server.reach()
        if self._world.happens(0.05):
            self._world.sometimes["read failed"] += 1
            raise LogFailed("The disk is gone.")
        return await self._world.log.read(room, after)

    async def summaries(self) -> dict[str, RoomSummary]:
        return await self._world.log.summaries()

    async def open_rooms(self) -> int:
        return await self._world.log.open_rooms()

    async def listed(self, most: int) -> list[bytes]:
        return await self._world.log.listed(most)

    async def rewrite(self, room: str, lines: Mapping[int, bytes]) -> None:
        await self._world.log.rewrite(room, lines)

    async def remove(self, room: str) -> None:
        await self._world.log.remove(room)

    async def closed_rooms(self, since: int, before: int) -> list[str]:
        return await self._world.log.closed_rooms(since, before)

    async def notes(self) -> dict[str, str]:
        return await self._world.log.notes()

    async def write_notes(self, notes: Mapping[str, str | None]) -> None:
        await self._world.log.write_notes(notes)

    async def try_to_write(self) -> None:
        await self._world.log.try_to_write()

    async def close(self) -> None:
        """The log outlives the server."""


class Server:
    """A process with a registry of rooms."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.is_up = True
        self.asleep_until = 0.0
        self.is_cut_off = False  # from the log
        skew = world.dice.randint(-60_000, 60_000) if world.has_workers else 0
        entropy, disk = SeededBytes(name), Disk(world, self)
        self.registry = RoomRegistry(
            Services(disk, lambda: world.loop.now() + skew, entropy, InlineBotWorkers(), address=name)
        )
        self.connections: list[Connection] = []
        self.tasks: set[asyncio.Task[None]] = set()

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.world.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def start(self) -> None:
        await self.registry.start()

    async def reach(self, *, is_answer: bool = False) -> None:
        """The way to the log, or back."""
        await self.world.nap(0.01)
        while self.asleep_until > self.world.loop.time():
            await asyncio.sleep(self.asleep_until - self.world.loop.time())
        if not self.is_up:
            raise asyncio.CancelledError  # the server has crashed: no one gets the answer
        if self.is_cut_off and not is_answer:
            raise LogFailed("The log cannot be reached.")

    def sleep(self, seconds: float) -> None:
        """Do nothing for a while: what it would send and write goes out late."""
        self.asleep_until = self.world.loop.time() + seconds
        self.registry._tasks[1].cancel()
        self.world.later(self.asleep_until, self.wake)
        for connection in list(self.connections):  # whose clients get no answer
            self.world.after(self.world.between(2, 4), partial(connection.cut, seconds))

    def wake(self) -> None:
        if self.is_up:
            renewing = self.registry._owner.renew(self.registry._lose_all)
            self.registry._tasks[1] = self.world.loop.create_task(renewing)


class Connection:
    """A connection between a player and a server. Messages on their way when it is cut are lost."""

    def __init__(self, player: Player, server: Server, enter: ask.Enter) -> None:
        self.player, self.server = player, server
        self.owner = server  # to which the connection is relayed
        self.since = player.world.loop.time()
        self.world = player.world
        self.session = Session(self)
        self.is_up = True
        self._room: Room | None = None
        self._waiting: list[Any] = []
        self._there = self._here = 0.0  # when the latest message arrives in either direction
        server.connections.append(self)
        self.to_server(enter)

    def to_server(self, message: Any) -> None:
        self._there = max(self._there + TICK, self.world.arrival())
        self.world.later(self._there, lambda: self._arrive(message))

    def _arrive(self, message: Any) -> None:
        wakes = max(self.server.asleep_until, self.owner.asleep_until)
        if self.is_up and wakes > self.world.loop.time():
            self._there = max(self._there + TICK, wakes)
            self.world.later(self._there, lambda: self._arrive(message))
        elif not self.is_up:
            self.world.sometimes["a message was lost"] += 1
        elif isinstance(message, ask.Enter):
            self.server.do(self._enter(message))
        elif self._room is None:
            self._waiting.append(message)
        else:
            self._room.say(self.session, message)

    async def _enter(self, enter: ask.Enter) -> None:
        try:
            room = await self._find(self.world.code)
        except RoomRefused as refused:
            self.close(4003 if refused.code == "room/unknown" else 1013, refused.code)
            return
        except OwnedElsewhere:
            self.close(1012, "")
            return
        if not self.is_up:
            return
        self._room = room
        room.enter(self.session, enter)
        for message in self._waiting:
            room.say(self.session, message)

    async def _find(self, code: str) -> Room:
        """The room at this server, or at the one that owns it."""
        try:
            return await self.server.registry.find(code)
        except OwnedElsewhere as elsewhere:
            owner = self.world.server_at(elsewhere.address)
            if owner is None or owner.asleep_until > self.world.loop.time():
                raise
            self.world.sometimes["relayed"] += 1
            self.owner = owner
            owner.connections.append(self)
            return await owner.registry.find(code)

    # The session's port

    @property
    def is_ready(self) -> bool:
        """Whether everything that was sent has arrived. One player in three reads slowly; the others always read."""
        is_ready = self._here <= self.world.loop.time() or not self.player.is_slow
        self.world.sometimes["slow reader"] += not is_ready
        return is_ready

    def when_ready(self, call: Callable[[], None]) -> None:
        self.world.later(max(self._here, self.world.loop.time()) + TICK, call)

    def send(self, *frames: str) -> None:
        for frame in frames:
            self._here = max(self._here + TICK, self.world.arrival())
            self.world.later(self._here, partial(self._deliver, frame))

    def close(self, code: int, reason: str) -> None:
        self._here = max(self._here + TICK, self.world.arrival())
        self.world.note(f"{self.player.name} is sent away: {reason}")
        self.world.later(self._here, lambda: self.cut(0))

    def _deliver(self, text: str) -> None:
        if self.is_up and self.server.is_up and self.owner.is_up:
            self.world.note(f"{self.player.name} {text}")
            self.player.take(self, text)
        else:
            self.world.sometimes["an answer was lost"] += 1

    def cut(self, noticed_after: float) -> None:
        """The player notices at once, the server after `noticed_after` seconds."""
        if not self.is_up:
            return
        self.is_up = False
        self.world.later(self.world.loop.time() + noticed_after, self._hang_up)
        self.player.lost(self)

    def _hang_up(self) -> None:
        if self._room is not None and self.owner.is_up:
            self._room.leave(self.session)


class Player:
    """A player with a client that follows the protocol: it says what it has heard, and resends until it is answered."""

    def __init__(self, world: World, name: str, token: str | None) -> None:
        self.world, self.name, self.token = world, name, token
        self.connection: Connection | None = None
        self.is_slow = world.dice.random() < 1 / 3  # whether the next news waits until the client has got the last
        self.number = 0
        self.heard: list[str] = []  # messages of the current game, as they were received
        self.chatted = 0
        self.room: dict[str, Any] = {}
        self.waiting: dict[str, Any] = {}  # sent and not answered yet
        self.sent = 0
        self.answered: list[str] = []
        self.refused: dict[str, str] = {}
        self.again: set[str] = set()
        self.put_off: set[str] = set()  # refused at first because the room was busy
        self.knew: dict[str, int] = {}  # how many answers there were when each message was first sent
        self._times: Counter[str] = Counter()
        self._offered = Offered()

    # The connection

    def connect(self) -> None:
        server = self.world.some_server()
        if self.connection is not None and self.connection.is_up:
            return
        if server is None:
            self.world.after(0.5, self.connect)
            return
        enter = ask.Enter(token=self.token, number=self.number, heard=len(self.heard), chatted=self.chatted)
        self.connection = Connection(self, server, enter)
        for sent in self.waiting:
            self._send(sent)

    def lost(self, connection: Connection) -> None:
        if connection is self.connection:
            self.connection = None
            is_long = self.world.happens(0.2) and not self.world.is_calm
            self.world.after(self.world.between(0.05, 12 if is_long else 1), self.connect)

    def beat(self) -> None:
        """Send a sign of life now and then."""
        if self.connection is not None and self.token is not None and not self.world.happens(0.2):
            self.connection.to_server(ask.Here())
        self.world.after(3, self.beat)

    @property
    def is_here(self) -> bool:
        """Whether the player has been connected for longer than the room waits."""
        connection, waits = self.connection, self.world.takeover_seconds or 0
        return connection is not None and self.world.loop.time() > connection.since + waits + 1

    @property
    def seat(self) -> int | None:
        """The player's seat, as far as the player knows."""
        own = {member["member"] for member in self.room.get("members", ()) if member["name"] == self.name}
        return next((n for n, seat in enumerate(self.room.get("seats", ())) if seat["member"] in own), None)

    # Sending

    def say(self, make: Callable[[str], Any]) -> None:
        self.sent += 1
        own = f"{self.name}.{self.sent}"
        self.waiting[own] = make(own)
        self.knew[own] = len(self.answered)
        self._send(own)

    def _send(self, id: str) -> None:
        if self.connection is not None and self.connection.is_up:
            self._times[id] += 1
            if self._times[id] > 1:
                self.world.sometimes["resend"] += 1
                self.again.add(id)
            self.connection.to_server(self.waiting[id])
        connection = self.connection
        self.world.after(RESEND_AFTER, lambda: self._resend(id, connection))

    def _resend(self, id: str, connection: Connection | None) -> None:
        """Send again what was not answered on this connection. A new connection has sent everything again by itself."""
        if id in self.waiting and connection is self.connection and connection is not None:
            self._send(id)

    # Receiving

    def take(self, connection: Connection, text: str) -> None:
        for one in text.split("\n"):
            message = msgspec.json.decode(one, type=list[msgspec.Raw] | dict[str, Any])
            if isinstance(message, list):
                self.heard += [bytes(event).decode() for event in message]
                for event in message:
                    self._offered.hear(msgspec.json.decode(event))
                continue
            match message["is"]:
                case "Room":
                    self.room = message
                case "RoomChanged":
                    self.room = changed(self.room, message)
                case "Welcome":
                    if self.room["number"] != self.number:
                        self.number, self.heard = self.room["number"], []
                    assert message.get("heard", 0) == len(self.heard), f"{self.name} has heard {len(self.heard)} events"
                case "Chatted":
                    assert message["number"] == self.chatted + 1, f"{self.name} got chat line {message['number']}"
                    self.chatted += 1
                case "Answered":
                    self._answer(message["id"], None)
                case "Refused":
                    self._answer(message["id"], message["code"])
                case "Asked":
                    self._think(self._offered.whole(message))
        if self.token is not None and not self.world.is_calm:
            self._use_the_lobby()

    def _answer(self, id: str, code: str | None) -> None:
        if code in ("room/busy", "server/broken"):
            self.world.sometimes[code] += 1
            self.put_off.add(id)
            return  # it has not happened: it is sent again
        if id not in self.waiting:  # an answer to a repeat; it has to be the same
            assert (id in self.answered) == (code is None), f"{id} was answered twice, differently"
            self.world.sometimes["answered again"] += 1
            return
        del self.waiting[id]
        if code is None:
            self.answered.append(id)
            if id in self.again:
                self.world.sometimes["answered after a resend"] += 1
        else:
            self.world.sometimes["refused"] += 1
            self.refused[id] = code

    # Deciding

    def _think(self, asked: dict[str, Any]) -> None:
        moves = [move for offer in asked["options"] for move in offer["moves"] if move["is"] != "Surrender"]
        if moves and self.world.happens(0.85):
            move = self.world.dice.choice(moves)
            self.world.after(self.world.between(0.05, 3), lambda: self._act(msgspec.json.encode(move)))
        if self.world.happens(0.08):
            self._act(encode(Say(channel=OPEN_TALK, text=f"Line {self.sent}")))

    def _act(self, action: bytes) -> None:
        if len(self.waiting) < 3 and not self.world.is_calm:
            self.say(lambda own: Act(id=own, action=Raw(action)))

    def _use_the_lobby(self) -> None:
        """Before a game: be ready, chat, and start it as the host. After it, the host asks for a rematch."""
        if self.waiting or not self.room:
            return
        room = self.room
        me = next((one for one in room["members"] if one["name"] == self.name), None)
        sits = me is not None and any(seat["member"] == me["member"] for seat in room["seats"])
        is_host = me is not None and room["host"] == me["member"]
        if room["stage"] == "lobby" and me is not None:
            if sits and not me["is_ready"]:
                self._ask(ask.SayReady(is_ready=True))
            elif is_host and any(seat["member"] is None and seat["bot"] is None for seat in room["seats"]):
                free = [n for n, seat in enumerate(room["seats"]) if seat["member"] is None and seat["bot"] is None]
                self._ask(ask.SeatBot(seat=free[0], bot="random"))
            elif is_host and not room["problems"] and all_ready(room):
                self._ask(ask.Start())
            elif self.world.happens(0.1):
                self._ask(ask.Chat(text=f"Line {self.sent}"))
        elif room["looking_until"] and sits and self.world.happens(0.5):
            self._ask(ask.SayLooked())
        elif room["stage"] == "over" and is_host and room["number"] < 2:
            self._ask(ask.Rematch())
        elif room["stage"] == "playing" and is_host and self.world.happens(0.02):
            self._ask(ask.HoldClock(do=self.world.dice.choice(["pause", "resume", "resume", "extend"]), seconds=2))

    def _ask(self, request: Any) -> None:
        self.say(lambda own: ask.Ask(id=own, request=request))


class World:
    """The simulated world: servers, players, log and faults, all drawn from the seed."""

    def __init__(self, loop: VirtualLoop, seed: int) -> None:
        self.loop, self.seed = loop, seed
        self.dice = random.Random(seed)
        self.log = MemoryLog()
        self.site = MemorySite(loop.now, self.log)
        self.has_workers = self.dice.random() < 0.5
        self.is_stable = self.dice.random() < 0.3  # servers stay up, so that bots stand in for absent players
        self.servers: list[Server] = []
        self.players: list[Player] = []
        self.sometimes: Counter[str] = Counter()
        self.trace: list[str] = []
        self.problems: list[str] = []
        self.code = ""
        self.is_calm = False
        self.takeover_seconds: int | None = None
        self.idle_seconds: int | None = None
        self._started = 0
        self._starting: asyncio.Task[Server] | None = None

    # Chance and time

    def happens(self, chance: float) -> bool:
        return not self.is_calm and self.dice.random() < chance

    def between(self, least: float, most: float) -> float:
        return self.dice.uniform(least, most)

    def arrival(self) -> float:
        """When a message arrives that is sent now."""
        slow = self.dice.random()
        return self.loop.time() + (0.001 if self.is_calm else 0.2 * slow**6 + 0.002)

    async def nap(self, longest: float) -> None:
        if not self.is_calm:
            await asyncio.sleep(self.dice.random() * longest)

    def later(self, time: float, call: Callable[[], None]) -> None:
        self.loop.call_at(time, call)

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        self.loop.call_later(seconds, call)

    def note(self, what: str) -> None:
        self.trace.append(f"{self.loop.now()} {what}")

    # Servers

    def some_server(self) -> Server | None:
        up = [server for server in self.servers if server.is_up and server.asleep_until <= self.loop.time()]
        return self.dice.choice(up) if up else None

    def server_at(self, address: str) -> Server | None:
        return next((server for server in self.servers if server.name == address), None)

    async def start_server(self) -> Server:
        self._started += 1
        server = Server(self, f"{self.seed}/{self._started}")
        self.servers.append(server)
        await server.start()
        self.note(f"server {self._started} starts")
        return server

    def crash(self, server: Server) -> None:
        """End a server without warning, with all its tasks and connections."""
        if not server.is_up:
            return
        server.is_up = False
        self.sometimes["crash"] += 1
        self.note(f"server {server.name} crashes")
        self.servers.remove(server)
        for task in (*server.tasks, *server.registry._tasks, *server.registry._loading.values()):
            task.cancel()
        for room in server.registry.rooms.values():
            room.stop()
        for connection in list(server.connections):
            connection.cut(0)
        self.after(self.between(0.1, 4), self.start_another)

    def start_another(self) -> None:
        if not (self.is_calm and self.servers):
            self._starting = self.loop.create_task(self.start_server())

    def trouble(self) -> None:
        """Crash a server or cut a connection, at random times."""
        if self.is_calm:
            return
        if not self.is_stable and self.happens(0.12) and self.servers:
            self.crash(self.dice.choice(self.servers))
        if not self.is_stable and self.has_workers and self.happens(0.12) and self.servers:
            self.trouble_worker(self.dice.choice(self.servers))
        connected = [player.connection for player in self.players if player.connection is not None]
        if connected and self.happens(0.6):
            self.sometimes["disconnect"] += 1
            self.dice.choice(connected).cut(self.between(0, 8))
        self.after(self.between(0.2, 3), self.trouble)

    def trouble_worker(self, server: Server) -> None:
        """Let a worker sleep past its lease, or cut it off from the log."""
        seconds = self.between(1, 9)
        if server.asleep_until > self.loop.time() or server.is_cut_off or not server.registry._tasks:
            return
        if self.happens(0.5):
            self.sometimes["a worker slept"] += 1
            self.note(f"server {server.name} sleeps for {seconds} seconds")
            server.sleep(seconds)
        else:
            self.sometimes["a worker was cut off"] += 1
            self.note(f"server {server.name} is cut off for {seconds} seconds")
            server.is_cut_off = True
            self.after(seconds, partial(setattr, server, "is_cut_off", False))

    # The whole run

    async def run(self) -> None:
        dice = self.dice
        game = dice.choice(sorted(TABLES))
        seats, options = dice.choice(TABLES[game])
        self.takeover_seconds = dice.choice([5, 5, 8, 15, None])
        self.idle_seconds = dice.choice([30, None])
        settings = ask.Settings(
            takeover_seconds=self.takeover_seconds,
            idle_seconds=self.idle_seconds,
            takeover_bot="random",
            bot_pace=dice.choice(["instant", "quick", "human", "slow"]),
            look_seconds=dice.choice([0, 0, 2, 6]),
            contribution_seconds=dice.choice([0, 0, 0, 3]),
        )
        self.sometimes[game] += 1
        first = await self.start_server()
        wanted = bodies.OpenRoom(name="p0", game=game, seats=seats, options=options, settings=settings)
        await self.seat_players(first, wanted)
        if self.has_workers:
            self.sometimes["several workers"] += 1
            for _ in range(dice.randint(1, 2)):
                await self.start_server()
        for player in self.players:
            self.after(self.between(0, 1), player.connect)
            self.after(self.between(0, 3), player.beat)
        self.after(1, self.trouble)
        await asyncio.sleep(LASTS)
        await self.settle()
        await self.check()

    async def seat_players(self, server: Server, wanted: bodies.OpenRoom) -> None:
        """Open the room and let the players join, without faults."""
        self.is_calm = True
        opened = await server.registry.open(wanted)
        self.code = opened.room
        room = await server.registry.find(self.code)
        self.players.append(Player(self, "p0", opened.token))
        people = self.dice.randint(1, wanted.seats)
        for number in range(1, people + self.dice.randint(0, 1)):
            _, token = await room.join(f"p{number}", watch=number >= people)
            self.players.append(Player(self, f"p{number}", token))
        self.players += [Player(self, f"s{number}", None) for number in range(self.dice.randint(0, 2))]
        self.is_calm = False

    async def settle(self) -> None:
        """Stop all faults, keep one server, and wait until every player is answered."""
        self.is_calm = True
        self.note("calm")
        while not any(server.is_up for server in self.servers):
            await asyncio.sleep(1)
        while any(server.asleep_until > self.loop.time() or server.is_cut_off for server in self.servers):
            await asyncio.sleep(1)
        for server in self.servers[1:]:
            self.crash(server)
            self.sometimes["crash"] -= 1
        if self.has_workers:
            await asyncio.sleep(LEASE_SECONDS + 1)  # after which the workers that have crashed hold no room
        for player in self.players:
            if player.connection is not None:
                player.connection.cut(0)
            player.connect()
        given_up = self.loop.time() + CALM
        while any(player.waiting for player in self.players) and self.loop.time() < given_up:
            await asyncio.sleep(0.5)
        await asyncio.sleep(1)

    # What must hold at the end

    async def check(self) -> None:
        rows = await self.log.read(self.code)
        self.check_answers(rows)
        await self.check_what_was_heard()
        self.problems += [f"{player.name} never got an answer" for player in self.players if player.waiting]
        for row in rows:
            self.note(f"log {row.at} {row.line.decode()}")

    def check_answers(self, rows: Sequence[Row]) -> None:
        """No acknowledged action is lost, doubled or out of order, and no refused one was done."""
        written: dict[str, list[str]] = {player.name: [] for player in self.players}
        for row in rows:
            read = READER.decode(row.line)
            if isinstance(read, RoomRow):
                self.count_events(read)
                own = read.id
            else:
                entry = msgspec.json.decode(read.entry)
                own = entry["id"]
                self.sometimes["deadline"] += entry["actor"] == CLOCK
                self.sometimes["game over"] += any(event["is"] == "GameEnded" for event in entry["events"])
            if own:
                written[own.partition(".")[0]].append(own)
        for player in self.players:
            self.check_answers_of(player, written[player.name])

    def check_answers_of(self, player: Player, done: list[str]) -> None:
        name = player.name
        self.require(len(set(done)) == len(done), f"something of {name} was done twice")
        numbers = [int(one.partition(".")[2]) for one in done if one not in player.put_off]
        self.require(numbers == sorted(numbers), f"what {name} did is out of order: {numbers}")
        lost = [one for one in player.answered if one not in done]
        self.require(not lost, f"{name} was told that {lost} were done")
        refused = [one for one in player.refused if one in done]
        self.require(not refused, f"{name} was told that {refused} were refused")
        places = {one: place for place, one in enumerate(done)}
        for one in set(player.answered) - set(lost):
            before = [other for other in player.answered[: player.knew[one]] if other in places]
            self.require(all(places[other] < places[one] for other in before), f"{name} did {one} too early")

    def check_who_is_replaced(self, rows: Sequence[Row]) -> None:
        """No bot stands in for a player who has been connected for longer than the room waits."""
        if self.idle_seconds is not None or self.takeover_seconds is None:
            return
        for row in rows:
            read = READER.decode(row.line) if b"BotStoodIn" in row.line else None
            for event in read.events if isinstance(read, RoomRow) else ():
                if isinstance(event, events.BotStoodIn):
                    present = [player.name for player in self.players if player.seat == event.seat and player.is_here]
                    self.require(not present, f"a bot stood in for {present}, who was connected")

    def count_events(self, row: RoomRow[Any]) -> None:
        for event in row.events:
            self.sometimes["first look"] += isinstance(event, events.RoleSeen)
            self.sometimes["game after the looks"] += isinstance(event, events.LookingEnded)
            self.sometimes["takeover"] += isinstance(event, events.BotStoodIn)
            self.sometimes["seat given back"] += isinstance(event, events.SeatReturned)
            self.sometimes["rematch"] += isinstance(event, events.TableCleared)
            self.sometimes["chat"] += isinstance(event, events.LineChatted)

    async def check_what_was_heard(self) -> None:
        """Over all its connections, each player heard what a new client hears, and what the log has for that player."""
        fresh = [Player(self, player.name, player.token) for player in self.players]
        for player in fresh:
            player.connect()
        await asyncio.sleep(0.5)
        seen, rows = 0, await self.log.read(self.code)
        while seen != len(rows):  # until no message is on its way
            seen = len(rows)
            await asyncio.sleep(0.02)
            rows = await self.log.read(self.code)
        state, play = state_of(rows)
        for old, new in zip(self.players, fresh, strict=True):
            self.require(old.chatted == new.chatted == state.chatted, f"{old.name} did not get all of the chat")
            if play is not None:  # a finished game that was cleared is only in its record
                self.require(old.heard == new.heard, f"{old.name} did not hear what a fresh client hears")
                member = next((n for n, one in state.members.items() if one.name == old.name), None)
                seat = state.seat_of(member)
                listener = SPECTATOR if seat is None else seat
                due = [text_of_told(event) for event in play.events_for(listener)]
                self.require(new.heard == due, f"{old.name} heard other things than the log has for them")

    def require(self, is_so: bool, otherwise: str) -> None:
        if not is_so:
            self.problems.append(otherwise)


def all_ready(room: dict[str, Any]) -> bool:
    """Whether all members who have a seat are ready."""
    seated = {seat["member"] for seat in room["seats"]}
    return all(member["is_ready"] for member in room["members"] if member["member"] in seated)


def state_of(rows: Sequence[Row]) -> tuple[Any, Play[Any, Any] | None]:
    """The state of the room and its current game, read from the log."""
    state = RoomState()
    entries: list[Entry] = []
    for row in rows:
        read = READER.decode(row.line)
        if isinstance(read, RoomRow):
            for event in read.events:
                absorb(state, event)
                if isinstance(event, events.GameStarted | events.TableCleared):
                    entries = []
        else:
            codec = codec_of(game_named(state.setup.game))
            entries.append(codec.read(Entry, msgspec.json.decode(read.entry)))
    return state, Play(game_named(state.setup.game), entries) if entries else None


class LoggedErrors(logging.Handler):
    """Errors that a server logs and that no fault explains; each is a problem of the simulation."""

    EXPECTED = (
        "a room could not be written",
        "a room cannot be read",
        "the database cannot be written",
        "a bot's move was refused",
    )

    def __init__(self, problems: list[str]) -> None:
        super().__init__()
        self._problems = problems

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR and not record.getMessage().startswith(self.EXPECTED):
            detail = repr(record.exc_info[1]) if record.exc_info else ""
            self._problems.append(f"a server complained: {record.getMessage()} {detail}")


class SimulationResult(msgspec.Struct):
    """How the simulation of a seed ended."""

    problems: list[str]
    sometimes: Counter[str]
    trace: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.trace).hexdigest()


def simulate(seed: int) -> SimulationResult:
    """Run the simulation of one seed."""
    worlds: list[World] = []

    async def main(loop: VirtualLoop) -> None:
        world = World(loop, seed)
        worlds.append(world)
        loop.set_exception_handler(lambda _, context: world.problems.append(f"in the loop: {context}"))
        logger = logging.getLogger("roundtable")
        handler = LoggedErrors(world.problems)
        logger.addHandler(handler)
        propagate, logger.propagate = logger.propagate, False
        try:
            await world.run()
        finally:
            logger.removeHandler(handler)
            logger.propagate = propagate
            for server in world.servers:
                await server.registry.stop()

    run(main)
    (world,) = worlds
    return SimulationResult(world.problems, world.sometimes, "\n".join(world.trace).encode())


if __name__ == "__main__":
    result = simulate(int(sys.argv[1]))
    sys.stdout.write(result.trace.decode() + "\n")
    sys.stdout.write("\n".join([*result.problems, str(dict(result.sometimes)), result.digest]) + "\n")
