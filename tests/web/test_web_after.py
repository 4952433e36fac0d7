"""After a game, in the browser: all roles, the replay from every seat, the check of the deal, and the rematch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from roundtable.storage import verify_record
from support.live_server import LiveServer
from support.web.at_table import OpenPage, enter
from support.web.polling import at_most, eventually
from support.web.rooms import Person, call, join, open_room, start_with_bots, watch_bots_play

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played(server: LiveServer) -> Person:
    """A game of Avalon among bots, and the room in which it was played."""
    host = open_room(server.url, "avalon", 5)
    watch_bots_play(host)
    return host


def replay(host: Person, listener: str = "all") -> dict[str, object]:
    return call(f"{host.url}/api/rooms/{host.code}/games/1/replay/{listener}")


def last_view(told: dict[str, object]) -> dict[str, object]:
    view: dict[str, object] = {}
    for step in told["steps"]:  # type: ignore[attr-defined]
        view |= step["changes"]
    return view


def test_everybodys_role_and_card_is_shown(phone: Page, played: Person) -> None:  # A22
    phone.goto(f"/record/{played.code}/1")
    told = replay(played)
    roles = last_view(told)["roles"]
    for seat, name in enumerate(told["names"]):  # type: ignore[arg-type, var-annotated]
        card = phone.locator(f"ul.cards > li[data-seat='{seat}']")
        expect(card).to_contain_text(name)
        expect(card).to_contain_text(roles[str(seat)])  # type: ignore[index]
    laid = [event for step in told["steps"] for event in step["events"] if event["is"] == "CardChosen"]  # type: ignore[attr-defined]
    expect(phone.locator("ol.played > li")).to_have_count(
        len({(event["seat"], place) for place, event in enumerate(laid)})
    )


COVERED = """() => [...document.querySelectorAll('.scroll tbody th')].filter((name) => {
  name.closest('.scroll').scrollLeft = 1_000;
  name.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = name.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2).closest('th') !== name;
}).length"""


def test_names_stay_in_view_while_the_votes_scroll_under_them(open_page: OpenPage, played: Person) -> None:
    page = open_page(viewport={"width": 240, "height": 640})
    page.goto(f"/record/{played.code}/1")
    expect(page.locator(".scroll tbody th")).to_have_count(6)  # five players, and the result
    eventually(page, "() => document.querySelector('.scroll').scrollWidth", lambda wide: wide > 240)
    eventually(page, COVERED, at_most(0))


def test_a_game_is_stepped_through_by_buttons_keys_and_slider(phone: Page, played: Person) -> None:
    phone.goto(f"/record/{played.code}/1")
    count = phone.locator(".count")
    expect(count).to_have_text(re.compile(r"Step 1 of \d+"))
    last = int(count.inner_text().split()[-1])
    phone.get_by_role("button", name="Next step").click()
    expect(count).to_have_text(f"Step 2 of {last}")
    phone.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"Step 3 of {last}")
    phone.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"Step 2 of {last}")
    phone.keyboard.press("End")
    expect(count).to_have_text(f"Step {last} of {last}")
    expect(phone.locator(".sentences")).to_contain_text("wins")
    phone.keyboard.press("Home")
    expect(count).to_have_text(f"Step 1 of {last}")
    slider = phone.get_by_role("slider", name="Step")
    slider.fill(str(last - 1))
    expect(count).to_have_text(f"Step {last} of {last}")
    expect(phone.get_by_role("region", name="The table", exact=True)).to_be_visible()


def test_who_looks_through_another_pair_of_eyes_sees_no_more_than_they_did(phone: Page, played: Person) -> None:  # C4
    phone.goto(f"/record/{played.code}/1")
    notes = phone.locator(".stepper .note")
    expect(notes).to_have_count(0)  # before the deal
    phone.get_by_role("button", name="Next step").click()
    expect(notes).to_have_count(5)
    phone.get_by_label("View as").select_option("3")
    expect(notes).to_have_count(1)
    phone.get_by_label("View as").select_option("spectator")
    expect(notes).to_have_count(0)


VERDICTS = "() => [...document.querySelectorAll('[data-check]')].map(({ dataset }) => [dataset.check, dataset.verdict])"


def expect_verdicts(page: Page, **verdicts: str) -> None:
    """What the browser finds when it is asked to check the deal."""
    page.get_by_role("button", name="Check the deal").click()
    eventually(page, VERDICTS, lambda found: verdicts.items() <= dict(found).items())


@pytest.mark.parametrize(("game", "seats"), [("avalon", 10), ("thavalon", 8), ("saviom", 7)])
def test_a_deal_of_every_game_is_checked_in_the_browser(
    phone: Page, server: LiveServer, game: str, seats: int
) -> None:  # C1
    host = open_room(server.url, game, seats, settings={"contribution_seconds": 60})
    enter(phone, host)
    expect(phone.get_by_role("button", name="Fill with bots")).to_be_visible()
    start_with_bots(host)
    expect(phone.locator("[data-phase]:not([data-phase=seating])")).to_be_visible()  # it has heard, and contributed
    host.ask("CallItOff")
    expect_verdicts(phone, **dict.fromkeys(("seals", "heard", "commitment", "contributions", "deal", "own"), "holds"))
    expect(phone.locator("[data-check]")).to_have_count(6)
    expect(phone.get_by_text("Everything checks out.")).to_be_visible()


def forged(route: Route) -> None:
    """A server that shows another seed than the one it sealed."""
    answer = route.fetch()
    seed = re.search(r'"seed":"([0-9a-f]{64})"', answer.text())
    assert seed
    route.fulfill(response=answer, body=answer.text().replace(seed[1], "ab" * 32))


def test_a_server_that_cheats_is_found_out(phone: Page, played: Person) -> None:  # C1
    phone.route("**/record", forged)
    phone.goto(f"/record/{played.code}/1")
    expect_verdicts(phone, seals="fails", commitment="fails", deal="fails")
    expect(phone.get_by_text("Something doesn’t match.")).to_be_visible()


def test_the_record_that_is_downloaded_verifies(phone: Page, played: Person, tmp_path: Path) -> None:
    phone.goto(f"/record/{played.code}/1")
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Download game record").click()
    download.value.save_as(tmp_path / "game.jsonl")
    assert download.value.suggested_filename == f"roundtable-{played.code}-1.jsonl"
    assert verify_record(tmp_path / "game.jsonl").seats == 5


def test_a_record_is_there_in_vietnamese_and_without_any_seat(open_page: OpenPage, played: Person) -> None:
    page = open_page(locale="vi-VN")
    page.goto(f"/record/{played.code}/1")
    expect(page.get_by_role("heading", name="Thân phận mọi người")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(name => name.includes('token'))") == []


@pytest.mark.parametrize("address", ["/record/{code}/2", "/record/AAAAAA/1"])
def test_a_game_that_never_was_is_said_so(phone: Page, played: Person, address: str) -> None:
    phone.goto(address.format(code=played.code))
    expect(phone.get_by_role("heading", name="There’s no such game")).to_be_visible()


def test_a_rematch_keeps_everybody_and_offers_the_others_a_seat(
    open_page: OpenPage, server: LiveServer, seat_at: Callable[[Person], Page]
) -> None:
    host = open_room(server.url, "avalon", 5)
    start_with_bots(host)
    page, watcher = seat_at(host), open_page()
    enter(watcher, join(server.url, host.code, "Wanda", watch=True))
    host.ask("CallItOff")
    expect(watcher.get_by_text("When Ann opens the next game, you can take a seat.")).to_be_visible()
    expect(watcher.get_by_text("Waiting for Ann")).to_have_count(0)
    expect(watcher.get_by_role("button", name="Play again")).to_have_count(0)
    page.get_by_role("button", name="Play again").click()
    host.wait_for("lobby")
    room = host.ask("RemoveBot", seat=4)
    assert room.seats[0].member is not None


def test_what_was_heard_at_the_opening_is_kept_and_nothing_else(
    seat_at: Callable[[Person], Page], server: LiveServer
) -> None:
    host = open_room(server.url, "avalon", 5)
    start_with_bots(host)
    page = seat_at(host)
    page.wait_for_function("() => localStorage.getItem('roundtable.openings')")
    (opening,) = json.loads(page.evaluate("localStorage.getItem('roundtable.openings')"))
    assert set(opening) == {"room", "game", "commitment"}
    assert set(page.evaluate("Object.keys(localStorage)")) <= {
        "roundtable.openings",
        f"roundtable.token.{host.code}",
        "roundtable.name",
    }


def test_a_bot_says_why_it_moved_beside_the_replay(phone: Page, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5)
    watch_bots_play(host, "easy")
    move = replay(host)["bot_moves"][0]  # type: ignore[index]
    name = replay(host)["names"][move["seat"]]  # type: ignore[index]
    phone.goto(f"/record/{host.code}/1")
    phone.get_by_role("button", name="Next step").click()
    why = phone.locator("[data-why]")
    while not why.count():
        phone.get_by_role("button", name="Next step").click()
    why.get_by_role("button", name=name).click()
    shown = phone.get_by_role("region", name=f"Why {name} did this")
    expect(shown).to_contain_text("Chance to win")
    expect(shown.locator("tr.done")).to_have_count(1)
    expect(shown.locator(".suspects li")).to_have_count(4)
    phone.get_by_label("View as").select_option("spectator")
    expect(why).to_have_count(0)  # the reasons belong to the replay in which everything is revealed


def test_games_of_careful_bots_are_not_explained(phone: Page, played: Person) -> None:
    assert replay(played)["bot_moves"] == []
    phone.goto(f"/record/{played.code}/1")
    phone.get_by_role("button", name="Jump to the end").click()
    expect(phone.locator("[data-why]")).to_have_count(0)
