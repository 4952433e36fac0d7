"""Rooms for the browser tests, opened with the client: with bots that answer at once, or with a finished game."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from roundtable.client import Client, Table
from roundtable.protocol.bodies import Join, Membership, OpenRoom
from roundtable.protocol.rooms import AnyRequest, Room, Settings
from support.background_loop import in_background
from support.waiting import PATIENCE

# Bots answer at once and do not speak; and no bot takes a seat because a test is slow.
AT_ONCE: dict[str, Any] = {"bot_pace": "instant", "bots_speak": False, "takeover_seconds": None}
QUESTS_FOR_SURE: dict[str, Any] = {"hammer": "auto"}  # A15: no game of Avalon ends by five rejections
FIVE = ("Ann", "Bình", "Chi", "Dũng", "Eve")


@dataclass(frozen=True)
class Person:
    """A member of a room, and what they may ask of it."""

    url: str
    membership: Membership

    @property
    def code(self) -> str:
        return self.membership.room

    @property
    def token(self) -> str:
        return self.membership.token

    @property
    def member(self) -> int:
        return self.membership.member

    def ask(self, request: str, **parts: Any) -> Room:
        wanted = msgspec.convert({"is": request, **parts}, AnyRequest)
        return in_background(client_of(self.url).http.ask(self.membership, wanted))

    def look(self) -> Room:
        return in_background(client_of(self.url).http.look(self.code))

    @contextmanager
    def connected(self) -> Iterator[Table]:
        """A connection to the table. While it is open, the member counts as present."""
        client = client_of(self.url)
        table = in_background(client.enter(self.membership))
        try:
            yield table
        finally:
            in_background(table.close())

    def wait_for(self, stage: str) -> None:
        with self.connected() as table:
            in_background(reaches(table, stage))


def client_of(url: str) -> Client:
    return Client(url, timeout=PATIENCE)


async def reaches(table: Table, stage: str) -> None:
    async with asyncio.timeout(PATIENCE):
        async for _ in table.events():
            if table.room.stage == stage:
                return


def call(address: str) -> dict[str, Any]:
    """What the HTTP API answers, as a page gets it."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
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
    held = Settings(**AT_ONCE | (settings or {}))
    wanted = OpenRoom(name=name, game=game, seats=seats, options=options, settings=held)
    return Person(url, in_background(client_of(url).http.open_room(wanted)))


def join(url: str, code: str, name: str, *, watch: bool = False) -> Person:
    return Person(url, in_background(client_of(url).http.join_room(code, Join(name=name, watch=watch))))


def seat_bots(host: Person, bot: str = "careful") -> None:
    for seat, place in enumerate(host.look().seats):
        if place.member is None and place.bot is None:
            host.ask("SeatBot", seat=seat, bot=bot)


def start_with_bots(*people: Person) -> None:
    """Bots take the free seats, and the game starts; the first of these people is the host."""
    seat_bots(people[0])
    for one in people:
        one.ask("SayReady", is_ready=True)
    people[0].ask("Start")


def start_game(
    url: str, game: str, seats: int, names: Sequence[str], options: dict[str, Any] | None = None
) -> list[Person]:
    """Seat these people, and bots on the other seats, and start the game."""
    host = open_room(url, game, seats, names[0], **(options or {}))
    people = [host, *(join(url, host.code, name) for name in names[1:])]
    start_with_bots(*people)
    return people


def watch_bots_play(host: Person, bot: str = "careful") -> None:
    """A whole game among bots, watched by the host."""
    host.ask("LeaveSeat")
    seat_bots(host, bot)
    host.ask("Start")
    host.wait_for("over")
