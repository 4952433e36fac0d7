"""Routes for finished games: their records and replays, and why bots moved."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from roundtable.core.errors import RoomRefused
from roundtable.protocol.bodies import BotReasons, PlayedGames, Replay
from roundtable.protocol.compression import CompressedBody
from roundtable.rooms import RoomRegistry
from roundtable.server.routes import ApiRoute, RateCheck

RECORD = "application/jsonl"


class Records:
    """The handlers of the routes; `require_rate` and `require_why_rate` refuse requests beyond the rate limits."""

    def __init__(self, registry: RoomRegistry, require_rate: RateCheck, require_why_rate: RateCheck) -> None:
        self._registry = registry
        self._require_rate = require_rate
        self._require_why_rate = require_why_rate
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
            ApiRoute(
                "GET",
                "/api/rooms/{code}/games/{number}/why/{seat}",
                "botReasons",
                "Why the bot at a seat did what it did in a game that is over.",
                self.reasons,
                response=BotReasons,
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

    async def reasons(self, request: Request, body: Any) -> tuple[int, CompressedBody]:
        self._require_why_rate(request)
        code, seat = request.path_params["code"], request.path_params["seat"]
        return 200, await self._registry.reasons(code, number_of(request), seat)


def number_of(request: Request) -> int:
    """Which game of a room is meant."""
    number: str = request.path_params["number"]
    if not number.isascii() or not number.isdigit() or len(number) > 6:
        raise RoomRefused("room/unknown", "game")
    return int(number)
