"""Around one real table, in a browser: three degrees, one phone passed round, who won, and the score of the evening."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.web.at_table import enter, hold_the_clock
from support.web.polling import run_clock_until
from support.web.rooms import Person, join, open_room

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bảo", "Chi", "Dũng", "Eve", "Fay", "Gus", "Hoa", "Ivo", "Jan")


# Over plain HTTP in a home network, browsers leave these out.
PLAIN_HTTP = """
  for (const name of ['subtle', 'randomUUID']) delete Crypto.prototype[name];
  for (const name of ['clipboard', 'wakeLock', 'serviceWorker']) delete Navigator.prototype[name];
  delete window.Notification;
"""


def dealt(url: str, game: str, seats: int = 6, **options: object) -> list[Person]:
    host = open_room(url, game, seats, NAMES[0], settings={"in_person": "narrated"}, **options)
    people = [host, *(join(url, host.code, name) for name in NAMES[1:seats])]
    host.ask("Start")
    return people


def test_one_phone_goes_round_a_table_of_ten(phone: Page, server: LiveServer) -> None:
    hold_the_clock(phone)
    phone.add_init_script(PLAIN_HTTP)
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    host = open_room(server.url, "avalon", 10, NAMES[0], settings={"in_person": "deal"})
    enter(phone, host)
    phone.get_by_role("heading", name="One phone for everybody").click()
    for place, name in enumerate(NAMES[1:], 2):
        phone.get_by_label(f"Player {place}", exact=True).fill(name)
    phone.get_by_role("button", name="Deal to 10 players").click()

    roles = []
    for place, name in enumerate(NAMES):
        run_clock_until(phone, phone.get_by_role("heading", name=f"Pass the phone to {name}"))
        phone.get_by_role("button", name=f"I’m {name}").click()
        expect(phone.locator("[data-secret]")).to_have_count(0)
        phone.get_by_role("button", name="Show my card").click()
        roles.append(phone.locator("[data-secret] .role").inner_text())
        if place == 4:  # the page is reloaded while a card is shown
            phone.reload()
            expect(phone.get_by_role("heading", name=f"Pass the phone to {name}")).to_be_visible()
            expect(phone.locator("[data-secret]")).to_have_count(0)
            phone.get_by_role("button", name=f"I’m {name}").click()
            phone.get_by_role("button", name="Show my card").click()
        on = phone.get_by_role("button", name="Hide and pass on")
        expect(on).to_be_disabled()
        phone.clock.fast_forward(5_000)
        on.click()
        expect(phone.locator("[data-secret]")).to_have_count(0)
    phone.clock.resume()
    expect(phone.get_by_role("heading", name="Everyone has looked")).to_be_visible()
    for role in ("Merlin", "Percival", "Assassin", "Morgana", "Loyal Servant"):
        assert any(role in told for told in roles)
    assert len(host.look().looked) == 10

    phone.get_by_role("button", name="who won?").click()
    phone.get_by_role("button", name="Evil", exact=True).click()
    phone.get_by_role("button", name="Merlin was assassinated.").click()
    expect(phone.get_by_role("heading", name=re.compile("Victory for Evil"))).to_be_visible()
    expect(phone.get_by_text("Merlin was assassinated.").first).to_be_visible()
    expect(phone.get_by_role("heading", name="Was the deal fair?")).to_be_visible()
    expect(phone.locator("[data-votes], .stepper")).to_have_count(0)  # nothing was played on the phones
    score = phone.locator("[data-score]")
    expect(score).to_contain_text("Evil: 1")
    expect(score.get_by_text("1 of 1 won")).to_have_count(4)  # of ten
    phone.get_by_role("button", name="Play again").click()
    expect(phone.locator("button.seat")).to_have_count(10)
    expect(phone.locator("button.absent, button[aria-label*=away]")).to_have_count(0)  # all sit around this phone
    assert all(address.startswith((server.url, "data:", "blob:")) for address in asked)  # no internet is needed


def test_who_won_offers_only_endings_that_the_dealt_roles_allow(phone: Page, server: LiveServer) -> None:  # A27
    enter(phone, dealt(server.url, "avalon", merlin=False)[0])
    phone.get_by_role("button", name="who won?").click()
    phone.get_by_role("button", name="Evil", exact=True).click()
    ways = phone.locator(".ways")
    expect(ways).to_contain_text("Three quests failed.")
    expect(ways).not_to_contain_text("Merlin")
    ways.get_by_role("button", name="Back").click()
    phone.get_by_role("button", name="Good", exact=True).click()  # who wins in one way
    expect(phone.get_by_role("heading", name=re.compile("Victory for Good"))).to_be_visible()
