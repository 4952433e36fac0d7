"""Where things are on a phone: twelve seats with their labels, notices above the table, and the top of every screen."""

from __future__ import annotations

from itertools import combinations

import pytest
from playwright.sync_api import ViewportSize, expect

from support.background_loop import in_background
from support.live_server import LiveServer
from support.waiting import wait_until
from support.web.at_table import BUBBLES_STAY, PHONE, OpenPage, enter, sit
from support.web.polling import at_most, eventually
from support.web.rooms import join, open_room, start_game, start_with_bots

pytestmark = pytest.mark.slow

LABELS = """() => [...document.querySelectorAll('[data-seat]')].map((seat) =>
  [...seat.querySelectorAll('.medallion, .name, .note')].map((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return [left, top, right, bottom];
  }))"""
SPEECH = """() => {
  const boxes = (parts) => parts.map((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return [left, top, right, bottom];
  });
  const seats = [...document.querySelectorAll('[data-seat]')];
  return [...document.querySelectorAll('.bubble')].map((bubble) => {
    const others = seats.filter((one) => one.dataset.seat !== bubble.closest('[data-speech]').dataset.speech);
    const parts = others.flatMap((seat) => [...seat.querySelectorAll('.medallion, .name, .note')]);
    const [box] = boxes([bubble]);
    return [box, boxes([...parts, ...document.querySelectorAll('.board .middle > *')])];
  });
}"""
WHOLE_NAMES = """() => [...document.querySelectorAll('[data-seat] .name')].filter(
  (name) => name.scrollWidth <= name.clientWidth).length"""
RING = """() => [...document.querySelectorAll('[data-seat][aria-pressed=true]')].map((seat) => {
  const { outlineWidth, outlineOffset } = getComputedStyle(seat.querySelector('.medallion'));
  const disc = seat.querySelector('.medallion').getBoundingClientRect();
  const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  return seat.querySelector('.name').getBoundingClientRect().top - disc.bottom - ring;
})"""
COVERED = """() => Math.max(...[...document.querySelectorAll('[data-seat]')].map(
  (seat) => seat.getBoundingClientRect().bottom)) - document.querySelector('.dock').getBoundingClientRect().top"""
SMALL: ViewportSize = {"width": 320, "height": 640}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
Box = list[float]


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] - 0.5 and other[0] < one[2] - 0.5 and one[1] < other[3] - 0.5 and other[1] < one[3] - 0.5


def are_apart(seats: list[list[Box]]) -> bool:
    """Whether nothing of a seat lies upon anything of another one."""
    return len(seats) == 12 and not any(
        overlap(one, other) for first, second in combinations(seats, 2) for one in first for other in second
    )


def test_labels_of_twelve_seats_lie_apart_and_a_ring_leaves_the_name_free(
    open_page: OpenPage, server: LiveServer
) -> None:
    (who,) = start_game(server.url, "saviom", 12, ("Bartholomew",), {"begins_with": "day", "day_seconds": 3600})
    page = sit(open_page, who)
    expect(page.locator("[data-seat] .note").first).to_be_visible()  # a bot accuses
    for size in (PHONE, SMALL):
        page.set_viewport_size(size)
        eventually(page, LABELS, are_apart)
        eventually(page, WHOLE_NAMES, lambda count: count >= 9)  # the others have nine letters or more

    def is_picked() -> bool:
        """A tap right after the page has changed is ignored."""
        if page.locator("[data-seat][aria-pressed=true]").count():
            return True
        page.locator("[data-pick]").first.click()
        return False

    wait_until(is_picked, "a player was picked")
    eventually(page, RING, lambda gaps: len(gaps) == 1 and gaps[0] >= 0)


def test_what_players_say_covers_neither_the_middle_nor_another_seat(open_page: OpenPage, server: LiveServer) -> None:
    people = start_game(server.url, "avalon", 10, [f"Player {number}" for number in range(1, 11)])
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page.add_init_script(BUBBLES_STAY)
    enter(page, people[0])
    expect(page.locator("[data-seat]")).to_have_count(10)
    for one in people:
        with one.connected() as table:
            in_background(table.say("I trust none of you, and this team least of all."))
    for size in (PHONE, SMALL, DESKTOP):
        page.set_viewport_size(size)
        said = eventually(page, SPEECH, lambda found: len(found) == 10)
        assert [bubble for bubble, others in said if any(overlap(bubble, other) for other in others)] == []


def test_a_notice_leaves_every_seat_free_and_another_screen_begins_at_its_top(
    open_page: OpenPage, server: LiveServer
) -> None:
    ann = open_room(server.url, "avalon", 10, "Ann")
    away = join(server.url, ann.code, "Bảo")
    watcher = join(server.url, ann.code, "Chi", watch=True)
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    enter(page, watcher)
    expect(page.get_by_role("button", name="Seat 3").first).to_be_visible()
    page.evaluate("scrollTo(0, 10_000)")
    eventually(page, "() => scrollY", lambda down: down > 0)
    start_with_bots(ann, away)
    expect(page.locator("[data-claim-seat]")).to_be_visible()  # the seats of two players who are away
    eventually(page, "() => scrollY", at_most(0))
    eventually(page, COVERED, at_most(0))
    ann.ask("CallItOff")
    expect(page.get_by_role("heading", name="Game over")).to_be_visible()
    eventually(page, "() => scrollY", at_most(0))
