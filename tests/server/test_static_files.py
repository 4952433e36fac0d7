"""Static files: the server serves the built web app and no other files, or says how to build it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from roundtable.server.middleware import HEADERS, OriginMiddleware
from roundtable.server.static_files import page_routes

PAGE = b"<!doctype html><title>Round Table</title>"
SCREENS = ["/", "/r/K7MPQ2", "/tv", "/tv/K7MPQ2", "/clock", "/rules", "/rules/avalon", "/record/K7MPQ2/1"]


@pytest.fixture
def app(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_bytes(PAGE)
    (tmp_path / "assets" / "main-abc.js").write_bytes(b"export {};" * 100)
    (tmp_path / "favicon.svg").write_bytes(b"<svg/>")
    return tmp_path


def get(folder: Path, path: str, **headers: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        served = OriginMiddleware(Starlette(routes=page_routes(folder)), (), ["table.example"])
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://table.example") as http:
            return await http.get(path, headers=headers)

    return asyncio.run(ask())


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_is_the_same_page_and_asked_for_at_every_visit(app: Path, screen: str) -> None:
    answer = get(app, screen)
    assert (answer.status_code, answer.content) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_a_page_runs_no_script_and_no_style_but_ours(app: Path) -> None:
    answer = get(app, "/")
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    careful = {name.decode(): text.decode() for name, text in HEADERS}
    for name in set(careful) - {"content-security-policy", "cache-control"}:
        assert answer.headers[name] == careful[name]


def test_files_with_their_contents_in_their_name_are_kept_for_good(app: Path) -> None:
    answer = get(app, "/assets/main-abc.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert get(app, "/favicon.svg").headers["cache-control"] == "no-cache"


def test_what_a_browser_has_already_is_not_sent_again(app: Path) -> None:
    tag = get(app, "/").headers["etag"]
    again = get(app, "/", **{"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_files_are_packed_for_those_who_can_unpack_them(app: Path) -> None:
    packed = get(app, "/assets/main-abc.js", **{"accept-encoding": "gzip"})
    plain = get(app, "/assets/main-abc.js", **{"accept-encoding": "identity"})
    assert (packed.headers["content-encoding"], packed.content) == ("gzip", plain.content)
    assert int(packed.headers["content-length"]) < len(plain.content)
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize("path", ["/assets/../secret", "/assets/%2e%2e/secret", "/assets/", "/index.html", "/secret"])
def test_nothing_beside_the_app_can_be_had(app: Path, path: str) -> None:
    (app.parent / "secret").write_text("a seed")
    assert get(app, path).status_code == 404


def test_the_manifest_is_called_what_it_is(app: Path) -> None:
    (app / "manifest.webmanifest").write_text("{}")
    assert get(app, "/manifest.webmanifest").headers["content-type"] == "application/manifest+json"


def test_without_the_built_app_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    answer = get(tmp_path / "nothing", "/")
    assert answer.status_code == 200
    assert "<code>make web</code>" in answer.text
