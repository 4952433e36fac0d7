"""What one connection receives, frame by frame."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any


class FrameReader:
    """Decodes the frames of a connection in order. For a RoomChanged it gives the whole Room that follows from it."""

    def __init__(self) -> None:
        self._room: dict[str, Any] = {}

    def read(self, frame: str) -> list[dict[str, Any]]:
        return [self._message(json.loads(line)) for line in frame.split("\n")]

    def _message(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["is"] == "RoomChanged":
            message = changed(self._room, message)
        if message["is"] == "Room":
            self._room = message
        return message


def changed(room: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    room = deepcopy(room)
    for path, value in message["changes"]:
        place: Any = room
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    return room
