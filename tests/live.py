"""The real server as a process of its own, and people at it: over HTTP, and over sockets that they open again."""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from waiting import PATIENCE, PAUSE, until

TALKATIVE = 0.15  # how often players talk before they answer
PLAIN: dict[str, Any] = {
    "compression": None,
    "max_size": None,
    "ping_interval": None,
    "proxy": None,
    "open_timeout": PATIENCE,
}
GENEROUS = ("--requests-per-minute", "1000000", "--sockets-per-address", "100000")
PROGRAM = (sys.executable, "-m", "roundtable")


def command(database: str, *flags: str, program: Sequence[str] = PROGRAM) -> list[str]:
    return [*program, "serve", "--host", "127.0.0.1", "--database", database, *flags]


def environment() -> dict[str, str]:
    """The server is told everything by flags."""
    return {name: text for name, text in os.environ.items() if not name.startswith("ROUNDTABLE_")}


def run_to_its_end(database: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """A server that is not expected to run."""
    return subprocess.run(
        command(database, *flags), capture_output=True, text=True, timeout=PATIENCE, env=environment(), check=False
    )


class LiveServer:
    """`roundtable serve` over a SQLite file. It can be killed, stopped and started again, at another port each time, or
    at one that it keeps: on a loopback address of its own, which no other server takes while this one is down."""

    def __init__(
        self, database: Path, *flags: str, keeps_address: bool = False, program: Sequence[str] = PROGRAM
    ) -> None:
        self._program = program
        self.database = database
        self.log = database.with_suffix(".log")
        self.url = ""
        self._flags = flags or GENEROUS
        self._host = f"127.{'.'.join(str(1 + secrets.randbelow(254)) for _ in range(3))}" if keeps_address else ""
        self._process: subprocess.Popen[str] | None = None

    def _place(self) -> list[str]:
        port = self.url.rpartition(":")[2] if self._host else ""
        return ["--port", port or "0", *(["--host", self._host] if self._host else [])]

    def start(self) -> Self:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command(f"sqlite:///{self.database}", *self._place(), *self._flags, program=self._program),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment(),
            )
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        assert first.startswith("Round Table is open at http://"), (first, self.logged())
        self.url = first.split()[-1]
        return self

    @property
    def socket_url(self) -> str:
        return self.url.replace("http://", "ws://") + "/socket"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """As if the power had gone."""
        self._end(signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; its exit code."""
        return self._end(how)

    def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(how)
        code = self._process.wait(PATIENCE)
        if self._process.stdout:
            self._process.stdout.close()
        self._process = None
        return code

    def logged(self) -> str:
        return self.log.read_text(errors="replace")

    def workers(self) -> list[int]:
        """The processes in which bots think."""
        return [child for child in children_of(self.pid) if "spawn_main" in command_line_of(child)]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self.kill()


def children_of(pid: int) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == pid:
                found.append(int(folder.name))
    return found


def command_line_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def http_to(url: str) -> httpx.AsyncClient:
    """Every request over a connection of its own: the server might close one that waits just as it is used again."""
    alone = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncClient(base_url=url, verify=False, trust_env=False, timeout=PATIENCE, limits=alone)


class Guest:
    """A member of a room, as the HTTP API knows them."""

    def __init__(self, http: httpx.AsyncClient, membership: dict[str, Any]) -> None:
        self._http = http
        self.room: str = membership["room"]
        self.member: int = membership["member"]
        self.token: str = membership["token"]

    async def ask(self, kind: str, id: str = "", **more: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}", **({"idempotency-key": id} if id else {})}
        return await self._http.post(f"/api/rooms/{self.room}/requests", json={"is": kind, **more}, headers=headers)


async def open_room(http: httpx.AsyncClient, name: str = "Host", **more: Any) -> Guest:
    answer = await http.post("/api/rooms", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    return Guest(http, answer.json())


async def join_room(http: httpx.AsyncClient, code: str, name: str, **more: Any) -> Guest:
    answer = await http.post(f"/api/rooms/{code}/members", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    return Guest(http, answer.json())


async def seat_five(http: httpx.AsyncClient, settings: dict[str, Any] | None = None, **more: Any) -> list[Guest]:
    """A room of five people who are ready, and whose game has started. However slow the test, no bot takes a seat."""
    host = await open_room(http, settings={"takeover_seconds": None, **(settings or {})}, **more)
    guests = [host, *[await join_room(http, host.room, f"Guest {number}") for number in range(1, 5)]]
    for guest in guests:
        assert (await guest.ask("SayReady", is_ready=True)).status_code == 200
    started = await host.ask("Start", "start")
    assert started.status_code == 200, started.text
    return guests


class Listener:
    """One socket, from its Enter on, with everything it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.told: list[dict[str, Any]] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def enter(cls, url: str, room: str, token: str | None = None, **more: Any) -> Self:
        listener = cls(await connect(url, **PLAIN))
        await listener.say("Enter", room=room, **({} if token is None else {"token": token}), **more)
        return listener

    async def say(self, kind: str, **more: Any) -> None:
        await self.socket.send(json.dumps({"is": kind, **more}))

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                self.told += [json.loads(line) for line in str(frame).split("\n")]
        except ConnectionClosed:
            pass

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.told if message["is"] == kind]

    def last(self, kind: str) -> dict[str, Any]:
        return self.all(kind)[-1]

    def answer_to(self, id: str) -> dict[str, Any] | None:
        return next((one for one in self.told if one["is"] in ("Answered", "Refused") and one["id"] == id), None)

    async def hears(self, kind: str, count: int = 1) -> dict[str, Any]:
        await until(lambda: len(self.all(kind)) >= count, f"{count} of {kind}")
        return self.last(kind)

    async def answered(self, id: str) -> dict[str, Any]:
        await until(lambda: self.answer_to(id), f"an answer to {id}")
        return self.answer_to(id) or {}

    async def closed(self) -> tuple[int | None, str | None]:
        """With which code and word the server let go of it."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([self._reading])
        return self.socket.close_code, self.socket.close_reason

    async def leave(self) -> None:
        await self.socket.close()
        await asyncio.wait([self._reading])


class Player:
    """Somebody who plays whatever is offered, sends it until it is answered, and comes back however often they are cut
    off. Every line they heard is kept across their sockets."""

    def __init__(self, where: Callable[[], str], guest: Guest, seed: object, pause: float = 0.1) -> None:
        self.guest = guest
        self.heard: list[dict[str, Any]] = []
        self.acked: list[str] = []  # ids, in the order in which they were answered
        self.refused: list[str] = []
        self.seat = -1
        self.is_over = False
        self.is_resting = False  # sends nothing new
        self.waits_for: dict[str, Any] | None = None
        self.connections = 0
        self._where = where
        self._number = 0
        self._sent = 0
        self._asked: dict[str, Any] | None = None
        self._dice = random.Random(str(seed))
        self._pause = pause

    async def play(self) -> None:
        """Until the game is over, or cancelled."""
        while not self.is_over or self.waits_for:
            try:
                async with connect(self._where(), **PLAIN) as socket:
                    self.connections += 1
                    await self._converse(socket)
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError):
                await asyncio.sleep(PAUSE)

    async def _converse(self, socket: ClientConnection) -> None:
        self._asked = None
        heard = len(self.heard)
        entering = {"room": self.guest.room, "token": self.guest.token, "number": self._number, "heard": heard}
        await socket.send(json.dumps({"is": "Enter", **entering}))
        if self.waits_for:
            await self._send(socket)
        while not self.is_over or self.waits_for:
            for line in str(await socket.recv()).split("\n"):
                self._take(json.loads(line))
            if self.waits_for is None and not self.is_resting and not self.is_over and (action := self._choose()):
                await asyncio.sleep(self._dice.uniform(0, self._pause))  # so that the seats take turns
                if self.is_resting:
                    continue
                self._sent += 1
                self.waits_for = {"is": "Act", "id": f"{self.seat}-{self._sent}", "action": action}
                await self._send(socket)

    async def _send(self, socket: ClientConnection) -> None:
        """Once, or more often: nothing may be done twice."""
        for _ in range(self._dice.choice((1, 1, 1, 2))):
            await socket.send(json.dumps(self.waits_for))

    def _choose(self) -> dict[str, Any] | None:
        if self._asked and self._dice.random() < TALKATIVE:
            return {"is": "Say", "channel": "table", "text": f"Line {self._sent} is mine."}
        asked, self._asked = self._asked, None
        moves = [move for offer in asked["options"] for move in offer["moves"]] if asked else []
        return self._dice.choice(moves) if moves else None

    def _take(self, message: dict[str, Any]) -> None:
        match message["is"]:
            case "Welcome":
                self.seat, self._number = message["seat"], 1
            case "Heard":
                self.heard.append(message)
            case "Asked":
                self._asked = message
            case "Over":
                self.is_over = True
            case "Answered" | "Refused" if self.waits_for and message["id"] == self.waits_for["id"]:
                if message.get("code") == "room/busy":
                    return
                (self.acked if message["is"] == "Answered" else self.refused).append(message["id"])
                self.waits_for = None


async def fresh_heard(url: str, room: str, token: str, **more: Any) -> list[dict[str, Any]]:
    """What somebody gets who comes in and remembers nothing, or what they say."""
    listener = await Listener.enter(url, room, token, **more)
    await listener.hears("Clock")  # follows all that was heard, in the same frame
    heard = listener.all("Heard")
    await listener.leave()
    return heard


def traceback_free(logs: Sequence[str]) -> bool:
    return not any("Traceback" in log for log in logs)
