"""A lost phone, in the browser: a new one asks for the seat, and the other players agree."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.web.at_table import OpenPage, hold_role, sit
from support.web.hands import Hand
from support.web.polling import boxes, eventually
from support.web.rooms import join, start_game

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("impatient", ["presence.LOST_SECONDS = 0; claims.RETURN_SECONDS = 2"], indirect=True)
def test_a_seat_is_asked_for_and_granted_with_a_tap_each(
    open_page: OpenPage, impatient: LiveServer, another: Callable[..., Page]
) -> None:
    host, guest = start_game(impatient.url, "avalon", 5, ("Ann", "Bình"))
    with guest.connected() as table:  # it is lost right after
        role = Hand(table).role
    hosts = sit(open_page, host)
    found = another()
    found.goto(f"{impatient.url}/r/{host.code}")
    eventually(found, boxes("[data-return] summary"), lambda found: [box[3] >= 44 for box in found] == [True])
    found.get_by_text("Playing on another device?").click()
    found.get_by_role("button", name="Bình (seat 2)").click()
    expect(found.get_by_text("You asked for Bình’s seat.")).to_be_visible()
    expect(found.locator("[data-role-hold]")).to_have_count(0)
    expect(found.get_by_role("button", name="Agree")).to_have_count(0)
    expect(hosts.get_by_text("Bình 2 asks for Bình’s seat. Is that Bình on a new device?")).to_be_visible()
    hosts.get_by_role("button", name="Agree").click()
    expect(hosts.get_by_text("Bình 2 now plays in Bình’s seat. Ann agreed.")).to_be_visible()
    expect(hosts.locator("[data-seat='1']").get_by_text("Bình 2")).to_be_visible()
    hold_role(found)
    expect(found.locator(".shown").get_by_text(role).first).to_be_visible()
    expect(found.locator("[data-claim-seat]")).to_have_count(0)
    old = sit(open_page, guest)
    expect(old.get_by_text("Bình 2 now plays in Bình’s seat. Ann agreed.")).to_be_visible()
    expect(old.locator("[data-role-hold]")).to_have_count(0)


@pytest.mark.parametrize("impatient", ["presence.LOST_SECONDS = 0; claims.RETURN_SECONDS = 0"], indirect=True)
def test_a_second_player_is_asked_to_agree(open_page: OpenPage, impatient: LiveServer) -> None:
    ann, _, cid = start_game(impatient.url, "avalon", 5, ("Ann", "Bình", "Cid"))
    pages = anns, cids = sit(open_page, ann), sit(open_page, cid)
    found = join(impatient.url, ann.code, "Bình", watch=True)
    found.ask("ClaimSeat", seat=1)
    for page in pages:
        expect(page.get_by_text("Two other players can agree now.")).to_be_visible()
    anns.get_by_role("button", name="Agree").click()
    for page in pages:
        expect(page.get_by_text("Ann agreed. One more player has to agree.")).to_be_visible()
    expect(anns.get_by_role("button", name="Agree")).to_have_count(0)
    expect(anns.get_by_role("button", name="Say no")).to_be_visible()
    cids.get_by_role("button", name="Agree").click()
    for page in pages:
        expect(page.get_by_text("Bình 2 now plays in Bình’s seat. Ann and Cid agreed.")).to_be_visible()
