"""The real server with the built web app, and a real browser before it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

import live
from live import LiveServer
from web.at_table import PHONE, enter, sit
from web.complaints import complaints_of
from web.rooms import QUESTS_FOR_SURE, Person, start_game

ROOT = Path(__file__).resolve().parents[2]
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run")

expect.set_options(timeout=20_000)  # the machine may be busy


@pytest.fixture(scope="session")
def built() -> Path:
    """The web app, built anew where it is older than its sources."""
    subprocess.run([sys.executable, ROOT / "tools" / "build_web.py"], check=True, timeout=600)
    return ROOT / "src" / "roundtable" / "web_app"


@pytest.fixture(scope="session")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("web") / "rooms.db") as running:
        yield running


IMPATIENT = """
import sys
from roundtable.cli import main
from roundtable.room import attendance, timekeeping
{change}
sys.exit(main())
"""


@pytest.fixture
def impatient(
    request: pytest.FixtureRequest, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LiveServer]:
    """The real server, but for one thing: how long it waits for somebody, as in "attendance.LOST_SECONDS = 0"."""
    usual, program = live.command, IMPATIENT.format(change=request.param)
    monkeypatch.setattr(live, "command", lambda *told: [sys.executable, "-c", program, *usual(*told)[3:]])
    with LiveServer(tmp_path / "rooms.db") as running:
        yield running


@pytest.fixture(scope="module")  # while it runs, no other test in the process can have an event loop of its own
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        reason = "There is no Chromium; `make browser` installs it."
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    running = playwright.chromium.launch(executable_path=found, args=list(QUIET))
    yield running
    running.close()


@pytest.fixture
def phone(browser: Browser, server: LiveServer) -> Iterator[Page]:
    """A phone, English, held upright. Whatever its page complains about fails the test."""
    context = browser.new_context(base_url=server.url, viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
    page = context.new_page()
    complaints = complaints_of(page)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def another(browser: Browser, server: LiveServer) -> Iterator[Callable[..., Page]]:
    """As many more phones as a test wants."""
    contexts: list[BrowserContext] = []
    heard: list[list[str]] = []

    def pick_up(locale: str = "en-GB") -> Page:
        context = browser.new_context(
            base_url=server.url, viewport=PHONE, has_touch=True, is_mobile=True, locale=locale
        )
        contexts.append(context)
        page = context.new_page()
        heard.append(complaints_of(page))
        return page

    yield pick_up
    for context in contexts:
        context.close()
    assert [line for lines in heard for line in lines] == []


@pytest.fixture
def seat_at(phone: Page) -> Callable[[Person], Page]:
    """The phone, at the seat of whoever opened a room."""

    def sit_down(host: Person) -> Page:
        enter(phone, host)
        expect(phone.get_by_role("region", name="The table", exact=True)).to_be_visible()
        return phone

    return sit_down


@pytest.fixture
def ann(browser: Browser, server: LiveServer) -> Iterator[Page]:
    """Ann at a table of Avalon with four bots, at which quests are gone on however the bots vote."""
    (who,) = start_game(server.url, "avalon", 5, ("Ann",), QUESTS_FOR_SURE)
    page = sit(browser, who)
    complaints = complaints_of(page)
    yield page
    page.context.close()
    assert complaints == []
