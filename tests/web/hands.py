"""People who play over a line of their own, without a page: what a test wants to happen at a table happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from websockets.sync.client import ClientConnection

from web.rooms import Person, hear


class Hand:
    """A seat that makes the moves it is told to, as soon as they are offered."""

    def __init__(self, line: ClientConnection) -> None:
        self.role = ""
        self.leader = -1
        self._asked: dict[str, Any] = {}
        self._answers: dict[str, dict[str, Any]] = {}
        self._line = line
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
            for message in hear(self._line):
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
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


HandsOf = Callable[[Sequence[Person]], list[Hand]]


def propose(hands: Sequence[Hand], *team: int) -> None:
    """The leader names a team: this one, or a team of two with the seat beside them."""
    leader = hands[0].leader
    hands[leader].proposes(*(team or (leader, (leader + 1) % len(hands))))


def approve(*voters: Hand) -> None:
    for hand in voters:
        hand.does("CastVote", approve=True)
