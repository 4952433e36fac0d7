"""Colyseus's tables: five clients that speak its binary protocol and vote in every round."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import urllib.request
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.server.load import open_all
from benchmarks.server.npm import free_port, start_script
from benchmarks.server.sockets import Socket, connect
from benchmarks.server.voting import SEATS, VotingTable

PACKAGES = {"@colyseus/core": "0.18.17", "@colyseus/schema": "5.0.34", "@colyseus/ws-transport": "0.18.4"}
JOINED, SAID, STATE, PATCH = b"\x0a", b"\x0d", b"\x0e", b"\x0f"  # the first byte of a message
VOTE = SAID + b"\xa4vote\xc3"  # the kind of message and `true`, in MessagePack


def start_server(folder: Path, core: Sequence[str]) -> tuple[subprocess.Popen[str], int] | None:
    """Install it from the npm registry and run it; None without npm."""
    port = free_port()
    server = start_script(folder / "colyseus", core, "colyseus.mjs", PACKAGES, [port])
    return None if server is None else (server, port)


class Table(VotingTable):
    """A room with five clients."""

    def __init__(self, port: int, chance: random.Random) -> None:
        super().__init__(chance)
        self._port = port
        self._joined: list[asyncio.Future[None]] = []

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        seats = await loop.run_in_executor(None, self._gather)
        self._joined = [loop.create_future() for _ in range(SEATS)]
        for seat, (process, room, session) in enumerate(seats):
            path = f"/{process}/{room}?sessionId={session}"
            self.sockets.append(await connect(self._port, path, partial(self._heard, seat)))
        await asyncio.gather(*self._joined)

    def _gather(self) -> list[tuple[str, str, str]]:
        seats = [self._post("/matchmake/create/hidden")]
        room = seats[0]["roomId"]
        seats += [self._post(f"/matchmake/joinById/{room}") for _ in range(SEATS - 1)]
        return [(seat["processId"], room, seat["sessionId"]) for seat in seats]

    def _post(self, path: str) -> dict[str, str]:
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}{path}", b"{}", headers)
        with urllib.request.urlopen(request) as answer:
            told: dict[str, str] = json.load(answer)
            return told

    def _heard(self, seat: int, socket: Socket, message: bytes) -> None:
        kind = message[:1]
        if kind == JOINED:
            socket.send(JOINED, is_text=False)
        elif kind == STATE:
            self._joined[seat].set_result(None)
        elif kind == PATCH:
            self.received(seat)

    def vote(self, seat: int) -> None:
        self.sockets[seat].send(VOTE, is_text=False)


async def open_tables(port: int, count: int) -> list[Table]:
    chance = random.Random(7)
    return await open_all([Table(port, random.Random(chance.random())) for _ in range(count)])
