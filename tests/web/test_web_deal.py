"""The deal on phones: each card is flipped by its player, and the game begins when all have looked."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.web.at_table import PHONE, OpenPage, enter, look_at_card
from support.web.rooms import call, join, open_room, start_with_bots

pytestmark = pytest.mark.slow

CLOCKS = {"propose_seconds": 60, "vote_seconds": 60, "quest_seconds": 60}  # a bot that leads does not take long
SPOKEN = """() => JSON.stringify([
  document.body.innerText,
  document.title,
  ...[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].map((own) => own.value)),
])"""


def test_cards_are_flipped_and_the_first_leader_waits_for_all_of_them(open_page: OpenPage, server: LiveServer) -> None:
    ann = open_room(server.url, "avalon", 5, "Ann", settings={"look_seconds": 60}, **CLOCKS)
    bao = join(server.url, ann.code, "Bảo")
    start_with_bots(ann, bao)
    roles = call(f"{server.url}/api/rooms/{ann.code}")["roles"]
    phones = [deal_to(open_page, server, who) for who in (ann, bao)]
    wall = open_page(viewport={"width": 1280, "height": 720})
    wall.goto(f"/tv/{ann.code}")
    expect(wall.get_by_text("3 of 5 have looked.")).to_be_visible()  # bots always have

    for page in phones:
        expect(page.get_by_role("button", name="Flip your card")).to_be_visible()
        assert not [role for role in roles if role in page.evaluate(SPOKEN)]
    first, second = phones
    first.get_by_role("button", name="Flip your card").click()
    card = first.locator("[data-secret]")
    expect(card).to_contain_text("You are ")
    assert [role for role in roles if role in card.inner_text()]
    assert card.evaluate("one => getComputedStyle(one.parentElement).animationName") == "none"  # nothing may move

    first.reload()  # in the middle: the card lies face down again
    look_at_card(first)
    expect(first.locator("[data-secret]")).to_have_count(0)
    expect(first.get_by_role("heading", name="Everyone is looking at their card.")).to_be_visible()
    expect(first.get_by_text("You’re set.")).to_be_visible()
    expect(first.locator("[data-move], [role=timer]")).to_have_count(0)
    expect(wall.get_by_text("4 of 5 have looked.")).to_be_visible()
    expect(second.get_by_text("4 of 5 have looked.")).to_be_visible()

    look_at_card(second)
    for page in (first, second, wall):
        expect(page.get_by_role("timer").first).to_be_visible()
        expect(page.get_by_text("Everyone is looking at their card.")).to_have_count(0)
    first.reload()
    expect(first.locator("[data-role-hold]")).to_be_visible()
    expect(first.locator("[data-deal]")).to_have_count(0)


def deal_to(open_page: OpenPage, server: LiveServer, who: Any) -> Page:
    page = open_page(base_url=server.url, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    enter(page, who)
    return page
