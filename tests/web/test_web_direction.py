"""Names and lines that run from right to left, in a browser: the words around them stay in their places."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from support.live_server import LiveServer
from support.web.at_table import OpenPage, sit
from support.web.hands import HandsOf, propose
from support.web.rooms import join, open_room, start_game

pytestmark = pytest.mark.slow
DESK: ViewportSize = {"width": 1280, "height": 800}
AVI, MARYAM, SARA = "אבי", "مريم", "שרה 2"

LEFT_TO_RIGHT = """(element, words) => {
  const places = words.map((word) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const start = text.data.indexOf(word);
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, start + word.length);
      const { x, y } = range.getBoundingClientRect();
      return { word, x, y: Math.round(y / 8) };
    }
    return { word: `no ${word} in ${element.textContent}`, x: 0, y: 0 };
  });
  return places.sort((one, other) => one.y - other.y || one.x - other.x).map(({ word }) => word);
}"""


def expect_in_order(place: Locator, *words: str) -> None:
    """These parts of a text are drawn from left to right in this order, or on later lines."""
    expect(place).to_have_count(1)
    assert place.evaluate(LEFT_TO_RIGHT, list(words)) == list(words)


def test_names_from_right_to_left_stay_in_their_order_before_a_game(open_page: OpenPage, server: LiveServer) -> None:
    host = open_room(server.url, name=AVI)
    join(server.url, host.code, MARYAM)
    join(server.url, host.code, SARA)
    page = open_page(viewport=DESK)
    page.goto(f"{server.url}/r/{host.code}")
    here = page.locator("p", has_text=MARYAM)
    expect_in_order(here, AVI, MARYAM, "and", SARA)
    expect(page.locator("#name")).to_have_attribute("dir", "auto")
    page.locator("#name").fill(AVI)
    assert page.locator("#name").evaluate("field => getComputedStyle(field).direction") == "rtl"


def test_names_and_lines_from_right_to_left_leave_the_words_around_them_in_place(
    open_page: OpenPage, server: LiveServer, hands_of: HandsOf
) -> None:
    people = start_game(server.url, "avalon", 5, (AVI, MARYAM, SARA, "Ann", "Bob"))
    hands = hands_of(people)
    first, second = sorted({0, 1, 2} - {hands[0].leader})[:2]
    propose(hands, first, second)
    page = sit(open_page, people[3], viewport=DESK)
    names = [AVI, MARYAM, SARA]
    expect(page.locator("h1", has_text="Vote on")).to_be_visible()
    expect_in_order(page.locator("h1"), "Vote on", "team", names[first], "and", names[second])
    lines = page.get_by_role("log").locator("p")
    hands[0].says("table", "שלום! 3 אבירים?")
    expect(lines).to_contain_text(["שלום"])
    hands[1].remarks("i_suspect", about=0)
    expect(lines).to_contain_text(["שלום", "suspect"])
    expect_in_order(lines.nth(0), AVI, "שלום")
    expect_in_order(lines.nth(1), MARYAM, "I", "suspect", AVI)
