"""The first page: from it to a seat and back, in both languages; and every address shows a page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support.web.at_table import look_at_card

pytestmark = pytest.mark.slow


def sit_down_with_bots(page: Page, name: str = "Ann") -> None:
    page.goto("/")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Play now against bots").click()
    look_at_card(page)


def test_who_reloads_the_page_keeps_the_seat(phone: Page) -> None:
    sit_down_with_bots(phone, "Bình")
    phone.reload()
    expect(phone.get_by_role("region", name="The table").get_by_text("Bình")).to_be_visible()


def test_the_language_changes_at_once_and_is_remembered(phone: Page) -> None:
    phone.goto("/")
    phone.get_by_role("button", name="Tiếng Việt").click()
    expect(phone.get_by_role("button", name="Chơi ngay với bot")).to_be_visible()
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("lang", "vi")
    expect(phone.get_by_role("button", name="Chơi ngay với bot")).to_be_visible()


@pytest.mark.parametrize("address", ["/rules", "/rules/avalon", "/tv/AAAAAA", "/record/AAAAAA/1", "/r/AAAAAA"])
def test_every_address_is_a_page(phone: Page, address: str) -> None:
    phone.goto(address)
    expect(phone.locator("main")).not_to_be_empty()
