"""The small client in examples/ plays a whole game over a real server, and comes back when the server does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest

from live import LiveServer
from roundtable.storage import verify_record
from roundtable.storage.records import read_record
from waiting import PATIENCE

ROOT = Path(__file__).parent.parent
CLIENT = ROOT / "examples" / "table_client.py"
CHOICES = "^ *1 [a-z]"  # how a list of them begins


class Served(LiveServer):
    """A server at one address, before and after a restart, that is asked over HTTP."""

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return bytes(answer.read())

    def post(self, path: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        asked = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            told: dict[str, Any] = json.load(answer)
            return told


class Person:
    """Somebody at a terminal with the client."""

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
def server(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "rooms.db", keeps_address=True) as served:
        yield served
        assert served.stop() == 0


def test_the_client_is_as_short_as_the_documents_say() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) < 80


@pytest.mark.slow
def test_a_whole_game_is_played_over_a_crash_of_the_server(server: Served, tmp_path: Path) -> None:
    settings = {"bot_seconds": 0, "takeover_seconds": None}
    host = server.post("/api/rooms", {"name": "Host", "settings": settings})
    requests = f"/api/rooms/{host['room']}/requests"
    server.post(requests, {"is": "LeaveSeat"}, host["token"])
    for seat in range(1, 5):
        server.post(requests, {"is": "SeatBot", "seat": seat}, host["token"])

    person = Person("Bình", f"{server.url}/r/{host['room']}")
    person.reads("Not ready yet: Bình.")
    person.type("say Chào cả nhà!")
    person.reads("Chào cả nhà!")
    person.type("ready")
    while "Not ready yet" in person.reads("lobby."):
        pass
    server.post(requests, {"is": "HandOver", "member": 2}, host["token"])
    person.type("start")

    asked = 0
    while not (line := person.next()).startswith("over: "):
        if not re.search(CHOICES, line):
            continue
        asked += 1
        if asked == 2:
            server.kill()
            person.reads("The connection is gone.")
            server.start()
            person.reads(CHOICES)  # it is back, and asked again
        person.type("2" if "cast vote" in line and asked % 3 == 0 else "1")
    assert person.leave() == 0
    assert asked > 2

    record = tmp_path / "game.jsonl"
    record.write_bytes(server.get(f"/api/rooms/{host['room']}/games/1/record"))
    assert str(verify_record(record).outcome.reason).replace("_", " ") in line
    events = [event for entry in read_record(record).entries for event in entry.events]
    for kind, words in (
        ("LeaderNamed", "leader named"),
        ("VotesCounted", "votes counted"),
        ("QuestResolved", "quest r"),
    ):
        happened = sum(type(event).__name__ == kind for event in events)
        assert sum(line.startswith(words) for line in person.read) == happened > 0, "nothing twice, nothing missing"


@pytest.mark.slow
def test_a_room_of_ones_own_has_bots_and_starts(server: Served) -> None:
    person = Person("Ann", "--new", "saviom", server.url)
    while "Not ready yet: Ann." in (line := person.reads("lobby.")) and "Nobody sits" in line:
        pass
    person.type("ready")
    while "Not ready yet" in person.reads("lobby."):
        pass
    person.type("start")
    assert "seat Ann" in person.reads("role dealt: ")
    person.type("say Good evening.")
    assert "seat Ann" in person.reads("text Good evening.")
    assert person.leave() == 0


@pytest.mark.slow
def test_a_wrong_code_gets_one_clear_sentence(server: Served) -> None:
    person = Person("Ann", f"{server.url}/r/AAAAAA")
    assert person.next() == "There is no such room, or you are not in it."
    assert person.leave() == 1
