"""A client of one server, and the tables that it holds."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

from roundtable.client.connection import Connection
from roundtable.client.http import HttpApi, door_headers
from roundtable.client.retries import Retries, RetryPolicy
from roundtable.client.table import Table, enter
from roundtable.core.catalogue import SOURCE
from roundtable.core.errors import NotConnected, shown
from roundtable.games import DEFAULT_GAME
from roundtable.protocol.bodies import Join, Membership, OpenRoom
from roundtable.protocol.rooms import Enter, Settings


class Client:
    """A client of the server at `url`; a link to one of its tables will do. Leaving the context closes every table.

    The server words its refusals in `lang`. A private server wants to know its `password`.

    Every call may raise `NotConnected`, after `timeout` seconds without an answer, and `Unreadable`, where the server
    does not speak this protocol.
    """

    def __init__(
        self,
        url: str,
        *,
        lang: str = SOURCE,
        timeout: float = 60.0,
        retry_delay: float = 1.0,
        password: str = "",
    ) -> None:
        self.url = server_of(url)
        self._policy = RetryPolicy(timeout, retry_delay)
        self.http = HttpApi(self.url, self._policy, lang, password)
        self._password = password
        self._lang = lang
        self._tables: list[Table] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(table.close() for table in self._tables))

    async def open(
        self,
        name: str,
        game: str = DEFAULT_GAME,
        seats: int = 5,
        *,
        options: Mapping[str, Any] | None = None,
        settings: Settings | None = None,
    ) -> Table:
        """Open a room as its host."""
        wanted = OpenRoom(
            name=name,
            game=game,
            seats=seats,
            options=dict(options or {}),
            settings=settings or Settings(),
        )
        return await self.enter(await self.http.open_room(wanted))

    async def join(self, room: str, name: str, *, watch: bool = False) -> Table:
        """Join a room by its link or code, and take a free seat if there is one and `watch` does not say otherwise."""
        wanted = Join(name=name, watch=watch)
        return await self.enter(await self.http.join_room(self._code_of(room), wanted))

    async def watch(self, room: str) -> Table:
        """Watch a room without becoming a member."""
        return await self._connect(self._code_of(room), None)

    async def enter(self, membership: Membership) -> Table:
        """Come back as a member, also from another process than the one that joined."""
        return await self._connect(membership.room, membership)

    async def _connect(self, code: str, membership: Membership | None) -> Table:
        token = None if membership is None else membership.token
        retries = Retries(self.url, self._policy)
        entering, headers = Enter(token=token, lang=self._lang), door_headers(self._password)
        table = await enter(Connection(self.url, code, entering, retries, headers), membership)
        self._tables.append(table)
        return table

    def _code_of(self, room: str) -> str:
        if "/" not in room:
            return room
        if server_of(room) != self.url:
            raise NotConnected("client/address", "elsewhere", link=shown(room), address=self.url)
        return room.rstrip("/").rpartition("/")[2]


def server_of(url: str) -> str:
    """The address of a server, from that or from a link to one of its tables."""
    address = url.partition("/r/")[0].rstrip("/")
    try:
        parts = urlsplit(address)
        is_address = (
            parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and not re.search(r"\s", url)
        )
    except ValueError:  # a port that is none
        is_address = False
    if not is_address:
        raise NotConnected("client/address", found=shown(url))
    return address
