"""Cards on phones: a page for each player, bound to the first phone that opens it, until everyone has looked (T25)."""

from __future__ import annotations

import hmac
import secrets
from asyncio import Queue
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from typing import Literal, NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from roundtable.core.catalogue import SOURCE, catalogue

TOKEN_BYTES = 16  # of a link, and of the phone that it is bound to
SHOWN_SECONDS = 30  # then the page hides the card by itself, whatever is on it
COOKIE = "phone"
ESCAPED = 5  # the most that escaping makes out of a byte: &amp;
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Content-Type": "text/html; charset=utf-8",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
STYLE = """
:root{color-scheme:dark;font:18px/1.45 system-ui,sans-serif;background:#17110c;color:#f5ead6}
body{max-width:28rem;margin:0 auto;padding:1.25rem;text-align:center}
h1{font-size:1.6rem}
button{width:100%;min-height:3.5rem;border:0;border-radius:.8rem;background:#e0a95c;color:#22160b;
font:700 1.1rem system-ui}
pre{padding:1rem;border:2px solid #e0a95c;border-radius:.8rem;background:#f7ecd6;color:#2c1c0f;text-align:start;
font:1rem/1.45 system-ui,sans-serif;white-space:pre-wrap;overflow-wrap:anywhere}
p{color:#d9c7a8}
""".strip()

What = Literal["opened", "looked", "refused"]


class News(NamedTuple):
    """What the dealer is told: a phone has opened a card, its player has looked, or another phone was refused."""

    what: What
    seat: int


@dataclass
class Link:
    """One player's card, and the phone that it is bound to."""

    seat: int
    name: str
    card: str = field(repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES), repr=False)
    phone: str = field(default="", repr=False)  # the cookie of the first phone that opened the link
    was_shown: bool = False  # a card that hides itself was looked at all the same
    has_looked: bool = False

    @property
    def path(self) -> str:
        return f"/card/{self.token}"

    def is_bound_to(self, phone: str) -> bool:
        return bool(self.phone) and hmac.compare_digest(self.phone.encode(), phone.encode())


class CardPages:
    """The pages of one deal. Every page has the same size, and every player the same taps: show, then hide."""

    def __init__(self, names: Sequence[str], cards: Sequence[str], lang: str = SOURCE) -> None:
        self._words = catalogue(lang)
        self.links = [
            Link(seat, name, card.rstrip()) for seat, (name, card) in enumerate(zip(names, cards, strict=True))
        ]
        self.news: Queue[News | None] = Queue()  # None: the dealer wants the next code
        self._by_token = {link.token: link for link in self.links}
        self._size = self._page_size(names, cards)

    @property
    def app(self) -> Starlette:
        return Starlette(routes=[Route("/card/{token}", self.answer, methods=["GET", "POST"])])

    @property
    def waits_for(self) -> list[Link]:
        return [link for link in self.links if not link.has_looked]

    async def answer(self, request: Request) -> Response:
        link = self._by_token.get(request.path_params["token"])
        if link is None or is_preview(request):
            return self._page(HTTPStatus.NOT_FOUND, "unknown")
        phone = request.cookies.get(COOKIE, "")
        if not link.phone and request.method == "GET":
            return self._bind(link)
        if not link.is_bound_to(phone):
            self.news.put_nowait(News("refused", link.seat))
            return self._page(HTTPStatus.FORBIDDEN, "refused", link)
        if request.method == "GET":
            return self._hidden(link) if link.was_shown else self._page(HTTPStatus.OK, "cover", link)
        return self._tapped(link, (await request.body()).decode(errors="replace"))

    def _bind(self, link: Link) -> Response:
        """The first phone that opens a link keeps it."""
        link.phone = secrets.token_urlsafe(TOKEN_BYTES)
        self.news.put_nowait(News("opened", link.seat))
        page = self._page(HTTPStatus.OK, "cover", link)
        page.set_cookie(COOKIE, link.phone, path=link.path, httponly=True, samesite="lax")
        return page

    def _tapped(self, link: Link, tap: str) -> Response:
        if tap == "tap=show":
            link.was_shown = True
            return self._page(HTTPStatus.OK, "card", link)
        return self._hidden(link)

    def _hidden(self, link: Link) -> Response:
        """The card is hidden, by its player or by its time: the player has looked."""
        if not link.has_looked:
            link.has_looked = True
            self.news.put_nowait(News("looked", link.seat))
        return self._page(HTTPStatus.OK, "again", link)

    # The pages

    def _page(self, status: HTTPStatus, kind: str, link: Link | None = None) -> Response:
        written = self._written(kind, link).encode()
        return Response(written.ljust(self._size), status, HEADERS)

    def _written(self, kind: str, link: Link | None) -> str:
        name = "" if link is None else link.name
        says = self._words.text
        title, hint = says(f"phones.{kind}.title", name=name), says(f"phones.{kind}.hint", name=name)
        shown, tap, label, refresh = "", "", "", ""
        if link is not None and kind == "card":
            shown = f"<pre>{escape(link.card, quote=False)}</pre>"
            tap, label = "hide", says("phones.hide")
            refresh = f'<meta http-equiv="refresh" content="{SHOWN_SECONDS};url={link.path}">'
        elif kind in ("cover", "again"):
            tap, label = "show", says(f"phones.{kind}.show", name=name)
        button = f'<form method="post"><button name="tap" value="{tap}">{escape(label)}</button></form>' if tap else ""
        return (
            f'<!doctype html><html lang="{self._words.lang}"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">{refresh}'
            f"<title>{escape(says('phones.tab'))}</title><style>{STYLE}</style></head>"
            f"<body><h1>{escape(title)}</h1>{shown}<p>{escape(hint)}</p>{button}</body></html>"
        )

    def _page_size(self, names: Sequence[str], cards: Sequence[str]) -> int:
        """The bytes of every page, whatever is dealt: cards are of one size, and escaping makes them larger."""
        longest = max(names, key=lambda name: len(name.encode()))
        empty = Link(0, longest, "", "t" * 2 * TOKEN_BYTES)
        covers = [self._written(kind, empty) for kind in ("cover", "again", "card", "refused", "unknown")]
        return max(len(cover.encode()) for cover in covers) * 2 + ESCAPED * max(len(card.encode()) for card in cards)


def is_preview(request: Request) -> bool:
    """Whether no person has opened the link: a program fetches it in advance, or only asks whether it is there."""
    purpose = request.headers.get("sec-purpose") or request.headers.get("purpose") or ""
    return request.method == "HEAD" or "prefetch" in purpose
