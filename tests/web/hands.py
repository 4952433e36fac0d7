"""People who play over a line of their own, without a page: what a test wants to happen at a table happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import uuid4

from websockets.sync.client import ClientConnection, connect

from web.rooms import Person

PATIENCE = 60  # seconds until a hand gives up on something that has to come


class Hand:
    """A seat that makes the moves it is told to, as soon as they are offered."""

    def __init__(self, who: Person, line: ClientConnection) -> None:
        self.role = ""
        self.leader = -1
        self._asked: dict[str, Any] = {}
        self._answers: dict[str, dict[str, Any]] = {}
        self._line = line
        self._line.send(json.dumps({"is": "Enter", "room": who.code, "token": who.token}))
        self._hear_until(lambda: self._asked)

    def does(self, kind: str, **parts: Any) -> None:
        """This move, once it is offered."""
        self._do(kind, lambda offer: next(one for one in offer["moves"] if parts.items() <= one.items()))

    def proposes(self, *team: int, quest: int | None = None, excalibur: int | None = None) -> None:
        parts = {"quest": quest, "team": sorted(team), "excalibur": excalibur}
        self._do("ProposeTeam", lambda _: {"is": "ProposeTeam", "phase": self._asked["phase"], **parts})

    def says(self, channel: str, text: str) -> None:
        answer = self._answer_to({"is": "Say", "channel": channel, "text": text})
        assert answer["is"] == "Answered", answer

    def _do(self, kind: str, chosen: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Where the table had moved on before it came, it is for what the table wants now."""
        answer = {"code": "action/late"}
        while answer.get("code") == "action/late":
            self._hear_until(lambda: self._offer(kind))
            offer = self._offer(kind)
            assert offer
            answer = self._answer_to(chosen(offer))
        assert answer["is"] == "Answered", answer

    def _offer(self, kind: str) -> dict[str, Any] | None:
        return next((one for one in self._asked.get("options", ()) if one["kind"] == kind), None)

    def _answer_to(self, action: dict[str, Any]) -> dict[str, Any]:
        sent_as = uuid4().hex
        self._line.send(json.dumps({"is": "Act", "id": sent_as, "action": action}))
        self._hear_until(lambda: sent_as in self._answers)
        return self._answers[sent_as]

    def _hear_until(self, is_so: Callable[[], object]) -> None:
        while not is_so():
            for message in map(json.loads, str(self._line.recv(timeout=PATIENCE)).split("\n")):
                self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        match message["is"]:
            case "Asked":
                self._asked = message
            case "Answered" | "Refused":
                self._answers[message["id"]] = message
            case "Heard":
                self._learn(message["event"])

    def _learn(self, event: dict[str, Any]) -> None:
        match event["is"]:
            case "RoleDealt":
                self.role = event["role"]
            case "LeaderNamed":
                self.leader = event["seat"]


@contextmanager
def hands_of(people: Sequence[Person]) -> Iterator[list[Hand]]:
    """All of them at once, for as long as they are needed."""
    with ExitStack() as held:
        yield [Hand(who, held.enter_context(line_of(who))) for who in people]


def line_of(who: Person) -> ClientConnection:
    address = f"{who.url.replace('http', 'ws', 1)}/socket"
    return connect(address, compression=None, proxy=None, ping_interval=None, max_queue=None)
