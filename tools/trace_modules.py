"""Counts the modules that a vote, a bot's move or a simulation crosses.

    PYTHONPATH=src:tests python tools/trace_modules.py [vote | bot | simulation]

A vote goes from the text of a socket's frame to the frames of every player, a bot's move from the timer to the frames,
a simulation from a study to its figures. The port is a list of frames and the log is in memory; everything in between
is real. Each way was gone once before, so that what is made once for all tables is made.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections import Counter
from types import FrameType
from typing import Any

from msgspec import Raw

from roundtable.protocol import Act, bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import InlineBotWorkers, Room, RoomRegistry, Services
from roundtable.server.limits import Limits
from roundtable.server.metrics import Metrics
from roundtable.server.sockets import Sockets
from roundtable.storage import MemoryLog
from support.virtual_time import FakeConnection, SeededBytes, VirtualLoop, run

PACKAGE = "roundtable."
PLAYERS = 5
STEP = 0.01  # seconds
TURNS_OF_THE_LOOP = 50  # in which everything that follows from a message is done


class Trace:
    """A profile function that counts the calls between two modules of the package."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self._frames: dict[int, FrameType] = {}  # kept, so that no id is used twice

    @property
    def modules(self) -> set[str]:
        return {module for call in self.calls for module in call if module}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        if event != "call" or not module.startswith(PACKAGE) or id(frame) in self._frames:
            return  # a coroutine that is resumed is not called again
        self._frames[id(frame)] = frame
        if (caller := caller_of(frame)) != module:
            self.calls[caller, module] += 1


def caller_of(frame: FrameType) -> str:
    """The closest module of the package on the stack; empty where the event loop is the caller."""
    above = frame.f_back
    while above is not None:
        module = str(above.f_globals.get("__name__", ""))
        if module.startswith(PACKAGE):
            return module
        above = above.f_back
    return ""


class Player(FakeConnection):
    def first_move(self, kind: str) -> dict[str, Any] | None:
        asked = self.all("Asked")
        offered = [move for offer in asked[-1]["options"] for move in offer["moves"]] if asked else []
        return next((move for move in offered if move["is"] == kind), None)


class Table:
    """A room of players in front of a vote."""

    def __init__(self, sockets: Sockets, room: Room, players: list[Player]) -> None:
        self.sockets, self.room, self.players = sockets, room, players

    async def act(self, player: Player, kind: str) -> None:
        sent = json.dumps({"is": "Act", "id": kind, "action": player.first_move(kind)})
        self.sockets._take(self.room, player.session, sent)
        await settle()

    async def propose(self) -> None:
        await self.act(next(player for player in self.players if player.first_move("ProposeTeam")), "ProposeTeam")


async def open_table(registry: RoomRegistry, sockets: Sockets) -> Table:
    opened = await registry.open(bodies.OpenRoom(name="Host", game="avalon", seats=PLAYERS))
    room = await registry.find(opened.room)
    tokens = [opened.token, *[(await room.join(f"Player {seat}", watch=False))[1] for seat in range(1, PLAYERS)]]
    players = [Player(token) for token in tokens]
    for token, player in zip(tokens, players, strict=True):
        room.enter(player.session, player.entering())
        await room.ask(token, ask.SayReady(is_ready=True))
    await room.ask(opened.token, ask.Start())
    await settle()
    table = Table(sockets, room, players)
    await table.propose()
    return table


async def settle() -> None:
    for _ in range(TURNS_OF_THE_LOOP):
        await asyncio.sleep(0)


async def trace_vote(loop: VirtualLoop) -> Trace:
    registry = RoomRegistry(Services(MemoryLog(), loop.now, SeededBytes(), InlineBotWorkers()))
    sockets = Sockets(registry, Limits(), Metrics())
    before, table = await open_table(registry, sockets), await open_table(registry, sockets)
    for player in before.players[:-1]:
        await before.act(player, "CastVote")
    frames = [len(player.frames) for player in table.players]
    trace = Trace()
    sys.setprofile(trace)
    await table.act(table.players[1], "CastVote")
    sys.setprofile(None)
    assert [len(player.frames) for player in table.players] == [count + 1 for count in frames]
    await registry.stop()
    return trace


async def trace_bot(loop: VirtualLoop) -> Trace:
    """From the timer that asks a bot to the frame that tells the only person at the table of its vote."""
    registry = RoomRegistry(Services(MemoryLog(), loop.now, SeededBytes(), InlineBotWorkers()))
    opened = await registry.open(
        bodies.OpenRoom(name="Host", game="avalon", seats=PLAYERS, settings=ask.Settings(bots_speak=False))
    )
    room = await registry.find(opened.room)
    person = Player(opened.token)
    room.enter(person.session, person.entering())
    for request in (ask.SeatBot(), ask.SayReady(is_ready=True), ask.Start()):
        await room.ask(opened.token, request)
    while not votes(person):  # the first bot's vote makes what is made once
        if (move := person.first_move("ProposeTeam")) is not None:
            room.say(person.session, Act(id="team", action=Raw(json.dumps(move).encode())))
        await asyncio.sleep(STEP)
    before = len(person.frames)
    trace = Trace()
    sys.setprofile(trace)  # the next bot is asked after the first has answered
    while len(person.frames) == before:
        await asyncio.sleep(STEP)
    sys.setprofile(None)
    assert len(votes(person)) == 2
    await registry.stop()
    return trace


def trace_simulation() -> Trace:
    from roundtable.games import make_setup
    from roundtable.lab.simulate import players_here, simulate
    from roundtable.lab.studies import Study

    study = Study(setup=make_setup("avalon", 5), bots=("random",), seed="tea", games=100)
    simulate(study, players_here(1))
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    simulate(study, players_here(1))
    sys.setprofile(None)
    threading.setprofile(None)
    return trace


def votes(person: Player) -> list[Any]:
    return [heard for heard in person.all("Heard") if heard["event"]["is"] == "BallotCast"]


def main() -> int:
    way = sys.argv[1] if sys.argv[1:] else "vote"
    trace = trace_simulation() if way == "simulation" else run(trace_bot if way == "bot" else trace_vote)
    for (caller, callee), times in sorted(trace.calls.items()):
        print(f"{times:4} {caller or '(event loop)'} -> {callee}")
    print(f"{len(trace.modules)} modules, {trace.calls.total()} calls between modules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
