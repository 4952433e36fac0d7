"""Tables of five people who play by the clock, and notice what is refused, lost, closed or late."""

from __future__ import annotations

import asyncio
import json
import random
import time
from statistics import quantiles
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from roundtable.server.clock import steady_clock
from support.frames import FrameReader
from support.raw_protocol import PLAIN, Member, http_to, seat_five
from support.sizes import size
from support.waiting import PAUSE, until

SECONDS = 3  # that each phase lasts
TIMED = dict.fromkeys(("propose_seconds", "vote_seconds", "quest_seconds", "shot_seconds"), SECONDS)
SHORTEST_WAIT, LONGEST_WAIT = 0.2, 1.5  # seconds before a player acts
SILENT = 0.15  # probability that a player lets a phase pass
TALKATIVE = 0.1  # probability that a player talks as well
RETURNS = 0.03  # probability that a player's connection is lost and opened again after an act
GAME_ACTS = size(10, soak=100)  # after which the host calls a game off, and the next begins
FORGIVEN = ("action/late", "game/over", "room/stage")  # the clock or the host was faster, as may be


class Evening(NamedTuple):
    """What the people of all tables noticed in a period."""

    answers: list[float]  # seconds until each act was answered
    late: list[float]  # seconds by which each deadline was late

    @property
    def p99(self) -> float:
        return quantiles(self.answers, n=100)[98]

    def line(self, name: str) -> str:
        cut = [1000 * one for one in quantiles(self.answers, n=100)]
        late = 1000 * max(self.late, default=0.0)
        return (
            f"{name}: {len(self.answers)} acts, p50 {cut[49]:.1f} ms, p99 {cut[98]:.1f} ms, most "
            f"{1000 * max(self.answers):.1f} ms; {len(self.late)} deadlines, the latest by {late:.0f} ms"
        )


class Notes:
    """What the people at all tables notice."""

    def __init__(self) -> None:
        self.now = steady_clock()
        self.complaints: list[str] = []
        self.evening = Evening([], [])

    def next_period(self) -> Evening:
        """The period that ends now."""
        ended, self.evening = self.evening, Evening([], [])
        return ended


class HonestPlayer:
    """A player over one connection, who moves at random a moment after being asked."""

    def __init__(self, notes: Notes, member: Member, url: str, address: str) -> None:
        self.notes, self.member = notes, member
        self.acts = 0
        self.is_over = False
        self.is_resting = False
        self.sent_at: dict[str, float] = {}  # when each act was sent that is not answered yet
        self.ends_at: int | None = None
        self._url, self._address = url, address
        self._dice = random.Random(f"{address}/{member.member}")
        self._number = self._heard = self._phase = self._acted_in = 0
        self._seat = -1
        self._socket: ClientConnection | None = None
        self._acting: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None

    async def enter(self) -> None:
        """Connect, and go on after what was heard last."""
        headers = {"x-forwarded-for": self._address}
        self._socket = await connect(self._url, **PLAIN, additional_headers=headers)
        place = {"number": self._number, "heard": self._heard, "heard_as": self._seat if self._heard else None}
        await self._say("Enter", token=self.member.token, **place)
        self._reading = asyncio.create_task(self._read(self._socket))

    async def leave(self) -> None:
        socket, self._socket = self._socket, None
        if socket and self._reading:
            await socket.close()
            await self._reading

    async def go_home(self) -> None:
        if self._acting:
            self._acting.cancel()
            await asyncio.wait([self._acting])
        await self.leave()

    async def _say(self, kind: str, **more: Any) -> None:
        if self._socket:
            await self._socket.send(json.dumps({"is": kind, **more}))

    async def _read(self, socket: ClientConnection) -> None:
        reader = FrameReader()
        try:
            async for frame in socket:
                for message in reader.read(str(frame)):
                    self._hear(message)
        except ConnectionClosed:
            pass
        if socket is self._socket:
            self._complain(f"closed with {socket.close_code} {socket.close_reason}")

    def _complain(self, what: str) -> None:
        self.notes.complaints.append(f"{self._address}, member {self.member.member}: {what}")

    def _hear(self, message: dict[str, Any]) -> None:
        match message["is"]:
            case "Answered":
                self.notes.evening.answers.append(time.perf_counter() - self.sent_at.pop(message["id"]))
            case "Refused":
                self.sent_at.pop(message["id"], None)
                if message["code"] not in FORGIVEN:
                    self._complain(f"refused: {message}")
            case "Welcome":
                self._seat, self.is_over = message["seat"], False
            case "Heard":
                self._hear_event(message["number"])
            case "Asked":
                self._asked(message)
            case "Clock":
                self._see_clock(message)
            case "Room":
                self._number = message["number"]
                if any(seat["stand_in"] for seat in message["seats"]):
                    self._complain("a bot plays for a player")
            case "Over":
                self.is_over, self.ends_at = True, None

    def _hear_event(self, number: int) -> None:
        if number not in (1, self._heard + 1):  # a new game begins with 1
            self._complain(f"heard {number} after {self._heard}")
        self._heard = number

    def _see_clock(self, clock: dict[str, Any]) -> None:
        """A deadline is late by the time at which players see the next phase."""
        if clock["phase"] != self._phase and self.ends_at is not None:
            self.note_deadline()
        self._phase, self.ends_at = clock["phase"], None if self.is_over else clock["ends_at"]

    def note_deadline(self) -> None:
        """Note by how much the deadline has passed. A phase that ended earlier had no deadline to keep."""
        if self.ends_at is not None and (late := self.notes.now() - self.ends_at) >= 0:
            self.notes.evening.late.append(late / 1000)

    def _asked(self, asked: dict[str, Any]) -> None:
        """Act once in each phase, or let it pass."""
        moves = [move for offer in asked["options"] for move in offer["moves"]]
        if (
            not moves
            or self.is_resting
            or asked["phase"] == self._acted_in
            or (self._acting and not self._acting.done())
        ):
            return
        self._acted_in = asked["phase"]
        if self._dice.random() >= SILENT:
            self._acting = asyncio.create_task(self._act(self._dice.choice(moves)))

    async def _act(self, move: dict[str, Any]) -> None:
        await asyncio.sleep(self._dice.uniform(SHORTEST_WAIT, LONGEST_WAIT))
        if self.is_resting:
            return
        if self._dice.random() < TALKATIVE:
            await self._send({"is": "Say", "channel": "table", "text": f"I know {self.acts} things about this."})
        await self._send(move)
        if self._dice.random() < RETURNS:
            await until(lambda: not self.sent_at, "the answer before the connection is lost")
            await self.leave()
            await self.enter()

    async def _send(self, action: dict[str, Any]) -> None:
        self.acts += 1
        own = f"{self.member.member}-{self.acts}"
        self.sent_at[own] = time.perf_counter()
        await self._say("Act", id=own, action=action)


class HonestTable:
    """Five people at one address who play one game after the other in their room."""

    def __init__(self, notes: Notes, url: str, address: str) -> None:
        self.notes, self.address = notes, address
        self.players: list[HonestPlayer] = []
        self.games = 0
        self._url = url
        self._http: httpx.AsyncClient = http_to(url)
        self._http.headers["x-forwarded-for"] = address
        self._playing: asyncio.Task[None] | None = None

    @property
    def room(self) -> str:
        return self.players[0].member.room

    async def open(self) -> None:
        members = await seat_five(self._http, {"takeover_seconds": 60}, options=TIMED)
        socket_url = self._url.replace("http://", "ws://") + f"/socket/{members[0].room}"
        self.players = [HonestPlayer(self.notes, member, socket_url, self.address) for member in members]
        for player in self.players:
            await player.enter()
        self._playing = asyncio.create_task(self._play())

    async def _play(self) -> None:
        while True:
            acts = sum(player.acts for player in self.players) + GAME_ACTS
            while not self.players[0].is_over and sum(player.acts for player in self.players) < acts:
                await asyncio.sleep(PAUSE)
            await self._begin_again()

    async def _begin_again(self) -> None:
        """By HTTP, where a member is told from strangers by their token alone."""
        host = self.players[0]
        if not host.is_over:
            await self._ask(host, "CallItOff", forgiven=409)
        await self._ask(host, "Rematch")
        for player in self.players:
            await self._ask(player, "SayReady", is_ready=True)
        await self._ask(host, "Start")
        self.games += 1

    async def _ask(self, player: HonestPlayer, kind: str, forgiven: int = 200, **more: Any) -> None:
        answer = await player.member.ask(kind, **more)
        if answer.status_code not in (200, forgiven):
            self.notes.complaints.append(f"{self.address}: {kind} was refused: {answer.text}")

    async def rest(self) -> None:
        """Send nothing new, and wait for the answers to what was sent."""
        if self._playing:
            self._playing.cancel()
            await asyncio.wait([self._playing])
            if not self._playing.cancelled():
                self._playing.result()
        for player in self.players:
            player.is_resting = True
        await until(lambda: not any(player.sent_at for player in self.players), "answers to all acts")

    async def go_home(self) -> None:
        for player in self.players:
            await player.go_home()
        await self._http.aclose()
