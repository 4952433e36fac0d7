"""Fixtures of the browser tests: the server with the built web app, and Chromium."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from support.live_server import LiveServer, changed_program
from support.waiting import PATIENCE
from support.web.at_table import PHONE, OpenPage, enter, sit
from support.web.chromium import MISSING, find_chromium
from support.web.complaints import complaints_of
from support.web.hands import Hand, HandsOf
from support.web.rooms import QUESTS_FOR_SURE, Person, start_game

ROOT = Path(__file__).resolve().parents[2]

expect.set_options(timeout=1_000 * PATIENCE)


@pytest.fixture(scope="session")
def built() -> Path:
    """The web app, built anew where it is older than its sources; by the standard library alone, as in `make run`."""
    subprocess.run([sys.executable, "-I", "-S", ROOT / "tools" / "build_web.py"], check=True)
    return ROOT / "src" / "roundtable" / "web_app"


@contextmanager
def serving(database: Path, change: str) -> Iterator[LiveServer]:
    """A live server with one constant changed, such as how long it waits for absent players."""
    with LiveServer(database, program=changed_program(change)) as running:
        yield running


@pytest.fixture(scope="session")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One server for all tests, which does not replace an absent host."""
    with serving(tmp_path_factory.mktemp("web") / "rooms.db", "timers.HOST_AWAY_SECONDS = 3_600") as running:
        yield running


@pytest.fixture
def impatient(request: pytest.FixtureRequest, built: Path, tmp_path: Path) -> Iterator[LiveServer]:
    """A server that waits less for absent players, by a change such as "presence.LOST_SECONDS = 0"."""
    with serving(tmp_path / "rooms.db", request.param) as running:
        yield running


@pytest.fixture(scope="module")  # while it runs, no other test in the process can have an event loop of its own
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = find_chromium()
    if found is None:
        pytest.fail(MISSING) if os.environ.get("CI") else pytest.skip(MISSING)
    running = playwright.chromium.launch(executable_path=found, timeout=1_000 * PATIENCE)
    yield running
    running.close()


@pytest.fixture
def open_page(browser: Browser, server: LiveServer) -> Iterator[OpenPage]:
    """Opens pages, each in a browser context of its own. An error that any of them reports fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[list[str]] = []

    def open_one(**how: Any) -> Page:
        context = browser.new_context(**{"base_url": server.url, "locale": "en-GB", **how})
        context.set_default_timeout(1_000 * PATIENCE)
        contexts.append(context)
        page = context.new_page()
        complaints.append(complaints_of(page))
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [line for lines in complaints for line in lines] == []


@pytest.fixture
def another(open_page: OpenPage) -> Callable[..., Page]:
    """Opens pages of the size of a phone."""

    def pick_up(locale: str = "en-GB") -> Page:
        return open_page(viewport=PHONE, has_touch=True, is_mobile=True, locale=locale)

    return pick_up


@pytest.fixture
def phone(another: Callable[..., Page]) -> Page:
    """A page of the size of a phone, in English."""
    return another()


@pytest.fixture
def seat_at(phone: Page) -> Callable[[Person], Page]:
    """The phone, at the seat of the member who opened the room."""

    def sit_down(host: Person) -> Page:
        enter(phone, host)
        expect(phone.get_by_role("region", name="The table", exact=True)).to_be_visible()
        return phone

    return sit_down


@pytest.fixture
def ann(open_page: OpenPage, server: LiveServer) -> Page:
    """Ann at a table of Avalon with four bots, at which quests are gone on however the bots vote."""
    (who,) = start_game(server.url, "avalon", 5, ("Ann",), QUESTS_FOR_SURE)
    return sit(open_page, who)


@pytest.fixture
def hands_of() -> Iterator[HandsOf]:
    """Seats that the test plays over the client; they stay connected until it ends."""
    with ExitStack() as held:
        yield lambda people: [Hand(held.enter_context(who.connected())) for who in people]
