"""Accessibility of every screen: axe, sizes of touch targets, and what a screen reader announces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from itertools import product
from operator import not_
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.sizes import IS_SOAK
from support.web.at_table import OpenPage, enter
from support.web.polling import eventually, look_again
from support.web.rooms import QUESTS_FOR_SURE, call, open_room, start_with_bots, watch_bots_play

pytestmark = pytest.mark.slow

WIDTHS = (320, 390, 768, 1280, 1920)
KINDS = (320, 768, 1280)  # a phone, a tablet, a desktop: the widths that the style sheets distinguish
LOOKS = [*product(("English", "Tiếng Việt"), ("dark", "light"))]
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()

SMALL_TARGETS = """() => {
  const isInText = one => one.tagName === 'A' && getComputedStyle(one).display === 'inline';
  const isShown = one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.visually-hidden');
  const box = one => (one.closest('label') ?? one).getBoundingClientRect();
  return [...document.querySelectorAll('a, button, input, select, textarea, summary, [role=button], [role=switch]')]
    .filter(one => isShown(one) && !isInText(one) && !one.disabled)
    .filter(one => { const { width, height } = box(one); return width > 1 && (width < 43.5 || height < 43.5); })
    .map(one => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40)} ` +
      `${Math.round(box(one).width)}x${Math.round(box(one).height)}`);
}"""

WIDEST = """() => Math.max(...[document.scrollingElement, ...document.querySelectorAll('dialog[open]')].map(
  one => one.getBoundingClientRect().left + one.scrollWidth))"""


def home(page: Page, server: LiveServer) -> None:
    page.goto("/")


def rules(page: Page, server: LiveServer) -> None:
    page.goto("/rules/avalon")


def join(page: Page, server: LiveServer) -> None:
    page.goto(f"/r/{open_room(server.url).code}")


def lobby(page: Page, server: LiveServer) -> None:
    enter(page, open_room(server.url, "avalon", 7))


def table(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 7)
    start_with_bots(host)
    enter(page, host)
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()


def night(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "saviom", 8, mode="advanced", begins_with="night", night_seconds=86_400)
    start_with_bots(host)
    enter(page, host)
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()


def after(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5)
    start_with_bots(host)
    host.ask("CallItOff")
    enter(page, host)
    expect(page.get_by_role("heading", name="Everyone’s roles")).to_be_visible()


def record(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "thavalon", 8)
    watch_bots_play(host)
    page.goto(f"/record/{host.code}/1")
    page.get_by_role("button", name="Check the deal").click()
    expect(page.locator("[data-check]").first).to_be_visible()


def tv_lobby(page: Page, server: LiveServer) -> None:
    page.goto(f"/tv/{open_room(server.url, 'saviom', 9).code}")


def tv(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 10)
    start_with_bots(host)
    page.goto(f"/tv/{host.code}")
    expect(page.get_by_role("region", name="The table", exact=True)).to_be_visible()


def nowhere(page: Page, server: LiveServer) -> None:
    page.goto("/there/is/nothing")


def gone(page: Page, server: LiveServer) -> None:
    page.goto("/tv/AAAAAA")
    expect(page.get_by_role("heading", name="This table is closed")).to_be_visible()


SCREENS: list[Callable[[Page, LiveServer], None]] = [
    *(home, rules, join, lobby, table, night, after, record, tv_lobby, tv, nowhere, gone)
]


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page(reduced_motion="reduce", bypass_csp=True, viewport={"width": 390, "height": 844})


def faults(page: Page, width: int) -> list[str]:
    """Findings of axe in the page, or in the sheet that covers it; small touch targets; overflow: one line each."""
    found: Any = page.evaluate(
        "() => axe.run(document.querySelector('dialog[open]') ?? document, "
        "{ resultTypes: ['violations'], preload: false })"
    )
    nodes = [(one["id"], node) for one in found["violations"] for node in one["nodes"]]
    objections = [f"{rule}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}" for rule, node in nodes]
    too_small = [f"too small: {small}" for small in page.evaluate(SMALL_TARGETS)]
    is_too_wide = page.evaluate(WIDEST) > width
    return [*objections, *too_small, *(["it scrolls sideways"] if is_too_wide else [])]


def turn(page: Page, width: int, language: str, theme: str) -> None:
    """Change the look, and wait until the page has stopped changing."""
    page.set_viewport_size({"width": width, "height": 844 if width < 1000 else 1080})
    page.get_by_role("button", name=language).first.click()
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    eventually(page, "() => [innerWidth, document.body.innerText]", lambda now: now[0] == width)


def looks(place: int) -> Iterator[tuple[int, str, str]]:
    """Every kind of screen, each in another look, and other ones from place to place; in the long form everything."""
    if IS_SOAK:
        yield from ((width, *look) for width, look in product(WIDTHS, LOOKS))
        return
    yield from ((width, *LOOKS[(place + number) % len(LOOKS)]) for number, width in enumerate(KINDS))


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_a_screen_is_for_everybody(page: Page, server: LiveServer, screen: Callable[[Page, LiveServer], None]) -> None:
    screen(page, server)
    expect(page.locator("h1").first).to_be_visible()
    page.evaluate(AXE)
    for width, language, theme in looks(SCREENS.index(screen)):
        turn(page, width, language, theme)
        look_again(partial(faults, page, width), not_)


def test_a_sheet_is_for_everybody(page: Page, server: LiveServer) -> None:
    home(page, server)
    look_at_sheet(page, "[data-own-avatar]", "[data-avatar-picker]")
    table(page, server)
    look_at_sheet(page, "header [aria-haspopup=dialog]", "[data-settings]")
    look_at_sheet(page, "[data-tool=notes]", "[data-notes]")


def look_at_sheet(page: Page, button: str, content: str) -> None:
    """Open it on the narrowest phone, in both themes, and close it."""
    page.set_viewport_size({"width": KINDS[0], "height": 640})
    page.locator(button).click()
    expect(page.locator(f"dialog[open] {content}")).to_be_visible()
    page.evaluate(AXE)
    for theme in ("dark", "light"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        look_again(partial(faults, page, KINDS[0]), not_)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


# What a screen reader hears

LISTEN = """() => {
  window.spoken = [];
  const regions = () => document.querySelectorAll('[aria-live], [role=status], [role=alert]');
  const last = new Map();
  new MutationObserver(() => {
    for (const region of regions()) {
      const text = region.textContent.trim();
      if (text && text !== last.get(region)) window.spoken.push(text);
      last.set(region, text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""


def test_what_everybody_hears_is_said_once(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5, **QUESTS_FOR_SURE)
    host.ask("LeaveSeat")
    enter(page, host)
    expect(page.locator("h1").first).to_be_visible()
    page.evaluate(LISTEN)
    for seat in range(5):
        host.ask("SeatBot", seat=seat, bot="careful")
    host.ask("Start")
    host.wait_for("over")
    expect(page.get_by_role("heading", name="Game over")).to_be_visible()
    told = call(f"{host.url}/api/rooms/{host.code}/games/1/replay/spectator")
    events = [event for step in told["steps"] for event in step["events"]]
    quests = [event for event in events if event["is"] == "QuestResolved"]
    assert quests
    ended = sorted(f"Quest {one['quest']} {'succeeds' if one['succeeded'] else 'fails'}" for one in quests)
    polls = [event for event in events if event["is"] == "VotesCounted"]

    def is_said_once(spoken: list[str]) -> bool:
        said = " ".join(spoken)
        votes = re.findall(r"Approved by everyone|(?:Approved|Rejected): \d", said)
        return sorted(re.findall(r"Quest \d (?:succeeds|fails)", said)) == ended and len(votes) == len(polls)

    eventually(page, "() => window.spoken", is_said_once)
