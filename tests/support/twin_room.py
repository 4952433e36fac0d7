"""A room on the server in virtual time, with random players and bots; everything that a listener receives is kept."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple
from unittest.mock import patch
from zlib import crc32

import msgspec

from roundtable.client.connection import sendable
from roundtable.core.actions import Action, CallOff, Remark, Say
from roundtable.core.chance import Stream
from roundtable.core.entries import Entry
from roundtable.core.events import Event, PhaseBegan
from roundtable.core.game import OPEN_TALK, evolve
from roundtable.core.play import Play
from roundtable.core.seats import HOST, SPECTATOR, Seat
from roundtable.core.secrecy import Step
from roundtable.core.setup import Setup
from roundtable.games import GAMES, codec_of
from roundtable.protocol import Act, bodies, encoded
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms import Room, bot_workers, events
from roundtable.rooms.bot_workers import Question, WhyQuestion
from roundtable.rooms.events import READER, RoomEvent, RoomRow
from roundtable.rooms.guests import key_of
from roundtable.storage import MemoryLog, RoomSummary, Row
from roundtable.testing.twins import event_bytes, public_facts
from support.asgi_server import FAR_AWAY, NEARBY, AsgiServer, Socket, Transcript
from support.relayed_server import RelayedServer
from support.stored_rooms import written_lines
from support.virtual_time import EPOCH, VirtualLoop

CODE = "TWENS2"
HOST_MEMBER = 1
NUMBER = 2  # of the game that is compared; the first one is over, and the same in both rooms
HTTP_CLIENT, OPERATOR = -10, -11  # listeners without a seat: they only send requests by HTTP
TRUTH = -12  # no listener: what is public of the truth, when it changes
EVERYONE_ELSE = (HOST, SPECTATOR, HTTP_CLIENT, OPERATOR, TRUTH)
FIRST_ID, FIRST_WORDS = "first", Say(channel=OPEN_TALK, text="Hello.")  # of every player in the first game
LEAST = 0.001  # seconds in which an input is handled, before the next one is made


PLAYED_AT_RANDOM = "careful"  # bots that are called so choose at random, to reach more of the game


class Table(NamedTuple):
    """What is the same in both rooms of a pair."""

    setup: Setup
    settings: protocol.Settings
    bots: frozenset[Seat]
    unready: frozenset[Seat] = frozenset()  # players for whom bots play until they come
    often: frozenset[str] = frozenset()  # kinds of messages and addresses that are sent more often than others
    bot: str = PLAYED_AT_RANDOM  # in all seats of bots
    is_relayed: bool = False  # whether clients come to another worker than the one that runs the room

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
    body: str = ""  # of a request by HTTP
    lang: str = ""  # that it accepts


class TimedStep(NamedTuple):
    """A step of the game: its time, what spectators heard, and who plays each seat (`here`, `bot` or `away`)."""

    at: float
    step: Step
    heard: tuple[bytes, ...]
    hands: tuple[str, ...]
    call: Call | None  # the bot's choice that led to it
    id: str


# Bots


class Call(NamedTuple):
    """A question to a bot: which one it is for this seat in this phase, of those for moves or for remarks."""

    phase: int
    seat: Seat
    number: int
    is_remark: bool = False


class DelayedBots:
    """Bots that take a time to choose that depends on their role; no listener may notice it.

    A bot is a listener too: what it is asked is reported, and must not depend on what its seat may not know.
    """

    report: Callable[[Seat, str], None]

    def __init__(self) -> None:
        self.asked: Counter[tuple[int, Seat, bool]] = Counter()

    async def choose(self, question: Question) -> Action | None:
        heard = sha256(b"".join(map(event_bytes, question.heard))).hexdigest()
        what = "a remark" if question.is_remark else "a move"
        asked = f"asked {question.bot} for {what} {question.key.hex()} {len(question.heard)} {heard}"
        self.report(question.seat, asked)
        phase = next(event.number for event in reversed(question.heard) if isinstance(event, PhaseBegan))
        role = next(str(getattr(event, "role", "")) for event in question.heard if type(event).__name__ == "RoleDealt")
        call = Call(phase, question.seat, self.asked[phase, question.seat, question.is_remark], question.is_remark)
        self.asked[phase, question.seat, question.is_remark] += 1
        await asyncio.sleep((1 + crc32(role.encode()) % 40) / 1000)  # less than the grain of bots without patience
        return self.think(call, question)

    def think(self, call: Call, question: Question) -> Action | None:
        raise NotImplementedError

    async def explain(self, question: WhyQuestion) -> bytes:
        return bot_workers.explain(question)

    def close(self) -> None:
        """No process was started."""


class BotChoice(NamedTuple):
    """The move or remark that a bot chose, and when."""

    at: float
    move: Action | None


class RandomBots(DelayedBots):
    """Bots of the first room: they choose at random, or as the table's own bot does, and sometimes no move."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[Call, BotChoice] = {}

    def think(self, call: Call, question: Question) -> Action | None:
        is_idle = Stream(question.key, "idle").below(8) == 0
        bot = "random" if question.bot == PLAYED_AT_RANDOM else question.bot
        move = None if is_idle else bot_workers.choose(question._replace(bot=bot))
        self.calls[call] = BotChoice(asyncio.get_running_loop().time(), move)
        return move


class ScriptedBots(DelayedBots):
    """Bots of the second room: they make the moves that the plan names."""

    def __init__(self, moves: dict[Call, Action]) -> None:
        super().__init__()
        self.moves = moves

    def think(self, call: Call, question: Question) -> Action | None:
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
        self.transcripts = {who: Transcript(loop.time) for who in (*range(table.setup.seats), *EVERYONE_ELSE)}
        bots.report = lambda seat, what: self.transcripts[seat].add(what)
        self.sockets: dict[int, Socket] = {}
        self.log = WatchedLog(self)
        self.server = self._new_server()
        self.moments: list[TimedStep] = []
        self.happened: list[tuple[float, RoomEvent]] = []  # in the room, since the game started
        self._game = GAMES[table.setup.game].game
        self._heard = Counter[int]()
        self._acted: defaultdict[int, dict[str, str]] = defaultdict(dict)  # the first by each id
        self._public: object = None
        self._room: Room | None = None
        self._play: Play[Any, Any] | None = None
        self._other = ("", "")  # another room on the server, and its host's token
        self._shadow: Any = None

    def _new_server(self, seed: object = 0) -> AsgiServer:
        return (RelayedServer if self.table.is_relayed else AsgiServer)(self.loop, self.log, self.bots, seed)

    async def open(self) -> None:
        """A lobby after a first game, in which the host starts the second one."""
        rows = [
            *written_lines(self._beginning(), self._first_game().entries),
            *written_lines([events.TableCleared(), *self._ready()], ()),
        ]
        listed = bodies.ListedRoom(
            code=CODE, game=self.table.setup.game, stage="lobby", seats=self.table.setup.seats, free=0, host="Host"
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
        await self._start()

    async def _start(self) -> None:
        """The host starts the game, with the deal of this room and the same seed as in the other one."""
        start = protocol.Ask(id="start", request=protocol.Start(without_unready=bool(self.table.unready)))
        real = Play.deal
        with patch.object(Play, "deal", lambda play: real(play, chosen=self.deal)):
            self._say(HOST, ENCODER.encode(start).decode())
            await asyncio.sleep(LEAST)
        self._shadow = self.play.state
        self._report_truth()

    def _ready(self) -> list[RoomEvent]:
        ready = [seat for seat in self.table.people if seat not in self.table.unready]
        return [events.ReadySaid(member=seat + 2, is_ready=True) for seat in ready]

    def _first_game(self) -> Play[Any, Any]:
        """A game that was called off, after which every player said something under an id."""
        play = Play.open(self._game, self.table.setup, bytes(32))
        play.deal()
        play.act(HOST, CallOff())
        for seat in self.table.people:
            play.act(seat, FIRST_WORDS, FIRST_ID)
        return play

    def _beginning(self) -> list[RoomEvent]:
        """The events of the lobby in which all players sat down."""
        table = self.table
        facts: list[RoomEvent] = [
            events.RoomOpened(code=CODE, settings=table.settings),
            events.SetupChanged(game=table.setup.game, setup=encoded(table.setup)),
            events.MemberJoined(member=HOST_MEMBER, name="Host", key=key_of(token_of(HOST))),
            events.HostNamed(member=HOST_MEMBER),
        ]
        for seat in range(table.setup.seats):
            if seat in table.bots:
                facts.append(events.SeatTaken(seat=seat, bot=table.bot))
            else:
                facts.append(events.MemberJoined(member=seat + 2, name=f"Player {seat}", key=key_of(token_of(seat))))
                facts.append(events.SeatTaken(seat=seat, member=seat + 2))
        return [*facts, events.GameStarted(number=1)]

    @property
    def other(self) -> str:
        """The code of another room on the server."""
        return self._other[0]

    @property
    def room(self) -> Room:
        """As it was last in memory: the server drops a room without connections."""
        self._room = self.server.rooms.get(CODE) or self._room
        assert self._room is not None
        return self._room

    @property
    def play(self) -> Play[Any, Any]:
        """The game that is compared, also when its table was cleared."""
        self._play = self.room.play or self._play
        assert self._play is not None
        return self._play

    @property
    def is_over(self) -> bool:
        return self.play.is_over or self.room.play is None

    # Inputs

    async def perform(self, timed: TimedInput) -> None:
        socket = self.sockets.get(timed.who)
        is_connected = socket is not None and socket.is_open
        match timed.kind:
            case "act":
                assert timed.action is not None
                text = encoded_act(timed.id, timed.action)
                self._acted[timed.who].setdefault(timed.id, text)
                self._say(timed.who, text)
            case "act again" if timed.id in self._acted[timed.who]:
                self._say(timed.who, self._acted[timed.who][timed.id])
            case "id again" if timed.id in self._acted[timed.who]:
                assert timed.action is not None
                text = encoded_act(timed.id, timed.action)
                if text != self._acted[timed.who][timed.id]:
                    self._say(timed.who, text)
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
        socket = self.sockets[who] = Socket(self.server.entrance, self.transcripts[who], CODE)
        heard = {"all": 0, "the rest": self._heard[who], "more": max(0, self._heard[who] - 3), "wrong": 10_000}[wanted]
        token = None if who == SPECTATOR else token_of(who)
        entering = protocol.Enter(
            token=token, number=NUMBER, heard=heard, views=who % 2 == 1, lang="vi" if who % 3 == 1 else "en"
        )
        text = sendable(entering)
        self.transcripts[who].add(text)  # an observer of the network sees how long it is
        socket.say(text)

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
        self.server = self._new_server("again")
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
            return
        token = token_of(timed.who) if timed.who in (*self.table.people, HOST) else ""
        address = NEARBY if timed.who == OPERATOR else FAR_AWAY
        await self.server.fetch(
            transcript,
            timed.text,
            token=token,
            body=timed.body.encode(),
            address=address,
            lang=timed.lang,
            key=timed.id,
        )

    # Results

    def wrote(self, rows: Iterable[Row]) -> None:
        for row in rows:
            read = READER.decode(row.line)
            if isinstance(read, RoomRow):
                self.happened += [(self.loop.time(), event) for event in read.events]
            elif self._shadow is not None:
                self._happened(codec_of(self._game).read(Entry, msgspec.json.decode(read.entry)))
        if self._shadow is not None:
            self._report_truth()

    def _report_truth(self) -> None:
        """What is public of the truth: the phase, the clock, and what timers and lists depend on (C8)."""
        room = self.room.state
        public = (public_facts(self.play.state), room.clock, room.public_at)
        if str(public) != self._public:
            self._public = str(public)
            self.transcripts[TRUTH].add(self._public)

    def _happened(self, entry: Entry) -> None:
        before = self._shadow
        self._shadow = evolve(self._game, before, entry.events)
        step = Step(
            entry.actor, entry.action, before.phase, None, self._shadow.phase.name, self._shadow.outcome is not None
        )
        call = None
        if entry.actor >= 0 and not entry.id:  # a bot's move has no id
            phase, is_remark = before.phase.number, isinstance(entry.action, Remark)
            call = Call(phase, entry.actor, self.bots.asked[phase, entry.actor, is_remark] - 1, is_remark)
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
        return "here" if seat in self.sockets and self.sockets[seat].is_open else "away"


def token_of(who: int) -> str:
    return f"the token of {who}"


def encoded_act(id: str, action: Action) -> str:
    return ENCODER.encode(Act(id=id, action=encoded(action))).decode()
