"""HTTP and WebSockets of a server without `roundtable.client`, for tests of single answers and frames."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from roundtable.protocol.bodies import Membership
from support.frames import FrameReader
from support.waiting import PATIENCE, until

PLAIN: dict[str, Any] = {
    "compression": None,
    "max_size": None,
    "ping_interval": None,
    "proxy": None,
    "open_timeout": PATIENCE,
}


def http_to(url: str) -> httpx.AsyncClient:
    """A connection for each request: the server may close an idle one just as it is used again."""
    alone = httpx.Limits(max_keepalive_connections=0)
    return httpx.AsyncClient(base_url=url, verify=False, trust_env=False, timeout=PATIENCE, limits=alone)


class Member:
    """A member of a room who sends requests by HTTP and gets the raw responses."""

    def __init__(self, http: httpx.AsyncClient, membership: dict[str, Any]) -> None:
        self._http = http
        self.room: str = membership["room"]
        self.member: int = membership["member"]
        self.token: str = membership["token"]
        self.membership = Membership(**membership)  # for the client

    async def ask(self, kind: str, id: str = "", **more: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}", **({"idempotency-key": id} if id else {})}
        return await self._http.post(f"/api/rooms/{self.room}/requests", json={"is": kind, **more}, headers=headers)


async def open_room(http: httpx.AsyncClient, name: str = "Host", **more: Any) -> Member:
    answer = await http.post("/api/rooms", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    return Member(http, answer.json())


async def join_room(http: httpx.AsyncClient, code: str, name: str, **more: Any) -> Member:
    answer = await http.post(f"/api/rooms/{code}/members", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    return Member(http, answer.json())


async def seat_five(http: httpx.AsyncClient, settings: dict[str, Any] | None = None, **more: Any) -> list[Member]:
    """Five members whose game has started. However slow the test, no bot takes over a seat."""
    host = await open_room(http, settings={"takeover_seconds": None, **(settings or {})}, **more)
    guests = [host, *[await join_room(http, host.room, f"Guest {number}") for number in range(1, 5)]]
    for guest in guests:
        assert (await guest.ask("SayReady", is_ready=True)).status_code == 200
    started = await host.ask("Start", "start")
    assert started.status_code == 200, started.text
    return guests


class Listener:
    """One WebSocket, from its Enter on, with every message that it received."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.received: list[dict[str, Any]] = []
        self._frames = FrameReader()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def enter(cls, url: str, room: str, token: str | None = None, **more: Any) -> Self:
        listener = cls(await connect(f"{url}/{room}", **PLAIN))
        await listener.say("Enter", **({} if token is None else {"token": token}), **more)
        return listener

    async def say(self, kind: str, **more: Any) -> None:
        await self.socket.send(json.dumps({"is": kind, **more}))

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                self.received += self._frames.read(str(frame))
        except ConnectionClosed:
            pass

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.received if message["is"] == kind]

    def last(self, kind: str) -> dict[str, Any]:
        return self.all(kind)[-1]

    def answer_to(self, id: str) -> dict[str, Any] | None:
        return next((one for one in self.received if one["is"] in ("Answered", "Refused") and one["id"] == id), None)

    async def hears(self, kind: str, count: int = 1) -> dict[str, Any]:
        await until(lambda: len(self.all(kind)) >= count, f"{count} of {kind}")
        return self.last(kind)

    async def answered(self, id: str) -> dict[str, Any]:
        await until(lambda: self.answer_to(id), f"an answer to {id}")
        return self.answer_to(id) or {}

    async def caught_up(self) -> None:
        """Wait until it has received all that the room had for it. A long backlog comes piece by piece, so the room is
        asked again until it sends nothing but the answer."""
        is_sure = False
        while not is_sure:
            received = len(self.received)
            await self.say("Act", id=f"caught up {received}", action={"is": "CastVote", "phase": 99, "approve": True})
            await self.answered(f"caught up {received}")
            is_sure = len(self.received) == received + 1

    async def closed(self) -> tuple[int | None, str | None]:
        """The code and the reason with which the server closed it."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([self._reading])
        return self.socket.close_code, self.socket.close_reason

    async def leave(self) -> None:
        await self.socket.close()
        await asyncio.wait([self._reading])


async def fresh_heard(url: str, room: str, token: str, **more: Any) -> list[dict[str, Any]]:
    """Every Heard that a new connection gets, from the beginning or from what `more` says."""
    listener = await Listener.enter(url, room, token, **more)
    await listener.caught_up()
    heard = listener.all("Heard")
    await listener.leave()
    return heard
