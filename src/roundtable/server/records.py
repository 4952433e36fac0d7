"""Routes for finished games: their records and replays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request

from roundtable.core.errors import RoomRefused
from roundtable.protocol.bodies import PlayedGames, Replay
from roundtable.protocol.compression import CompressedBody
from roundtable.rooms import RoomRegistry
from roundtable.server.routes import ApiRoute

RECORD = "application/jsonl"


class Records:
    """The handlers of the routes; `require_rate` refuses requests beyond the rate limit."""

    def __init__(self, registry: RoomRegistry, require_rate: Callable[[Request], None]) -> None:
        self._registry = registry
        self._require_rate = require_rate
        self.routes = (
            ApiRoute(
                "GET",
                "/api/rooms/{code}/games",
                "playedGames",
                "The finished games of a room, in short.",
                self.games,
                response=PlayedGames,
                refusals=(404, 429, 503),
            ),
            ApiRoute(
                "GET",
                "/api/rooms/{code}/games/{number}/record",
                "gameRecord",
                "The record of a game that is over; `roundtable verify` checks it.",
                self.record,
                status=200,
                refusals=(404, 409, 429, 503),
                media_type=RECORD,
            ),
            ApiRoute(
                "GET",
                "/api/rooms/{code}/games/{number}/replay/{listener}",
                "gameReplay",
                "A game that is over, to be stepped through as a listener followed it.",
                self.replay,
                response=Replay,
                refusals=(404, 409, 429, 503),
            ),
        )

    async def games(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_rate(request)
        return 200, await self._registry.games(request.path_params["code"])

    async def record(self, request: Request, body: Any) -> tuple[int, CompressedBody]:
        self._require_rate(request)
        return 200, await self._registry.record(request.path_params["code"], number_of(request))

    async def replay(self, request: Request, body: Any) -> tuple[int, CompressedBody]:
        self._require_rate(request)
        code, listener = request.path_params["code"], request.path_params["listener"]
        return 200, await self._registry.replay(code, number_of(request), listener)


def number_of(request: Request) -> int:
    """Which game of a room is meant."""
    number: str = request.path_params["number"]
    if not number.isascii() or not number.isdigit() or len(number) > 6:
        raise RoomRefused("room/unknown", "game")
    return int(number)
