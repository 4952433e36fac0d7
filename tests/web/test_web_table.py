"""The table in the browser: whole games on phones, hidden secrets, and play by keyboard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import dist
from operator import truth

import pytest
from playwright.sync_api import Error, Page, ViewportSize, expect

from support.live_server import LiveServer
from support.web.at_table import (
    PHONE,
    OpenPage,
    frames_sent,
    hold_role,
    hold_the_clock,
    phase,
    play,
    play_out,
    settled,
    sit,
    tray,
)
from support.web.hands import Hand, HandsOf, approve, propose
from support.web.polling import at_most, boxes, eventually, look_again
from support.web.rooms import FIVE, join, start_game

pytestmark = pytest.mark.slow
DESK: ViewportSize = {"width": 1280, "height": 800}
WALL: ViewportSize = {"width": 1920, "height": 1080}
SMALLEST_PHONE: ViewportSize = {"width": 320, "height": 568}
LONG = 86_400  # seconds; no test takes as long
SEVEN = (*FIVE, "Francesca", "Giang")

# Whole games


def expect_both_to_be_over(english: Page, vietnamese: Page) -> None:
    expect(english.get_by_role("heading", name="Game over")).to_be_visible()
    expect(vietnamese.get_by_role("heading", name="Ván chơi kết thúc")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("avalon", 6, {"lady": True, "excalibur": "both", "choose_quests": True}),
        ("thavalon", 8, {"clock": False}),
    ],
    ids=["avalon", "thavalon"],
)
def test_a_whole_game_with_a_phone_for_each_person(
    open_page: OpenPage, server: LiveServer, game: str, seats: int, options: dict[str, object]
) -> None:
    people = start_game(server.url, game, seats, ("Ann", "Bình"), options)
    pages = [sit(open_page, who, language) for who, language in zip(people, ("en", "vi"), strict=True)]
    done = play_out(pages)
    expect_both_to_be_over(*pages)
    assert sum(done.values()) > 3


def test_a_whole_game_of_saviom_in_which_the_town_finds_both_wolves(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    """Days end once all players have locked in. A night takes two seconds; nothing depends on what is done in it."""
    times = {"early_end": True, "day_seconds": LONG, "defense_seconds": LONG, "night_seconds": 2}
    people = start_game(server.url, "saviom", 8, [f"Guest {number}" for number in range(8)], times)
    hands = hands_of(people)
    wolves = [seat for seat, hand in enumerate(hands) if hand.role == "Wolf"]
    first, second, *others = [seat for seat in range(8) if seat not in wolves]
    pages = [sit(open_page, people[first]), sit(open_page, people[second], "vi")]
    for number, wolf in enumerate(wolves):
        living = [*others, *wolves[number:]]
        for seat in living:
            hands[seat].does("Accuse", target=wolf if seat != wolf else first)
            hands[seat].does("LockIn")
        assert play(pages, lambda: phase(pages[0]) == "defense")["lock"]
        for seat in living:
            if seat != wolf:
                hands[seat].does("Judge", eliminate=True)
                hands[seat].does("LockIn")
        assert play(pages, lambda: phase(pages[0]) != "defense")["lock"]
    play_out(pages)
    expect_both_to_be_over(*pages)


# One's own role


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


def test_who_only_taps_is_told_to_hold(open_page: OpenPage, server: LiveServer) -> None:
    page = sit(open_page, start_game(server.url, "avalon", 5, FIVE)[0], holds_clock=True)  # a slow click is a tap too
    page.locator("[data-role-hold]").click()
    expect(page.get_by_text("Press and hold to see your role.")).to_be_visible()
    expect(page.locator("[data-secret]")).to_have_count(0)


# Cards and votes

GOOD = ("Merlin", "Percival", "Loyal Servant")
CARDS = "[data-reveal=QuestResolved]"
QUEST_1_ENDED = re.compile("Quest 1 (succeeds|fails)")
LOOKS_OF_CARDS = """() => [...document.querySelectorAll('[data-task] [data-card]')].map(card => {
  const { width, height, y } = card.getBoundingClientRect();
  const { opacity, backgroundColor } = getComputedStyle(card);
  return [width, height, y, opacity, backgroundColor, card.disabled].join();
})"""


def send_on_a_quest(hands: list[Hand]) -> int:
    """A team of two goes on the first quest, and the leader has laid a card. The seat of the other one, who is Good."""
    leader = hands[0].leader
    good = next(seat for seat, hand in enumerate(hands) if hand.role in GOOD and seat != leader)
    propose(hands, leader, good)
    approve(*hands)
    hands[leader].does("PlayCard", card="Success")
    return good


def test_both_cards_are_drawn_alike_and_one_that_may_not_be_played_sends_nothing(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:  # A17
    people = start_game(server.url, "avalon", 5, FIVE)
    good = send_on_a_quest(hands_of(people))
    page = sit(open_page, people[good], holds_clock=True)
    sent = frames_sent(page)
    page.reload()
    expect(page.locator("[data-task=cards]")).to_be_visible()
    page.clock.run_for(1_000)
    eventually(page, LOOKS_OF_CARDS, lambda looks: len(looks) == 2 and looks[0] == looks[1])
    tray(page).locator("[data-card=Fail]").click()
    expect(tray(page).get_by_text("Your role can’t play Fail. Nothing was sent.")).to_be_visible()
    assert not [frame for frame in sent if "PlayCard" in frame]
    tray(page).locator("[data-card=Success]").click()
    expect(page.locator(CARDS)).to_be_visible()
    assert len([frame for frame in sent if "PlayCard" in frame]) == 1


def test_nothing_tells_how_a_quest_ended_before_its_cards_are_turned_and_a_tap_skips_it(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 5, FIVE)
    hands = hands_of(people)
    good = send_on_a_quest(hands)
    page = sit(open_page, people[good], is_still=False, holds_clock=True)
    wall = open_page(viewport={"width": 1280, "height": 720})
    hold_the_clock(wall)
    wall.goto(f"/tv/{people[0].code}")
    expect(wall.locator("[data-seat]")).to_have_count(5)
    hands[good].does("PlayCard", card="Success")
    for one in (page, wall):
        expect(one.locator(CARDS)).to_contain_text("Revealing…")
        expect(one.locator("[data-quest='1'].succeeded, [data-quest='1'].failed")).to_have_count(0)
        expect(one.locator("body")).not_to_contain_text(QUEST_1_ENDED)
        expect(one.get_by_role("heading", level=1)).to_have_text("Revealing quest 1…")
        one.locator(CARDS).click()
        expect(one.locator(CARDS)).to_contain_text(QUEST_1_ENDED)
        expect(one.locator("[data-announcer]")).to_contain_text(QUEST_1_ENDED)
        expect(one.locator("[data-quest='1'].succeeded, [data-quest='1'].failed")).to_have_count(1)


def test_who_wants_nothing_to_move_sees_all_cards_at_once(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 5, FIVE)
    hands = hands_of(people)
    good = send_on_a_quest(hands)
    page = sit(open_page, people[good], holds_clock=True)
    hands[good].does("PlayCard", card="Success")
    expect(page.locator(CARDS)).to_contain_text(QUEST_1_ENDED)
    expect(page.locator(f"{CARDS} .face")).to_have_count(2)
    expect(page.locator(f"{CARDS} .face.down")).to_have_count(0)


def test_a_finger_that_meant_to_choose_does_not_ask_about_a_player_when_the_table_moves_on(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 5, FIVE)
    page = sit(open_page, people[0], holds_clock=True)
    page.clock.run_for(1_000)
    asked = page.locator("dialog[open]")
    propose(hands_of(people))
    expect(page.locator("[data-phase=vote]")).to_be_visible()
    page.locator("[data-seat='1']").click()
    expect(asked).to_have_count(0)
    page.clock.run_for(1_000)
    page.locator("[data-seat='1']").click()
    expect(asked).to_have_count(1)


def test_a_team_of_the_grid_is_lit_at_the_table_at_a_tap_until_the_next(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 5, FIVE)
    propose(hands_of(people))
    page = sit(open_page, people[0])
    page.locator("[data-tool=history]").click()
    page.locator("[data-history] thead button").first.tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-seat].dim")).to_have_count(3)
    page.locator("[data-task]").tap(position={"x": 5, "y": 5})
    expect(page.locator("[data-seat].dim")).to_have_count(0)


def test_votes_stand_in_a_grid_with_claims_beside_them_in_the_readers_language(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 5, FIVE)
    hands = hands_of(people)
    propose(hands)
    approve(*hands[2:])
    ann, binh = sit(open_page, people[0]), sit(open_page, people[1], "vi")
    for page in (ann, binh):
        page.locator("[data-task=ballot] [data-move]").first.click()
    ann.locator("[data-tool=chat]").click()
    ann.locator("[data-claim]").click()
    ann.get_by_label("What?").select_option("Percival")
    ann.get_by_role("button", name="I’m Percival.").click()
    expect(ann.get_by_role("log")).to_contain_text("I’m Percival.")
    ann.locator("dialog[open] .close").click()
    expect(binh.locator("[data-tool=chat]")).to_contain_text("1")
    binh.locator("[data-tool=chat]").click()
    expect(binh.get_by_role("log")).to_contain_text("Tôi là Percival.")
    binh.locator("dialog[open] .close").click()
    binh.locator("[data-tool=history]").click()
    expect(binh.locator("[data-claims]")).to_contain_text("Tôi là Percival.")
    expect(binh.locator("[data-history] tbody tr")).to_have_count(6)
    expect(binh.locator("[data-history] tbody tr:first-child td:first-of-type").locator(".yes, .no")).to_be_visible()


# Nights


def test_at_night_everybody_taps_and_all_of_it_looks_the_same(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:  # S11
    night = {"mode": "advanced", "begins_with": "night", "night_seconds": LONG}
    people = start_game(server.url, "saviom", 8, [f"Guest {number}" for number in range(8)], night)
    hands = hands_of(people)
    roles = [hand.role for hand in hands]
    seats = [roles.index(role) for role in ("Wolf", "Citizen", "Protector", "Seer")]
    wolf, *_ = pages = [sit(open_page, people[seat], viewport=DESK) for seat in seats]
    other_wolf = roles.index("Wolf", seats[0] + 1)
    other_citizen = roles.index("Citizen", seats[1] + 1)
    hands[other_wolf].says("wolves", "Whom do we hunt?")
    hold_role(wolf)
    expect(wolf.locator("[data-secret]")).to_contain_text("1 unread message from the pack")
    wolf.mouse.up()
    for page in pages:
        expect(page.locator("[data-phase=night]")).to_be_visible()
        expect(page.locator("[data-pick]")).to_have_count(7)
        expect(settled(page)).to_be_visible()
        page.locator(f"[data-pick='{other_citizen}']").click()
        expect(page.locator("[data-pick][aria-pressed=true]")).to_have_count(1)
    expect_the_same(pages, ".side")  # votes, talk, the way to the table
    for page in pages:
        page.set_viewport_size(PHONE)
        expect(page.locator("[data-tool=chat]")).to_be_visible()
    expect(wolf.get_by_text("Press and hold to see your role.")).to_have_count(0)  # they had let go of it
    expect(wolf.locator(".dock")).to_contain_text("Pick a player.")
    expect_the_same(pages, ".dock")
    for page in pages:
        page.locator("[data-tool=chat]").click()
    expect(wolf.get_by_role("dialog")).to_be_visible()
    expect_the_same(pages, "dialog[open]")
    wolf.locator("[data-channel=wolves]").click()
    expect(wolf.get_by_role("log")).to_contain_text("Whom do we hunt?")


def expect_the_same(pages: Sequence[Page], selector: str) -> None:
    """The words there are the same on all of these pages."""
    words = f"() => document.querySelector('{selector}')?.innerText"
    look_again(lambda: {eventually(page, words, truth) for page in pages}, lambda found: len(found) == 1)


def test_the_dead_and_those_who_watch_tap_at_night_too_and_nothing_is_sent(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:  # S12
    times = {"mode": "advanced", "early_end": True, "day_seconds": LONG, "night_seconds": LONG}
    ann, *others = start_game(server.url, "saviom", 6, [f"Guest {number}" for number in range(6)], times)
    watcher = join(server.url, ann.code, "Wanda", watch=True)
    dead, watching = sit(open_page, ann), sit(open_page, watcher)
    sent = [frames_sent(page) for page in (dead, watching)]
    for page in (dead, watching):
        page.reload()
    expect(settled(dead)).to_be_visible()
    dead.locator("[data-tool=room]").click()
    dead.locator("[data-move=Surrender]").click()
    dead.locator("[data-confirm]").click()
    dead.locator("dialog[open] .close").click()
    expect(dead.get_by_role("button", name="Guest 0, you, Out of the game")).to_be_visible()
    for seat, hand in enumerate(hands_of(others), start=1):
        hand.does("Accuse", target=seat % 5 + 1)
        hand.does("LockIn")
    for page in (dead, watching):
        expect(page.locator("[data-phase=night]")).to_be_visible()
        expect(page.locator("[data-pick]")).to_have_count(5)
        expect(settled(page)).to_be_visible()
        page.locator("[data-pick]").first.click()
        tray(page).locator("[data-move]").click()
        expect(tray(page)).to_contain_text("No one else knows")
    assert [[frame for frame in frames if '"Act"' in frame and "Surrender" not in frame] for frames in sent] == [[], []]


# Talk, and what is asked of the table


def test_who_is_muted_is_not_read_and_too_much_talk_is_refused_in_words(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    host, guest, third, *_ = start_game(server.url, "avalon", 5, FIVE)
    ann, binh = sit(open_page, host), sit(open_page, guest, "vi")
    ann.locator("[data-tool=room]").click()
    ann.locator("[data-person='1']").click()
    ann.locator("[data-mute]").click()
    ann.locator("dialog[open] .close").click()
    binh.locator("[data-tool=chat]").click()
    refusal = binh.get_by_role("dialog").get_by_role("alert")
    host.ask("Silence", member=guest.member, is_silenced=True)
    binh.get_by_label("Nhắn gì đó").fill("Chào")
    binh.keyboard.press("Enter")
    expect(refusal).to_contain_text("Chủ bàn đã cấm bạn nói.")
    host.ask("Silence", member=guest.member, is_silenced=False)
    binh.locator("[data-phrase=hello]").evaluate("button => { for (let said = 0; said < 20; said++) button.click() }")
    expect(refusal).to_contain_text("Từ từ thôi nhé: nhiều nhất 3 tin nhắn trong 3 giây.")
    hands_of([third])[0].says("table", "I am last.")
    ann.locator("[data-tool=chat]").click()
    expect(ann.get_by_role("log").locator("p")).to_have_text("Chi I am last.")


def test_the_host_holds_the_clock_and_calls_the_game_off(open_page: OpenPage, server: LiveServer) -> None:
    people = start_game(server.url, "avalon", 5, FIVE)
    ann, binh = sit(open_page, people[0]), sit(open_page, people[1])
    binh.locator("[data-tool=room]").click()
    expect(binh.locator("[data-host]")).to_have_count(0)
    expect(settled(binh)).to_be_attached()
    binh.locator("[data-wish=countdown]").click()
    expect(binh.locator("[data-wish=countdown]")).to_be_disabled()
    ann.locator("[data-tool=room]").click()
    expect(ann.locator("[data-code]")).to_have_text(people[0].code)
    expect(ann.locator("[data-qr]")).to_be_visible()
    expect(ann.locator("[data-wish]")).to_have_count(0)  # a host need not ask for what a host can do
    ann.locator("[data-host=countdown]").click()
    ann.locator("[data-host=pause]").click()
    expect(binh.get_by_text("Paused", exact=True)).to_be_attached()
    ann.locator("[data-host=resume]").click()
    ann.locator("[data-host=extend]").click()
    expect(binh.get_by_role("timer", include_hidden=True)).to_be_attached()
    ann.locator("[data-host=call_off]").click()
    ann.locator("[data-cancel]").click()
    expect(ann.locator("[data-phase]")).to_be_attached()
    ann.locator("[data-host=call_off]").click()
    ann.locator("[data-confirm]").click()
    expect(binh.get_by_role("heading", name="Game over")).to_be_visible()


def test_a_surrender_is_asked_twice(open_page: OpenPage, server: LiveServer) -> None:  # S12
    (who,) = start_game(server.url, "saviom", 9, ("Ann",), {"day_seconds": LONG})
    page = sit(open_page, who)
    expect(settled(page)).to_be_visible()
    page.locator("[data-tool=room]").click()
    page.locator("[data-move=Surrender]").click()
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-confirm]")).to_have_count(0)
    expect(page.locator("[data-seat='0']")).not_to_have_class(re.compile("gone"))
    page.locator("[data-move=Surrender]").click()
    page.locator("[data-confirm]").click()
    page.locator("dialog[open] .close").click()
    expect(page.get_by_role("button", name="Ann, you, Out of the game")).to_be_visible()


def test_declarations_are_there_for_everybody_and_those_of_others_send_nothing(
    open_page: OpenPage, server: LiveServer
) -> None:  # T16, T21
    page = sit(open_page, start_game(server.url, "thavalon", 7, SEVEN)[0])
    sent = frames_sent(page)
    page.reload()
    for kind in ("DeclareArthur", "DeclareAgravaine"):
        page.locator("[data-tool=declare]").click()
        page.locator(f"[data-declaration={kind}]").click()
        page.locator("[data-confirm]").click()
        expect(page.get_by_text("You can’t declare that, or not right now. Nothing was sent.")).to_be_visible()
        page.locator("dialog[open] .close").click()
    assert not [frame for frame in sent if "Declare" in frame]


# With the keyboard


def tab_to(page: Page, selector: str) -> None:
    """Move the focus with the keyboard until it is there."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise Error(f"The keyboard never comes to {selector}.")


def do_by_keyboard(page: Page, wanted: str, soon: float) -> bool:
    try:
        if wanted in ("team", "aim"):
            for _ in range(page.locator("[data-pick]").count()):
                if tray(page).locator("[data-move]").first.is_enabled(timeout=soon):
                    break
                tab_to(page, "[data-pick][aria-pressed=false]")
                page.keyboard.press("Space")
        for selector in BY_KEYBOARD.get(wanted, ()):
            tab_to(page, selector)
            page.keyboard.press("Enter")
        if page.locator("dialog[open] [data-confirm]").count():
            tab_to(page, "[data-confirm]")
            page.keyboard.press("Enter")
    except Error:  # the table has moved on
        return False
    return wanted in BY_KEYBOARD


A_MOVE = ["[data-task] [data-move]"]
BY_KEYBOARD = {"team": A_MOVE, "aim": A_MOVE, "ballot": A_MOVE, "cards": ["[data-card=Success]"]}


def test_a_whole_game_with_the_keyboard_alone(ann: Page) -> None:
    play_out([ann], do_by_keyboard)
    expect(ann.get_by_role("heading", name="Game over")).to_be_visible()


# Where things are

SCROLL_WIDTH = "() => document.documentElement.scrollWidth"
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


def are_apart(discs: list[list[float]], count: int, within: float) -> bool:
    """Whether this number of round elements touch neither one another nor the edges of the screen."""
    are_inside = all(0 <= x <= within - size for x, _, size, _ in discs)
    pairs = combinations(discs, 2)
    return len(discs) == count and are_inside and all(dist(one[:2], other[:2]) >= one[2] for one, other in pairs)


@pytest.mark.parametrize(("game", "seats"), [("avalon", 10), ("saviom", 12)])
def test_many_seats_fit_around_the_table(open_page: OpenPage, server: LiveServer, game: str, seats: int) -> None:
    night = {"begins_with": "night", "night_seconds": LONG}
    (who,) = start_game(server.url, game, seats, ("Ann",), {} if game == "avalon" else night)
    page = sit(open_page, who, viewport=WALL)
    for width in (1920, 320):
        page.set_viewport_size({"width": width, "height": 720})
        expect(page.locator("[data-tool=history]")).to_have_count(0 if width > 1000 else 1)  # it is drawn anew
        eventually(page, boxes("[data-seat] .medallion"), partial(are_apart, count=seats, within=width))
        eventually(page, boxes("[data-seat]"), lambda found: all(min(size) >= 44 for _, _, *size in found))
        eventually(page, SCROLL_WIDTH, at_most(width))


def test_nothing_covers_ones_own_seat_or_runs_past_the_edge(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 7, SEVEN)
    propose(hands_of(people))
    page = sit(open_page, people[0], viewport=WALL)
    expect(page.locator("[data-task=ballot]")).to_be_visible()
    for size in (WALL, DESK, PHONE):
        page.set_viewport_size(size)
        expect(page.locator("[data-tool=history]")).to_have_count(0 if size["width"] > 1000 else 1)
        eventually(page, EDGES, lambda edges: all(edge <= 0 for edge in edges.values()))


def test_on_the_smallest_phone_the_whole_table_is_seen_and_long_talk_does_not_widen_it(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 7, SEVEN)
    hands = hands_of(people)
    idle = (hands[0].leader + 1) % 7
    page = sit(open_page, people[idle], viewport=SMALLEST_PHONE)
    hands[idle].says("table", "I would like to say something about this. " * 9)
    expect(page.locator("[data-task=nothing]")).to_contain_text("I would like to say something")
    eventually(page, EDGES, lambda edges: max(edges["covered"], edges["over"]) <= 0)
    eventually(page, SCROLL_WIDTH, at_most(SMALLEST_PHONE["width"]))
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
