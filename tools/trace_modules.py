"""Counts the modules that one vote crosses, from the text of a socket's frame to the frames of every player.

    PYTHONPATH=src:tests python tools/trace_modules.py

The port is a list of frames and the log is in memory; everything in between is real. Another table has voted the same
way before, so that values and texts that are made once for all tables are made.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from types import FrameType
from typing import Any

from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.rooms import InlineBotWorkers, Room, RoomRegistry, Services
from roundtable.server.limits import Limits
from roundtable.server.metrics import Metrics
from roundtable.server.sockets import Sockets
from roundtable.storage import MemoryLog
from support.virtual import Bytes, Client, VirtualLoop, run

PACKAGE = "roundtable."
PLAYERS = 5
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


class Player(Client):
    def first_move(self, kind: str) -> dict[str, Any] | None:
        offered = [move for offer in self.last("Asked")["options"] for move in offer["moves"]]
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
        room.enter(player.session, player.entering(room.code))
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
    registry = RoomRegistry(Services(MemoryLog(), loop.now, Bytes(), InlineBotWorkers()))
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


def main() -> int:
    trace = run(trace_vote)
    for (caller, callee), times in sorted(trace.calls.items()):
        print(f"{times:4} {caller or '(event loop)'} -> {callee}")
    print(f"{len(trace.modules)} modules, {trace.calls.total()} calls between modules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
