"""examples/table_client.py plays a whole game over a server, and reconnects when the server restarts."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from roundtable.client import Client
from roundtable.core.events import GameEnded
from roundtable.games import spec_named
from roundtable.games.quests.events import LeaderNamed, QuestResolved, VotesCounted
from roundtable.protocol.bodies import Membership
from roundtable.protocol.rooms import HandOver, LeaveSeat, Request, SeatBot, Settings
from roundtable.storage import verify_record
from roundtable.storage.records import read_record
from roundtable.text.names import Names
from roundtable.text.teller import teller_of
from support.live_server import LiveServer
from support.paths import ROOT
from support.waiting import PATIENCE

CLIENT = ROOT / "examples" / "table_client.py"
CHOICES = r"^ *1 \S"  # how a list of them begins
TOLD = (LeaderNamed, VotesCounted, QuestResolved, GameEnded)


class TerminalClient:
    """The program as it runs at a terminal."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-u", str(CLIENT), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self.read: list[str] = []
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))

    def type(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def next(self) -> str:
        """The next line on the screen."""
        try:
            self.read.append(self._lines.get(timeout=PATIENCE))
        except Empty:
            raise AssertionError("Nothing more was shown after:\n" + "\n".join(self.read[-20:])) from None
        return self.read[-1]

    def reads(self, pattern: str) -> str:
        """The next line in which this is found."""
        while not re.search(pattern, line := self.next()):
            pass
        return line

    def leave(self) -> int:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        code = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._process.stdout.close()
        return code


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(tmp_path / "rooms.db", keeps_address=True) as served:
        yield served
        assert served.stop() == 0


def test_the_client_is_as_short_as_the_documents_say() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) < 90


@pytest.mark.slow
def test_a_whole_game_is_played_over_a_crash_of_the_server(server: LiveServer, tmp_path: Path) -> None:
    host = asyncio.run(open_table(server))
    person = TerminalClient("Bình", f"{server.url}/r/{host.room}")
    person.reads("Not ready yet: Bình.")
    person.type("say Chào cả nhà!")
    person.reads("Bình: Chào cả nhà!")
    person.type("ready")
    while "Not ready yet" in person.reads("lobby."):
        pass
    person.type("start")
    assert person.reads("host") == "Only the host can do that."
    asyncio.run(ask(server, host, HandOver(member=2)))
    person.type("start")

    asked = 0
    while ": over." not in (line := person.next()):
        if not re.search(CHOICES, line):
            continue
        asked += 1
        if asked == 2:
            server.kill()
            server.start()
            person.reads(CHOICES)  # it is back, and asked again
        person.type("2" if "approve" in line.lower() and asked % 3 == 0 else "1")
    assert asked > 2

    record = tmp_path / "game.jsonl"
    record.write_bytes(asyncio.run(record_of(server, host.room)))
    verify_record(record)
    written = read_record(record)
    teller = teller_of(spec_named("avalon"), Names(written.names))
    events = [event for entry in written.entries for event in entry.events if isinstance(event, TOLD)]
    told = [str(teller.sentence(event)).strip() for event in events]
    while person.next() != told[-1]:
        pass
    assert person.leave() == 0
    assert [line.strip() for line in person.read if line.strip() in told] == told, "nothing twice, nothing missing"


async def open_table(server: LiveServer) -> Membership:
    """A host who watches, and four bots."""
    async with Client(server.url) as client:
        table = await client.open("Host", settings=Settings(bot_pace="instant", takeover_seconds=None))
        await table.ask(LeaveSeat())
        for seat in range(1, 5):
            await table.ask(SeatBot(seat=seat))
        assert table.membership
        return table.membership


async def ask(server: LiveServer, member: Membership, request: Request) -> None:
    await Client(server.url).http.ask(member, request)


async def record_of(server: LiveServer, room: str) -> bytes:
    return await Client(server.url).http.record(room, 1)


@pytest.mark.slow
def test_a_room_of_ones_own_has_bots_and_starts(server: LiveServer) -> None:
    person = TerminalClient("Ann", "--new", "saviom", server.url)
    assert re.fullmatch(rf"Friends join at {server.url}/r/\w{{6}}", person.next())
    while "Not ready yet: Ann." in (line := person.reads("lobby.")) and "Nobody sits" in line:
        pass
    person.type("ready")
    while "Not ready yet" in person.reads("lobby."):
        pass
    person.type("start")
    person.reads("7 players .*: Ann, ")
    person.reads("Ann")
    person.type("say Good evening.")
    person.reads("Ann: Good evening.")
    assert person.leave() == 0


@pytest.mark.slow
def test_a_wrong_code_gets_one_clear_sentence(server: LiveServer) -> None:
    person = TerminalClient("Ann", f"{server.url}/r/AAAAAA")
    assert person.next() == "There’s no such table, or you’re not at it."
    assert person.leave() == 1
