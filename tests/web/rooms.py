"""Rooms for the tests of the web app, opened over HTTP: with bots that answer at once, and games that are over."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from websockets.sync.client import ClientConnection, connect

from waiting import PATIENCE

AT_ONCE = {"bot_seconds": 0, "takeover_seconds": None}  # and no bot takes a seat because a test is slow
QUESTS_FOR_SURE: dict[str, Any] = {"hammer": "auto"}  # A15: no game of Avalon ends by five rejections
FIVE = ("Ann", "Bình", "Chi", "Dũng", "Eve")


@dataclass(frozen=True)
class Person:
    """Somebody in a room, and what they may ask of it."""

    url: str
    code: str
    token: str
    member: int

    def ask(self, request: str, **parts: Any) -> dict[str, Any]:
        body = {"is": request, **parts}
        return call(f"{self.url}/api/rooms/{self.code}/requests", body, token=self.token)

    def look(self) -> dict[str, Any]:
        return call(f"{self.url}/api/rooms/{self.code}")

    @contextmanager
    def line(self) -> Iterator[ClientConnection]:
        """A line to the room. As long as it is open, they are there."""
        address = f"{self.url.replace('http', 'ws', 1)}/socket"
        plain: dict[str, Any] = {"compression": None, "proxy": None, "ping_interval": None, "max_queue": None}
        with connect(address, open_timeout=PATIENCE, **plain) as line:
            line.send(json.dumps({"is": "Enter", "room": self.code, "token": self.token}))
            yield line

    def wait_for(self, stage: str) -> None:
        with self.line() as line:
            while not any(one["is"] == "Room" and one["stage"] == stage for one in hear(line)):
                pass


def hear(line: ClientConnection) -> list[dict[str, Any]]:
    """The messages that come next."""
    return [json.loads(message) for message in str(line.recv(timeout=PATIENCE)).split("\n")]


def call(address: str, body: object = None, token: str = "") -> dict[str, Any]:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    asked = urllib.request.Request(address, None if body is None else json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def open_room(
    url: str,
    game: str = "avalon",
    seats: int = 5,
    name: str = "Ann",
    settings: dict[str, Any] | None = None,
    **options: Any,
) -> Person:
    body = {"name": name, "game": game, "seats": seats, "options": options, "settings": AT_ONCE | (settings or {})}
    return person(url, call(f"{url}/api/rooms", body))


def join(url: str, code: str, name: str, *, watch: bool = False) -> Person:
    return person(url, call(f"{url}/api/rooms/{code}/members", {"name": name, "watch": watch}))


def person(url: str, membership: dict[str, Any]) -> Person:
    return Person(url, membership["room"], membership["token"], membership["member"])


def seat_bots(host: Person, bot: str = "careful") -> None:
    for seat, place in enumerate(host.look()["seats"]):
        if place["member"] is None and place["bot"] is None:
            host.ask("SeatBot", seat=seat, bot=bot)


def start_with_bots(*people: Person) -> None:
    """Everybody keeps the seat they have; the first one is the host."""
    seat_bots(people[0])
    for one in people:
        one.ask("SayReady", is_ready=True)
    people[0].ask("Start")


def start_game(
    url: str, game: str, seats: int, names: Sequence[str], options: dict[str, Any] | None = None
) -> list[Person]:
    """These people, bots on the other seats, and the game begins."""
    host = open_room(url, game, seats, names[0], **(options or {}))
    people = [host, *(join(url, host.code, name) for name in names[1:])]
    start_with_bots(*people)
    return people


def watch_bots_play(host: Person, bot: str = "careful") -> None:
    """A whole game among bots; the host looks on."""
    host.ask("LeaveSeat")
    seat_bots(host, bot)
    host.ask("Start")
    host.wait_for("over")
