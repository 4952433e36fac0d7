"""People at a table through the page: how they sit down, and how they do whatever the table wants of them."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, ViewportSize, expect

from live import LiveServer

PHONE: ViewportSize = {"width": 390, "height": 844}
LOST = re.compile("Connection lost|You are offline")
REFUSED = re.compile("Your role may not play|Vai của bạn không được ra")
Membership = dict[str, Any]


def post(server: LiveServer, path: str, body: dict[str, Any], token: str = "") -> Any:
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
    request = urllib.request.Request(server.url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def ask(server: LiveServer, who: Membership, kind: str, **more: Any) -> Any:
    return post(server, f"/api/rooms/{who['room']}/requests", {"is": kind, **more}, who["token"])


def start_game(
    server: LiveServer,
    game: str,
    seats: int,
    names: Sequence[str],
    options: dict[str, Any] | None = None,
    **settings: Any,
) -> list[Membership]:
    """These people, bots on the other seats that answer at once, and the game begins."""
    held = {"bot_seconds": 0, "takeover_seconds": None, **settings}
    room = {"name": names[0], "game": game, "seats": seats, "options": options or {}, "settings": held}
    host = post(server, "/api/rooms", room)
    guests = [post(server, f"/api/rooms/{host['room']}/members", {"name": name}) for name in names[1:]]
    for seat in range(len(names), seats):
        ask(server, host, "SeatBot", seat=seat)
    for who in (host, *guests):
        ask(server, who, "SayReady", is_ready=True)
    ask(server, host, "Start")
    return [host, *guests]


def sit(
    browser: Browser,
    server: LiveServer,
    who: Membership,
    language: str = "en",
    viewport: ViewportSize = PHONE,
    is_still: bool = True,
) -> Page:
    """A browser of their own, in which the seat is theirs; what moves stands still unless it is wanted."""
    context = browser.new_context(
        base_url=server.url,
        viewport=viewport,
        has_touch=True,
        is_mobile=viewport["width"] < 800,
        reduced_motion="reduce" if is_still else "no-preference",
    )
    context.add_init_script(
        f"localStorage.setItem('roundtable.token.{who['room']}', '{who['token']}');"
        f"localStorage.getItem('roundtable.language') ?? localStorage.setItem('roundtable.language', '{language}');"
    )
    page = context.new_page()
    page.goto(f"/r/{who['room']}")
    expect(page.locator("[data-phase]")).to_be_visible()
    return page


def task(page: Page) -> str:
    """What is wanted of this seat; `over` when the table is left for what comes after it."""
    found = page.evaluate("document.querySelector('[data-task]')?.dataset.task ?? 'over'")
    return str(found)


def phase(page: Page) -> str:
    return str(page.evaluate("document.querySelector('[data-phase]')?.dataset.phase ?? 'over'"))


def tray(page: Page) -> Locator:
    return page.locator("[data-task]")


def do_what_is_wanted(page: Page, approve: bool = True) -> bool:
    """One move, if one is wanted; the table may move on under the finger at any time."""
    try:
        return _do(page, approve)
    except Error:
        return False


def _do(page: Page, approve: bool) -> bool:
    wanted = task(page)
    buttons = tray(page).locator("[data-move]")
    lock = tray(page).locator("[data-move=LockIn]")
    if lock.count():
        lock.click(timeout=2_000)
        return True
    if wanted in ("team", "aim", "night"):
        return _pick(page, buttons.first)
    if wanted == "ballot" and "Marked" not in tray(page).inner_text() and "Đã ghi" not in tray(page).inner_text():
        buttons.nth(0 if approve else 1).click(timeout=2_000)
        return True
    if wanted == "cards" and tray(page).locator("[data-card]:enabled").count():
        is_refused = tray(page).get_by_text(REFUSED).count() > 0  # Agravaine has nothing but a Fail
        tray(page).locator(f"[data-card={'Fail' if is_refused else 'Success'}]").click(timeout=2_000)
        return True
    if wanted == "window" and buttons.count():
        buttons.first.click(timeout=2_000)
        return True
    return False


def _pick(page: Page, button: Locator) -> bool:
    seats = page.locator("[data-pick][aria-pressed=false]")
    for _ in range(page.locator("[data-pick]").count()):
        if button.is_enabled():
            break
        seats.first.click(timeout=2_000)
        holder = page.locator("[data-excalibur]")
        if holder.count():
            holder.first.click(timeout=2_000)
    button.click(timeout=2_000)
    sure = page.locator("[data-confirm]")
    if sure.count():
        sure.click(timeout=2_000)
    return True


def play_out(pages: Sequence[Page], seconds: float = 150) -> dict[str, int]:
    """Everybody does what is wanted until the game is over; how often each kind of thing was."""
    done: dict[str, int] = {}
    until = time.monotonic() + seconds
    while any(task(page) != "over" for page in pages):
        assert time.monotonic() < until, f"still in {phase(pages[0])}, wanted: {[task(page) for page in pages]}"
        moved = False
        for page in pages:
            wanted = task(page)
            if do_what_is_wanted(page):
                done[wanted] = done.get(wanted, 0) + 1
                moved = True
        if not moved:
            pages[0].wait_for_timeout(60)
    return done


def play_until(page: Page, wanted: str, seconds: float = 60) -> bool:
    """Do what comes until this is wanted of this seat; whether it ever was."""
    until = time.monotonic() + seconds
    while (now := task(page)) != wanted:
        if now == "over" and phase(page) == "over" and page.locator("h1").count():
            return False
        assert time.monotonic() < until, f"nobody ever wanted {wanted}"
        if not do_what_is_wanted(page):
            page.wait_for_timeout(60)
    return True


def hold_role(page: Page) -> None:
    """Press on one's role, and keep pressing."""
    box = page.locator("[data-role-hold]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    expect(page.locator("[data-secret]")).to_be_visible()


def frames_sent(page: Page) -> list[str]:
    """Everything that this page says on its sockets from its next one on."""
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    return sent
