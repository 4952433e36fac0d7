"""The HTTP API: every route with its body, its response and its refusals."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.requests import Request

from roundtable.bots import offered_bots
from roundtable.core.catalogue import catalogue
from roundtable.core.codec import plain
from roundtable.core.errors import RoomRefused
from roundtable.core.languages import language_named
from roundtable.games import all_games, spec_named
from roundtable.protocol import bodies
from roundtable.protocol import rooms as protocol
from roundtable.protocol.compression import CompressedBody, compress
from roundtable.protocol.encoding import ENCODER
from roundtable.protocol.schema import setup_schema
from roundtable.rooms import Room, RoomRegistry
from roundtable.rooms.guests import key_of, room_codes
from roundtable.rooms.networks import Buckets, rate_limit_key
from roundtable.rooms.snapshot import own_table
from roundtable.server.game_text import GameText, game_text
from roundtable.server.limits import Limits
from roundtable.server.moderator import DealtRoles, dealt_roles
from roundtable.server.readiness import READY, Health, Readiness
from roundtable.server.records import Records
from roundtable.server.routes import ApiRoute, address_of, is_from_this_machine, language_of, token_of
from roundtable.text.narration import narrate, part_title
from roundtable.text.script import Night

TEXT_SECONDS = 300  # for which a client may cache the text of a game


class GameOption(Struct, kw_only=True):
    """A house rule: its default, and what it takes, as a JSON Schema."""

    name: str
    default: Any
    takes: dict[str, Any]


class GameListing(Struct, kw_only=True):
    """A game that can be played here."""

    name: str
    fewest: int
    most: int
    options: list[GameOption]


class GameList(Struct, kw_only=True):
    """What can be played here, and against whom."""

    games: list[GameListing]
    bots: list[str]


class ScriptCue(Struct, kw_only=True):
    """A line of a narrator's script: read out (`is_aloud`) or for the narrator alone, and how many seconds to wait. No
    machine says a line `is_by_hand`; while it `is_dark`, eyes are closed."""

    part: str
    text: str
    pause: int
    is_aloud: bool
    is_by_hand: bool
    is_dark: bool


class Script(Struct, kw_only=True):
    """What a narrator reads out at this table; it follows from public facts."""

    cues: list[ScriptCue]


class Listing(Struct, kw_only=True):
    """The public rooms, the latest first."""

    rooms: list[bodies.ListedRoom]


class Address(Struct, kw_only=True):
    """Where phones in the same network find this server."""

    address: str


class Api:
    """The handlers of the routes."""

    def __init__(
        self, registry: RoomRegistry, limits: Limits, readiness: Readiness, address: Callable[[], str] = str
    ) -> None:
        self._registry = registry
        self._readiness = readiness
        self._address = address
        self._opened = Buckets(limits.opened_per_minute, 60, time.monotonic)
        self._joined = Buckets(limits.joined_per_minute, 60, time.monotonic)
        self._asked = Buckets(limits.asked_per_minute, 60, time.monotonic)
        self._records = Buckets(limits.records_per_minute, 60, time.monotonic)
        self._explained = Buckets(limits.explained_per_minute, 60, time.monotonic)
        self._loaded = Buckets(limits.loaded_per_minute, 60, time.monotonic)
        self._by_member = Buckets(limits.asked_by_member, 60, time.monotonic)
        self.routes = (
            ApiRoute(
                "GET", "/health", "health", "Whether the server runs.", self.health, response=Health, refusals=(429,)
            ),
            ApiRoute(
                "GET",
                "/ready",
                "ready",
                "Whether the server is ready.",
                self.ready,
                response=Health,
                refusals=(429, 503),
            ),
            ApiRoute(
                "GET",
                "/api/address",
                "address",
                "Where phones in the same network find this server; only its own machine may ask.",
                self.address,
                response=Address,
                refusals=(404, 429),
            ),
            ApiRoute(
                "GET", "/api/games", "games", "What can be played here.", self.games, response=GameList, refusals=(429,)
            ),
            ApiRoute(
                "GET",
                "/api/games/{game}/text/{language}",
                "gameText",
                "The sentences and the rulebook of a game, and what the fields of its events and moves are.",
                self.game_text,
                response=GameText,
                refusals=(400, 429),
                max_age=TEXT_SECONDS,
            ),
            ApiRoute(
                "GET", "/api/rooms", "listRooms", "The public rooms.", self.list, response=Listing, refusals=(429, 503)
            ),
            ApiRoute(
                "POST",
                "/api/rooms",
                "openRoom",
                "Open a room and become its host.",
                self.open,
                bodies.OpenRoom,
                bodies.Membership,
                201,
                (400, 403, 413, 429, 503),
            ),
            ApiRoute(
                "GET",
                "/api/rooms/{code}",
                "lookAtRoom",
                "A room as everyone may see it.",
                self.look,
                response=protocol.Room,
                refusals=(404, 429, 503),
            ),
            ApiRoute(
                "POST",
                "/api/rooms/{code}/members",
                "joinRoom",
                "Become a member of a room.",
                self.join,
                bodies.Join,
                bodies.Membership,
                201,
                (400, 403, 404, 409, 413, 429, 503),
            ),
            ApiRoute(
                "POST",
                "/api/rooms/{code}/requests",
                "askRoom",
                "Send a request to the room, as one of its members.",
                self.ask,
                protocol.AnyRequest,
                protocol.Room,
                200,
                (400, 401, 403, 404, 409, 413, 429, 503),
                needs_token=True,
            ),
            ApiRoute(
                "GET",
                "/api/rooms/{code}/membership",
                "ownTable",
                "A room as one of its members finds it.",
                self.membership,
                response=bodies.OwnTable,
                refusals=(401, 403, 404, 429, 503),
                needs_token=True,
            ),
            ApiRoute(
                "GET",
                "/api/rooms/{code}/script/{language}",
                "script",
                "What a narrator reads out at this table, in `en` or `vi`.",
                self.script,
                response=Script,
                refusals=(400, 404, 429, 503),
            ),
            ApiRoute(
                "GET",
                "/api/rooms/{code}/moderator/{language}",
                "dealtRoles",
                "Everyone's role, for the moderator of a game that is only dealt.",
                self.moderator,
                response=DealtRoles,
                refusals=(400, 401, 403, 404, 409, 429, 503),
                needs_token=True,
            ),
            *Records(registry, partial(self.require_rate, for_records=True), self.require_why_rate).routes,
        )

    async def health(self, request: Request, body: Any) -> tuple[int, bytes]:
        self.require_page_rate(request)
        return 200, ENCODER.encode(Health(status="ok"))

    async def ready(self, request: Request, body: Any) -> tuple[int, bytes]:
        self.require_page_rate(request)
        health = await self._readiness.check()
        if health is READY:
            return 200, ENCODER.encode(health)
        message = catalogue(language_of(request)).text(f"health.{health.status}")
        return 503, ENCODER.encode(Health(status=health.status, message=message))

    async def address(self, request: Request, body: Any) -> tuple[int, bytes]:
        self.require_rate(request)
        address = self._address()  # none for a server behind a proxy
        if not address or not is_from_this_machine(request):
            raise RoomRefused("server/unknown")
        return 200, ENCODER.encode(Address(address=address))

    async def games(self, request: Request, body: Any) -> tuple[int, CompressedBody]:
        self.require_rate(request)
        return 200, GAME_LIST

    async def game_text(self, request: Request, body: Any) -> tuple[int, CompressedBody]:
        self.require_rate(request)
        return 200, game_text(request.path_params["game"], language_named(request.path_params["language"]))

    async def list(self, request: Request, body: Any) -> tuple[int, bytes]:
        self.require_rate(request)
        return 200, ENCODER.encode(Listing(rooms=await self._registry.listed()))

    async def open(self, request: Request, body: bodies.OpenRoom) -> tuple[int, bytes]:
        code = next(room_codes(body.token)) if body.token else ""
        if not await self._is_of_member(code, body.token) and not self._opened.take(address_of(request)):
            raise RoomRefused("server/too_fast", "rooms")
        return 201, ENCODER.encode(await self._registry.open(body, rate_limit_key(address_of(request))))

    async def look(self, request: Request, body: Any) -> tuple[int, bytes]:
        self.require_rate(request)
        room = await self._registry.find(request.path_params["code"])
        return 200, (await room.look()).encode()

    async def join(self, request: Request, body: bodies.Join) -> tuple[int, bytes]:
        code = request.path_params["code"]
        if not await self._is_of_member(code, body.token) and not self._joined.take(address_of(request)):
            raise RoomRefused("server/too_fast", "members")
        room = await self._registry.find(code)
        network = rate_limit_key(address_of(request))
        member, token = await room.join(
            body.name, watch=body.watch, token=body.token, network=network, avatar=body.avatar
        )
        return 201, ENCODER.encode(bodies.Membership(room=room.code, member=member, token=token))

    async def ask(self, request: Request, body: Any) -> tuple[int, bytes]:
        room, token = await self._room_and_token(request)
        network = rate_limit_key(address_of(request))
        await room.ask(token, body, request.headers.get("idempotency-key", ""), network)
        return 200, (await room.look()).encode()

    async def membership(self, request: Request, body: Any) -> tuple[int, bytes]:
        room, token = await self._room_and_token(request)
        return 200, ENCODER.encode(await room.read(lambda state: own_table(state, token)))

    async def _room_and_token(self, request: Request) -> tuple[Room, str]:
        """The room that is asked, and the token of the member who asks."""
        code, token = request.path_params["code"], token_of(request)
        if not await self._is_of_member(code, token):
            self.require_rate(request)
        if token is None:
            raise RoomRefused("server/unauthorised")
        return await self._registry.find(code), token

    async def moderator(self, request: Request, body: Any) -> tuple[int, bytes]:
        self.require_rate(request)
        language = language_named(request.path_params["language"])
        room = await self._registry.find(request.path_params["code"])
        token = token_of(request) or ""
        return 200, ENCODER.encode(await room.read(lambda state: dealt_roles(state, token, language)))

    async def script(self, request: Request, body: Any) -> tuple[int, bytes]:
        self.require_rate(request)
        language = language_named(request.path_params["language"])
        room = await self._registry.find(request.path_params["code"])
        setup, settings = await room.read(lambda state: (state.setup, state.settings))
        spec = spec_named(setup.game)
        words = catalogue(language, spec.text)
        cues = [
            ScriptCue(
                part=part_title(cue.part, words),
                text=cue.text,
                pause=cue.pause,
                is_aloud=cue.aloud,
                is_by_hand=cue.by_hand,
                is_dark=cue.dark,
            )
            for cue in narrate(spec, setup, language, night_of(settings))
        ]
        return 200, ENCODER.encode(Script(cues=cues))

    def require_page_rate(self, request: Request) -> None:
        """Refuse pages, files and checks beyond a generous rate limit; never on the server's own machine, where the
        operator's checks come from."""
        if not is_from_this_machine(request) and not self._loaded.take(address_of(request)):
            raise RoomRefused("server/too_fast")

    async def _is_of_member(self, code: str, token: str | None) -> bool:
        """Whether a request comes from a member of this room. Members have a rate limit of their own, wherever they
        are; a request beyond it is refused."""
        if not token or not await self._registry.has_member(code, token):
            return False
        if not self._by_member.take(key_of(token)):
            raise RoomRefused("server/too_fast", "member")
        return True

    def require_rate(self, request: Request, *, for_records: bool = False) -> None:
        """Refuse requests beyond the rate limit. It is lower for records, which take longer to make."""
        address = address_of(request)
        if not self._asked.take(address) or (for_records and not self._records.take(address)):
            raise RoomRefused("server/too_fast")

    def require_why_rate(self, request: Request) -> None:
        """Refuse explanations of bots beyond a rate limit of their own: they take seconds to make."""
        self.require_rate(request, for_records=True)
        if not self._explained.take(address_of(request)):
            raise RoomRefused("server/too_fast")


def night_of(settings: protocol.Settings) -> Night:
    """Only a narrated game has a night with closed eyes; elsewhere phones show whom a player knows."""
    return "eyes" if settings.in_person == "narrated" else "phones"


def _game_list() -> CompressedBody:
    games = []
    for game in all_games():
        takes = setup_schema(game.setup_type)
        defaults = game.setup_type(seats=game.setup_type.fewest)
        options = [
            GameOption(name=option.name, default=plain(getattr(defaults, option.name)), takes=takes[option.name])
            for option in fields(game.setup_type)
            if option.name != "seats"
        ]
        games.append(
            GameListing(
                name=game.name,
                fewest=game.setup_type.fewest,
                most=game.setup_type.most,
                options=options,
            )
        )
    return compress(ENCODER.encode(GameList(games=games, bots=offered_bots())))


GAME_LIST = _game_list()
