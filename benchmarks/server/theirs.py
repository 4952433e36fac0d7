"""boardgame.io's tables: five clients that speak its socket protocol and vote in every round."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.server.sockets import Socket, connect

SEATS = 5
VERSION = "0.50.2"
HERE = Path(__file__).parent


def start_server(folder: Path, core: Sequence[str]) -> tuple[subprocess.Popen[str], int, int] | None:
    """Install it from the npm registry and run it; None without npm."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return None
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": {"boardgame.io": VERSION}}))
    install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
    if subprocess.run(install, cwd=folder, capture_output=True, check=False).returncode:
        return None
    shutil.copy(HERE / "boardgame_io.js", folder / "server.js")
    port, api = _free_port(), _free_port()
    server = subprocess.Popen(
        [*core, "env", "NODE_ENV=production", "node", "server.js", str(port), str(api)],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    while (line := server.stdout.readline()) and "ready" not in line:
        pass
    return server, port, api


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Table:
    """A match with five clients. A move has to name the number of the latest state."""

    def __init__(self, port: int, api: int, chance: random.Random) -> None:
        self._port, self._api, self._chance = port, api, chance
        self._match = ""
        self._sockets: list[Socket] = []
        self._credentials: list[str] = []
        self._state = 0
        self._voted: set[int] = set()
        self._moved: asyncio.Future[None] | None = None
        self._missing: set[int] = set()
        self._synced: list[asyncio.Future[None]] = []

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._gather)
        self._synced = [loop.create_future() for _ in range(SEATS)]
        for seat in range(SEATS):
            hear = partial(self._heard, seat)
            self._sockets.append(await connect(self._port, "/socket.io/?EIO=4&transport=websocket", hear))
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
            self._missing.discard(seat)
            if self._moved is not None and not self._missing:
                self._state += 1
                self._moved.set_result(None)
                self._moved = None

    @property
    def can_move(self) -> bool:
        return self._moved is None

    def move(self) -> asyncio.Future[None]:
        if len(self._voted) == SEATS:
            self._voted = set()
        seat = self._chance.choice([seat for seat in range(SEATS) if seat not in self._voted])
        self._voted.add(seat)
        self._missing = set(range(SEATS))
        self._moved = asyncio.get_running_loop().create_future()
        moved = self._moved
        payload = {"type": "vote", "args": [True], "playerID": str(seat), "credentials": self._credentials[seat]}
        action = {"type": "MAKE_MOVE", "payload": payload}
        update = ["update", action, self._state, self._match, str(seat)]
        self._sockets[seat].send(b"42/hidden," + json.dumps(update).encode())
        return moved


async def open_tables(port: int, api: int, count: int) -> list[Table]:
    chance = random.Random(7)
    tables = [Table(port, api, random.Random(chance.random())) for _ in range(count)]
    for place in range(0, count, 20):
        await asyncio.gather(*(table.open() for table in tables[place : place + 20]))
    return tables
