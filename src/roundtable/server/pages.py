"""The page that a browser finds: what this is, and how to play until there is a table to look at."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Round Table</title>
<h1>Round Table</h1>
<p>This server holds tables of Avalon, THavalon and Town of Saviom. It speaks HTTP and WebSocket; a client in a few
lines is <code>examples/table_client.py</code> of the project, and <code>docs/protocol.md</code> tells how to write one.
<ul>
<li><a href="/api/rooms">Public rooms</a>
<li><a href="/api/games">What can be played</a>
<li><a href="/openapi.json">The HTTP API</a>
<li><a href="/schemas/messages.json">The messages on the socket</a>
</ul>
</html>
"""


async def front_page(request: Request) -> Response:
    return Response(PAGE, media_type="text/html; charset=utf-8")
