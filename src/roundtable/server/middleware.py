"""ASGI middleware: allowed hosts and origins, the size of request bodies, and headers of every response."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roundtable.core.errors import RoomRefused, RoundTableError, shown
from roundtable.core.languages import accepted_language
from roundtable.protocol.bodies import ErrorBody
from roundtable.protocol.encoding import ENCODER
from roundtable.server.hosts import AllowedHosts
from roundtable.server.relay import RELAYED

LONGEST_BODY = 16_384
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
HEADERS = (
    (b"content-security-policy", b"default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
)
# Over plain HTTP a browser ignores it, and logs an error on every page.
HTTPS_HEADERS = ((b"cross-origin-opener-policy", b"same-origin"), *HEADERS)

logger = logging.getLogger("roundtable.server")


class OriginMiddleware:
    """Refuses banned networks, other names of this server, pages of other sites and large bodies, on every route and
    socket; adds security headers."""

    def __init__(
        self,
        app: ASGIApp,
        origins: Collection[str],
        sites: Collection[str] = (),
        is_banned: Callable[[str], bool] = lambda address: False,
    ) -> None:
        self._app = app
        self._is_banned = is_banned
        self._origins = frozenset(origins)
        self._hosts = AllowedHosts(sites, origins)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """No coroutine of its own: it would last as long as the socket, in each one's memory."""
        if scope["type"] == "lifespan":
            return self._app(scope, receive, send)
        if scope["type"] == "websocket":
            return self._app(scope, receive, send) if self._may_open(scope) else close_unopened(receive, send, 4403)
        return self._request(scope, receive, send)

    def _may_open(self, scope: Scope) -> bool:
        """Another name and a page of another site are refused before the socket is accepted."""
        return self.is_allowed_host(scope) and self.is_allowed_origin(scope) and not self._is_banned(address_of(scope))

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False
        headers = HTTPS_HEADERS if scope["scheme"] == "https" else HEADERS

        async def send_with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                given = {name for name, _ in message.get("headers", ())}
                message["headers"] = [*message.get("headers", ()), *(one for one in headers if one[0] not in given)]
            await send(message)

        if self._is_banned(address_of(scope)):
            await answer(scope, send_with_headers, 403, RoomRefused("server/banned"))
            return
        is_safe = scope["method"] not in UNSAFE
        if not self.is_allowed_host(scope, is_safe=is_safe):
            await answer(scope, send_with_headers, 403, RoomRefused("server/host", host=shown(host_of(scope) or "")))
            return
        if not self.is_allowed_origin(scope, is_safe=is_safe):
            await answer(scope, send_with_headers, 403, RoomRefused("server/origin"))
            return
        try:
            body = await read_body(scope, receive)
            if body is None:
                too_large = RoomRefused("server/too_large", most=LONGEST_BODY)
                await answer(scope, send_with_headers, 413, too_large)
                return
            await self._app(scope, _replayed(body, receive), send_with_headers)
        except Exception:
            logger.exception("a request failed")
            if has_begun:
                raise
            await answer(scope, send_with_headers, 500, RoomRefused("server/broken"))

    def is_allowed_host(self, scope: Scope, *, is_safe: bool = False) -> bool:
        """Whether `Host` names this server. Old programs send none, and may only read."""
        host = host_of(scope)
        if RELAYED in scope:  # the other worker has asked
            return True
        return is_safe if host is None else self._hosts.allows(host)

    def is_allowed_origin(self, scope: Scope, *, is_safe: bool = False) -> bool:
        """Whether `Origin` is this server by scheme, host and port, or a trusted site. Programs send none, and neither
        does a browser that follows a link."""
        if RELAYED in scope:
            return True
        headers = {name: text.decode("latin-1") for name, text in scope["headers"]}
        origin = headers.get(b"origin")
        if origin in self._origins:  # another site that the operator trusts
            return True
        if headers.get(b"sec-fetch-site") == "cross-site" and not is_safe:
            return False
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
        return origin is None or origin == f"{scheme}://{headers.get(b'host', '')}"


async def close_unopened(receive: Receive, send: Send, code: int) -> None:
    """Refuse a socket before it is accepted."""
    await receive()
    await send({"type": "websocket.close", "code": code})


def address_of(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def host_of(scope: Scope) -> str | None:
    return next((text.decode("latin-1") for name, text in scope["headers"] if name == b"host"), None)


async def read_body(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body, or None where it is longer than LONGEST_BODY."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > LONGEST_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body that was read already, and then whatever comes next."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


async def answer(scope: Scope, send: Send, status: int, error: RoundTableError) -> None:
    """A refusal in the language that the request accepts."""
    accepted = next((text for name, text in scope["headers"] if name == b"accept-language"), b"")
    message = error.text(accepted_language(accepted.decode("latin-1")))
    body = ENCODER.encode(ErrorBody(code=error.code, message=message, variant=error.variant, values=dict(error.values)))
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
