"""Rooms for the tests of the web app, opened over HTTP: with bots that answer at once, and games that are over."""

from __future__ import annotations

import json
import time
import urllib.request
from dataclasses import dataclass
from typing import Any

AT_ONCE = {"bot_seconds": 0}


@dataclass(frozen=True)
class Host:
    """Whoever opened a room, and what they may ask of it."""

    url: str
    code: str
    token: str

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
) -> Host:
    body = {"name": name, "game": game, "seats": seats, "options": options, "settings": settings}
    opened = call(f"{url}/api/rooms", body)
    return Host(url, opened["room"], opened["token"])


def seat_bots(host: Host, bot: str = "careful") -> None:
    for seat, place in enumerate(host.look()["seats"]):
        if place["member"] is None and place["bot"] is None:
            host.ask("SeatBot", seat=seat, bot=bot)


def start_with_bots(host: Host) -> None:
    """The host keeps the seat they have."""
    seat_bots(host)
    host.ask("SayReady", is_ready=True)
    host.ask("Start")


def watch_bots_play(host: Host, bot: str = "careful") -> None:
    """A whole game among bots; the host looks on."""
    host.ask("LeaveSeat")
    seat_bots(host, bot)
    host.ask("Start")
    host.wait_for("over")
