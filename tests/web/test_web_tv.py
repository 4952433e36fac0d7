"""A television and a narrator in a real browser: a code typed once, the script line by line, the end of a game."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from support.live_server import LiveServer
from support.web.at_table import OpenPage, enter, hold_the_clock
from support.web.polling import eventually
from support.web.rooms import Person, join, open_room

pytestmark = pytest.mark.slow

TV: ViewportSize = {"width": 1920, "height": 1080}
OTHERS = ("Bo", "Chi", "Dan", "Eva")
FAKE_SPEECH = """
  window.said = [];
  const voices = [{lang: 'de-DE', name: 'other'}, {lang: 'en-GB', name: 'own', localService: true}];
  class Utterance { constructor(text) { this.text = text; } }
  Object.defineProperty(window, 'SpeechSynthesisUtterance', {value: Utterance});
  Object.defineProperty(window, 'speechSynthesis', {value: {
    getVoices: () => voices,
    addEventListener() {},
    resume() {},
    cancel() {},
    speak(one) {
      if (one.text.trim()) window.said.push([one.voice.lang, one.text]);
      setTimeout(() => one.onend?.(), 0);
    },
  }});
"""
TEXT_SIZES = "() => ['[data-address]', '.sofa strong'].map(one => parseFloat(getComputedStyle("
TEXT_SIZES += "document.querySelector(one)).fontSize))"


def dealt(server: LiveServer, degree: str, game: str = "avalon") -> Person:
    host = open_room(server.url, game, 5, "Ana", settings={"in_person": degree})
    for name in OTHERS:
        join(server.url, host.code, name)
    host.ask("Start")
    return host


def test_a_television_finds_its_table_by_a_code_that_is_typed_once(open_page: OpenPage, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5, "Ana")
    phone = open_page(viewport={"width": 320, "height": 640})
    enter(phone, host)
    phone.get_by_role("button", name="Show on TV").first.click()
    expect(phone.locator("[data-tv-address]")).to_have_text(re.compile("/tv$"))
    tv = open_page(viewport=TV, reduced_motion="reduce")
    tv.goto("/tv")
    tv.get_by_label("Table code").fill("nope")
    tv.keyboard.press("Enter")
    expect(tv.get_by_role("alert")).to_be_visible()
    tv.get_by_label("Table code").fill(host.code.lower())
    tv.keyboard.press("Enter")
    expect(tv.get_by_text("4 seats free. Join in!")).to_be_visible()
    for viewport in (TV, ViewportSize(width=1280, height=720)):  # from a sofa: at least 4 and 7 % of the height
        tv.set_viewport_size(viewport)
        eventually(tv, TEXT_SIZES, partial(are_readable, height=viewport["height"]))
    tv.goto("/tv")
    expect(tv.get_by_text("4 seats free. Join in!")).to_be_visible()
    host.ask("ChangeSettings", settings={"has_spectators": False})
    expect(tv.get_by_text("This table doesn’t allow spectators")).to_be_visible()
    tv.get_by_role("button", name="Another table").click()
    expect(tv.get_by_label("Table code")).to_be_visible()


def are_readable(sizes: list[float], height: float) -> bool:
    address, code = sizes
    return address >= 0.04 * height and code >= 0.07 * height


def test_a_narrator_goes_through_the_night_in_text_and_aloud(open_page: OpenPage, server: LiveServer) -> None:
    host = dealt(server, "narrated")
    tv = open_page(viewport=TV)
    phone = open_page(viewport={"width": 390, "height": 844})
    phone.add_init_script(FAKE_SPEECH)
    for page in (tv, phone):
        hold_the_clock(page)
    tv.goto(f"/tv/{host.code}")
    enter(phone, host)
    for page in (tv, phone):
        line = page.locator("[data-line]")
        expect(line).to_contain_text("There are 5 of us")
        if page is phone:
            page.get_by_label("Speak on this phone").click()
        page.get_by_role("button", name="Night").click()
        expect(line).to_contain_text("Everyone, close your eyes")
        walk(page, "Evil, open your eyes")
        page.get_by_role("button", name="Pause").click()
        expect(page.locator("[data-narrator=paused]")).to_be_visible()
        page.get_by_role("button", name="Play").click()
        walk(page, "Merlin, open your eyes")
        page.get_by_role("button", name="Back", exact=True).click()
        expect(line).to_contain_text("put your thumb up")
        walk(page, "That is the end of the script.")
    said = phone.evaluate("window.said")
    assert {lang for lang, _ in said} == {"en-GB"}
    assert "Merlin, open your eyes and see who is Evil." in [text for _, text in said]
    tv.clock.resume()  # so that a connection that it gave up meanwhile is opened again
    expect(tv.locator("[data-looked='0']")).to_have_text("0 of 5 have looked")
    host.ask("SayLooked")
    expect(tv.locator("[data-looked='1']")).to_have_text("1 of 5 has looked")


def walk(page: Page, text: str) -> None:
    """Let the time of the page pass, until the narrator is at this line."""
    line = page.locator("[data-line]")
    for _ in range(120):
        if text in line.inner_text():
            return
        page.clock.run_for(1_000)
    raise AssertionError(f"The narrator never came to {text!r}, but to {line.inner_text()!r}.")


def test_a_moderator_sees_all_roles_after_a_warning_and_everyone_is_told(
    open_page: OpenPage, server: LiveServer
) -> None:
    host = open_room(server.url, "saviom", 6, "Ana", settings={"in_person": "narrated", "has_moderator": True})
    host.ask("LeaveSeat")
    players = [join(server.url, host.code, name) for name in (*OTHERS, "Fay", "Gus")]
    host.ask("Start")
    moderator, phone = (open_page(viewport={"width": 390, "height": 844}) for _ in range(2))
    enter(moderator, host)
    enter(phone, players[0])
    for page in (moderator, phone):
        expect(page.locator("[data-notice=moderator]")).to_have_text("Ana moderates and sees all roles.")
    expect(moderator.get_by_text("You’re spectating")).to_have_count(0)
    dealt_to = moderator.locator("[data-dealt]")
    expect(dealt_to).to_have_count(6)
    expect(dealt_to.filter(has_text="Wolf")).to_have_count(0)
    moderator.get_by_role("button", name="Show all roles").click()
    moderator.locator("dialog [data-confirm]").click()
    expect(dealt_to.locator(".role", has_text="Wolf")).to_have_count(2)
    moderator.get_by_role("radiogroup", name="Bo: In the game").get_by_role("radio", name="Killed").check()
    moderator.get_by_role("button", name="Night", exact=True).click()
    moderator.get_by_role("button", name=re.compile("^Wolves, open your eyes and point")).click()
    expect(moderator.locator("[data-line]")).to_contain_text("Wolves, open your eyes and point")
    moderator.reload()
    expect(moderator.get_by_role("radiogroup", name="Bo: Killed")).to_be_visible()
    expect(phone.locator("[data-moderator]")).to_have_count(0)


def test_a_clock_runs_without_a_game(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 320, "height": 640})
    hold_the_clock(page)
    page.goto("/clock")
    page.get_by_role("button", name="30 s", exact=True).click()
    page.clock.run_for(10_000)
    expect(page.locator("[data-clock='20']")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(60_000)
    page.get_by_role("button", name="+30 s").click()
    expect(page.locator("[data-clock='50']")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.clock.run_for(50_000)
    expect(page.get_by_text("Time’s up")).to_be_visible()
