"""Lost connections, in the browser: the page says so at once, sends again what was pressed, and keeps the seat."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from support.live_server import LiveServer, changed_program
from support.web.at_table import LOST, PHONE, OpenPage, enter, settled, sit, tray
from support.web.hands import HandsOf, approve, propose
from support.web.mute_proxy import MuteProxy
from support.web.polling import run_clock_until
from support.web.rooms import FIVE, join, open_room, start_game

pytestmark = pytest.mark.slow
PONG = '{"is":"Pong"}'


def test_a_vote_that_was_pressed_while_the_server_was_dead_arrives_when_it_is_back(
    open_page: OpenPage, built: Path, tmp_path: Path, hands_of: HandsOf
) -> None:
    with LiveServer(tmp_path / "rooms.db", program=changed_program()) as mortal, MuteProxy(mortal.url) as proxy:
        people = start_game(mortal.url, "avalon", 5, FIVE)
        page = sit(open_page, replace(people[0], url=proxy.url))
        propose(hands_of(people))
        expect(settled(page, "[data-task=ballot]")).to_be_visible()
        proxy.server_url = ""
        mortal.kill()
        expect(page.get_by_text(LOST)).to_be_visible()
        tray(page).locator("[data-move]").first.click()
        proxy.server_url = mortal.start().url
        expect(page.get_by_text(LOST)).to_be_hidden()
        expect(page.locator("[data-seat='0']")).to_have_attribute("aria-label", re.compile("Has voted"))


def test_who_was_offline_comes_back_to_the_same_table_and_what_they_pressed_is_sent(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 5, FIVE)
    hands = hands_of(people)
    propose(hands)
    page = sit(open_page, people[0])
    expect(settled(page, "[data-task=ballot]")).to_be_visible()
    page.context.set_offline(True)
    expect(page.get_by_text(LOST)).to_be_visible()
    tray(page).locator("[data-move]").first.click()
    expect(page.get_by_text("It will be sent when you’re back online.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text(LOST)).to_be_hidden()
    approve(*hands[1:])
    page.locator("[data-tool=history]").click()
    expect(page.locator("[data-history] tbody tr").first.locator("td").first.locator(".yes")).to_be_visible()


def test_a_screen_whose_code_was_lost_on_the_way_is_shown_all_the_same(open_page: OpenPage, server: LiveServer) -> None:
    """As where a phone changes networks while it loads the page."""
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        if len(lost) < 2:
            lost.append(route.request.url)
            route.abort("connectionreset")
        else:
            route.continue_()

    page = open_page(base_url=server.url, viewport=PHONE)
    page.route(re.compile(r"/assets/Rules-[^/]+\.js"), lose_the_first)
    page.goto("/rules/avalon")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert len(lost) == 2


def test_a_quiet_line_is_not_a_dead_one_and_a_dead_one_is_noticed_within_two_seconds(
    open_page: OpenPage, server: LiveServer
) -> None:
    who, *_ = start_game(server.url, "avalon", 5, FIVE)
    with MuteProxy(server.url) as proxy:
        page = sit(open_page, replace(who, url=proxy.url), holds_clock=True)
        with page.expect_websocket() as line:
            page.reload()
        expect(page.locator("[data-phase]")).to_be_visible()
        for _ in range(5):  # by the page's own time, which waits for answers however slow the machine is
            with line.value.expect_event("framereceived", lambda frame: frame == PONG):
                page.clock.run_for(1_000)
        expect(page.get_by_text(LOST)).to_have_count(0)
        proxy.fall_silent()
        page.clock.run_for(2_000)
        expect(page.get_by_text(LOST)).to_be_visible()
        proxy.speak_again()
        run_clock_until(page, page.get_by_text(LOST), is_gone=True)


def test_the_phone_that_is_opened_anew_has_its_seat_and_its_choice_of_language(ann: Page) -> None:
    ann.get_by_role("button", name="Tiếng Việt").click()
    expect(ann.get_by_role("region", name="Bàn chơi")).to_be_visible()
    ann.reload()
    expect(ann.get_by_role("region", name="Bàn chơi").get_by_text("Ann")).to_be_visible()
    assert ann.viewport_size == PHONE


# A host who is gone


@pytest.mark.parametrize("impatient", ["timers.HOST_AWAY_SECONDS = 1"], indirect=True)
def test_who_becomes_the_host_is_told_so_until_it_is_read_and_the_old_one_reads_it_too(
    open_page: OpenPage, impatient: LiveServer
) -> None:
    ann = open_room(impatient.url)
    binh = join(impatient.url, ann.code, "Bình")
    page, host = open_page(), open_page()
    with binh.connected():  # however slow their page is, they are there
        enter(page, binh)
        told = page.locator("[data-notice=new_host]")
        expect(told).to_have_text(re.compile("The host was away too long. You’re the host now."))
        expect(page.get_by_role("button", name="Fill with bots")).to_be_visible()
        told.get_by_role("button", name="OK").click()
        expect(told).to_have_count(0)
        enter(host, ann)
        expect(host.locator("[data-notice=new_host]")).to_contain_text("Bình is the host now.")
        expect(host.get_by_role("button", name="Fill with bots")).to_have_count(0)
