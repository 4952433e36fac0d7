"""A room on the server in virtual time, with random players and bots; everything that a listener receives is kept."""

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
from roundtable.protocol import Act, bodies, encoded
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms import Room, bot_workers, events
from roundtable.rooms.bot_workers import Question
from roundtable.rooms.events import READER, RoomEvent, RoomRow
from roundtable.rooms.guests import key_of
from roundtable.storage import MemoryLog, RoomSummary, Row
from roundtable.testing.check import secrecy_of
from roundtable.testing.twins import TWIN_SEED, event_bytes, round_of_asks
from support.asgi_server import FAR_AWAY, NEARBY, AsgiServer, Socket, Transcript, in_virtual_time
from support.stored_rooms import written_lines
from support.virtual_time import EPOCH, VirtualLoop, run

CODE = "TWENS2"
HTTP_CLIENT, OPERATOR = -10, -11  # listeners without a seat: they only send requests by HTTP
LEAST = 0.001  # seconds in which an input is handled, before the next one is made


class Table(NamedTuple):
    """What is the same in both rooms of a pair."""

    setup: Setup
    settings: protocol.Settings
    bots: frozenset[Seat]

    @property
    def people(self) -> list[Seat]:
        return [seat for seat in range(self.setup.seats) if seat not in self.bots]


class TimedInput(NamedTuple):
    """What a client or the test did, and when; `step` is the index of the step of the game that it caused."""

    at: float
    kind: str
    who: int
    text: str = ""
    action: Action | None = None
    id: str = ""
    step: int | None = None


class TimedStep(NamedTuple):
    """A step of the game: its time, what spectators heard, and who plays each seat (`here`, `bot` or `away`)."""

    at: float
    step: Step
    heard: tuple[bytes, ...]
    hands: tuple[str, ...]
    call: tuple[int, Seat, int] | None  # the bot's choice that led to it
    id: str


# Bots


class DelayedBots:
    """Bots that take a time to choose that depends on their role; no listener may notice it."""

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
        """No process was started."""


class BotChoice(NamedTuple):
    """The move that a bot chose, and when."""

    at: float
    move: Move | None


class RandomBots(DelayedBots):
    """Bots of the first room: they choose at random, and sometimes no move."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[tuple[int, Seat, int], BotChoice] = {}

    def think(self, call: tuple[int, Seat, int], question: Question) -> Move | None:
        is_idle = Stream(question.key, "idle").below(8) == 0
        move = None if is_idle else bot_workers.choose(question._replace(bot="random"))
        self.calls[call] = BotChoice(asyncio.get_running_loop().time(), move)
        return move


class ScriptedBots(DelayedBots):
    """Bots of the second room: they make the moves that the plan names."""

    def __init__(self, moves: dict[tuple[int, Seat, int], Move]) -> None:
        super().__init__()
        self.moves = moves

    def think(self, call: tuple[int, Seat, int], question: Question) -> Move | None:
        return self.moves.get(call)


# The room


class WatchedLog(MemoryLog):
    """A log that reports the rows of the room after writing them."""

    def __init__(self, twin: TwinRoom) -> None:
        super().__init__()
        self._twin = twin

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        await super().append(room, known, rows, summary)
        if room == CODE and known:
            self._twin.wrote(rows)


class TwinRoom:
    """A room on the server, its connections, and a transcript for each listener."""

    def __init__(self, loop: VirtualLoop, table: Table, deal: Any, bots: DelayedBots) -> None:
        self.loop, self.table, self.deal, self.bots = loop, table, deal, bots
        self.transcripts = {
            who: Transcript(loop.time) for who in (*table.people, HOST, SPECTATOR, HTTP_CLIENT, OPERATOR)
        }
        self.sockets: dict[int, Socket] = {}
        self.log = WatchedLog(self)
        self.server = AsgiServer(loop, self.log, bots)
        self.moments: list[TimedStep] = []
        self._game = GAMES[table.setup.game].game
        self._heard = Counter[int]()
        self._acted: dict[int, str] = {}
        self._other = ("", "")  # another room on the server, and its host's token
        self._shadow: Any = None

    async def open(self) -> None:
        play = Play.open(self._game, self.table.setup, TWIN_SEED)
        play.deal(chosen=self.deal)
        self._shadow = play.state
        rows = written_lines(self._beginning(), play.entries)
        listed = bodies.ListedRoom(
            code=CODE, game=self.table.setup.game, stage="playing", seats=self.table.setup.seats, free=0, host="Host"
        )
        await self.log.append(
            CODE, 0, [Row(EPOCH, row) for row in rows], RoomSummary(EPOCH, True, ENCODER.encode(listed))
        )
        await self.server.start()
        body = bodies.OpenRoom(name="Neighbour", settings=protocol.Settings(is_public=True))
        opened = await self.server.fetch(self.transcripts[HTTP_CLIENT], "/api/rooms", body=ENCODER.encode(body))
        self._other = (json.loads(opened)["room"], json.loads(opened)["token"])
        for who in (*self.table.people, HOST, SPECTATOR):
            self._enter(who, "all")
        await asyncio.sleep(LEAST)

    def _beginning(self) -> list[RoomEvent]:
        """The events of the lobby in which all players sat down."""
        table = self.table
        facts: list[RoomEvent] = [
            events.RoomOpened(code=CODE, settings=table.settings),
            events.SetupChanged(game=table.setup.game, setup=encoded(table.setup)),
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
        return self.server.app.registry.rooms[CODE]

    @property
    def play(self) -> Play[Any, Any]:
        assert self.room.play is not None
        return self.room.play

    # Inputs

    async def perform(self, timed: TimedInput) -> None:
        socket = self.sockets.get(timed.who)
        is_connected = socket is not None and socket.is_open
        match timed.kind:
            case "act":
                assert timed.action is not None
                self._acted[timed.who] = encoded_act(timed.id, timed.action)
                self._say(timed.who, self._acted[timed.who])
            case "act again" if timed.who in self._acted:
                self._say(timed.who, self._acted[timed.who])
            case "say":
                self._say(timed.who, timed.text)
            case "hang up" if is_connected:
                self._hang_up(timed.who)
            case "enter" if not is_connected:
                self._enter(timed.who, timed.text)
            case "restart":
                await self._restart()
            case "fetch":
                await self._fetch(timed)

    def _say(self, who: int, text: str) -> None:
        if who in self.sockets and self.sockets[who].is_open:
            self.sockets[who].say(text)

    def _hang_up(self, who: int) -> None:
        latest = self.sockets[who].last("Heard")
        self._heard[who] = latest["number"] if latest else self._heard[who]
        self.sockets[who].hang_up()

    def _enter(self, who: int, wanted: str) -> None:
        socket = self.sockets[who] = Socket(self.server.app, self.transcripts[who])
        heard = {"all": 0, "the rest": self._heard[who], "more": max(0, self._heard[who] - 3), "wrong": 10_000}[wanted]
        token = None if who == SPECTATOR else token_of(who)
        entering = protocol.Enter(
            room=CODE, token=token, number=1, heard=heard, views=who % 2 == 1, lang="vi" if who % 3 == 1 else "en"
        )
        socket.say(ENCODER.encode(entering).decode())

    async def close(self) -> list[int]:
        """Close all connections, then stop the server. Returns who was connected."""
        connected = [who for who, socket in self.sockets.items() if socket.is_open]
        for who in connected:
            self._hang_up(who)
        await asyncio.gather(*(socket.task for socket in self.sockets.values()))
        await self.server.stop()
        return connected

    async def _restart(self) -> None:
        """Restart the server on the same log; all who were connected come back."""
        connected = await self.close()
        self.server = AsgiServer(self.loop, self.log, self.bots, "again")
        await asyncio.sleep(0.5)
        await self.server.start()
        for who in connected:
            self._enter(who, "the rest")
        await asyncio.sleep(LEAST)

    async def _fetch(self, timed: TimedInput) -> None:
        transcript = self.transcripts[timed.who]
        if timed.text == "next door":
            body = ENCODER.encode(protocol.SayReady(is_ready=round(timed.at * 1000) % 2 == 0))
            await self.server.fetch(
                transcript, f"/api/rooms/{self._other[0]}/requests", token=self._other[1], body=body
            )
        elif timed.text.startswith("{"):
            path = f"/api/rooms/{CODE}/requests"
            await self.server.fetch(transcript, path, token=token_of(timed.who), body=timed.text.encode())
        else:
            await self.server.fetch(transcript, timed.text, address=NEARBY if timed.who == OPERATOR else FAR_AWAY)

    # Results

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
            call = (before.phase.number, entry.actor, self.bots.asked[before.phase.number, entry.actor] - 1)
        self.moments.append(TimedStep(self.loop.time(), step, self._lines(entry.events), self.hands(), call, entry.id))

    def refused(self, timed: TimedInput, refusal: str) -> None:
        assert timed.action is not None
        phase = self._shadow.phase
        step = Step(timed.who, timed.action, phase, refusal, phase.name, False)
        self.moments.append(TimedStep(self.loop.time(), step, (), self.hands(), None, timed.id))

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


def encoded_act(id: str, action: Action) -> str:
    return ENCODER.encode(Act(id=id, action=encoded(action))).decode()


# The first room

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
    """What happened in the first room."""

    table: Table
    deal: Any
    inputs: list[TimedInput] = field(default_factory=list)
    moments: list[TimedStep] = field(default_factory=list)
    transcripts: dict[int, Transcript] = field(default_factory=dict)
    calls: dict[tuple[int, Seat, int], BotChoice] = field(default_factory=dict)
    end: float = 0.0

    def script(self) -> Script:
        steps = [moment.step for moment in self.moments]
        received = [{SPECTATOR: moment.heard} for moment in self.moments]
        return Script(self.table.setup, self.deal, steps, received)


class RandomPlayers:
    """The players of the first room: one after the other, they make random inputs of every kind."""

    def __init__(self, twin: TwinRoom, original: Original, chance: Chance) -> None:
        self._twin, self._original, self._chance = twin, original, chance
        self._channels = secrecy_of(twin.table.setup.game).channels
        self._restarts = 0

    async def play(self, rounds: int) -> None:
        for _ in range(rounds):
            if self._twin.play.is_over:
                return
            await self._round()

    async def _round(self) -> None:
        play, phase = self._twin.play, self._twin.play.phase

        def is_on() -> bool:
            return self._twin.play is play and not play.is_over and play.phase == phase

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
            asking = protocol.Ask(id=f"h{len(self._original.inputs)}", request=hold)
            await self._do("say", HOST, ENCODER.encode(asking).decode(), ask.action)
        elif ask.actor in self._twin.table.people and self._twin.sockets[ask.actor].is_open:
            if self._twin.hand(ask.actor) == "bot":
                if self._chance.below(3):
                    return
                await self._do("say", ask.actor, '{"is":"Here"}')
            await self._do("act", ask.actor, action=ask.action)

    async def _something_else(self, most: int) -> None:
        """Let time pass, and often make an input that is no move."""
        chance, people = self._chance, self._twin.table.people
        member = pick(chance, [*people, HOST, SPECTATOR])
        await asyncio.sleep((10 + chance.below(most)) / 1000)
        match chance.below(32):
            case 0 | 1 | 2 | 3 | 4:
                path = pick(chance, ADDRESSES)
                await self._do(
                    "fetch", pick(chance, [HTTP_CLIENT, OPERATOR]) if path == "/metrics" else HTTP_CLIENT, path
                )
            case 5 | 6:
                await self._do("fetch", HTTP_CLIENT, "next door")
            case 7 | 8:
                await self._do("say", pick(chance, people), '{"is":"Here"}')
            case 9:
                await self._do("say", member, pick(chance, NONSENSE))
            case 10:
                await self._do("fetch", pick(chance, people), pick(chance, REQUESTS))
            case 11:
                # A player who acts again takes the seat back from the bot, which everyone sees.
                await self._do("say", member, '{"is":"Here"}')
                await self._do("act again", member)
            case 12:
                await self._do("hang up", member)
            case 13 | 14:
                away = [who for who, socket in self._twin.sockets.items() if not socket.is_open]
                if away:
                    await self._do(
                        "enter", pick(chance, away), pick(chance, ["the rest", "the rest", "more", "wrong", "all"])
                    )
            case 15 if self._restarts < 2 and chance.below(4) == 0:
                self._restarts += 1
                await self._do("restart", HOST)

    async def _do(self, kind: str, who: int, text: str = "", action: Action | None = None) -> None:
        """Make the input when no timer is due, and find the step that it causes."""
        twin, loop, inputs = self._twin, self._twin.loop, self._original.inputs
        while is_due(loop, loop.time()):
            await asyncio.sleep(0.002)
        timed = TimedInput(loop.time(), kind, who, text, action, f"a{len(inputs)}" if kind == "act" else "")
        before = len(twin.moments)
        await twin.perform(timed)
        await asyncio.sleep(LEAST)
        if kind == "act" and (refusal := refused_to(twin.sockets[who], timed.id)):
            twin.refused(timed, refusal)
        for place, moment in enumerate(twin.moments[before:], before):
            is_its = moment.step.actor == HOST if kind == "say" else (moment.step.actor, moment.id) == (who, timed.id)
            if action is not None and is_its:
                timed = timed._replace(step=place)
        inputs.append(timed)


def refused_to(socket: Socket, id: str) -> str | None:
    latest = socket.last("Refused")
    return f"{latest['code']}: {latest['message']}" if latest and latest["id"] == id else None


def is_due(loop: VirtualLoop, moment: float) -> bool:
    """Whether a timer is due at about this time; the order of the two would not be defined."""
    scheduled = loop._scheduled  # type: ignore[attr-defined]
    return any(abs(timer.when() - moment) < 0.0015 for timer in scheduled if not timer.cancelled())


def play_original(table: Table, deal: Any, chance: Chance, rounds: int) -> Original:
    async def main(loop: VirtualLoop) -> Original:
        bots = RandomBots()
        twin = TwinRoom(loop, table, deal, bots)
        original = Original(table, deal, transcripts=twin.transcripts, calls=bots.calls)
        with in_virtual_time(loop, twin.transcripts[OPERATOR]):
            await twin.open()
            await RandomPlayers(twin, original, chance).play(rounds)
            original.end = loop.time()
            await twin.close()
        original.moments = twin.moments
        return original

    return run(main)
