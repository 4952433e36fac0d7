"""A room in process and in virtual time: members who wait for their answers, and a log that can be made to fail.

A test is decorated with `virtual_time_test`, and begins with `room_with_members` or `room_with_game`. There is no
server and no socket: members put their messages into the room's queue, and keep the frames that the room sends them.
"""

from __future__ import annotations

import asyncio
import inspect
import itertools
import json
import random
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import pytest
from msgspec import Raw

from roundtable.core.actions import Action
from roundtable.core.codec import encode
from roundtable.core.entries import Entry
from roundtable.core.errors import RoundTableError
from roundtable.core.seats import CLOCK
from roundtable.protocol import Act, bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import Room, RoomRegistry
from roundtable.storage import Log, LogFailed, MemoryLog, RoomSummary, Row
from support.frames import FrameReader
from support.virtual_time import FakeConnection, VirtualLoop, registry_of, run

LOOP_TURNS = 60  # turns of the event loop after which a room has handled all that was sent to it
NUMBERS = itertools.count(1)  # makes ids unique

HOUR = 3600.0
SHORT_DAYS = {"day_seconds": 6, "defense_seconds": 4, "night_seconds": 5}
TIMED = {"propose_seconds": 30, "vote_seconds": 20, "quest_seconds": 20, "shot_seconds": 30}

P = ParamSpec("P")


def virtual_time_test(body: Callable[Concatenate[VirtualLoop, P], Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in virtual time. The first argument is the loop; pytest passes the others."""

    @wraps(body)
    def test(*args: P.args, **more: P.kwargs) -> None:
        run(lambda loop: body(loop, *args, **more))

    signature = inspect.signature(body)
    test.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
    return test


class RoomMember(FakeConnection):
    """A member or a spectator of a room: sends requests and moves, and waits for the answers."""

    def __init__(self, room: Room, token: str | None = None, member: int = 0) -> None:
        super().__init__(token)
        self.room = room
        self.member = member
        self._told: list[dict[str, Any]] = []
        self._reader = FrameReader()
        self._read = 0

    async def enter(self, **more: Any) -> RoomMember:
        self.room.enter(self.session, self.entering(**more))
        await settle()
        return self

    async def again(self, room: Room | None = None, **more: Any) -> RoomMember:
        """The same member on a new connection."""
        return await RoomMember(room or self.room, self.token, self.member).enter(**more)

    async def leave(self) -> None:
        self.room.leave(self.session)
        await settle()

    async def ask(self, request: ask.Request, id: str = "") -> str:
        """Send a request. Returns "done", or the code of the refusal."""
        own = id or self._next_id()
        return await self._say(ask.Ask(id=own, request=request), own)  # type: ignore[arg-type]

    async def act(self, action: Action | dict[str, Any], id: str = "") -> str:
        own = id or self._next_id()
        encoded = json.dumps(action).encode() if isinstance(action, dict) else encode(action)
        return await self._say(Act(id=own, action=Raw(encoded)), own)

    async def here(self) -> None:
        self.room.say(self.session, ask.Here())
        await settle()

    @property
    def received(self) -> list[dict[str, Any]]:
        """Every message that was received; each frame is decoded once."""
        news, self._read = self.frames[self._read :], len(self.frames)
        self._told += [message for frame in news for message in self._reader.read(frame)]
        return self._told

    def offered(self) -> list[dict[str, Any]]:
        """The moves that the latest `Asked` offers."""
        asked = self.all("Asked")
        return [move for offer in asked[-1]["options"] for move in offer["moves"]] if asked else []

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [message for message in self.received if message["is"] in ("Answered", "Refused")]

    @property
    def heard(self) -> list[int]:
        return [message["number"] for message in self.all("Heard")]

    @property
    def events(self) -> list[Any]:
        return [message["event"] for message in self.all("Heard")]

    @property
    def shown(self) -> dict[str, Any]:
        """The latest `Room`."""
        return self.last("Room")

    def _next_id(self) -> str:
        return f"{self.member}/{next(NUMBERS)}"

    async def _say(self, message: Any, id: str) -> str:
        before = len(self.answers)
        self.room.say(self.session, message)
        for _ in range(LOOP_TURNS):
            await asyncio.sleep(0)
            if len(self.answers) > before:
                break
        answer = self.answers[before]
        assert len(self.answers) == before + 1
        assert answer["id"] == id
        return "done" if answer["is"] == "Answered" else str(answer["code"])


class RoomHarness:
    """A registry with one room, and its members in `people`. The first of them is the host."""

    def __init__(self, loop: VirtualLoop, registry: RoomRegistry, room: Room, people: Sequence[RoomMember]) -> None:
        self.loop = loop
        self.registry = registry
        self.room = room
        self.people = list(people)

    @property
    def host(self) -> RoomMember:
        return self.people[0]

    @property
    def code(self) -> str:
        return self.room.code

    async def join(self, name: str = "Guest", *, watch: bool = False) -> RoomMember:
        member, token = await self.room.join(name, watch=watch)
        guest = await RoomMember(self.room, token, member).enter()
        self.people.append(guest)
        return guest

    async def watch(self, **more: Any) -> RoomMember:
        """A spectator without a name, who has only connected."""
        return await RoomMember(self.room).enter(**more)

    async def start(self) -> None:
        """Seat bots on every free seat, make all members ready, and start the game."""
        for seat, place in enumerate(self.room.state.places):
            if place.is_free:
                assert await self.host.ask(ask.SeatBot(seat=seat, bot="random")) == "done"
        for guest in self.people:
            if self.room.state.seat_of(guest.member) is not None:
                assert await guest.ask(ask.SayReady(is_ready=True)) == "done"
        assert await self.host.ask(ask.Start()) == "done"

    async def play_on(self, seed: int = 0, until: int = 10_000) -> None:
        """All members make random moves of those offered to them, until the game is over or `until` moves are made."""
        drawn = random.Random(seed)
        quiet = 0
        while self.room.state.is_playing and quiet < 400 and until > 0:
            quiet += 1
            for guest in self.people:
                asked = guest.all("Asked")
                moves = [move for move in guest.offered() if move["is"] != "Surrender"]
                if moves and asked[-1]["phase"] == self.room.play.phase.number and until > 0:  # type: ignore[union-attr]
                    if await guest.act(drawn.choice(moves)) == "done":
                        quiet, until = 0, until - 1
            await asyncio.sleep(1)
            for guest in self.people:
                await guest.here()

    async def restart(self, log: Log, *, after: float = 0) -> None:
        """Stop the registry and start another one on the same log. All connections are lost."""
        await self.registry.stop()
        await asyncio.sleep(after)
        self.registry = registry_of(self.loop, log, seed=f"{self.loop.time()}")
        await self.registry.start()
        self.room = await self.registry.find(self.code)


async def room_with_members(
    loop: VirtualLoop,
    people: int = 5,
    *,
    game: str = "avalon",
    seats: int = 5,
    log: Log | None = None,
    registry: RoomRegistry | None = None,
    seed: object = 0,
    options: dict[str, Any] | None = None,
    **settings: Any,
) -> RoomHarness:
    """A room with this number of members, all connected."""
    registry = registry or registry_of(loop, log, seed)
    await registry.start()
    held = ask.Settings(**{"bot_pace": "instant", "bots_speak": False, **settings})
    opened = await registry.open(
        bodies.OpenRoom(name="Host", game=game, seats=seats, options=options or {}, settings=held)
    )
    room = await registry.find(opened.room)
    harness = RoomHarness(loop, registry, room, [await RoomMember(room, opened.token, opened.member).enter()])
    for number in range(1, people):
        await harness.join(f"Guest {number}")
    return harness


async def room_with_game(loop: VirtualLoop, people: int = 5, **more: Any) -> RoomHarness:
    """A room whose game has just started."""
    harness = await room_with_members(loop, people, **more)
    await harness.start()
    return harness


async def settle() -> None:
    """Wait until the room has handled all that was sent to it; no time passes."""
    for _ in range(LOOP_TURNS):
        await asyncio.sleep(0)


def code_of(refused: pytest.ExceptionInfo[RoundTableError]) -> str:
    return refused.value.code


def entries_of(room: Room) -> list[Entry]:
    assert room.play is not None
    return room.play.entries


def expiries(room: Room) -> list[int]:
    """The indices of the entries by which a deadline passed."""
    return [place for place, entry in enumerate(entries_of(room)) if entry.actor == CLOCK]


def phase_of(room: Room) -> int:
    assert room.play is not None
    return room.play.phase.number


def leader_of(harness: RoomHarness) -> RoomMember:
    """The member who is offered to propose a team."""
    return next(guest for guest in harness.people if any(move["is"] == "ProposeTeam" for move in guest.offered()))


async def propose(harness: RoomHarness) -> None:
    leader = leader_of(harness)
    assert await leader.act(leader.offered()[0]) == "done"


class UnreliableLog:
    """A log that fails to write while `writes` is false, and to read while `reads` is false."""

    def __init__(self, log: Log | None = None) -> None:
        self.log = log or MemoryLog()
        self.leases = self.log.leases
        self.writes = True
        self.reads = True
        self.tried = 0
        self.rewrite = self.log.rewrite
        self.remove = self.log.remove
        self.closed_rooms = self.log.closed_rooms
        self.notes = self.log.notes
        self.write_notes = self.log.write_notes

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        self.tried += 1
        if not self.writes:
            raise LogFailed("The disk is full.")
        await self.log.append(room, known, rows, summary)

    async def read(self, room: str, after: int = 0) -> list[Row]:
        self._require_reads()
        return await self.log.read(room, after)

    async def summaries(self) -> dict[str, RoomSummary]:
        self._require_reads()
        return await self.log.summaries()

    async def open_rooms(self) -> int:
        self._require_reads()
        return await self.log.open_rooms()

    async def listed(self, most: int) -> list[bytes]:
        self._require_reads()
        return await self.log.listed(most)

    async def try_to_write(self) -> None:
        if not self.writes:
            raise LogFailed("The disk is full.")

    async def close(self) -> None:
        await self.log.close()

    def _require_reads(self) -> None:
        if not self.reads:
            raise LogFailed("The disk is gone.")
