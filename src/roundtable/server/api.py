"""The HTTP API, as a table: every route, what it takes, what it answers, and what can go wrong."""

from __future__ import annotations

import ipaddress
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from roundtable.bots import BOTS
from roundtable.games.registry import GAMES
from roundtable.narrator import language_named, narrate
from roundtable.narrator.pages import TITLES
from roundtable.room import House
from roundtable.server.limits import Buckets, Limits, household
from roundtable.table.codec import plain
from roundtable.table.errors import NOTHING, RoomRefused, RoundTableError
from roundtable.wire import rooms as protocol
from roundtable.wire.schema import setup_schema
from roundtable.wire.spelling import ENCODER

logger = logging.getLogger("roundtable.server")

JSON = "application/json"
RECORD = "application/jsonl"

STATUS = {
    "room/unknown": 404,
    "room/not_host": 403,
    "room/full": 409,
    "room/shown_out": 403,
    "room/stage": 409,
    "room/seat": 409,
    "room/not_ready": 409,
    "room/watching": 409,
    "room/no_member": 409,
    "room/busy": 503,
    "record/not_over": 409,
    "record/listener": 404,
    "talk/too_fast": 429,
    "talk/silenced": 403,
    "house/full": 503,
    "house/broken": 500,
    "house/too_fast": 429,
    "house/unknown": 404,
    "house/unauthorised": 401,
    "game/over": 409,
    "action/no_clock": 409,
    "action/not_now": 409,
}  # every other refusal is 400: what was asked for makes no sense

FORWARDED = ("forwarded", "via", "x-forwarded-", "x-real-ip")  # how headers begin that only a proxy sends
RETRY_AFTER = {"house/too_fast": "60", "talk/too_fast": "3"}  # seconds

Endpoint = Callable[[Request], Awaitable[Response]]


class OptionShown(Struct, kw_only=True):
    """A house rule: its default, and what it takes, as a JSON Schema."""

    name: str
    default: Any
    takes: dict[str, Any]


class GameShown(Struct, kw_only=True):
    """A game of the house."""

    name: str
    fewest: int
    most: int
    options: list[OptionShown]


class Shelf(Struct, kw_only=True):
    """What can be played here, and against whom."""

    games: list[GameShown]
    bots: list[str]


class CueShown(Struct, kw_only=True):
    """A line of a narrator's script: read out (`is_aloud`) or for the narrator alone, and how many seconds to wait."""

    part: str
    text: str
    pause: int
    is_aloud: bool


class Script(Struct, kw_only=True):
    """What a narrator reads out at this table; it follows from what everybody knows."""

    cues: list[CueShown]


class Listing(Struct, kw_only=True):
    """The public rooms, the latest first."""

    rooms: list[protocol.RoomListed]


class Address(Struct, kw_only=True):
    """Where phones in the same network find this server."""

    address: str


class Health(Struct, kw_only=True):
    """How the server is."""

    status: str


class Row(NamedTuple):
    """One route."""

    method: str
    path: str
    name: str
    summary: str
    does: Callable[[Request, Any], Awaitable[tuple[int, bytes]]]
    takes: Any = None
    answers: Any = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    needs_token: bool = False
    media: str = JSON


class Api:
    """What the routes do."""

    def __init__(
        self, house: House, limits: Limits, is_ready: Callable[[], bool], address: Callable[[], str] = str
    ) -> None:
        self._house = house
        self._is_ready = is_ready
        self._address = address
        self._opened = Buckets(limits.opened_per_minute, 60, time.monotonic)
        self._joined = Buckets(limits.joined_per_minute, 60, time.monotonic)
        self._asked = Buckets(limits.asked_per_minute, 60, time.monotonic)
        self._records = Buckets(limits.records_per_minute, 60, time.monotonic)
        self.rows = (
            Row("GET", "/health", "health", "Whether the server runs.", self.health, answers=Health),
            Row("GET", "/ready", "ready", "Whether it takes guests.", self.ready, answers=Health, refusals=(503,)),
            Row(
                "GET",
                "/api/address",
                "address",
                "Where phones in the same network find this server; told to its own machine alone.",
                self.address,
                answers=Address,
                refusals=(404, 429),
            ),
            Row("GET", "/api/games", "games", "What can be played here.", self.games, answers=Shelf, refusals=(429,)),
            Row("GET", "/api/rooms", "listRooms", "The public rooms.", self.list, answers=Listing, refusals=(429, 503)),
            Row(
                "POST",
                "/api/rooms",
                "openRoom",
                "Open a room and become its host.",
                self.open,
                protocol.OpenRoom,
                protocol.Membership,
                201,
                (400, 403, 413, 429, 503),
            ),
            Row(
                "GET",
                "/api/rooms/{code}",
                "lookAtRoom",
                "A room as everybody in it sees it.",
                self.look,
                answers=protocol.Room,
                refusals=(404, 429, 503),
            ),
            Row(
                "POST",
                "/api/rooms/{code}/members",
                "joinRoom",
                "Enter a room by a name of one's own.",
                self.join,
                protocol.Join,
                protocol.Membership,
                201,
                (400, 403, 404, 409, 413, 429, 503),
            ),
            Row(
                "POST",
                "/api/rooms/{code}/requests",
                "askRoom",
                "Ask something of the room, as one of its members.",
                self.ask,
                protocol.AnyRequest,
                protocol.Room,
                200,
                (400, 401, 403, 404, 409, 413, 429, 503),
                needs_token=True,
            ),
            Row(
                "GET",
                "/api/rooms/{code}/script/{language}",
                "script",
                "What a narrator reads out at this table, in `en` or `vi`.",
                self.script,
                answers=Script,
                refusals=(400, 404, 429, 503),
            ),
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
                answers=protocol.Replay,
                refusals=(404, 409, 429, 503),
            ),
        )

    async def health(self, request: Request, body: Any) -> tuple[int, bytes]:
        return 200, ENCODER.encode(Health(status="ok"))

    async def ready(self, request: Request, body: Any) -> tuple[int, bytes]:
        is_ready = self._is_ready()
        return (200 if is_ready else 503), ENCODER.encode(Health(status="ready" if is_ready else "starting"))

    async def address(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        if not is_from_this_machine(request):
            raise RoomRefused("house/unknown", "There is nothing at this address.")
        return 200, ENCODER.encode(Address(address=self._address()))

    async def games(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        return 200, SHELF

    async def list(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        return 200, ENCODER.encode(Listing(rooms=await self._house.listed()))

    async def open(self, request: Request, body: protocol.OpenRoom) -> tuple[int, bytes]:
        if not self._opened.take(address_of(request)):
            raise RoomRefused("house/too_fast", "Too many rooms from this address; wait a minute.")
        return 201, ENCODER.encode(await self._house.open(body, household(address_of(request))))

    async def look(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        room = await self._house.find(request.path_params["code"])
        return 200, (await room.look()).encode()

    async def join(self, request: Request, body: protocol.Join) -> tuple[int, bytes]:
        if not self._joined.take(address_of(request)):
            raise RoomRefused("house/too_fast", "Too many guests from this address; wait a minute.")
        room = await self._house.find(request.path_params["code"])
        home = household(address_of(request))
        member, token = await room.join(body.name, watch=body.watch, token=body.token, home=home)
        return 201, ENCODER.encode(protocol.Membership(room=room.code, member=member, token=token))

    async def ask(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        token = token_of(request)
        room = await self._house.find(request.path_params["code"])
        await room.ask(token, body, request.headers.get("idempotency-key", ""))
        return 200, (await room.look()).encode()

    async def script(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request)
        language = language_named(request.path_params["language"])
        room = await self._house.find(request.path_params["code"])
        cues = [
            CueShown(part=TITLES[cue.part].spoken(language), text=cue.text, pause=cue.pause, is_aloud=cue.aloud)
            for cue in narrate(room.state.setup, language)
        ]
        return 200, ENCODER.encode(Script(cues=cues))

    async def record(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request, for_records=True)
        return 200, await self._house.record(request.path_params["code"], number_of(request))

    async def replay(self, request: Request, body: Any) -> tuple[int, bytes]:
        self._require_patience(request, for_records=True)
        code, listener = request.path_params["code"], request.path_params["listener"]
        return 200, await self._house.replay(code, number_of(request), listener)

    def _require_patience(self, request: Request, *, for_records: bool = False) -> None:
        """Records are long, and take a while to put together; of those nobody needs as many."""
        address = address_of(request)
        if not self._asked.take(address) or (for_records and not self._records.take(address)):
            raise RoomRefused("house/too_fast", "Too many requests from this address; wait a minute.")


def endpoint(row: Row) -> Endpoint:
    """A route as Starlette wants it: the body read strictly, refusals told in one shape."""
    decoder = msgspec.json.Decoder(row.takes) if row.takes is not None else None

    async def serve(request: Request) -> Response:
        try:
            body = None if decoder is None else read(decoder, await request.body())
            status, answer = await row.does(request, body)
            return Response(answer, status, media_type=row.media)
        except RoundTableError as refused:
            return refusal(refused.code, refused.message, told=refused.told)
        except Exception:
            logger.exception("a request failed")
            return refusal("house/broken", "The server made a mistake; nothing was lost.")

    return serve


def routes(rows: Sequence[Row]) -> list[Route]:
    """One route for every path, so that whoever asks in a wrong way is told of all the right ones."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for row in rows:
        by_path.setdefault(row.path, {})[row.method] = endpoint(row)
    return [Route(path, _chosen(methods), methods=list(methods)) for path, methods in by_path.items()]


def _chosen(methods: Mapping[str, Endpoint]) -> Endpoint:
    async def serve(request: Request) -> Response:
        return await methods["GET" if request.method == "HEAD" else request.method](request)

    return serve


def read(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as unreadable:
        shown = str(unreadable) if isinstance(unreadable, msgspec.DecodeError) else "it is no JSON"
        raise RoundTableError("text/unreadable", f"The body of the request cannot be read: {shown}.") from unreadable


def refusal(code: str, message: str, status: int | None = None, told: Mapping[str, Any] = NOTHING) -> Response:
    headers = {"retry-after": RETRY_AFTER[code]} if code in RETRY_AFTER else {}
    if code == "house/unauthorised":
        headers["www-authenticate"] = "Bearer"
    body = ENCODER.encode(protocol.Fault(code=code, message=message, told=dict(told)))
    return Response(body, status or STATUS.get(code, 400), headers, JSON)


def number_of(request: Request) -> int:
    """Which game of a room is meant."""
    number: str = request.path_params["number"]
    if not number.isascii() or not number.isdigit() or len(number) > 6:
        raise RoomRefused("room/unknown", "There is no such game.")
    return int(number)


def token_of(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise RoomRefused("house/unauthorised", "Say who you are: Authorization: Bearer and your token.")
    return token


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def is_from_this_machine(request: Request) -> bool:
    """What a proxy hands on comes from elsewhere."""
    if any(name.startswith(FORWARDED) for name in request.headers):
        return False
    try:
        address = ipaddress.ip_address(address_of(request))
        return (getattr(address, "ipv4_mapped", None) or address).is_loopback
    except ValueError:
        return False


def _shelf() -> bytes:
    games = []
    for name, game in GAMES.items():
        takes = setup_schema(game.setup_type)
        usual = game.setup_type(seats=game.setup_type.fewest)
        options = [
            OptionShown(name=option.name, default=plain(getattr(usual, option.name)), takes=takes[option.name])
            for option in fields(game.setup_type)
            if option.name != "seats"
        ]
        games.append(GameShown(name=name, fewest=game.setup_type.fewest, most=game.setup_type.most, options=options))
    return ENCODER.encode(Shelf(games=games, bots=sorted(BOTS)))


SHELF = _shelf()
