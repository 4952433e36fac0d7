"""A private server: people and programs show its password once, before they are let in.

A browser gets a page with one field, and afterwards a cookie. A program sends the password in a header. The cookie
follows from the password alone, so it is good at every worker and after a restart, until the password is another one.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote

from starlette.types import ASGIApp, Receive, Scope, Send

from roundtable.core.catalogue import catalogue
from roundtable.core.errors import RoomRefused, SetupError
from roundtable.core.languages import accepted_language
from roundtable.rooms.networks import Buckets
from roundtable.server.middleware import address_of, answer, read_body
from roundtable.server.relay import RELAYED
from roundtable.server.static_files import HTML

PASSWORD = b"x-roundtable-password"  # a program's header
COOKIE = "roundtable_door"
YEAR = 365 * 24 * 3600  # seconds for which a browser keeps the cookie
FORM = "/door"
ALWAYS_OPEN = ("/health", "/ready")  # for load balancers; their answers show nothing of the games
SHORTEST = 8  # characters of a password
WRONG_PER_MINUTE = 10  # passwords from one address
CLOSE_LOCKED = (4003, "server/door")
SALT = b"roundtable door"


class DoorMiddleware:
    """Lets in those who know the password, on every route and socket. Other workers have asked already."""

    def __init__(self, app: ASGIApp, password: str) -> None:
        self._app = app
        self._password = password.encode()
        self._pass = hashlib.scrypt(self._password, salt=SALT, n=2**14, r=8, p=1, dklen=32).hex()
        self._wrong = Buckets(WRONG_PER_MINUTE, 60, time.monotonic)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or RELAYED in scope or scope["path"] in ALWAYS_OPEN or self._has_pass(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == FORM and scope["method"] == "POST":
            await self._take_form(scope, receive, send)
        else:
            given = header(scope, PASSWORD)
            refused = RoomRefused("server/door") if given is None else self._refusal(scope, unquote(given))
            if refused is None:
                await self._app(scope, receive, send)
            elif scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.close", "code": CLOSE_LOCKED[0], "reason": CLOSE_LOCKED[1]})
            elif scope["method"] in ("GET", "HEAD") and HTML.partition(";")[0] in (header(scope, b"accept") or ""):
                await self._show_form(scope, send, back=scope["path"])
            else:
                await answer(scope, send, status_of(refused), refused)

    def _has_pass(self, scope: Scope) -> bool:
        try:
            cookie = SimpleCookie(header(scope, b"cookie") or "").get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(cookie.value.encode(), self._pass.encode())

    def _refusal(self, scope: Scope, password: str) -> RoomRefused | None:
        """None for the right password. After too many wrong ones, none is right for a while."""
        address = address_of(scope)
        if not self._wrong.has_left(address):
            return RoomRefused("server/too_fast", "passwords")
        if hmac.compare_digest(password.encode(errors="replace"), self._password):
            return None
        self._wrong.charge(address, 1)
        return RoomRefused("server/door", "wrong")

    async def _take_form(self, scope: Scope, receive: Receive, send: Send) -> None:
        fields = parse_qs((await read_body(scope, receive) or b"").decode(errors="replace"))
        password, back = (fields.get(name, [""])[0] for name in ("password", "back"))
        refused = self._refusal(scope, password)
        if refused is not None:
            await self._show_form(scope, send, back, refused)
            return
        is_path = back.startswith("/") and not back.startswith(("//", "/\\"))  # and no other site
        secure = "; Secure" if scope["scheme"] == "https" else ""
        cookie = f"{COOKIE}={self._pass}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict{secure}"
        headers = [(b"location", quote(back if is_path else "/").encode()), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": [*headers, (b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def _show_form(self, scope: Scope, send: Send, back: str, refused: RoomRefused | None = None) -> None:
        lang = accepted_language(header(scope, b"accept-language") or "")
        body = form(lang, back, "" if refused is None else refused.text(lang)).encode()
        headers = [
            (b"content-type", HTML.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"referrer-policy", b"same-origin"),  # without it, browsers do not say which site a form belongs to
            (b"vary", b"accept-language"),
        ]
        status = 401 if refused is None else status_of(refused)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def status_of(refused: RoomRefused) -> int:
    return 429 if refused.code == "server/too_fast" else 401


def header(scope: Scope, name: bytes) -> str | None:
    return next((text.decode("latin-1") for found, text in scope["headers"] if found == name), None)


def form(lang: str, back: str, wrong: str) -> str:
    """The page that asks for the password. It works without scripts and styles, and shows nothing of the server."""
    words = catalogue(lang)
    title, field, enter = (escape(words.text(f"door.{key}")) for key in ("title", "password", "enter"))
    why = f'<p role="alert">{escape(wrong)}</p>' if wrong else ""
    return (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="dark light">'
        f'<main><h1>{title}</h1>{why}<form method="post" action="{FORM}">'
        f'<input type="hidden" name="back" value="{escape(back)}"><p><label>{field} '
        '<input type="password" name="password" required autofocus autocomplete="current-password"></label></p>'
        f"<p><button>{enter}</button></p></form></main></html>"
    )


def read_password(file: str) -> str:
    """The first line of a file; `SetupError` where it cannot be read or is too easy to guess."""
    try:
        password = (Path(file).read_text().splitlines() or [""])[0].strip()
    except (OSError, UnicodeError) as broken:
        reason = getattr(broken, "strerror", None) or "it is no text"
        raise SetupError("setup/option", "password_file", file=file, reason=reason) from broken
    if len(password) < SHORTEST:
        raise SetupError("setup/option", "password_short", file=file, least=SHORTEST)
    return password
