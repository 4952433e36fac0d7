"""What one connection receives, frame by frame."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

# By event, the parts that a server leaves out where they are null.
NULLS = {
    "MerlinShot": {"target": None},
    "NightEnded": {"killed": None},
    "PhaseBegan": {"seconds": None},
    "Remarked": {"about": None, "word": None},
    "TargetCalled": {"called_as": None},
    "TeamProposed": {"excalibur": None},
}


class FrameReader:
    """Decodes the frames of a connection in order. For a RoomChanged it gives the whole Room that follows from it, and
    for a list of events a Heard for each, with its number, its audience, its setup and what is null. An Asked has its
    phase and its options, and their moves are whole."""

    def __init__(self) -> None:
        self._room: dict[str, Any] = {}
        self._heard = 0
        self._offered = Offered()

    def read(self, frame: str) -> list[dict[str, Any]]:
        return [message for line in frame.split("\n") for message in self._messages(json.loads(line))]

    def _messages(self, said: Any) -> list[dict[str, Any]]:
        if isinstance(said, list):
            return [self._hear(event) for event in said]
        if said["is"] == "Welcome":
            self._heard = said.get("heard", 0)
        return [self._message(said)]

    def _hear(self, event: dict[str, Any]) -> dict[str, Any]:
        self._heard += 1
        setup = {"setup": self._room["setup"]} if event["is"] == "TableOpened" else {}
        self._offered.hear(event)
        whole = {"audience": "everyone", **NULLS.get(event["is"], {}), **setup, **event}
        return {"is": "Heard", "number": self._heard, "event": whole}

    def _message(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["is"] == "RoomChanged":
            message = changed(self._room, message)
        if message["is"] == "Room":
            self._room = message
        return self._offered.whole(message) if message["is"] == "Asked" else message


class Offered:
    """What a connection was last offered in each phase, by the phase's name, and the phase that it knows."""

    def __init__(self) -> None:
        self._last: dict[str, Any] = {}
        self._phase: dict[str, Any] = {}

    def hear(self, event: dict[str, Any]) -> None:
        if event["is"] == "PhaseBegan":
            self._phase = {"phase": event["number"], "name": event["name"]}

    def whole(self, asked: dict[str, Any]) -> dict[str, Any]:
        """An Asked with the phase and the options that were left out, and with whole moves, as they are sent back."""
        asked = {**self._phase, **asked}
        self._phase = {"phase": asked["phase"], "name": asked["name"]}
        told = asked["options"] if "options" in asked else self._last[asked["name"]]
        if told:
            self._last[asked["name"]] = told
        offers = [
            {**offer, "moves": [{"is": offer["kind"], "phase": asked["phase"], **move} for move in offer["moves"]]}
            for offer in told
        ]
        return {**asked, "options": offers}


def changed(room: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    room = deepcopy(room)
    for path, value in message["changes"]:
        place: Any = room
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    return room
