"""`roundtable serve` as a process of its own, and players who use `roundtable.client`."""

from __future__ import annotations

import asyncio
import os
import random
import re
import resource
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, Self, TypeVar

import httpx

from roundtable.client import Client, ConnectionLost, ConnectionRestored, Table
from roundtable.core.actions import Action, Say
from roundtable.core.errors import IllegalAction, RoomRefused
from roundtable.core.events import Event
from roundtable.protocol import Asked, Over, offers
from roundtable.protocol.bodies import Join, Membership, OpenRoom
from roundtable.protocol.messages import Message
from roundtable.protocol.rooms import SayReady, Settings, Start
from support.waiting import PATIENCE

TALKATIVE = 0.15  # probability that a player talks before a move
REPEATED = 0.25  # probability that a request is sent twice
RETRY_DELAY = 0.05  # seconds before the first attempt to reconnect
GENEROUS = ("--requests-per-minute", "1000000", "--sockets-per-address", "100000")
PROGRAM = (sys.executable, "-m", "roundtable")
LUCK = os.environ.get("ROUNDTABLE_LUCK", "1")  # another text, and every game of a changed program is dealt otherwise
CHANGED = """
import sys
from hashlib import sha256
from roundtable.cli import main
from roundtable.core.codec import encode
from roundtable.core.play import Play
from roundtable.rooms import claims, presence, timers
opened = Play.open
Play.open = lambda game, setup, seed: opened(game, setup, sha256({luck!r} + encode(setup)).digest())
{change}
sys.exit(main())
"""
Answer = TypeVar("Answer")


def changed_program(change: str = "") -> list[str]:
    """The program with a constant changed, such as "presence.LOST_SECONDS = 0". Its deals, and what its bots draw,
    follow from the setup alone, so that no test depends on luck."""
    return [sys.executable, "-c", CHANGED.format(change=change, luck=LUCK.encode())]


def command(database: str, *flags: str, program: Sequence[str] = PROGRAM) -> list[str]:
    return [*program, "serve", "--host", "127.0.0.1", "--database", database, *flags]


def environment() -> dict[str, str]:
    """The environment without settings of the server, which tests configure by flags."""
    return {name: text for name, text in os.environ.items() if not name.startswith("ROUNDTABLE_")}


def run_to_its_end(database: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run a server that is expected to exit by itself."""
    return subprocess.run(
        command(database, *flags), capture_output=True, text=True, timeout=PATIENCE, env=environment(), check=False
    )


class LiveServer:
    """`roundtable serve` with a SQLite file, or a database at another address. It can be killed, stopped and started
    again: at another port each time, or with `keeps_address` at the same one, on a random loopback address that no
    other server takes meanwhile."""

    def __init__(
        self,
        database: Path,
        *flags: str,
        keeps_address: bool = False,
        program: Sequence[str] = PROGRAM,
        address: str = "",
    ) -> None:
        self._program = program
        self.database = database
        self._address = address or f"sqlite:///{database}"
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
                command(self._address, *self._place(), *self._flags, program=self._program),
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

    def client(self, timeout: float = PATIENCE) -> Client:
        """A client that waits for this server as long as a test does."""
        return Client(self.url, timeout=timeout, retry_delay=RETRY_DELAY)

    @property
    def socket_url(self) -> str:
        return self.url.replace("http://", "ws://") + "/socket"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it has died by itself."""
        return self._process is not None and self._process.poll() is not None

    def kill(self) -> None:
        """End it without a warning, like a power failure."""
        self._end(signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Signal it to end; returns its exit code."""
        return self._end(how)

    def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(how)
        code = self._process.wait(PATIENCE)
        if self._process.stdout:
            self._process.stdout.close()
        self._process = None
        return code

    @property
    def metrics_url(self) -> str:
        """Of a server that was started with `--metrics-port`."""
        return self.metrics_urls[-1]

    @property
    def metrics_urls(self) -> list[str]:
        """Of its workers."""
        return sorted(set(re.findall(r"http://\S+/metrics", self.logged())))

    def metrics(self) -> str:
        return httpx.get(self.metrics_url, trust_env=False, timeout=PATIENCE).text

    def figure(self, name: str) -> list[float]:
        """What each worker says."""
        texts = [httpx.get(url, trust_env=False, timeout=PATIENCE).text for url in self.metrics_urls]
        return [float(number) for text in texts for number in re.findall(rf"^{name} (\S+)$", text, re.MULTILINE)]

    def memory(self) -> int:
        """Its resident memory, in bytes."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()

    def logged(self) -> str:
        return self.log.read_text(errors="replace")

    def workers(self) -> list[int]:
        """The ids of the bots' processes."""
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


class Player:
    """Plays random moves over the client, talks now and then, and sends some requests twice."""

    def __init__(self, table: Table, seed: object, pause: float = 0.1) -> None:
        self.table = table
        self.seat = table.seat
        self.heard: list[Event] = []
        self.acked: list[str] = []  # ids, in the order in which they were answered
        self.acked_at: list[float] = []  # by `time.monotonic`
        self.is_over = False
        self.is_resting = False  # sends nothing new
        self.is_waiting = False  # for an answer
        self._changes = [(time.time(), True)]  # when the connection was lost and restored, as the client saw it
        self._take = table._take
        table._take = self._note  # type: ignore[method-assign]
        self._dice = random.Random(str(seed))
        self._pause = pause
        self._sent = 0

    def was_connected(self, at: float) -> bool:
        """Whether the client had a connection then, in seconds since 1970."""
        return [False, *(is_connected for since, is_connected in self._changes if since <= at)][-1]

    def _note(self, message: Message | ConnectionLost | ConnectionRestored) -> Any:
        if isinstance(message, ConnectionLost | ConnectionRestored):
            self._changes.append((time.time(), isinstance(message, ConnectionRestored)))
        return self._take(message)

    async def play(self) -> None:
        """Play until the game is over, or cancelled."""
        async for event in self.table.events():
            match event:
                case Event():
                    self.heard.append(event)
                case Asked():
                    await self._move()
                case Over():
                    self.is_over = True
                    return

    async def listen(self) -> None:
        """Keep what is heard after the game, until cancelled."""
        async for event in self.table.events():
            if isinstance(event, Event):
                self.heard.append(event)

    async def _move(self) -> None:
        while self._dice.random() < TALKATIVE:
            await self._act(Say(channel="table", text=f"Line {self._sent} is mine."))
        options, phase = self.table.options, self.table.view.phase.number
        if moves := [move for offer in offers(options, phase) for move in offer.moves]:
            await self._act(self._dice.choice(moves))

    async def _act(self, action: Action) -> None:
        await asyncio.sleep(self._dice.uniform(0, self._pause))  # so that the seats take turns
        if self.is_resting:
            return
        self._sent += 1
        self.is_waiting = True
        with suppress(IllegalAction):
            await self._act_as(f"{self.seat}-{self._sent}", action)
        self.is_waiting = False

    async def _act_as(self, own: str, action: Action) -> None:
        """A repeat of what was done has to be answered in the same way."""
        await insist(lambda: self.table.act(action, own))
        self.acked.append(own)
        self.acked_at.append(time.monotonic())
        if self._dice.random() < REPEATED:
            try:
                await insist(lambda: self.table.act(action, own))
            except IllegalAction as refused:
                raise AssertionError(f"{own} was done, and refused when it was repeated") from refused


async def insist(send: Callable[[], Awaitable[Answer]]) -> Answer:
    """Send the same again as long as the room is busy."""
    while True:
        try:
            return await send()
        except RoomRefused as refused:
            if refused.code != "room/busy":
                raise
            await asyncio.sleep(RETRY_DELAY)


async def seat_members(client: Client, **more: Any) -> list[Membership]:
    """Five members whose game has started. However slow the test, no bot takes over a seat."""
    wanted = OpenRoom(**{"name": "Host", "settings": Settings(takeover_seconds=None), "token": token_hex(24), **more})
    host = await insist(lambda: client.http.open_room(wanted))
    members = [host]
    for number in range(1, 5):
        guest = Join(name=f"Guest {number}", token=token_hex(24))
        members.append(await insist(lambda guest=guest: client.http.join_room(host.room, guest)))  # type: ignore[misc]
    ready = SayReady(is_ready=True)
    for member in members:
        await insist(lambda member=member: client.http.ask(member, ready, "ready"))  # type: ignore[misc]
    await insist(lambda: client.http.ask(host, Start(), "start"))
    return members


def traceback_free(logs: Sequence[str]) -> bool:
    return not any("Traceback" in log for log in logs)
