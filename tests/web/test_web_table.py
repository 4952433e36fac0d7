"""The table in a browser: whole games on phones, secrets that stay hidden, lost connections, and no mouse at all."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from live import LiveServer
from web.at_table import (
    LOST,
    PHONE,
    ask,
    do_what_is_wanted,
    frames_sent,
    hold_role,
    play_out,
    play_until,
    sit,
    start_game,
    task,
    tray,
)
from web.complaints import complaints_of

pytestmark = pytest.mark.slow
SHORT_DAYS = {
    "mode": "advanced",
    "early_end": True,
    "day_seconds": 12,
    "defense_seconds": 8,
    "night_seconds": 5,
    "quiet_limit": 2,
}
GAMES = [
    ("avalon", 6, {"lady": True, "excalibur": "both", "choose_quests": True}),
    ("thavalon", 8, {"clock": False}),
    ("saviom", 6, SHORT_DAYS),
]


@pytest.mark.parametrize(("game", "seats", "options"), GAMES, ids=[game for game, _, _ in GAMES])
def test_a_whole_game_with_a_phone_for_each_person(
    browser: Browser, server: LiveServer, game: str, seats: int, options: dict[str, object]
) -> None:
    people = start_game(server, game, seats, ("Ann", "Bình", "Chi"), options)
    pages = [sit(browser, server, who, lang) for who, lang in zip(people, ("en", "vi", "en"), strict=True)]
    complaints = [complaints_of(page) for page in pages]
    done = play_out(pages)
    expect(pages[0].get_by_role("heading", name="The game is over")).to_be_visible()
    expect(pages[1].get_by_role("heading", name="Ván chơi kết thúc")).to_be_visible()
    assert sum(done.values()) > 3
    assert complaints == [[], [], []]
    for page in pages:
        page.context.close()


@pytest.fixture
def ann(browser: Browser, server: LiveServer) -> Iterator[Page]:
    """Ann at a table of Avalon with four bots."""
    (who,) = start_game(server, "avalon", 5, ("Ann",))
    page = sit(browser, server, who)
    complaints = complaints_of(page)
    yield page
    page.context.close()
    assert complaints == []


def test_a_role_is_seen_while_it_is_held_and_nowhere_else(ann: Page) -> None:
    hold_role(ann)
    role = ann.locator("[data-secret] .role").inner_text()
    ann.mouse.up()
    expect(ann.locator("[data-secret]")).to_have_count(0)
    everything = ann.content() + ann.title() + ann.locator("body").aria_snapshot()
    assert role not in everything
    assert role not in str(ann.evaluate("JSON.stringify({...localStorage}) + location.href"))


@pytest.mark.parametrize(
    "leaving",
    [
        "dispatchEvent(new Event('blur'))",
        "document.dispatchEvent(new Event('visibilitychange'))",
        "dispatchEvent(new PageTransitionEvent('pagehide'))",
    ],
)
def test_a_role_is_gone_when_the_page_loses_focus(ann: Page, leaving: str) -> None:
    hold_role(ann)
    ann.evaluate(leaving)
    expect(ann.locator("[data-secret]")).to_have_count(0)


def test_a_key_shows_a_role_while_it_is_down(ann: Page) -> None:
    ann.locator("[data-role-hold]").focus()
    ann.keyboard.down("Space")
    expect(ann.locator("[data-secret]")).to_be_visible()
    ann.keyboard.up("Space")
    expect(ann.locator("[data-secret]")).to_have_count(0)


def test_who_only_taps_is_told_to_hold(ann: Page) -> None:
    ann.locator("[data-role-hold]").click()
    expect(ann.get_by_text("Hold it to see your role.")).to_be_visible()
    expect(ann.locator("[data-secret]")).to_have_count(0)


def good_seat_on_a_quest(browser: Browser, server: LiveServer) -> tuple[Page, list[str]]:
    """Somebody Good who has to lay a card, and what their page has sent; dealt and played until there is one."""
    for _ in range(12):
        (who,) = start_game(server, "avalon", 5, ("Ann",))
        page = sit(browser, server, who)
        hold_role(page)
        is_good = page.locator("[data-secret].good").count() > 0
        page.mouse.up()
        sent = frames_sent(page)
        page.reload()
        if is_good and play_until(page, "cards"):
            return page, sent
        page.context.close()
    raise AssertionError("never Good and on a quest in twelve games")


def test_both_cards_are_drawn_alike_and_one_that_may_not_be_played_sends_nothing(
    browser: Browser, server: LiveServer
) -> None:  # A17
    page, sent = good_seat_on_a_quest(browser, server)
    cards = tray(page).locator("[data-card]")
    expect(cards).to_have_count(2)
    boxes = [cards.nth(number).bounding_box() for number in range(2)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert (boxes[0]["width"], boxes[0]["height"], boxes[0]["y"]) == (
        boxes[1]["width"],
        boxes[1]["height"],
        boxes[1]["y"],
    )
    looks = (
        "card => { const look = getComputedStyle(card); return [look.opacity, look.backgroundColor, card.disabled] }"
    )
    assert cards.nth(0).evaluate(looks) == cards.nth(1).evaluate(looks)
    tray(page).locator("[data-card=Fail]").click()
    expect(tray(page).get_by_text("Your role may not play Fail. Nothing was sent.")).to_be_visible()
    assert not [frame for frame in sent if "PlayCard" in frame]
    tray(page).locator("[data-card=Success]").click()
    expect(page.locator("[data-reveal], [data-task=cards] [data-card]:disabled").first).to_be_visible()
    assert len([frame for frame in sent if "PlayCard" in frame]) == 1
    page.context.close()


def test_at_night_everybody_taps_and_all_of_it_looks_the_same(browser: Browser, server: LiveServer) -> None:  # S11
    night = {"mode": "advanced", "begins_with": "night", "night_seconds": 60}
    people = start_game(server, "saviom", 8, [f"Guest {number}" for number in range(8)], night)
    pages = [sit(browser, server, who) for who in people[:4]]
    for page in pages:
        expect(page.locator("[data-phase=night]")).to_be_visible()
        expect(page.locator("[data-pick]")).to_have_count(7)
        page.locator("[data-pick]").last.click()
    labels = {tray(page).inner_text() for page in pages}
    assert len(labels) == 1
    assert labels.pop().startswith("Tap somebody")
    for page in pages:
        page.context.close()


def test_results_are_turned_card_by_card_and_a_tap_skips_it(browser: Browser, server: LiveServer) -> None:
    (who,) = start_game(server, "avalon", 5, ("Ann",))
    page = sit(browser, server, who, is_still=False)
    until = page.locator("[data-reveal=QuestResolved]")
    for _ in range(400):
        if until.is_visible():
            break
        do_what_is_wanted(page)
        page.wait_for_timeout(50)
    expect(until).to_contain_text("The cards are turned")
    expect(page.locator("[data-quest='1'].succeeded, [data-quest='1'].failed")).to_have_count(0)
    until.click()
    expect(until).to_contain_text("Quest 1")
    expect(page.locator("[data-quest='1'].succeeded, [data-quest='1'].failed")).to_have_count(1)
    page.context.close()


def test_votes_stand_in_a_grid_with_claims_beside_them_in_the_readers_language(
    browser: Browser, server: LiveServer
) -> None:
    people = start_game(server, "avalon", 5, ("Ann", "Bình"))
    ann, binh = sit(browser, server, people[0]), sit(browser, server, people[1], "vi")
    for _ in range(200):
        if ann.locator("[data-reveal=VotesCounted]").is_visible():
            break
        for page in (ann, binh):
            do_what_is_wanted(page)
        ann.wait_for_timeout(50)
    ann.locator("[data-tool=chat]").click()
    ann.locator("[data-claim]").click()
    ann.get_by_label("What?").select_option("Percival")
    ann.get_by_role("button", name="I am Percival.").click()
    expect(ann.get_by_role("log")).to_contain_text("I am Percival.")
    ann.locator("dialog[open] .close").click()
    expect(binh.locator("[data-tool=chat]")).to_contain_text("1")
    binh.locator("[data-tool=chat]").click()
    expect(binh.get_by_role("log")).to_contain_text("Tôi là Percival.")
    binh.locator("dialog[open] .close").click()
    binh.locator("[data-tool=history]").click()
    expect(binh.locator("[data-claims]")).to_contain_text("Tôi là Percival.")
    expect(binh.locator("[data-history] tbody tr")).to_have_count(6)
    assert binh.locator("[data-history] .yes, [data-history] .no").count() >= 5
    for page in (ann, binh):
        page.context.close()


def test_who_is_muted_is_not_read_and_too_much_talk_is_refused_in_words(browser: Browser, server: LiveServer) -> None:
    people = start_game(server, "avalon", 5, ("Ann", "Bình"))
    ann, binh = sit(browser, server, people[0]), sit(browser, server, people[1], "vi")
    ann.locator("[data-seat='1']").click()
    ann.locator("[data-mute]").click()
    ann.locator("dialog[open] .close").click()
    binh.locator("[data-tool=chat]").click()
    binh.locator("[data-phrase=hello]").evaluate("button => { for (let said = 0; said < 5; said++) button.click() }")
    expect(binh.get_by_role("dialog").get_by_role("alert")).to_contain_text("Từ từ thôi nhé.")
    ann.locator("[data-tool=chat]").click()
    expect(ann.get_by_role("log")).to_contain_text("Nothing has been said yet.")
    ask(server, people[0], "Silence", member=people[1]["member"], is_silenced=True)
    binh.wait_for_timeout(3_000)
    binh.get_by_label("Nói gì đó").fill("Chào")
    binh.keyboard.press("Enter")
    expect(binh.get_by_role("dialog").get_by_role("alert")).to_contain_text("tắt trò chuyện")
    for page in (ann, binh):
        page.context.close()


def test_the_host_holds_the_clock_and_calls_the_game_off(browser: Browser, server: LiveServer) -> None:
    people = start_game(server, "avalon", 5, ("Ann", "Bình"))
    ann, binh = sit(browser, server, people[0]), sit(browser, server, people[1])
    binh.locator("[data-tool=room]").click()
    expect(binh.locator("[data-host]")).to_have_count(0)
    binh.locator("[data-wish=countdown]").click()
    expect(binh.locator("[data-wish=countdown]")).to_be_disabled()
    ann.locator("[data-tool=room]").click()
    expect(ann.locator("[data-code]")).to_have_text(people[0]["room"])
    expect(ann.locator("[data-qr]")).to_be_visible()
    ann.locator("[data-host=countdown]").click()
    expect(binh.get_by_role("timer", include_hidden=True)).to_be_attached()
    ann.locator("[data-host=pause]").click()
    expect(binh.get_by_text("Paused", exact=True)).to_be_attached()
    ann.locator("[data-host=resume]").click()
    ann.locator("[data-host=extend]").click()
    ann.locator("[data-host=call_off]").click()
    ann.locator("[data-cancel]").click()
    expect(ann.locator("[data-phase]")).to_be_attached()
    ann.locator("[data-host=call_off]").click()
    ann.locator("[data-confirm]").click()
    expect(binh.get_by_role("heading", name="The game is over")).to_be_visible()
    for page in (ann, binh):
        page.context.close()


def test_a_surrender_is_asked_twice(browser: Browser, server: LiveServer) -> None:  # S12
    (who,) = start_game(server, "saviom", 9, ("Ann",), {"day_seconds": 120})
    page = sit(browser, server, who)
    page.locator("[data-tool=room]").click()
    page.locator("[data-move=Surrender]").click()
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-seat='0']")).not_to_have_class("gone")
    page.locator("[data-move=Surrender]").click()
    page.locator("[data-confirm]").click()
    page.locator("dialog[open] .close").click()
    expect(page.get_by_role("button", name="Ann, you, Out of the game")).to_be_visible()
    page.context.close()


def test_declarations_are_there_for_everybody_and_those_of_others_send_nothing(
    browser: Browser, server: LiveServer
) -> None:  # T16, T21
    (who,) = start_game(server, "thavalon", 7, ("Ann",))
    page = sit(browser, server, who)
    sent = frames_sent(page)
    page.reload()
    for kind in ("DeclareArthur", "DeclareAgravaine"):
        page.locator("[data-tool=declare]").click()
        page.locator(f"[data-declaration={kind}]").click()
        page.locator("[data-confirm]").click()
        expect(page.get_by_text("That is not yours to declare, or not now. Nothing was sent.")).to_be_visible()
        page.locator("dialog[open] .close").click()
    assert not [frame for frame in sent if "Declare" in frame]
    page.context.close()


def tab_to(page: Page, selector: str) -> None:
    """Move the focus with the keyboard until it is there."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard never comes to {selector}")


def do_by_keyboard(page: Page) -> None:
    wanted = task(page)
    if wanted in ("team", "aim"):
        while page.locator("[data-task] [data-move]:disabled").count():
            tab_to(page, "[data-pick][aria-pressed=false]")
            page.keyboard.press("Space")
        tab_to(page, "[data-task] [data-move]")
        page.keyboard.press("Enter")
        if page.locator("dialog[open] [data-confirm]").count():
            tab_to(page, "[data-confirm]")
            page.keyboard.press("Enter")
    elif wanted == "ballot" and "Marked" not in tray(page).inner_text():
        tab_to(page, "[data-task] [data-move]")
        page.keyboard.press("Enter")
    elif wanted == "cards" and tray(page).locator("[data-card]:enabled").count():
        tab_to(page, "[data-card=Success]")
        page.keyboard.press("Enter")


def test_a_whole_game_with_the_keyboard_alone(ann: Page) -> None:
    for _ in range(600):
        if task(ann) == "over":
            break
        before = task(ann)
        try:
            do_by_keyboard(ann)
        except AssertionError:
            if task(ann) == before:
                raise
        ann.wait_for_timeout(100)
    expect(ann.get_by_role("heading", name="The game is over")).to_be_visible()


@pytest.mark.parametrize(("game", "seats"), [("avalon", 10), ("saviom", 12)])
@pytest.mark.parametrize("width", [320, 1920])
def test_many_seats_fit_around_the_table(
    browser: Browser, server: LiveServer, game: str, seats: int, width: int
) -> None:
    (who,) = start_game(server, game, seats, ("Ann",), {} if game == "avalon" else {"begins_with": "night"})
    page = sit(browser, server, who, viewport={"width": width, "height": 720})
    discs = [one.bounding_box() for one in page.locator("[data-seat] .medallion").all()]
    assert len(discs) == seats
    found = [(box["x"], box["y"], box["width"]) for box in discs if box]
    for number, (x, y, size) in enumerate(found):
        assert 0 <= x <= width - size
        for other_x, other_y, _ in found[:number]:
            assert ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5 >= size  # round things that do not touch
    for box in [one.bounding_box() for one in page.locator("[data-seat]").all()]:
        assert box
        assert min(box["width"], box["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


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
    people = start_game(mortal, "avalon", 5, ("Ann", "Bình"))
    page = sit(browser, mortal, people[0])
    other = sit(browser, mortal, people[1])
    for _ in range(200):
        if task(page) == "ballot":
            break
        for one in (page, other):
            if task(one) == "team":
                do_what_is_wanted(one)
        page.wait_for_timeout(50)
    mortal.kill()
    expect(page.get_by_text(LOST)).to_be_visible(timeout=2_500)
    tray(page).locator("[data-move]").first.click()
    mortal.start()
    expect(page.get_by_text(LOST)).to_be_hidden()
    expect(page.locator("[data-seat='0']")).to_have_attribute("aria-label", re.compile("Has voted"))
    play_out([page, other])
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
    expect(ann.locator("[data-reveal=VotesCounted]")).to_be_visible()


def test_the_phone_that_is_opened_anew_has_its_seat_and_its_choice_of_language(ann: Page) -> None:
    ann.get_by_role("button", name="Tiếng Việt").click()
    expect(ann.get_by_role("region", name="Bàn chơi")).to_be_visible()
    ann.reload()
    expect(ann.get_by_role("region", name="Bàn chơi").get_by_text("Ann")).to_be_visible()
    assert ann.viewport_size == PHONE
