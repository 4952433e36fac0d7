"""Counts the modules that one vote crosses, from the text of a socket's frame to the frames of everyone in the room.

PYTHONPATH=src:tests python tools/trace_modules.py
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
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services
from roundtable.server.limits import Limits
from roundtable.server.metrics import MeasuredLog, Metrics
from roundtable.server.sockets import Sockets
from roundtable.storage import MemoryLog
from virtual import Bytes, Client, VirtualLoop, run

PACKAGE = "roundtable."
PLAYERS = 5


class Trace:
    """Every call between two modules of the package, as a profile function sees it."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        self._entered: set[int] = set()
        self._frames: list[FrameType] = []  # kept, so that no frame's id is used twice

    @property
    def modules(self) -> set[str]:
        return {module for call in self.calls for module in call if module}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event != "call" or not module.startswith(PACKAGE) or id(frame) in self._entered:
            return  # a coroutine that goes on is not called again
        self._entered.add(id(frame))
        self._frames.append(frame)
        if (caller := caller_of(frame)) != module:
            self.calls[caller, module] += 1


def caller_of(frame: FrameType) -> str:
    """The module of the package that called; empty where the event loop did."""
    above = frame.f_back
    while above is not None:
        module = str(above.f_globals.get("__name__", ""))
        if module.startswith(PACKAGE):
            return module
        above = above.f_back
    return ""


class Player(Client):
    """A player at a table; the port is a list of frames."""

    def first_move(self, kind: str) -> dict[str, Any] | None:
        """The first move of this kind that was offered last."""
        offered = [move for offer in self.last("Asked")["options"] for move in offer["moves"]]
        return next((move for move in offered if move["is"] == kind), None)


async def open_table(registry: RoomRegistry) -> tuple[Any, list[Player]]:
    opened = await registry.open(bodies.OpenRoom(name="Host", game="avalon", seats=PLAYERS))
    room = await registry.find(opened.room)
    players = [Player(opened.token)]
    for number in range(1, PLAYERS):
        players.append(Player((await room.join(f"Player {number}", watch=False))[1]))
    for player in players:
        room.enter(player.session, player.entering(room.code))
        await room.ask(player.token or "", ask.SayReady(is_ready=True))
    await room.ask(players[0].token or "", ask.Start())
    await settle()
    return room, players


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def trace_vote(loop: VirtualLoop) -> Trace:
    metrics = Metrics()
    log = MeasuredLog(MemoryLog(), metrics)
    registry = RoomRegistry(Services(log, loop.now, Bytes(), InlineBotWorkers()))
    sockets = Sockets(registry, Limits(), metrics)
    room, players = await open_table(registry)

    async def act(player: Player, kind: str) -> None:
        sent = json.dumps({"is": "Act", "id": kind, "action": player.first_move(kind)})
        sockets._take(room, player.session, sent)
        await settle()

    await act(next(player for player in players if player.first_move("ProposeTeam")), "ProposeTeam")
    await act(players[0], "CastVote")  # so that what is cached for all votes is cached
    heard = [len(player.frames) for player in players]
    trace = Trace()
    sys.setprofile(trace)
    await act(players[1], "CastVote")
    sys.setprofile(None)
    assert all(len(player.frames) > before for player, before in zip(players, heard, strict=True))
    await registry.stop()
    return trace


if __name__ == "__main__":
    traced = run(trace_vote)
    for (caller, callee), times in sorted(traced.calls.items()):
        print(f"{times:4} {caller or '(event loop)'} -> {callee}")
    print(f"{len(traced.modules)} modules, {sum(traced.calls.values())} calls between modules")
