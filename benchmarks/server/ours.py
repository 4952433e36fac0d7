"""Round Table's own tables: five sockets that play whole games of Avalon, one after the other.

The client opens the rooms. The measured loop has lean sockets of its own: five clients spend more time on reading and
folding a move than the server spends on making it.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.server.load import open_all
from benchmarks.server.sockets import Socket, connect
from roundtable.client import Client
from roundtable.protocol.bodies import Join, OpenRoom
from roundtable.protocol.encoding import ENCODER
from roundtable.protocol.rooms import Ask, Enter, Rematch, SayReady, Settings, Start

METRICS_PORT = 9109
SEATS = 5
PHASE = re.compile(rb'"is":"PhaseBegan","name":"(\w+)","number":(\d+)')
ROOT = Path(__file__).resolve().parents[2]


class Build(NamedTuple):
    """The server that is measured: its Python and its package."""

    python: str = sys.executable
    package: Path = ROOT / "src"

    @property
    def path(self) -> str:
        """Its module path: the package, then our installed packages."""
        installed = [part for part in sys.path if part.endswith("-packages")]
        return os.pathsep.join([str(self.package.resolve()), *installed])


def start_server(
    folder: Path, core: Sequence[str], build: Build, metrics_port: int = METRICS_PORT
) -> tuple[subprocess.Popen[str], int]:
    """Start a durable server on a free port, with limits too high to matter."""
    command = [*core, build.python, "-m", "roundtable", "serve", "--host", "127.0.0.1", "--port", "0"]
    command += ["--database", f"sqlite:///{folder / 'bench.db'}", "--requests-per-minute", "100000000"]
    command += ["--sockets-per-address", "1000000", "--most-rooms", "1000000", "--messages-per-20-seconds", "100000000"]
    command += ["--metrics-port", str(metrics_port)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": build.path})
    assert server.stdout is not None
    found = re.search(r":(\d+)$", server.stdout.readline().strip())
    assert found, "the server did not start"
    return server, int(found[1])


class Table:
    """A room with five sockets. It tracks each seat's latest offers, and which seats received the move in flight."""

    def __init__(self, port: int, chance: random.Random) -> None:
        self.sockets: list[Socket] = []
        self.is_over = False
        self._port = port
        self._chance = chance
        self._offers: list[list[bytes]] = [[] for _ in range(SEATS)]
        self._phases: list[dict[str, Any]] = [{} for _ in range(SEATS)]
        self._offered: list[dict[str, Any]] = [{} for _ in range(SEATS)]  # the last ones, by the name of the phase
        self._acts = 0
        self._is_gathering = False
        self._ready: list[bool] = []
        self._moved: asyncio.Future[None] | None = None
        self._mover = -1
        self._answered = False
        self._missing: set[int] = set()

    async def open(self) -> None:
        http = Client(f"http://127.0.0.1:{self._port}").http
        host = await http.open_room(OpenRoom(name="A", seats=SEATS, settings=Settings(takeover_seconds=None)))
        members = [host, *[await http.join_room(host.room, Join(name=name)) for name in "BCDE"]]
        for seat, member in enumerate(members):
            socket = await connect(self._port, f"/socket/{member.room}", partial(self._heard, seat))
            socket.send(ENCODER.encode(Enter(token=member.token)))
            self.sockets.append(socket)
        self._get_ready()

    def _get_ready(self) -> None:
        """Make all members ready; when the host sees that all are, start the game."""
        self._is_gathering = True
        for socket in self.sockets:
            self._ask(socket, SayReady(is_ready=True))

    def _see_room(self, room: dict[str, Any]) -> None:
        """Note who is ready, from a Room or a RoomChanged."""
        changes = room.get("changes") or [[["members"], room["members"]]]
        for path, value in changes:
            if path == ["members"]:
                self._ready = [member["is_ready"] for member in value]
            elif path[0] == "members" and path[2] == "is_ready":
                self._ready[path[1]] = value
        if self._is_gathering and self._ready == [True] * SEATS:
            self._start()

    def _start(self) -> None:
        self._is_gathering = False
        self._ask(self.sockets[0], Start())

    def _ask(self, socket: Socket, request: SayReady | Start | Rematch) -> None:
        self._acts += 1
        socket.send(ENCODER.encode(Ask(id=f"ask-{self._acts}", request=request)))

    def _heard(self, seat: int, socket: Socket, text: bytes) -> None:
        """Read new offers, others' moves and the end of the game from a frame, parsing as little as possible."""
        for line in text.split(b"\n"):
            if line.startswith((b"[", b'{"event"')):
                self._missing.discard(seat)
                if b'"is":"PhaseBegan"' in line:
                    self._offers[seat] = []
                    name, number = PHASE.findall(line)[-1]
                    self._phases[seat] = {"phase": int(number), "name": name.decode()}
            elif b'"is":"Asked"' in line:
                self._offers[seat] = self._moves_in(seat, json.loads(line))
            elif b'"is":"Answered"' in line or b'"is":"Refused"' in line:
                self._answered |= seat == self._mover
            elif b'"is":"Over"' in line:
                self.is_over = True
            elif seat == 0 and b'"is":"Room' in line:
                self._see_room(json.loads(line))
        if self._moved is not None and self._answered and not self._missing:
            self._moved.set_result(None)
            self._moved = None
        if self.is_over and seat == 0 and b'"is":"Over"' in text:
            self._again()

    def _again(self) -> None:
        self.is_over = False
        self._offers = [[] for _ in range(SEATS)]
        self._ask(self.sockets[0], Rematch())
        asyncio.get_running_loop().call_later(0.05, self._get_ready)

    def _moves_in(self, seat: int, asked: dict[str, Any]) -> list[bytes]:
        """Every move that is offered, with what all moves of its offer share. Without options, they are those of the
        last phase of this name."""
        asked = {**self._phases[seat], **asked}
        offered = asked["options"] if "options" in asked else self._offered[seat][asked["name"]]
        if offered:
            self._offered[seat][asked["name"]] = offered
        return [
            json.dumps({"is": offer["kind"], "phase": asked["phase"], **move}).encode()
            for offer in offered
            for move in offer["moves"]
        ]

    @property
    def can_move(self) -> bool:
        return self._moved is None and any(self._offers)

    def move(self) -> asyncio.Future[None]:
        seat = self._chance.choice([seat for seat, offers in enumerate(self._offers) if offers])
        move = self._chance.choice(self._offers[seat])
        self._offers[seat] = []
        self._acts += 1
        self._mover, self._answered = seat, False
        is_public = b'"is": "PlayCard"' not in move  # a played card is private to its seat
        self._missing = set(range(SEATS)) if is_public else {seat}
        self._moved = asyncio.get_running_loop().create_future()
        moved = self._moved
        self.sockets[seat].send(b'{"is":"Act","id":"%d","action":%s}' % (self._acts, move))
        return moved


async def open_tables(port: int, count: int) -> list[Table]:
    chance = random.Random(7)
    tables = await open_all([Table(port, random.Random(chance.random())) for _ in range(count)])
    await asyncio.sleep(0.5)
    return tables
