"""A room on the real server in a world of its own: its people, its bots, and everything that anybody hears."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple
from zlib import crc32

import msgspec

from roundtable.core.actions import Action, Extend, Move, Pause, Resume, StartCountdown
from roundtable.core.chance import Chance, Stream, pick
from roundtable.core.entries import Entry
from roundtable.core.events import Event, PhaseBegan
from roundtable.core.game import evolve
from roundtable.core.play import Play
from roundtable.core.seats import CLOCK, HOST, SPECTATOR, Seat
from roundtable.core.secrecy import Ask, Script, Step
from roundtable.core.setup import Setup
from roundtable.games import GAMES, codec_of
from roundtable.protocol import Act, bodies, spelled
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms import Room, bot_workers, events
from roundtable.rooms.bot_workers import Question
from roundtable.rooms.events import READER, RoomEvent, RoomRow
from roundtable.rooms.guests import key_of
from roundtable.storage import MemoryLog, RoomSummary, Row
from roundtable.testing.check import secrecy_of
from roundtable.testing.twins import TWIN_SEED, event_bytes, round_of_asks
from support.left_rooms import written_lines
from support.served import FAR_AWAY, NEARBY, Ear, Served, Socket, in_virtual_time
from support.virtual import EPOCH, VirtualLoop, run

CODE = "TWENS2"
PASSER, KEEPER = -10, -11  # ears of somebody who asks by HTTP, and of whoever looks after the server
LEAST = 0.001  # seconds: everything that is asked for at a moment is done before the next


class Table(NamedTuple):
    """What is the same in both worlds."""

    setup: Setup
    settings: protocol.Settings
    bots: frozenset[Seat]

    @property
    def people(self) -> list[Seat]:
        return [seat for seat in range(self.setup.seats) if seat not in self.bots]


class Did(NamedTuple):
    """Something that somebody did, and when; `step` is what came of it in the game."""

    at: float
    kind: str
    who: int
    text: str = ""
    action: Action | None = None
    id: str = ""
    step: int | None = None


class Moment(NamedTuple):
    """A step of the game: when it was, what watchers heard, and who played each seat: here, bot or away."""

    at: float
    step: Step
    heard: tuple[bytes, ...]
    hands: tuple[str, ...]
    call: tuple[int, Seat, int] | None  # the bot's thought that led to it
    id: str


# Bots


class Mind:
    """Bots whose thoughts take longer or shorter according to their role: nobody may notice."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[int, Seat]] = Counter()

    async def choose(self, question: Question) -> Move | None:
        phase = next(event.number for event in reversed(question.heard) if isinstance(event, PhaseBegan))
        role = next(str(getattr(event, "role", "")) for event in question.heard if type(event).__name__ == "RoleDealt")
        call = (phase, question.seat, self.asked[phase, question.seat])
        self.asked[phase, question.seat] += 1
        await asyncio.sleep((1 + crc32(role.encode()) % 90) / 1000)
        return self.think(call, question)

    def think(self, call: tuple[int, Seat, int], question: Question) -> Move | None:
        raise NotImplementedError

    def close(self) -> None:
        """There is nobody to send home."""


class Thought(NamedTuple):
    """When a bot had it, and what came of it."""

    at: float
    move: Move | None


class RandomMind(Mind):
    """Bots of the first world: they do anything, and at times nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[tuple[int, Seat, int], Thought] = {}

    def think(self, call: tuple[int, Seat, int], question: Question) -> Move | None:
        is_idle = Stream(question.key, "idle").below(8) == 0
        move = None if is_idle else bot_workers.choose(question._replace(bot="random"))
        self.calls[call] = Thought(asyncio.get_running_loop().time(), move)
        return move


class ToldMind(Mind):
    """Bots of the second world do what they were told to."""

    def __init__(self, told: dict[tuple[int, Seat, int], Move]) -> None:
        super().__init__()
        self.told = told

    def think(self, call: tuple[int, Seat, int], question: Question) -> Move | None:
        return self.told.get(call)


# A world


class WatchedLog(MemoryLog):
    """A log that lets the world know what is written."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        await super().append(room, known, rows, summary)
        if room == CODE and known:
            self._world.wrote(rows)


class World:
    """A room on the real server, everybody who is connected to it, and all that they hear."""

    def __init__(self, loop: VirtualLoop, table: Table, deal: Any, mind: Mind) -> None:
        self.loop, self.table, self.deal, self.mind = loop, table, deal, mind
        self.ears = {who: Ear(loop.time) for who in (*table.people, HOST, SPECTATOR, PASSER, KEEPER)}
        self.sockets: dict[int, Socket] = {}
        self.log = WatchedLog(self)
        self.served = Served(loop, self.log, mind)
        self.moments: list[Moment] = []
        self._game = GAMES[table.setup.game].game
        self._heard = Counter[int]()
        self._acted: dict[int, str] = {}
        self._other = ("", "")  # the room next door, and its host's token
        self._shadow: Any = None

    async def open(self) -> None:
        play = Play.open(self._game, self.table.setup, TWIN_SEED)
        play.deal(chosen=self.deal)
        self._shadow = play.state
        rows = written_lines(self._beginning(), play.entries)
        listed = bodies.RoomListed(
            code=CODE, game=self.table.setup.game, stage="playing", seats=self.table.setup.seats, free=0, host="Host"
        )
        await self.log.append(
            CODE, 0, [Row(EPOCH, row) for row in rows], RoomSummary(EPOCH, True, ENCODER.encode(listed))
        )
        await self.served.start()
        body = bodies.OpenRoom(name="Neighbour", settings=protocol.Settings(is_public=True))
        opened = await self.served.fetch(self.ears[PASSER], "/api/rooms", body=ENCODER.encode(body))
        self._other = (json.loads(opened)["room"], json.loads(opened)["token"])
        for who in (*self.table.people, HOST, SPECTATOR):
            self._enter(who, "all")
        await asyncio.sleep(LEAST)

    def _beginning(self) -> list[RoomEvent]:
        """The lobby, where everybody sat down."""
        table = self.table
        facts: list[RoomEvent] = [
            events.RoomOpened(code=CODE, settings=table.settings),
            events.TableLaid(game=table.setup.game, setup=spelled(table.setup)),
            events.MemberJoined(member=1, name="Host", key=key_of(token_of(HOST))),
            events.HostNamed(member=1),
        ]
        for seat in range(table.setup.seats):
            if seat in table.bots:
                facts.append(events.SeatTaken(seat=seat, bot="careful"))
            else:
                facts.append(events.MemberJoined(member=seat + 2, name=f"Player {seat}", key=key_of(token_of(seat))))
                facts.append(events.SeatTaken(seat=seat, member=seat + 2))
        return [*facts, events.GameStarted(number=1)]

    @property
    def room(self) -> Room:
        return self.served.app.registry.rooms[CODE]

    @property
    def play(self) -> Play[Any, Any]:
        assert self.room.play is not None
        return self.room.play

    # What people do

    async def perform(self, did: Did) -> None:
        socket = self.sockets.get(did.who)
        is_connected = socket is not None and socket.is_open
        match did.kind:
            case "act":
                assert did.action is not None
                self._acted[did.who] = spelled_act(did.id, did.action)
                self._say(did.who, self._acted[did.who])
            case "act again" if did.who in self._acted:
                self._say(did.who, self._acted[did.who])
            case "say":
                self._say(did.who, did.text)
            case "hang up" if is_connected:
                self._hang_up(did.who)
            case "enter" if not is_connected:
                self._enter(did.who, did.text)
            case "restart":
                await self._restart()
            case "fetch":
                await self._fetch(did)

    def _say(self, who: int, text: str) -> None:
        if who in self.sockets and self.sockets[who].is_open:
            self.sockets[who].say(text)

    def _hang_up(self, who: int) -> None:
        latest = self.sockets[who].last("Heard")
        self._heard[who] = latest["number"] if latest else self._heard[who]
        self.sockets[who].hang_up()

    def _enter(self, who: int, wanted: str) -> None:
        socket = self.sockets[who] = Socket(self.served.app, self.ears[who])
        heard = {"all": 0, "the rest": self._heard[who], "more": max(0, self._heard[who] - 3), "wrong": 10_000}[wanted]
        token = None if who == SPECTATOR else token_of(who)
        entering = protocol.Enter(
            room=CODE, token=token, number=1, heard=heard, views=who % 2 == 1, lang="vi" if who % 3 == 1 else "en"
        )
        socket.say(ENCODER.encode(entering).decode())

    async def close(self) -> list[int]:
        """Everybody goes, then the server; who was connected until then."""
        connected = [who for who, socket in self.sockets.items() if socket.is_open]
        for who in connected:
            self._hang_up(who)
        await asyncio.gather(*(socket.task for socket in self.sockets.values()))
        await self.served.stop()
        return connected

    async def _restart(self) -> None:
        """The server goes down and comes up again on the same log; everybody returns."""
        connected = await self.close()
        self.served = Served(self.loop, self.log, self.mind, "again")
        await asyncio.sleep(0.5)
        await self.served.start()
        for who in connected:
            self._enter(who, "the rest")
        await asyncio.sleep(LEAST)

    async def _fetch(self, did: Did) -> None:
        ear = self.ears[did.who]
        if did.text == "next door":
            body = ENCODER.encode(protocol.SayReady(is_ready=round(did.at * 1000) % 2 == 0))
            await self.served.fetch(ear, f"/api/rooms/{self._other[0]}/requests", token=self._other[1], body=body)
        elif did.text.startswith("{"):
            path = f"/api/rooms/{CODE}/requests"
            await self.served.fetch(ear, path, token=token_of(did.who), body=did.text.encode())
        else:
            await self.served.fetch(ear, did.text, address=NEARBY if did.who == KEEPER else FAR_AWAY)

    # What comes of it

    def wrote(self, rows: Iterable[Row]) -> None:
        for row in rows:
            read = READER.decode(row.line)
            if not isinstance(read, RoomRow):
                self._happened(codec_of(self._game).read(Entry, msgspec.json.decode(read.entry)))

    def _happened(self, entry: Entry) -> None:
        before = self._shadow
        self._shadow = evolve(self._game, before, entry.events)
        step = Step(
            entry.actor, entry.action, before.phase, None, self._shadow.phase.name, self._shadow.outcome is not None
        )
        call = None
        if entry.actor >= 0 and not entry.id:  # a bot's move has no id
            call = (before.phase.number, entry.actor, self.mind.asked[before.phase.number, entry.actor] - 1)
        self.moments.append(Moment(self.loop.time(), step, self._lines(entry.events), self.hands(), call, entry.id))

    def refused(self, did: Did, refusal: str) -> None:
        assert did.action is not None
        phase = self._shadow.phase
        step = Step(did.who, did.action, phase, refusal, phase.name, False)
        self.moments.append(Moment(self.loop.time(), step, (), self.hands(), None, did.id))

    def _lines(self, events: Iterable[Event]) -> tuple[bytes, ...]:
        return tuple(event_bytes(event) for event in events if SPECTATOR in event.audience)

    def hands(self) -> tuple[str, ...]:
        return tuple(self.hand(seat) for seat in range(self.table.setup.seats))

    def hand(self, seat: Seat) -> str:
        if self.room.state.places[seat].player:
            return "bot"
        return "here" if self.sockets[seat].is_open else "away"


def token_of(who: int) -> str:
    return f"the token of {who}"


def spelled_act(id: str, action: Action) -> str:
    return ENCODER.encode(Act(id=id, action=spelled(action))).decode()


# The first world

NONSENSE = (
    "{}",
    "[" * 50,
    '{"is":"Here"}',
    '{"is":"Pass","phase":3}',
    '{"is":"Enter","room":"TWENS2"}',
    '{"action":{"is":"CastVote","phase":2,"approve":true},"id":"","is":"Act"}',
    '{"action":{"is":"OpenTable"},"id":"n1","is":"Act"}',
    '{"action":{"is":"Say","channel":"kitchen","text":"Hm."},"id":"n2","is":"Act"}',
    '{"id":"n3","is":"Ask","request":{"is":"Start"}}',
    '{"id":"n4","is":"Ask","request":{"is":"TakeSeat","seat":0}}',
    '{"id":"n5","is":"Ask","request":{"is":"Chat","text":"Hello"}}',
    '{"id":"n6","is":"Ask","request":{"is":"Kick","member":3}}',
)
REQUESTS = ('{"is":"Rematch"}', '{"is":"SayReady","is_ready":true}', '{"is":"CallItOff"}', '{"is":"Nothing"}')
ADDRESSES = (
    f"/api/rooms/{CODE}",
    f"/api/rooms/{CODE}",
    "/api/rooms",
    "/api/rooms",
    f"/api/rooms/{CODE}/games/1/record",
    "/metrics",
    "/api/games",
    "/health",
)
Hold = Literal["pause", "resume", "extend", "countdown"]
HOLDS: dict[type[Action], Hold] = {Pause: "pause", Resume: "resume", Extend: "extend", StartCountdown: "countdown"}


@dataclass
class Original:
    """The first world as it went."""

    table: Table
    deal: Any
    dids: list[Did] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    ears: dict[int, Ear] = field(default_factory=dict)
    calls: dict[tuple[int, Seat, int], Thought] = field(default_factory=dict)
    end: float = 0.0

    def script(self) -> Script:
        steps = [moment.step for moment in self.moments]
        received = [{SPECTATOR: moment.heard} for moment in self.moments]
        return Script(self.table.setup, self.deal, steps, received)


class People:
    """Everybody in the first world: they do a little of everything, one after the other."""

    def __init__(self, world: World, original: Original, chance: Chance) -> None:
        self._world, self._original, self._chance = world, original, chance
        self._channels = secrecy_of(world.table.setup.game).channels
        self._restarts = 0

    async def play(self, rounds: int) -> None:
        for _ in range(rounds):
            if self._world.play.is_over:
                return
            await self._round()

    async def _round(self) -> None:
        play, phase = self._world.play, self._world.play.phase

        def is_on() -> bool:
            return self._world.play is play and not play.is_over and play.phase == phase

        for ask in round_of_asks(play, self._chance, self._channels):
            if ask.actor == CLOCK:
                for _ in range(30):
                    if is_on():
                        await self._something_else(700)
            else:
                await self._something_else(120)
                if is_on():
                    await self._ask(ask)
            if not is_on():
                return

    async def _ask(self, ask: Ask) -> None:
        if ask.actor == HOST:
            hold = protocol.HoldClock(do=HOLDS[type(ask.action)], seconds=getattr(ask.action, "seconds", 60))
            asking = protocol.Ask(id=f"h{len(self._original.dids)}", request=hold)
            await self._do("say", HOST, ENCODER.encode(asking).decode(), ask.action)
        elif ask.actor in self._world.table.people and self._world.sockets[ask.actor].is_open:
            if self._world.hand(ask.actor) == "bot":
                if self._chance.below(3):
                    return
                await self._do("say", ask.actor, '{"is":"Here"}')
            await self._do("act", ask.actor, action=ask.action)

    async def _something_else(self, most: int) -> None:
        """Time passes, and often somebody does something that is no move."""
        chance, people = self._chance, self._world.table.people
        anybody = pick(chance, [*people, HOST, SPECTATOR])
        await asyncio.sleep((10 + chance.below(most)) / 1000)
        match chance.below(32):
            case 0 | 1 | 2 | 3 | 4:
                path = pick(chance, ADDRESSES)
                await self._do("fetch", pick(chance, [PASSER, KEEPER]) if path == "/metrics" else PASSER, path)
            case 5 | 6:
                await self._do("fetch", PASSER, "next door")
            case 7 | 8:
                await self._do("say", pick(chance, people), '{"is":"Here"}')
            case 9:
                await self._do("say", anybody, pick(chance, NONSENSE))
            case 10:
                await self._do("fetch", pick(chance, people), pick(chance, REQUESTS))
            case 11:
                await self._do(
                    "say", anybody, '{"is":"Here"}'
                )  # whoever plays again takes their seat back, for all to see
                await self._do("act again", anybody)
            case 12:
                await self._do("hang up", anybody)
            case 13 | 14:
                away = [who for who, socket in self._world.sockets.items() if not socket.is_open]
                if away:
                    await self._do(
                        "enter", pick(chance, away), pick(chance, ["the rest", "the rest", "more", "wrong", "all"])
                    )
            case 15 if self._restarts < 2 and chance.below(4) == 0:
                self._restarts += 1
                await self._do("restart", HOST)

    async def _do(self, kind: str, who: int, text: str = "", action: Action | None = None) -> None:
        """Do it at a moment when nothing else is due, and see what comes of it."""
        world, loop, dids = self._world, self._world.loop, self._original.dids
        while is_due(loop, loop.time()):
            await asyncio.sleep(0.002)
        did = Did(loop.time(), kind, who, text, action, f"a{len(dids)}" if kind == "act" else "")
        before = len(world.moments)
        await world.perform(did)
        await asyncio.sleep(LEAST)
        if kind == "act" and (refusal := refused_to(world.sockets[who], did.id)):
            world.refused(did, refusal)
        for place, moment in enumerate(world.moments[before:], before):
            is_its = moment.step.actor == HOST if kind == "say" else (moment.step.actor, moment.id) == (who, did.id)
            if action is not None and is_its:
                did = did._replace(step=place)
        dids.append(did)


def refused_to(socket: Socket, id: str) -> str | None:
    latest = socket.last("Refused")
    return f"{latest['code']}: {latest['message']}" if latest and latest["id"] == id else None


def is_due(loop: VirtualLoop, moment: float) -> bool:
    """Whether something else happens at about this moment: which of two comes first would be left to chance."""
    scheduled = loop._scheduled  # type: ignore[attr-defined]
    return any(abs(timer.when() - moment) < 0.0015 for timer in scheduled if not timer.cancelled())


def play_original(table: Table, deal: Any, chance: Chance, rounds: int) -> Original:
    async def main(loop: VirtualLoop) -> Original:
        mind = RandomMind()
        world = World(loop, table, deal, mind)
        original = Original(table, deal, ears=world.ears, calls=mind.calls)
        with in_virtual_time(loop, world.ears[KEEPER]):
            await world.open()
            await People(world, original, chance).play(rounds)
            original.end = loop.time()
            await world.close()
        original.moments = world.moments
        return original

    return run(main)
