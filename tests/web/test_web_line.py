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
from web.at_table import (
    LOST,
    PHONE,
    enter,
    frames_heard,
    frames_sent,
    hold_the_clock,
    play_until,
    sit,
    tray,
    wait_until,
)
from web.mute_proxy import MuteProxy
from web.rooms import join, open_room, start_game

pytestmark = pytest.mark.slow
PING, PONG = '{"is":"Ping"}', '{"is":"Pong"}'


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
    expect(page.get_by_text(LOST)).to_be_visible()
    tray(page).locator("[data-move]").first.click()
    mortal.start()
    expect(page.get_by_text(LOST)).to_be_hidden()
    expect(page.locator("[data-seat='0']")).to_have_attribute("aria-label", re.compile("Has voted"))
    for one in (page, other):
        one.context.close()


def test_who_was_offline_comes_back_to_the_same_table_and_what_they_pressed_is_sent(ann: Page) -> None:
    assert play_until(ann, "ballot")
    ann.context.set_offline(True)
    expect(ann.get_by_text(LOST)).to_be_visible()
    tray(ann).locator("[data-move]").first.click()
    expect(ann.get_by_text("It will be sent as soon as the connection is back.")).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.get_by_text(LOST)).to_be_hidden()
    ann.locator("[data-tool=history]").click()
    expect(ann.locator("[data-history] tbody tr").first.locator("td").first.locator(".yes")).to_be_visible()


def test_a_quiet_line_is_not_a_dead_one_and_a_dead_one_is_noticed_within_two_seconds(
    browser: Browser, server: LiveServer
) -> None:
    who, _ = start_game(server.url, "avalon", 5, ("Ann", "Bình"))
    with MuteProxy(server.url) as proxy:
        page = sit(browser, replace(who, url=proxy.url))
        sent, heard = frames_sent(page), frames_heard(page)
        hold_the_clock(page)
        for _ in range(10):
            page.clock.run_for(300)  # by the page's own time, which waits for answers however slow the machine is
            wait_until(page, lambda: heard.count(PONG) == sent.count(PING))
        assert sent.count(PING) > 2
        expect(page.get_by_text(LOST)).to_have_count(0)
        proxy.fall_silent()
        page.clock.run_for(2_000)
        expect(page.get_by_text(LOST)).to_be_visible()
        proxy.speak_again()
        page.clock.resume()
        expect(page.get_by_text(LOST)).to_be_hidden()
        page.context.close()


def test_the_phone_that_is_opened_anew_has_its_seat_and_its_choice_of_language(ann: Page) -> None:
    ann.get_by_role("button", name="Tiếng Việt").click()
    expect(ann.get_by_role("region", name="Bàn chơi")).to_be_visible()
    ann.reload()
    expect(ann.get_by_role("region", name="Bàn chơi").get_by_text("Ann")).to_be_visible()
    assert ann.viewport_size == PHONE


# A host who is gone


@pytest.mark.parametrize("impatient", ["timekeeping.HOST_AWAY_SECONDS = 1"], indirect=True)
def test_who_becomes_the_host_is_told_so_until_it_is_read_and_the_old_one_reads_it_too(
    browser: Browser, impatient: LiveServer
) -> None:
    ann = open_room(impatient.url)
    binh = join(impatient.url, ann.code, "Bình")
    page, host = (browser.new_context(base_url=impatient.url, locale="en-GB").new_page() for _ in range(2))
    enter(page, binh)
    told = page.locator("[data-notice=new_host]")
    expect(told).to_have_text(re.compile("The host was away for too long; you are the host now."))
    expect(page.get_by_role("button", name="Fill with bots")).to_be_visible()
    told.get_by_role("button", name="Understood").click()
    expect(told).to_have_count(0)
    enter(host, ann)
    expect(host.locator("[data-notice=new_host]")).to_contain_text("Bình is the host now.")
    expect(host.get_by_role("button", name="Fill with bots")).to_have_count(0)
    for one in (page, host):
        one.context.close()
