"""A third language, made by machine and longer than English: the app built with it cuts off and overlaps no text."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from web.at_table import OpenPage, enter
from web.polling import eventually
from web.rooms import join as join_room
from web.rooms import open_room, start_with_bots, watch_bots_play

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 1080}
BUILD = ("npm", "run", "--silent", "build", "--", "--logLevel", "warn")

BAD_TEXT = """() => {
  const name = one => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 60)}`;
  const style = one => getComputedStyle(one);
  const box = one => one.getBoundingClientRect();
  const hasText = one => [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const isShown = one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.visually-hidden');
  const ancestors = one => one.parentElement ? [one.parentElement, ...ancestors(one.parentElement)] : [];
  const isScrolled = one => ancestors(one).some(above => /auto|scroll/.test(style(above).overflowX));
  const texts = [...document.body.querySelectorAll('*')]
    .filter(one => isShown(one) && hasText(one) && box(one).width > 1);

  const isPlayersName = one => one.matches('[data-seat] .name'); // as long as players like it, in every language
  const isCut = one => /hidden|clip/.test(style(one).overflowX) && one.scrollWidth > one.clientWidth + 1;
  const isOutside = one => !isScrolled(one) && (box(one).left < -1 || box(one).right > innerWidth + 1);
  const isOverTheEdge = one => {
    const around = one.parentElement.closest('button, a.button, .card');
    if (!around || style(one).position !== 'static' || isScrolled(one)) return false;
    return box(one).left < box(around).left - 2 || box(one).right > box(around).right + 2;
  };
  const isInFlow = one => style(one).position === 'static' && style(one).display !== 'inline';
  const overlaps = one => texts.some(other => {
    if (other === one || other.parentElement !== one.parentElement || ![one, other].every(isInFlow)) return false;
    const [mine, theirs] = [box(one), box(other)];
    return Math.min(mine.right, theirs.right) - Math.max(mine.left, theirs.left) > 2 &&
      Math.min(mine.bottom, theirs.bottom) - Math.max(mine.top, theirs.top) > 2;
  });
  return [
    ...texts.filter(one => isCut(one) && !isPlayersName(one)).map(one => `cut: ${name(one)}`),
    ...texts.filter(isOutside).map(one => `outside the page: ${name(one)}`),
    ...texts.filter(isOverTheEdge).map(one => `over the edge: ${name(one)}`),
    ...texts.filter(overlaps).map(one => `overlaps: ${name(one)}`),
    ...(document.scrollingElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
  ];
}"""
PLANTED = """() => {
  const add = (text, css, parent = document.body) => {
    const one = document.createElement('p');
    one.textContent = text;
    one.style.cssText = css;
    return parent.appendChild(one);
  };
  add('far too long', 'width: 20px; overflow: hidden; white-space: nowrap');
  add('far to the right', 'margin-left: 3000px; width: 100px');
  add('first', 'height: 20px');
  add('second', 'height: 20px; margin-top: -40px');
}"""


@pytest.fixture(scope="module")
def checkout(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the app is built from, with one more language: nothing else is changed."""
    copy = tmp_path_factory.mktemp("pseudo")
    leave_out = shutil.ignore_patterns("node_modules", "generated", "web_app", "__pycache__")
    for folder in ("web", "src"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=leave_out)
    (copy / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    subprocess.run([sys.executable, ROOT / "tools" / "pseudo_language.py", copy / "src", "xx"], check=True)
    subprocess.run(BUILD, cwd=copy / "web", check=True, stdin=subprocess.DEVNULL)
    return copy


@pytest.fixture(scope="module")
def translated(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    program = (sys.executable, "-c", f"import sys; sys.path.insert(0, {str(checkout / 'src')!r}); " + SERVE)
    with LiveServer(tmp_path_factory.mktemp("rooms") / "rooms.db", program=program) as running:
        yield running


SERVE = "from roundtable.cli import main; sys.exit(main())"


def home(page: Page, server: LiveServer) -> None:
    page.goto("/")


def rules(page: Page, server: LiveServer) -> None:
    page.goto("/rules/saviom")
    expect(page.locator("dl dt").first).to_be_visible()


def join(page: Page, server: LiveServer) -> None:
    page.goto(f"/r/{open_room(server.url).code}")


def lobby(page: Page, server: LiveServer) -> None:
    enter(page, open_room(server.url, "avalon", 10))
    expect(page.locator(".ring")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")


def vote(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 7)
    start_with_bots(host)
    enter(page, host)
    expect(page.locator("[data-phase]")).to_be_visible()


def night(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "saviom", 8, mode="advanced", begins_with="night", night_seconds=86_400)
    start_with_bots(host)
    enter(page, host)
    expect(page.locator("[data-phase=night]")).to_be_visible()


def chat(page: Page, server: LiveServer) -> None:
    vote(page, server)
    tool = page.locator("[data-tool=chat]")
    if tool.count():
        tool.click()
    page.locator("[data-claim]").click()


def room(page: Page, server: LiveServer) -> None:
    night(page, server)
    page.locator("[data-tool=room]").click()
    expect(page.locator("[data-host=call_off]")).to_be_visible()


def role(page: Page, server: LiveServer) -> None:
    night(page, server)
    page.locator(".dock nav button").first.focus()
    page.keyboard.down("Enter")
    expect(page.locator("[data-secret]")).to_be_visible()


def declare(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "thavalon", 8)
    start_with_bots(host)
    enter(page, host)
    page.locator("[data-tool=declare]").click()
    expect(page.locator("[data-declaration]").first).to_be_visible()


def deal(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5, settings={"is_deal_only": True})
    for number in range(4):
        join_room(server.url, host.code, f"Guest {number}")
    host.ask("Start")
    enter(page, host)
    expect(page.locator(".deal .players")).to_be_visible()


def after(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "saviom", 8)
    start_with_bots(host)
    host.ask("CallItOff")
    enter(page, host)
    expect(page.locator("#who-was-who")).to_be_visible()


def record(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "thavalon", 8)
    watch_bots_play(host)
    page.goto(f"/record/{host.code}/1")
    page.locator("section[aria-labelledby=fair] button").click()
    expect(page.locator("[data-check]").first).to_be_visible()


def tv_lobby(page: Page, server: LiveServer) -> None:
    page.goto(f"/tv/{open_room(server.url, 'saviom', 9).code}")


def tv(page: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 10)
    start_with_bots(host)
    page.goto(f"/tv/{host.code}")
    expect(page.locator(".board")).to_be_visible()


def not_found(page: Page, server: LiveServer) -> None:
    page.goto("/there/is/nothing")


SCREENS: list[Callable[[Page, LiveServer], None]] = [
    *(home, rules, join, lobby, vote, night, chat, room, role, declare, deal, after, record, tv_lobby, tv, not_found)
]


@pytest.fixture
def page(open_page: OpenPage, translated: LiveServer) -> Page:
    found = open_page(base_url=translated.url, reduced_motion="reduce", viewport=PHONE)
    found.add_init_script("localStorage.setItem('roundtable.language', 'xx')")
    return found


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_longer_language_fits_every_screen(
    page: Page, translated: LiveServer, screen: Callable[[Page, LiveServer], None], viewport: dict[str, int]
) -> None:
    page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
    screen(page, translated)
    expect(page.locator("html[lang=xx]")).to_be_attached()
    expect(page.locator("h1").first).to_be_visible()
    if folder := os.environ.get("ROUNDTABLE_PHOTOGRAPHS"):
        page.screenshot(path=Path(folder) / f"{screen.__name__}-{viewport['width']}.png", full_page=True)
    assert eventually(page, BAD_TEXT, lambda found: True, frames=10) == []


def test_text_that_does_not_fit_is_found(page: Page) -> None:
    page.goto("/")
    expect(page.locator("h1").first).to_be_visible()
    page.evaluate(PLANTED)
    found = eventually(page, BAD_TEXT, bool)
    for what in ("cut: P. far too long", "outside the page: P. far to the right", "overlaps: P. second"):
        assert what in found


def test_a_third_language_is_in_the_menu(page: Page, checkout: Path) -> None:
    page.goto("/")
    names = page.locator(".languages button .whole")
    called = json.loads((checkout / "src" / "roundtable" / "text" / "xx.json").read_text(encoding="utf-8"))["language"]
    expect(names).to_have_text(["English", "Tiếng Việt", called])
    page.locator(".languages button[lang=vi]").click()
    expect(page.locator("html[lang=vi]")).to_be_attached()
