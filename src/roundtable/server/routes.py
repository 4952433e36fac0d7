"""A route as a row of a table, and what stands between a request and what it asks for: bodies, refusals, who asks."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from roundtable.core.errors import NOTHING, RoomRefused, RoundTableError
from roundtable.protocol import bodies
from roundtable.protocol.encoding import ENCODER

logger = logging.getLogger("roundtable.server")

JSON = "application/json"

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
    "server/full": 503,
    "server/broken": 500,
    "server/too_fast": 429,
    "server/unknown": 404,
    "server/unauthorised": 401,
    "game/over": 409,
    "action/no_clock": 409,
    "action/not_now": 409,
}  # every other refusal is 400: what was asked for makes no sense

FORWARDED = ("forwarded", "via", "x-forwarded-", "x-real-ip")  # how headers begin that only a proxy sends
RETRY_AFTER = {"server/too_fast": "60", "talk/too_fast": "3"}  # seconds

Endpoint = Callable[[Request], Awaitable[Response]]


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
            return refusal("server/broken", "The server made a mistake; nothing was lost.")

    return serve


def routes(rows: Sequence[Row]) -> list[Route]:
    """One route for every path, so that a wrong method is answered with all right ones."""
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
    if code == "server/unauthorised":
        headers["www-authenticate"] = "Bearer"
    body = ENCODER.encode(bodies.Fault(code=code, message=message, told=dict(told)))
    return Response(body, status or STATUS.get(code, 400), headers, JSON)


def token_of(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise RoomRefused("server/unauthorised", "Say who you are: Authorization: Bearer and your token.")
    return token


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def is_from_this_machine(request: Request) -> bool:
    """Requests through a proxy are not from this machine."""
    if any(name.startswith(FORWARDED) for name in request.headers):
        return False
    try:
        address = ipaddress.ip_address(address_of(request))
        return (getattr(address, "ipv4_mapped", None) or address).is_loopback
    except ValueError:
        return False
