"""A lost phone, in the browser: a new one asks for the seat, and the host gives it back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.web.at_table import OpenPage, hold_role, sit
from support.web.hands import Hand
from support.web.polling import boxes, eventually
from support.web.rooms import start_game


@pytest.mark.slow
@pytest.mark.parametrize("impatient", ["presence.LOST_SECONDS = 0"], indirect=True)
def test_a_seat_is_asked_for_and_given_back_with_a_tap_each(
    open_page: OpenPage, impatient: LiveServer, another: Callable[..., Page]
) -> None:
    host, guest = start_game(impatient.url, "avalon", 5, ("Ann", "Bình"))
    with guest.connected() as table:  # it is lost right after
        role = Hand(table).role
    hosts = sit(open_page, host)
    found = another()
    found.goto(f"{impatient.url}/r/{host.code}")
    found.get_by_label("Your name").fill("Bình")
    found.get_by_role("button", name="Spectate until the next game").click()
    eventually(found, boxes("[data-regain] summary"), lambda found: [box[3] >= 44 for box in found] == [True])
    found.get_by_text("Playing on another device?").click()
    found.get_by_role("button", name="Bình", exact=True).click()
    expect(found.get_by_text("Waiting for the host to confirm that it’s you.")).to_be_visible()
    expect(found.locator("[data-role-hold]")).to_have_count(0)
    expect(hosts.get_by_text("Bình 2 says they’re Bình on a new device.")).to_be_visible()
    hosts.get_by_role("button", name="Yes, it’s them").click()
    expect(hosts.locator("[data-notice=seat_regained]")).to_be_visible()
    hold_role(found)
    expect(found.locator(".shown").get_by_text(role).first).to_be_visible()
    expect(found.locator("[data-regain]")).to_have_count(0)
