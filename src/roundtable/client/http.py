"""A client of the HTTP API with typed bodies: open or join a room, send it a request, read records."""

from __future__ import annotations

import asyncio
from http.client import HTTPException, IncompleteRead
from secrets import token_hex
from typing import TypeVar
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import msgspec

from roundtable.client.retries import Retries, RetryPolicy, refusal
from roundtable.core.catalogue import SOURCE
from roundtable.core.errors import Unreadable, shown
from roundtable.protocol.bodies import ErrorBody, Join, Membership, OpenRoom
from roundtable.protocol.encoding import ENCODER
from roundtable.protocol.rooms import Request, Room

Answer = TypeVar("Answer")
Wanted = TypeVar("Wanted", OpenRoom, Join)

CALL_SECONDS = 10.0  # how long one attempt may take
TOKEN_BYTES = 24
ID_BYTES = 16


class HttpApi:
    """Each call is repeated until it is answered. A repeat changes nothing: memberships go by their token, requests by
    their id."""

    def __init__(self, url: str, policy: RetryPolicy, lang: str = SOURCE, password: str = "") -> None:
        self._url = url
        self._policy = policy
        self._headers = {"Content-Type": "application/json", "Accept-Language": lang, **door_headers(password)}

    async def open_room(self, wanted: OpenRoom) -> Membership:
        """Open a room as its host."""
        return _read(Membership, await self._call("/api/rooms", _with_token(wanted)))

    async def join_room(self, code: str, wanted: Join) -> Membership:
        """Become a member of a room."""
        return _read(Membership, await self._call(f"/api/rooms/{quote(code, safe='')}/members", _with_token(wanted)))

    async def ask(self, membership: Membership, request: Request, id: str = "") -> Room:
        """Ask something of a room without a socket; the answer is the room as it is then."""
        headers = {"Authorization": f"Bearer {membership.token}", "Idempotency-Key": id or token_hex(ID_BYTES)}
        return _read(Room, await self._call(f"/api/rooms/{membership.room}/requests", request, headers))

    async def look(self, code: str) -> Room:
        """A room as everyone with its code may see it."""
        return _read(Room, await self._call(f"/api/rooms/{quote(code, safe='')}"))

    async def record(self, code: str, number: int) -> bytes:
        """The record of a finished game, in JSON Lines."""
        return await self._call(f"/api/rooms/{quote(code, safe='')}/games/{number}/record")

    async def _call(self, path: str, body: object = None, headers: dict[str, str] | None = None) -> bytes:
        text = None if body is None else ENCODER.encode(body)
        request = HttpRequest(self._url + path, text, {**self._headers, **(headers or {})})
        retries = Retries(self._url, self._policy)
        while True:
            try:
                return await asyncio.to_thread(_send, request)
            except (OSError, IncompleteRead) as lost:
                await retries.wait(lost)
            except HTTPException as invalid:
                found = shown(invalid)
                raise Unreadable("text/unreadable", "http", address=self._url, found=found) from invalid


def door_headers(password: str) -> dict[str, str]:
    """What a private server wants to see; nothing for a server without a password."""
    return {"X-Roundtable-Password": quote(password, safe="")} if password else {}


def _with_token(wanted: Wanted) -> Wanted:
    """The same with a token of its own, so that a repeat does not open or join twice."""
    return wanted if wanted.token else msgspec.structs.replace(wanted, token=token_hex(TOKEN_BYTES))


def _send(request: HttpRequest) -> bytes:
    """One attempt. `urllib` and not httpx: a handful of calls are not worth another dependency."""
    try:
        with urlopen(request, timeout=CALL_SECONDS) as answer:
            return bytes(answer.read())
    except HTTPError as refused:
        with refused:
            error = _error_body(refused)
        raise refusal(error) from None


def _error_body(refused: HTTPError) -> ErrorBody:
    """Why the server refused; an answer that a proxy gave while the server was away is a lost connection."""
    text = refused.read()
    try:
        return msgspec.json.decode(text, type=ErrorBody)
    except msgspec.DecodeError as other:
        if refused.code >= 500:
            raise ConnectionError(f"HTTP status {refused.code}") from other
        raise Unreadable("text/unreadable", "message", expected=[ErrorBody.__name__], reason=str(other)) from other


def _read(kind: type[Answer], text: bytes) -> Answer:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError) as other:
        raise Unreadable("text/unreadable", "message", expected=[kind.__name__], reason=str(other)) from other
