"""Games that are over, over HTTP: their records, to be kept and verified, and their replays, to be stepped through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request

from roundtable.core.errors import RoomRefused
from roundtable.protocol.bodies import Replay
from roundtable.rooms import RoomRegistry
from roundtable.server.routes import Row

RECORD = "application/jsonl"


class Records:
    """What the routes do; `require_patience` refuses requests beyond the rate limit."""

    def __init__(self, registry: RoomRegistry, require_patience: Callable[[Request], None]) -> None:
        self._registry = registry
        self._require_patience = require_patience
        self.rows = (
            Row(
                "GET",
                "/api/rooms/{code}/games/{number}/record",
                "gameRecord",
                "The record of a game that is over; `roundtable verify` checks it.",
                self.record,
                status=200,
                refusals=(404, 409, 429, 503),
                media=RECORD,
            ),
            Row(
                "GET",
                "/api/rooms/{code}/games/{number}/replay/{listener}",
                "gameReplay",
                "A game that is over, to be stepped through as a listener followed it.",
                self.replay,
                answers=Replay,
                refusals=(404, 409, 429, 503),
            ),
        )

    async def record(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        return 200, await self._registry.record(request.path_params["code"], number_of(request))

    async def replay(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        code, listener = request.path_params["code"], request.path_params["listener"]
        return 200, await self._registry.replay(code, number_of(request), listener)


def number_of(request: Request) -> int:
    """Which game of a room is meant."""
    number: str = request.path_params["number"]
    if not number.isascii() or not number.isdigit() or len(number) > 6:
        raise RoomRefused("room/unknown", "game")
    return int(number)
