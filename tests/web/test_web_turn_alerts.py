"""Players are told that it is their turn, without a secret; their notes never leave the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocket, expect

from support.live_server import LiveServer
from support.waiting import PATIENCE
from support.web.at_table import PHONE, OpenPage, do, enter, settled, task
from support.web.polling import look_again
from support.web.rooms import QUESTS_FOR_SURE, open_room, start_game

pytestmark = pytest.mark.slow

# What a browser does with a notification cannot be seen from a page; a page whose tab is hidden cannot be tapped.
WATCHED = """
  window.notified = [];
  window.Notification = class {
    static get permission() { return localStorage.getItem('permission') ?? 'default'; }
    static requestPermission() { localStorage.setItem('permission', 'granted'); return Promise.resolve('granted'); }
    constructor(title, { body }) { this.number = window.notified.push([title, body, true]) - 1; }
    close() { window.notified[this.number][2] = false; }
  };
  Object.defineProperty(document, 'visibilityState', { get: () => window.isAway ? 'hidden' : 'visible' });
"""


def notified(page: Page) -> list[list[object]]:
    found: list[list[object]] = page.evaluate("window.notified")
    return found


def test_a_player_is_told_of_their_turn_and_keeps_their_notes_private(open_page: OpenPage, server: LiveServer) -> None:
    (ann,) = start_game(server.url, "avalon", 5, ("Ann",), QUESTS_FOR_SURE)
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page.add_init_script(WATCHED)
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(str(frame)))

    page.on("websocket", listen)
    enter(page, ann)
    place = f"Table {ann.code} · Round Table"

    # Settings: the theme, and a permission that is asked for by this tap alone
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Light").check()
    expect(page.locator("html[data-theme=light]")).to_be_attached()
    assert page.evaluate("Notification.permission") == "default"
    page.get_by_role("switch", name="Notify me").check()
    assert page.evaluate("Notification.permission") == "granted"
    page.keyboard.press("Escape")

    # The title says whose turn it is, and stops when the player has done it
    wanted = look_again(lambda: task(page), lambda found: found in ("team", "ballot"))
    expect(page).to_have_title(f"Your turn · {place}")
    if wanted == "team":
        assert do(page, "team", 1_000 * PATIENCE)
        look_again(lambda: task(page), lambda found: found == "ballot")
        expect(page).to_have_title(f"Your turn · {place}")
    page.evaluate("window.isAway = true")
    assert notified(page) == []  # this turn began while the page was looked at

    # Notes at a seat, and on the pad
    page.evaluate("window.isAway = false")
    expect(settled(page)).to_be_visible()
    page.locator('[data-seat="2"]').click()
    page.get_by_role("radio", name="Suspect").check()
    page.get_by_label("Your guess").select_option("Morgana")
    page.keyboard.press("Escape")
    expect(page.locator('[data-seat="2"] [data-own=suspect]')).to_be_visible()
    page.locator("[data-tool=notes]").click()
    page.get_by_label("Notepad").fill("a secret of mine")
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator('[data-seat="2"] [data-own=suspect]')).to_be_visible()
    expect(page.get_by_role("button", name="your mark: Suspect, Morgana?")).to_be_visible()
    assert not [frame for frame in sent if "secret of mine" in frame or "uspect" in frame]

    # A hidden page is notified of the next turn, and of nothing else
    page.evaluate("window.isAway = true")
    assert do(page, "ballot", 1_000 * PATIENCE)
    expected = ["Your turn", f"Table {ann.code}"]
    found = look_again(lambda: notified(page), bool)
    assert [[title, body] for title, body, _ in found] == [expected] * len(found)
    page.evaluate("() => { window.isAway = false; document.dispatchEvent(new Event('visibilitychange')); }")
    look_again(lambda: notified(page), lambda seen: not any(is_open for _, _, is_open in seen))


def test_an_avatar_is_chosen_while_joining_by_keyboard_and_seen_by_all(open_page: OpenPage, server: LiveServer) -> None:
    host = open_room(server.url)
    page = open_page()
    page.goto(f"/r/{host.code}")
    page.get_by_label("Your name").fill("Bình")
    page.get_by_role("button", name="Change avatar").press("Enter")
    page.get_by_role("radio", name="Owl").press("Space")
    page.get_by_role("radio", name="plum").press("Space")
    page.get_by_role("button", name="OK").press("Enter")
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.locator("[data-seat] [data-avatar=owl-plum]")).to_be_visible()
    assert [one.avatar for one in host.look().members] == ["", "owl-plum"]

    page.get_by_role("button", name="Bình").click()
    page.get_by_role("button", name="Change avatar").click()
    page.get_by_role("radio", name="Bear").check()
    page.get_by_role("button", name="OK").click()
    look_again(lambda: host.look().members[1].avatar, lambda avatar: avatar == "bear-plum")
