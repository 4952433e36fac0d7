"""Lines that are lost, in a browser: it is said at once, nothing that was pressed is forgotten, and the seat stays."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from live import LiveServer
from web.at_table import LOST, PHONE, play_until, sit, tray
from web.mute_proxy import MuteProxy
from web.rooms import start_game

pytestmark = pytest.mark.slow


@pytest.fixture
def mortal(built: Path, tmp_path: Path) -> Iterator[LiveServer]:
    """A server that can be killed, and comes back at the same address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with LiveServer(tmp_path / "rooms.db", "--port", port) as running:
        yield running


def test_a_vote_that_was_pressed_while_the_server_was_dead_arrives_when_it_is_back(
    browser: Browser, mortal: LiveServer
) -> None:
    people = start_game(mortal.url, "avalon", 5, ("Ann", "Bình"))
    page = sit(browser, people[0])
    other = sit(browser, people[1])
    assert play_until(page, "ballot", other)
    mortal.kill()
    expect(page.get_by_text(LOST)).to_be_visible(timeout=2_500)
    tray(page).locator("[data-move]").first.click()
    mortal.start()
    expect(page.get_by_text(LOST)).to_be_hidden()
    expect(page.locator("[data-seat='0']")).to_have_attribute("aria-label", re.compile("Has voted"))
    for one in (page, other):
        one.context.close()


def test_who_was_offline_comes_back_to_the_same_table_and_what_they_pressed_is_sent(ann: Page) -> None:
    assert play_until(ann, "ballot")
    ann.context.set_offline(True)
    expect(ann.get_by_text(LOST)).to_be_visible(timeout=2_000)
    tray(ann).locator("[data-move]").first.click()
    expect(ann.get_by_text("It will be sent as soon as the connection is back.")).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.get_by_text(LOST)).to_be_hidden()
    ann.locator("[data-tool=history]").click()
    expect(ann.locator("[data-history] tbody tr").first.locator("td").first.locator(".yes")).to_be_visible()


NOTE_WHEN_IT_IS_LOST = """() => {
  window.lost = null;
  const look = () => {
    if (/Connection lost|You are offline/.test(document.body.textContent)) window.lost ??= performance.now();
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  return performance.now();
}"""


def test_a_line_that_dies_without_a_word_is_noticed_within_two_seconds(browser: Browser, server: LiveServer) -> None:
    people = start_game(server.url, "avalon", 5, ("Ann", "Bình"))
    with MuteProxy(server.url) as proxy:
        page = sit(browser, replace(people[0], url=proxy.url))
        page.wait_for_timeout(3_000)  # a quiet line is not a dead one
        expect(page.get_by_text(LOST)).to_have_count(0)
        silent_since = page.evaluate(NOTE_WHEN_IT_IS_LOST)
        proxy.fall_silent()
        page.wait_for_function("() => window.lost")
        assert page.evaluate("window.lost") - silent_since < 4_000  # two seconds, on a machine with time to spare
        proxy.speak_again()
        expect(page.get_by_text(LOST)).to_be_hidden()
        other = sit(browser, people[1])
        assert play_until(page, "ballot", other)
        for one in (page, other):
            one.context.close()


def test_the_phone_that_is_opened_anew_has_its_seat_and_its_choice_of_language(ann: Page) -> None:
    ann.get_by_role("button", name="Tiếng Việt").click()
    expect(ann.get_by_role("region", name="Bàn chơi")).to_be_visible()
    ann.reload()
    expect(ann.get_by_role("region", name="Bàn chơi").get_by_text("Ann")).to_be_visible()
    assert ann.viewport_size == PHONE
