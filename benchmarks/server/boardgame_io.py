"""boardgame.io's tables: five clients that speak its socket protocol and vote in every round."""

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

VERSION = "0.50.2"


def start_server(folder: Path, core: Sequence[str]) -> tuple[subprocess.Popen[str], int, int] | None:
    """Install it from the npm registry and run it; None without npm."""
    port, api = free_port(), free_port()
    server = start_script(folder / "boardgame.io", core, "boardgame_io.js", {"boardgame.io": VERSION}, [port, api])
    return None if server is None else (server, port, api)


class Table(VotingTable):
    """A match with five clients. A move has to name the number of the latest state."""

    def __init__(self, port: int, api: int, chance: random.Random) -> None:
        super().__init__(chance)
        self._port, self._api = port, api
        self._match = ""
        self._credentials: list[str] = []
        self._state = 0
        self._synced: list[asyncio.Future[None]] = []

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._gather)
        self._synced = [loop.create_future() for _ in range(SEATS)]
        for seat in range(SEATS):
            hear = partial(self._heard, seat)
            self.sockets.append(await connect(self._port, "/socket.io/?EIO=4&transport=websocket", hear))
        await asyncio.gather(*self._synced)

    def _gather(self) -> None:
        self._match = self._post("/games/hidden/create", {"numPlayers": SEATS})["matchID"]
        for seat in range(SEATS):
            joined = self._post(f"/games/hidden/{self._match}/join", {"playerID": str(seat), "playerName": f"P{seat}"})
            self._credentials.append(joined["playerCredentials"])

    def _post(self, path: str, body: object) -> dict[str, str]:
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self._api}{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            told: dict[str, str] = json.load(answer)
            return told

    def _heard(self, seat: int, socket: Socket, text: bytes) -> None:
        if text.startswith(b"0"):
            socket.send(b"40/hidden,")
        elif text.startswith(b"40/hidden"):
            sync = ["sync", self._match, str(seat), self._credentials[seat], SEATS]
            socket.send(b"42/hidden," + json.dumps(sync).encode())
        elif text == b"2":
            socket.send(b"3")
        elif text.startswith(b'42/hidden,["sync"'):
            if not self._synced[seat].done():
                self._synced[seat].set_result(None)
        elif text.startswith(b'42/hidden,["update"'):
            self._state += self.received(seat)

    def vote(self, seat: int) -> None:
        payload = {"type": "vote", "args": [True], "playerID": str(seat), "credentials": self._credentials[seat]}
        action = {"type": "MAKE_MOVE", "payload": payload}
        update = ["update", action, self._state, self._match, str(seat)]
        self.sockets[seat].send(b"42/hidden," + json.dumps(update).encode())


async def open_tables(port: int, api: int, count: int) -> list[Table]:
    chance = random.Random(7)
    return await open_all([Table(port, api, random.Random(chance.random())) for _ in range(count)])
