"""Rooms for the tests of the web app, opened over HTTP: with bots that answer at once, and games that are over."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

AT_ONCE = {"bot_seconds": 0}
QUESTS_FOR_SURE = {"hammer": "auto"}  # A15: no game of Avalon ends by five rejections


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

    def wait_for(self, stage: str, seconds: float = 60) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while (room := self.look())["stage"] != stage:
            assert time.monotonic() < until, f"the room is still in the {room['stage']}"
            time.sleep(0.1)
        return room


def call(address: str, body: object = None, token: str = "") -> dict[str, Any]:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    asked = urllib.request.Request(address, None if body is None else json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def open_room(
    url: str, game: str = "avalon", seats: int = 5, name: str = "Ann", settings: Any = AT_ONCE, **options: Any
) -> Person:
    body = {"name": name, "game": game, "seats": seats, "options": options, "settings": settings}
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
    """These people, bots on the other seats that answer at once, and the game begins."""
    settings = {**AT_ONCE, "takeover_seconds": None}
    host = open_room(url, game, seats, names[0], settings, **(options or {}))
    people = [host, *(join(url, host.code, name) for name in names[1:])]
    start_with_bots(*people)
    return people


def watch_bots_play(host: Person, bot: str = "careful") -> None:
    """A whole game among bots; the host looks on."""
    host.ask("LeaveSeat")
    seat_bots(host, bot)
    host.ask("Start")
    host.wait_for("over")
