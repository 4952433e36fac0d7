"""API routes as values, their Starlette endpoints, and what every request needs: body, refusal, token, address."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from roundtable.core.errors import RoomRefused, RoundTableError, Unreadable
from roundtable.core.languages import accepted_language
from roundtable.protocol import bodies
from roundtable.protocol.compression import CompressedBody
from roundtable.protocol.encoding import ENCODER, LONGEST_REASON, require_shallow
from roundtable.rooms import OwnedElsewhere
from roundtable.rooms.commands import busy
from roundtable.server.hosts import host_name
from roundtable.server.relay import OWNERS_TRIED
from roundtable.server.responses import respond

logger = logging.getLogger("roundtable.server")

JSON = "application/json"

STATUS = {
    "room/unknown": 404,
    "room/not_host": 403,
    "room/full": 409,
    "room/removed": 403,
    "room/stage": 409,
    "room/seat": 409,
    "room/claim": 409,
    "room/not_ready": 409,
    "room/watching": 409,
    "room/no_member": 409,
    "room/busy": 503,
    "record/not_over": 409,
    "record/listener": 404,
    "talk/too_fast": 429,
    "talk/too_much": 429,
    "talk/silenced": 403,
    "server/full": 503,
    "server/banned": 403,
    "server/door": 401,
    "server/broken": 500,
    "server/too_fast": 429,
    "server/unknown": 404,
    "server/unauthorised": 401,
    "game/over": 409,
    "action/no_clock": 409,
    "action/not_now": 409,
    "action/too_often": 429,
}  # every other refusal is 400

FORWARDED = ("forwarded", "via", "x-forwarded-", "x-real-ip")  # prefixes of headers that only a proxy sends
RETRY_AFTER = {"server/too_fast": "60", "talk/too_fast": "3"}  # seconds

Endpoint = Callable[[Request], Awaitable[Response]]
RateCheck = Callable[[Request], None]  # raises `server/too_fast`
PassOn = Callable[[Request, OwnedElsewhere], Awaitable[Response | None]]  # to another worker; None if it is dead


class ApiRoute(NamedTuple):
    """One route; OpenAPI is generated from it, too."""

    method: str
    path: str
    name: str
    summary: str
    handler: Callable[[Request, Any], Awaitable[tuple[int, bytes | CompressedBody]]]
    body: Any = None
    response: Any = None
    status: int = 200
    refusals: tuple[int, ...] = ()
    needs_token: bool = False
    media_type: str = JSON
    max_age: int = 0  # seconds for which the answer may be cached


def endpoint(route: ApiRoute, require_rate: RateCheck, pass_on: PassOn) -> Endpoint:
    """An endpoint for Starlette, which decodes the body strictly and answers every refusal in one form. A body that
    cannot be read counts against the rate limit here, because the handler is not called. A request about a room that
    another worker runs is passed on to it."""
    decoder = msgspec.json.Decoder(route.body) if route.body is not None else None
    headers = {"cache-control": f"public, max-age={route.max_age}"} if route.max_age else {}

    async def serve(request: Request) -> Response:
        try:
            try:
                body = None if decoder is None else read(decoder, await request.body())
            except Unreadable:
                require_rate(request)
                raise
            for _ in range(OWNERS_TRIED):
                try:
                    status, answer = await route.handler(request, body)
                except OwnedElsewhere as elsewhere:
                    if passed_on := await pass_on(request, elsewhere):
                        return passed_on
                else:
                    return respond(request, answer, status, headers, route.media_type)
            raise busy()
        except RoundTableError as refused:
            return refusal(refused, request)
        except Exception:
            logger.exception("a request failed")
            return refusal(RoomRefused("server/broken"), request)

    return serve


def limited(serve: Endpoint, require_rate: RateCheck) -> Endpoint:
    """An endpoint that refuses requests beyond a rate limit."""

    async def serve_limited(request: Request) -> Response:
        try:
            require_rate(request)
        except RoomRefused as refused:
            return refusal(refused, request)
        return await serve(request)

    return serve_limited


def starlette_routes(routes: Sequence[ApiRoute], require_rate: RateCheck, pass_on: PassOn) -> list[Route]:
    """One route for every path, so that a wrong method is answered with the allowed ones."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for route in routes:
        by_path.setdefault(route.path, {})[route.method] = endpoint(route, require_rate, pass_on)
    return [Route(path, _by_method(methods), methods=list(methods)) for path, methods in by_path.items()]


def _by_method(methods: Mapping[str, Endpoint]) -> Endpoint:
    async def serve(request: Request) -> Response:
        return await methods["GET" if request.method == "HEAD" else request.method](request)

    return serve


def read(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    require_shallow(body)
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError) as unreadable:
        reason = (
            str(unreadable)[:LONGEST_REASON]
            if isinstance(unreadable, msgspec.DecodeError)
            else type(unreadable).__name__
        )
        raise Unreadable("text/unreadable", "body", reason=reason) from unreadable


def refusal(error: RoundTableError, request: Request, status: int | None = None) -> Response:
    """A refusal in the language that the request accepts."""
    code = error.code
    headers = {"retry-after": RETRY_AFTER[code]} if code in RETRY_AFTER else {}
    if code == "server/unauthorised":
        headers["www-authenticate"] = "Bearer"
    message, values = error.text(language_of(request)), dict(error.values)
    body = ENCODER.encode(bodies.ErrorBody(code=code, message=message, variant=error.variant, values=values))
    return Response(body, status or STATUS.get(code, 400), headers, JSON)


def language_of(request: Request) -> str:
    return accepted_language(request.headers.get("accept-language", ""))


def token_of(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if token and scheme.lower() == "bearer" else None


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def is_from_this_machine(request: Request) -> bool:
    """Requests through a proxy are not from this machine, as far as they can be told: a proxy adds headers, forwards
    the name that its client asked for, or speaks HTTP/1.0."""
    if any(name.startswith(FORWARDED) for name in request.headers) or request.scope.get("http_version") != "1.1":
        return False
    asked = host_name(request.headers.get("host", ""))
    return _is_loopback(address_of(request)) and (asked == "localhost" or _is_loopback(asked.strip("[]")))


def _is_loopback(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
        return (getattr(address, "ipv4_mapped", None) or address).is_loopback
    except ValueError:
        return False
