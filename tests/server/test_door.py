"""A private server: its password is asked for once, by a page, by `roundtable join` and of programs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import quote, urlencode

import pytest

from roundtable.client import Client
from roundtable.core.errors import RoomRefused, SetupError
from roundtable.rooms import InlineBotWorkers, Services
from roundtable.server import door
from roundtable.server.app import Application
from roundtable.server.door import COOKIE, WRONG_PER_MINUTE, read_password
from roundtable.storage import MemoryLog
from support.asgi_server import FAR_AWAY, PLENTY
from support.live_server import LiveServer
from support.terminal_session import CTRL_C, TerminalSession
from support.virtual_time import SeededBytes, VirtualLoop, run

PASSWORD = "mở cửa ra nào"
PAGE = ((b"accept", b"text/html"),)


class Answer:
    def __init__(self, told: list[Any]) -> None:
        self.status: int = told[0]["status"]
        self.headers = {name.decode(): text.decode() for name, text in told[0]["headers"]}
        self.text = b"".join(message.get("body", b"") for message in told[1:]).decode()

    @property
    def code(self) -> str:
        return str(json.loads(self.text)["code"])


class Visitor:
    """Asks the application without a network."""

    def __init__(self, app: Application, address: str = FAR_AWAY) -> None:
        self._app, self._address = app, address

    def _scope(self, kind: str, path: str, headers: tuple[tuple[bytes, bytes], ...]) -> dict[str, Any]:
        given = [(b"host", b"table.example"), *headers]
        scope = {"type": kind, "path": path, "raw_path": path.encode(), "headers": given, "query_string": b""}
        return {**scope, "client": (self._address, 1), "root_path": "", "http_version": "1.1", "subprotocols": []}

    async def ask(self, path: str, *headers: tuple[bytes, bytes], form: dict[str, str] | None = None) -> Answer:
        told: list[Any] = []
        body = {"type": "http.request", "body": urlencode(form or {}).encode(), "more_body": False}

        async def receive() -> Any:
            return body

        async def send(message: Any) -> None:
            told.append(message)

        scope = self._scope("http", path, headers) | {"scheme": "https", "method": "POST" if form else "GET"}
        await self._app(scope, receive, send)
        return Answer(told)

    async def socket(self, *headers: tuple[bytes, bytes]) -> list[Any]:
        """What a socket is told that says hello to a room that does not exist."""
        told: list[Any] = []
        said = [{"type": "websocket.receive", "text": '{"is":"Enter"}'}, {"type": "websocket.connect"}]

        async def receive() -> Any:
            return said.pop() if said else {"type": "websocket.disconnect"}

        async def send(message: Any) -> None:
            told.append(message)

        await self._app(self._scope("websocket", "/socket/ABCDEF", headers) | {"scheme": "wss"}, receive, send)
        return [(message["code"], message["reason"]) for message in told if message["type"] == "websocket.close"]

    async def knock(self, password: str, back: str = "/r/ABCDEF", *headers: tuple[bytes, bytes]) -> Answer:
        return await self.ask("/door", *headers, form={"password": password, "back": back})


def at_the_door(visit: Callable[[Application], Awaitable[None]]) -> None:
    async def main(loop: VirtualLoop) -> None:
        services = Services(MemoryLog(), loop.now, SeededBytes(), InlineBotWorkers())
        with patch.object(door, "time", SimpleNamespace(monotonic=loop.time)):
            app = Application(services, limits=PLENTY, sites=["table.example"], password=PASSWORD)
        await app.registry.start()
        await visit(app)

    run(main)


def password_header(password: str) -> tuple[bytes, bytes]:
    return door.PASSWORD, quote(password).encode()


def test_strangers_find_a_page_that_asks_and_nothing_else() -> None:
    async def visit(app: Application) -> None:
        stranger = Visitor(app)
        for path in ("/", "/r/ABCDEF", "/openapi.json", "/assets/index.js"):
            page = await stranger.ask(path, *PAGE)
            assert (page.status, page.headers["content-type"]) == (401, "text/html; charset=utf-8")
            assert "Password of this server:" in page.text
            assert f'value="{path}"' in page.text
        assert "Mật khẩu" in (await stranger.ask("/", *PAGE, (b"accept-language", b"vi"))).text
        for path in ("/api/rooms", "/api/games", "/", "/api/rooms/ABCDEF"):
            refused = await stranger.ask(path)
            assert (refused.status, refused.code) == (401, "server/door")
        assert await stranger.socket() == [(4003, "server/door")]
        assert (await stranger.ask("/health")).status == 200

    at_the_door(visit)


def test_the_password_is_asked_for_once() -> None:
    async def visit(app: Application) -> None:
        guest = Visitor(app)
        let_in = await guest.knock(PASSWORD)
        assert (let_in.status, let_in.headers["location"]) == (303, "/r/ABCDEF")
        cookie, *attributes = let_in.headers["set-cookie"].split("; ")
        assert {"HttpOnly", "SameSite=Strict", "Secure", "Path=/"} <= set(attributes)
        assert PASSWORD not in cookie
        shown = (b"cookie", f"other=1; {cookie}".encode())
        assert (await guest.ask("/api/games", shown)).status == 200
        assert await guest.socket(shown) == [(4003, "room/unknown")]
        for wrong in (f"{COOKIE}=", f"{COOKIE}={'0' * 64}", f'{COOKIE}="é"', "a=\x00;;=", cookie[:-1]):
            assert (await guest.ask("/api/games", (b"cookie", wrong.encode()))).code == "server/door"

    at_the_door(visit)


def test_programs_send_it_in_a_header() -> None:
    async def visit(app: Application) -> None:
        program = Visitor(app)
        for _ in range(3 * WRONG_PER_MINUTE):
            assert (await program.ask("/api/games", password_header(PASSWORD))).status == 200
        assert await program.socket(password_header(PASSWORD)) == [(4003, "room/unknown")]
        assert await program.socket(password_header("something else")) == [(4003, "server/door")]
        refused = await program.ask("/api/games", password_header("something else"))
        assert (refused.status, json.loads(refused.text)["variant"]) == (401, "wrong")

    at_the_door(visit)


def test_after_ten_wrong_passwords_none_is_right_for_a_while() -> None:
    async def visit(app: Application) -> None:
        guesser, neighbour = Visitor(app), Visitor(app, "198.51.100.7")
        for number in range(WRONG_PER_MINUTE):
            wrong = await guesser.knock(f"guess {number}")
            assert (wrong.status, "That’s not the password" in wrong.text) == (401, True)
        refused = await guesser.knock(PASSWORD)
        assert (refused.status, "Too many wrong passwords" in refused.text) == (429, True)
        assert (await guesser.ask("/api/games", password_header(PASSWORD))).code == "server/too_fast"
        assert (await neighbour.knock(PASSWORD)).status == 303

    at_the_door(visit)


def test_the_way_back_leads_to_no_other_site_and_the_page_escapes_it() -> None:
    async def visit(app: Application) -> None:
        guest = Visitor(app)
        for back in ("//evil.example", "https://evil.example", "/\\evil.example", ""):
            assert (await guest.knock(PASSWORD, back)).headers["location"] == "/"
        assert (await guest.knock(PASSWORD, "/r/A\r\nset-cookie: x=1")).headers["location"].count("\n") == 0
        page = await guest.ask('/"><script>', *PAGE)
        assert "<script>" not in page.text
        assert page.headers["content-security-policy"].startswith("default-src 'none'")

    at_the_door(visit)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "The password can’t be read from {file}: No such file or directory."),
        (b"\xff\xfe\n", "The password can’t be read from {file}: it is no text."),
        (b"  short \n", "The first line of {file} has to be a password of at least 8 characters."),
        (b"", "The first line of {file} has to be a password of at least 8 characters."),
    ],
)
def test_a_file_without_a_good_password_is_refused_in_one_sentence(
    content: bytes | None, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "door"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SetupError) as refused:
        read_password(str(file))
    assert refused.value.text("en") == sentence.format(file=file)


@pytest.mark.slow
def test_the_client_and_the_terminal_get_in(tmp_path: Path) -> None:
    async def play(url: str) -> str:
        async with Client(url, password=PASSWORD) as client:
            table = await client.open("Ada")
            with pytest.raises(RoomRefused) as refused:
                await Client(url).join(table.room.code, "Ben")
            assert (refused.value.code, refused.value.variant) == ("server/door", "")
            with pytest.raises(RoomRefused) as wrong:
                await Client(url, password="something else").watch(table.room.code)
            assert wrong.value.code == "server/door"
            return str(table.room.code)

    file = tmp_path / "door"
    file.write_text(f"{PASSWORD}\n")
    with LiveServer(tmp_path / "rooms.db", "--password-file", str(file)) as server:
        code = asyncio.run(play(server.url))
        environment = {"XDG_DATA_HOME": str(tmp_path)}
        terminal = TerminalSession(f"{server.url}/r/{code}", "--name", "Ben", command="join", environment=environment)
        terminal.read_until("Its password: $")
        terminal.press(f"{PASSWORD}\n".encode())
        terminal.read_until("for help: $")
        assert PASSWORD not in terminal.screen
        terminal.press(CTRL_C)
        assert terminal.leave() == 0
        assert server.stop() == 0
        assert PASSWORD not in server.logged()
