"""The built web app, or a page that says how to build it.

`web/` is built into `src/roundtable/web_app/` (docs/web.md). Its files are read once, at the start; no other file is
served.
"""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from roundtable.protocol.compression import CompressedBody, compress
from roundtable.server.responses import respond

FRONT = "index.html"
BUILT = Path(__file__).parents[1] / "web_app"
SCREENS = ("/", "/r/{code}", "/tv", "/tv/{code}", "/clock", "/rules", "/rules/{game}", "/record/{code}/{number}")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
REVALIDATE = "no-cache"
IMMUTABLE = "public, max-age=31536000, immutable"  # for names that contain a hash
COMPRESSIBLE = ("text/", "image/svg", "application/json", "application/manifest+json")
HTML = "text/html; charset=utf-8"
TYPES = {
    ".html": HTML,
    ".js": "text/javascript; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}  # not left to the machine's own table

NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Round Table</title>
<h1>Round Table</h1>
<p>This server runs, but its web app was not built. In the project's folder, with Node 20.19 or newer,
<code>make web</code> builds it; then start the server again.
<p>It holds tables all the same: <code>roundtable join</code> plays at them in a terminal, and
<code>docs/protocol.md</code> tells how to write another client.
<ul>
<li><a href="/api/rooms">Public rooms</a>
<li><a href="/api/games">What can be played</a>
<li><a href="/openapi.json">The HTTP API</a>
<li><a href="/schemas/messages.json">The messages on the socket</a>
</ul>
</html>
"""


class Page(NamedTuple):
    """A file as it is sent."""

    body: CompressedBody
    media_type: str
    cache_control: str
    etag: str

    @classmethod
    def of(cls, name: str, body: bytes) -> Page:
        media = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        sent = compress(body) if media.startswith(COMPRESSIBLE) else CompressedBody(body)
        cache_control = IMMUTABLE if name.startswith("assets/") else REVALIDATE
        return cls(sent, media, cache_control, f'"{hashlib.sha256(body).hexdigest()[:20]}"')

    async def show(self, request: Request) -> Response:
        return self.answer(request)

    def answer(self, request: Request, status: int = 200) -> Response:
        headers = {"cache-control": self.cache_control, "etag": self.etag}
        if self.media_type == HTML:
            headers["content-security-policy"] = POLICY
        if status == 200 and request.headers.get("if-none-match") == self.etag:
            return Response(status_code=304, headers=headers | {"vary": "accept-encoding"})
        return respond(request, self.body, status, headers, self.media_type)


@cache
def page_routes(folder: Path = BUILT) -> tuple[Route, ...]:
    """Every screen is the same page, which reads its own address; other files have their names as paths."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    screens = (Route(screen, front_page(folder).show) for screen in SCREENS)
    others = ((name, body) for name, body in files.items() if name != FRONT)
    return (*screens, *(Route(f"/{name}", Page.of(name, body).show) for name, body in others))


@cache
def front_page(folder: Path = BUILT) -> Page:
    path = folder / FRONT
    return Page.of(FRONT, path.read_bytes() if path.is_file() else NOT_BUILT)


def accepts_html(request: Request) -> bool:
    """Whether a browser asks for a page, and not a program for JSON."""
    wanted = request.headers.get("accept", "")
    return (
        request.method in ("GET", "HEAD")
        and HTML.partition(";")[0] in wanted
        and not request.url.path.startswith("/api/")
    )
