"""The table in a browser: whole games on phones, secrets that stay hidden, and no mouse at all."""

from __future__ import annotations

import re
import time
from functools import partial
from itertools import combinations
from math import dist
from operator import ge

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from live import LiveServer
from web.at_table import (
    A_GAME,
    PHONE,
    do_what_is_wanted,
    frames_sent,
    hold_role,
    hold_the_clock,
    insist,
    phase,
    play_out,
    play_until,
    sit,
    task,
    tray,
)
from web.complaints import complaints_of
from web.hands import hands_of
from web.rooms import QUESTS_FOR_SURE, join, start_game
from web.waiting import eventually

pytestmark = pytest.mark.slow
DESK: ViewportSize = {"width": 1280, "height": 800}
WALL: ViewportSize = {"width": 1920, "height": 1080}
SMALLEST_PHONE: ViewportSize = {"width": 320, "height": 568}
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
    people = start_game(server.url, game, seats, ("Ann", "Bình", "Chi"), options)
    pages = [sit(browser, who, lang) for who, lang in zip(people, ("en", "vi", "en"), strict=True)]
    complaints = [complaints_of(page) for page in pages]
    done = play_out(pages)
    expect(pages[0].get_by_role("heading", name="The game is over")).to_be_visible()
    expect(pages[1].get_by_role("heading", name="Ván chơi kết thúc")).to_be_visible()
    assert sum(done.values()) > 3
    assert complaints == [[], [], []]
    for page in pages:
        page.context.close()


def test_a_role_is_seen_while_it_is_held_and_nowhere_else(ann: Page) -> None:
    hold_role(ann)
    role = ann.locator("[data-secret] .role").inner_text()
    ann.mouse.up()
    expect(ann.locator("[data-secret]")).to_have_count(0)
    everything = ann.content() + ann.title() + ann.locator("body").aria_snapshot()
    assert role not in everything
    assert role not in str(ann.evaluate("JSON.stringify({...localStorage}) + location.href"))


def test_a_role_is_gone_when_the_page_loses_focus(ann: Page) -> None:
    for leaving in (
        "dispatchEvent(new Event('blur'))",
        "document.dispatchEvent(new Event('visibilitychange'))",
        "dispatchEvent(new PageTransitionEvent('pagehide'))",
    ):
        hold_role(ann)
        ann.evaluate(leaving)
        expect(ann.locator("[data-secret]")).to_have_count(0)
        ann.mouse.up()


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


FIVE = ("Ann", "Bình", "Chi", "Dũng", "Eve")
GOOD = ("Merlin", "Percival", "Loyal Servant")


def good_seat_on_a_quest(browser: Browser, server: LiveServer) -> tuple[Page, list[str]]:
    """Somebody Good who has to lay a card, and what their page has sent."""
    people = start_game(server.url, "avalon", 5, FIVE)
    with hands_of(people) as hands:
        leader = hands[0].leader
        good = next(seat for seat, hand in enumerate(hands) if hand.role in GOOD and seat != leader)
        hands[leader].proposes(leader, good)
        for hand in hands:
            hand.does("CastVote", approve=True)
        page = sit(browser, people[good])
    sent = frames_sent(page)
    page.reload()
    expect(page.locator("[data-task=cards]")).to_be_visible()
    return page, sent


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
    night = {"mode": "advanced", "begins_with": "night", "night_seconds": 600}
    people = start_game(server.url, "saviom", 8, [f"Guest {number}" for number in range(8)], night)
    with hands_of(people) as hands:
        roles = [hand.role for hand in hands]
        seats = [roles.index(role) for role in ("Wolf", "Citizen", "Protector", "Seer")]
        wolf, *_ = pages = [sit(browser, people[seat], viewport=DESK) for seat in seats]
        other_wolf = roles.index("Wolf", seats[0] + 1)
        other_citizen = roles.index("Citizen", seats[1] + 1)
        hands[other_wolf].says("wolves", "Whom do we hunt?")
    hold_role(wolf)
    expect(wolf.locator("[data-secret]")).to_contain_text("Unread from the pack: 1.")
    wolf.mouse.up()
    for page in pages:
        expect(page.locator("[data-phase=night]")).to_be_visible()
        expect(page.locator("[data-pick]")).to_have_count(7)
        picked = page.locator(f"[data-pick='{other_citizen}']")
        insist(page, picked, until=page.locator("[data-pick][aria-pressed=true]").is_visible)
    assert len({page.locator(".side").inner_text() for page in pages}) == 1  # votes, talk, the way to the table
    for page in pages:
        page.set_viewport_size(PHONE)
        expect(page.locator("[data-tool=chat]")).to_be_visible()
    expect(wolf.get_by_text("Hold it to see your role.")).to_have_count(0)  # they had let go of it
    (dock,) = {page.locator(".dock").inner_text() for page in pages}
    assert dock.startswith("Tap somebody at the table.")
    for page in pages:
        page.locator("[data-tool=chat]").click()
    assert len({page.get_by_role("dialog").inner_text() for page in pages}) == 1
    wolf.locator("[data-channel=wolves]").click()
    expect(wolf.get_by_role("log")).to_contain_text("Whom do we hunt?")
    for page in pages:
        page.context.close()


def test_the_dead_and_those_who_watch_tap_at_night_too_and_nothing_is_sent(
    browser: Browser, server: LiveServer
) -> None:  # S12
    a_short_day = {"mode": "advanced", "begins_with": "day", "day_seconds": 5, "night_seconds": 600}
    ann, *_ = start_game(server.url, "saviom", 6, [f"Guest {number}" for number in range(6)], a_short_day)
    ann.ask("HoldClock", do="pause")
    watcher = join(server.url, ann.code, "Wanda", watch=True)
    dead, watching = sit(browser, ann), sit(browser, watcher)
    sent = [frames_sent(page) for page in (dead, watching)]
    for page in (dead, watching):
        page.reload()
    dead.locator("[data-tool=room]").click()
    dead.locator("[data-move=Surrender]").click()
    dead.locator("[data-confirm]").click()
    dead.locator("dialog[open] .close").click()
    ann.ask("HoldClock", do="resume")
    for page in (dead, watching):
        expect(page.locator("[data-phase=night]")).to_be_visible()
        expect(page.locator("[data-pick]")).to_have_count(5)
        move = page.locator("[data-task] [data-move]")
        insist(page, page.locator("[data-pick]").first, until=move.is_enabled)
        move.click()
        expect(tray(page)).to_contain_text("and nobody else knows")
    assert [[frame for frame in frames if '"Act"' in frame and "Surrender" not in frame] for frames in sent] == [[], []]
    for page in (dead, watching):
        page.context.close()


CARDS = "[data-reveal=QuestResolved]"
QUEST_1_ENDED = re.compile("Quest 1 (succeeded|failed)")


def play_until_cards_are_turned(page: Page) -> None:
    while not page.locator(CARDS).is_visible():
        assert task(page) != "over"
        do_what_is_wanted(page)
        page.clock.run_for(100)


def test_nothing_tells_how_a_quest_ended_before_its_cards_are_turned_and_a_tap_skips_it(
    browser: Browser, server: LiveServer
) -> None:
    (who,) = start_game(server.url, "avalon", 5, ("Ann",), QUESTS_FOR_SURE)
    page = sit(browser, who, is_still=False)
    wall = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 720}).new_page()
    wall.goto(f"/tv/{who.code}")
    for one in (page, wall):
        hold_the_clock(one)
    play_until_cards_are_turned(page)
    reveal, result = CARDS, QUEST_1_ENDED
    expect(wall.locator(reveal)).to_be_visible()
    for one in (page, wall):
        expect(one.locator(reveal)).to_contain_text("The cards are turned")
        expect(one.locator("[data-quest='1'].succeeded, [data-quest='1'].failed")).to_have_count(0)
        assert not result.search(str(one.locator("body").text_content()))
        expect(one.get_by_role("heading", level=1)).to_have_text("The cards of quest 1 are turned.")
        one.locator(reveal).click()
        expect(one.locator(reveal)).to_contain_text(result)
        expect(one.locator("[data-announcer]")).to_contain_text(result)
        expect(one.locator("[data-quest='1'].succeeded, [data-quest='1'].failed")).to_have_count(1)
        one.context.close()


def test_who_wants_nothing_to_move_sees_all_cards_at_once(ann: Page) -> None:
    hold_the_clock(ann)
    play_until_cards_are_turned(ann)
    expect(ann.locator(CARDS)).to_contain_text(QUEST_1_ENDED)
    expect(ann.locator(f"{CARDS} .face")).to_have_count(2)
    expect(ann.locator(f"{CARDS} .face.down")).to_have_count(0)


def test_a_finger_that_meant_to_choose_does_not_ask_about_somebody_when_the_table_moves_on(ann: Page) -> None:
    hold_the_clock(ann)
    before = phase(ann)
    while phase(ann) == before:
        do_what_is_wanted(ann)
        ann.clock.run_for(100)
    asked_or_chosen = ann.locator("dialog[open], [data-seat='1'][aria-pressed=true]")
    ann.locator("[data-seat='1']").click()
    expect(asked_or_chosen).to_have_count(0)
    for _ in range(20):  # the bots move the table on as they please
        ann.clock.run_for(400)
        ann.locator("[data-seat='1']").click()
        if asked_or_chosen.count():
            break
    expect(asked_or_chosen).to_have_count(1)


def test_a_team_of_the_grid_is_lit_at_the_table_at_a_tap_until_the_next(ann: Page) -> None:
    assert play_until(ann, "ballot")
    ann.locator("[data-tool=history]").click()
    ann.locator("[data-history] thead button").first.tap()
    expect(ann.get_by_role("dialog")).to_have_count(0)
    expect(ann.locator("[data-seat].dim")).to_have_count(3)
    ann.locator("[data-task]").tap(position={"x": 5, "y": 5})
    expect(ann.locator("[data-seat].dim")).to_have_count(0)


def test_votes_stand_in_a_grid_with_claims_beside_them_in_the_readers_language(
    browser: Browser, server: LiveServer
) -> None:
    people = start_game(server.url, "avalon", 5, ("Ann", "Bình"))
    ann, binh = sit(browser, people[0]), sit(browser, people[1], "vi")
    for page, other in ((ann, binh), (binh, ann)):
        assert play_until(page, "ballot", other)
    for page in (ann, binh):  # the bots have voted already: now all votes are in
        page.locator("[data-task=ballot] [data-move]").first.click()
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
    expect(binh.locator("[data-history] tbody tr:first-child td:first-of-type").locator(".yes, .no")).to_be_visible()
    for page in (ann, binh):
        page.context.close()


def test_who_is_muted_is_not_read_and_too_much_talk_is_refused_in_words(browser: Browser, server: LiveServer) -> None:
    people = start_game(server.url, "avalon", 5, ("Ann", "Bình"))
    ann, binh = sit(browser, people[0]), sit(browser, people[1], "vi")
    ann.locator("[data-tool=room]").click()
    ann.locator("[data-person='1']").click()
    ann.locator("[data-mute]").click()
    ann.locator("dialog[open] .close").click()
    binh.locator("[data-tool=chat]").click()
    binh.locator("[data-phrase=hello]").evaluate("button => { for (let said = 0; said < 5; said++) button.click() }")
    expect(binh.get_by_role("dialog").get_by_role("alert")).to_contain_text("Từ từ thôi nhé.")
    ann.locator("[data-tool=chat]").click()
    expect(ann.get_by_role("log")).to_contain_text("Nothing has been said yet.")
    people[0].ask("Silence", member=people[1].member, is_silenced=True)
    binh.wait_for_timeout(3_000)
    binh.get_by_label("Nói gì đó").fill("Chào")
    binh.keyboard.press("Enter")
    expect(binh.get_by_role("dialog").get_by_role("alert")).to_contain_text("tắt trò chuyện")
    for page in (ann, binh):
        page.context.close()


def test_the_host_holds_the_clock_and_calls_the_game_off(browser: Browser, server: LiveServer) -> None:
    people = start_game(server.url, "avalon", 5, ("Ann", "Bình"))
    ann, binh = sit(browser, people[0]), sit(browser, people[1])
    binh.locator("[data-tool=room]").click()
    expect(binh.locator("[data-host]")).to_have_count(0)
    wish = binh.locator("[data-wish=countdown]")
    insist(binh, wish, until=wish.is_disabled)
    ann.locator("[data-tool=room]").click()
    expect(ann.locator("[data-code]")).to_have_text(people[0].code)
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
    (who,) = start_game(server.url, "saviom", 9, ("Ann",), {"day_seconds": 120})
    page = sit(browser, who)
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
    (who,) = start_game(server.url, "thavalon", 7, ("Ann",))
    page = sit(browser, who)
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
    elif wanted == "ballot":
        tab_to(page, "[data-task] [data-move]")
        page.keyboard.press("Enter")
    elif wanted == "cards":
        tab_to(page, "[data-card=Success]")
        page.keyboard.press("Enter")


def test_a_whole_game_with_the_keyboard_alone(ann: Page) -> None:
    until = time.monotonic() + A_GAME
    lost_ways = 0
    while task(ann) != "over":
        assert time.monotonic() < until, f"still in {phase(ann)}, wanted: {task(ann)}"
        try:
            do_by_keyboard(ann)
            lost_ways = 0
        except AssertionError:  # the table has moved on meanwhile, but not every time
            lost_ways += 1
            if lost_ways > 3:
                raise
        ann.wait_for_timeout(100)
    expect(ann.get_by_role("heading", name="The game is over")).to_be_visible()


SCROLL_WIDTH = "() => document.documentElement.scrollWidth"


def boxes(selector: str) -> str:
    """Measures left, top, width and height of all of these."""
    return f"""() => [...document.querySelectorAll('{selector}')]
      .map(one => one.getBoundingClientRect()).map(({{ x, y, width, height }}) => [x, y, width, height])"""


def are_apart(discs: list[list[float]], count: int, within: float) -> bool:
    """Whether so many round things touch neither one another nor the sides of the screen."""
    are_inside = all(0 <= x <= within - size for x, _, size, _ in discs)
    pairs = combinations(discs, 2)
    return len(discs) == count and are_inside and all(dist(one[:2], other[:2]) >= one[2] for one, other in pairs)


@pytest.mark.parametrize(("game", "seats"), [("avalon", 10), ("saviom", 12)])
def test_many_seats_fit_around_the_table(browser: Browser, server: LiveServer, game: str, seats: int) -> None:
    (who,) = start_game(server.url, game, seats, ("Ann",), {} if game == "avalon" else {"begins_with": "night"})
    page = sit(browser, who, viewport=WALL)
    for width in (1920, 320):
        page.set_viewport_size({"width": width, "height": 720})
        expect(page.locator("[data-tool=history]")).to_have_count(0 if width > 1000 else 1)  # it is drawn anew
        eventually(page, boxes("[data-seat] .medallion"), partial(are_apart, count=seats, within=width))
        eventually(page, boxes("[data-seat]"), lambda found: all(min(size) >= 44 for _, _, *size in found))
        eventually(page, SCROLL_WIDTH, partial(ge, width))
    page.context.close()


EDGES = """() => {
  const edge = (selector, side) => document.querySelector(selector).getBoundingClientRect()[side];
  document.querySelector('[data-history]')?.style.setProperty('min-width', '60rem'); // as after a long game
  const cards = [...document.querySelectorAll('aside .card')].map(card => card.getBoundingClientRect().right);
  return {
    covered: edge("[data-seat].mine .name", 'bottom') - edge('.dock', 'top'),
    over: Math.max(0, ...cards) - document.documentElement.clientWidth,
    scrolls: document.documentElement.scrollHeight - innerHeight,
  };
}"""


def test_nothing_covers_ones_own_seat_or_runs_past_the_edge(browser: Browser, server: LiveServer) -> None:
    (who,) = start_game(server.url, "avalon", 7, ("Ann",))
    page = sit(browser, who, viewport=WALL)
    assert play_until(page, "ballot")
    for size in (WALL, DESK, PHONE):
        page.set_viewport_size(size)
        expect(page.locator("[data-tool=history]")).to_have_count(0 if size["width"] > 1000 else 1)
        eventually(page, EDGES, lambda edges: all(edge <= 0 for edge in edges.values()))
    page.context.close()


def test_on_the_smallest_phone_the_whole_table_is_seen_and_long_talk_does_not_widen_it(
    browser: Browser, server: LiveServer
) -> None:
    people = start_game(server.url, "avalon", 7, (*FIVE, "Francesca", "Giang"))
    with hands_of(people) as hands:
        idle = (hands[0].leader + 1) % 7
        page = sit(browser, people[idle], viewport=SMALLEST_PHONE)
        hands[idle].says("table", "I would like to say something about this. " * 9)
    expect(page.locator("[data-task=nothing]")).to_contain_text("I would like to say something")
    eventually(page, EDGES, lambda edges: max(edges["covered"], edges["over"]) <= 0)
    eventually(page, SCROLL_WIDTH, partial(ge, SMALLEST_PHONE["width"]))
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    page.context.close()
