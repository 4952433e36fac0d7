"""An evening around one table: six phones in two languages and a television, over plain HTTP in a home network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from support.live_server import GENEROUS, LiveServer, changed_program
from support.waiting import PATIENCE
from support.web.at_table import PHONE, enter, hold_role, phase, play, task
from support.web.complaints import complaints_of
from support.web.rooms import Person, call, join, open_room

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Quỳnh", "Chinh", "Tuấn", "Evelyn", "Phương")
LOCALES = ("en-GB", "vi-VN")  # of the phones in turn
YOU_ARE = ("You are ", "Bạn là ")
GAMES: dict[str, dict[str, Any]] = {
    "avalon": {},
    "thavalon": {},
    "saviom": {"begins_with": "night", "night_seconds": 600, "day_seconds": 600},
}
KNOWING = {"avalon": 4, "saviom": 2}  # how many of six see others: Merlin, Percival and Evil; the Wolves
CALLED = {"avalon": "Merlin, open your eyes", "saviom": "Wolves, open your eyes"}
LACKS = "[isSecureContext, ...['clipboard', 'wakeLock'].map(one => one in navigator), 'randomUUID' in crypto]"
PATIENT = """
from roundtable.rooms import looking
ends_at = looking.ends_at
looking.ends_at = lambda room, until: ends_at(room, until + 3_600_000)
"""  # milliseconds: however slow the machine is, the game waits until everyone has looked
CLICKED = "async one => { one.click(); await new Promise(requestAnimationFrame); return one.innerText; }"
# All that a page says, also to a screen reader
SPOKEN = """() => JSON.stringify([
  document.body.innerText,
  document.title,
  ...[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].map((own) => own.value)),
])"""
SKIP_NIGHT = re.compile("We skip the night|Bàn này không chơi đêm")
DRAWN = "seats => seats.map(one => one.querySelector('img')?.src)"


@dataclass(frozen=True)
class Home:
    """Six phones and a television in one network; they stay where they are, whatever is played."""

    server: LiveServer
    phones: Sequence[Page]
    tv: Page
    complaints: Sequence[list[str]]

    @property
    def host(self) -> Page:
        return self.phones[0]

    def sit_down(self, game: str) -> Person:
        """Every phone at its seat, and the television at the table."""
        host = open_room(self.server.url, game, 6, NAMES[0], {"look_seconds": 60}, **GAMES[game])
        people = [host, *(join(host.url, host.code, name) for name in NAMES[1:])]
        for phone, one in zip(self.phones, people, strict=True):
            enter(phone, one)
        self.tv.goto(f"{host.url}/tv/{host.code}")
        return host


@pytest.fixture(scope="module")
def home(built: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    def open_one(**how: Any) -> Page:
        context = browser.new_context(reduced_motion="reduce", **how)
        context.set_default_timeout(1_000 * PATIENCE)
        return context.new_page()

    database = tmp_path_factory.mktemp("home") / "rooms.db"
    with LiveServer(database, "--host", "0.0.0.0", *GENEROUS, program=changed_program(PATIENT)) as server:
        if "//127." in server.url:
            pytest.skip("This machine has no address in a network.")
        phones = [
            open_one(viewport=PHONE, has_touch=True, is_mobile=True, locale=LOCALES[place % 2]) for place in range(6)
        ]
        tv = open_one(viewport={"width": 1280, "height": 720}, locale="en-GB")
        yield Home(server, phones, tv, [complaints_of(page) for page in (*phones, tv)])
        for page in (*phones, tv):
            page.context.close()


# The cards


@dataclass(frozen=True)
class Card:
    told: str
    emblem: str


def shown_card(phone: Page) -> Card:
    secret = phone.locator("[data-secret]")
    expect(secret.locator("img")).to_be_visible()
    told, emblem = secret.evaluate("one => [one.innerText, one.querySelector('img').src]")
    return Card(told, emblem)


def flip(phone: Page) -> Card:
    phone.locator("[data-deal=back]").click()
    return shown_card(phone)


def held_card(phone: Page) -> Card:
    hold_role(phone)
    card = shown_card(phone)
    phone.mouse.up()
    return card


def everyone_looks(home: Home) -> list[Card]:
    """Two taps each. A phone that is reloaded between the two shows the back of the card again."""
    first, second = home.phones[:2]
    cards = []
    for place, phone in enumerate(home.phones):
        cards.append(flip(phone))
        assert YOU_ARE[place % 2] in cards[place].told
        if phone is second:
            phone.reload()
            expect(phone.locator("[data-deal=back]")).to_be_visible()
            expect(phone.locator("[data-secret]")).to_have_count(0)
            assert flip(phone) == cards[place]
            expect(first.locator("[data-move], [role=timer]")).to_have_count(0)  # the game has not begun
        if place == 3:
            expect(home.tv.get_by_text(re.compile("3 of 6 have looked"))).to_be_visible()
        phone.locator("[data-deal=got_it]").click()
        expect(phone.locator("[data-secret]")).to_have_count(0)
    return cards


def knowing(cards: Sequence[Card]) -> list[str]:
    """The emblems of the cards that name other players."""
    return [card.emblem for card in cards if any(name in card.told for name in NAMES)]


# The three degrees


def deal(home: Home, degree: str) -> list[Card]:
    """The host chooses the degree by one tap, and deals by another."""
    home.host.locator(f"input[value={degree}]").check()
    if degree == "phones":
        for phone in home.phones[1:]:
            phone.locator("[data-ready]").click()
    home.host.get_by_role("button", name=re.compile("^(Deal roles|Start game)$")).click()
    expect(home.host.locator("[data-deal=back]")).to_be_visible()
    if degree == "phones":
        roles = call(f"{home.server.url}/api/rooms/{home.host.url.rpartition('/')[2]}")["roles"]
        assert not [role for role in roles if role in home.host.evaluate(SPOKEN)]
    return everyone_looks(home)


def only_dealt(home: Home, game: str) -> list[str]:
    """Phones show the cards, and whom they know; returns the emblems of those that know others."""
    cards = deal(home, "deal")
    known = knowing(cards)
    assert len(known) == KNOWING.get(game, len(known))
    expect(home.tv.locator("[data-looked='6']")).to_be_visible()
    expect(home.host.locator("[data-narrator]")).to_have_count(0)
    if game == "avalon":  # the phones have told the night
        home.host.get_by_text("Narrator’s script").click()
        expect(home.host.get_by_text("Look at your phone in secret")).to_be_visible()
        expect(home.host.get_by_text("open your eyes")).to_have_count(0)
    home.host.get_by_role("button", name="who won?").click()
    home.host.get_by_role("region", name="Who won").locator("button.primary").last.click()
    if game != "saviom":  # which each side can win in one way alone
        home.host.get_by_role("region", name="How?").get_by_role("button").first.click()
    ended(home, cards, ("Victory for ", "thắng"))
    for phone in home.phones:
        expect(phone.locator("[data-score]")).to_be_visible()
    home.host.get_by_role("button", name="Play again").click()
    return known


def narrated(home: Home, game: str, known: Sequence[str]) -> None:
    """The television tells the night, and phones do not tell it, too. A reload in the middle of it changes nothing."""
    cards = deal(home, "narrated")
    assert bool(knowing(cards)) == (game == "thavalon")  # no night can tell what THavalon's roles know
    line, narrator = home.tv.locator("[data-line]"), home.tv.locator("[data-narrator]")
    said = [line.inner_text()]
    while narrator.get_attribute("data-narrator") != "done":
        home.tv.get_by_role("button", name="Next").click()
        said.append(line.inner_text())
        if len(said) == 5:
            for page in (home.tv, *home.phones[2:4]):
                page.reload()
            expect(line).to_have_text(said[-1])
            assert [held_card(phone).emblem for phone in home.phones[2:4]] == [card.emblem for card in cards[2:4]]
    assert (CALLED.get(game, "open your eyes") in " ".join(said)) == (game in CALLED)
    if game in CALLED:
        place = next(place for place, card in enumerate(cards) if card.emblem in known)
        home.phones[place].get_by_label(SKIP_NIGHT).check()
        assert knowing([held_card(home.phones[place])])
    home.host.get_by_role("button", name="Back to the lobby").click()


def on_the_phones(home: Home, game: str, host: Person) -> None:
    """Cards, votes and the night are on the phones; the game begins when everyone has looked."""
    cards = deal(home, "phones")
    assert len(knowing(cards)) == KNOWING.get(game, len(knowing(cards)))
    reloaded = home.phones[4]
    expect(reloaded.locator("[data-phase=propose], [data-phase=night]")).to_be_visible()
    is_night = phase(reloaded) == "night"
    reloaded.reload()
    assert held_card(reloaded).emblem == cards[4].emblem
    if is_night:
        play(home.phones, lambda: all(task(phone) == "done" for phone in home.phones))
        reloaded.reload()
        expect(reloaded.locator("[data-task=night][data-done]")).to_be_visible()
    else:
        play(home.phones, lambda: phase(reloaded) not in ("propose", "vote"))
    host.ask("CallItOff")
    ended(home, cards, ("No one wins", "Không phe nào thắng"))


def ended(home: Home, cards: Sequence[Card], verdicts: tuple[str, str]) -> None:
    """The television shows on every seat the role of its card; phones tell the end, each in its language."""
    expect(home.tv.locator("[data-finale] [data-seat] img")).to_have_count(6)
    seats = home.tv.locator("[data-finale] [data-seat]")
    assert seats.evaluate_all(DRAWN) == [card.emblem for card in cards]
    named = seats.locator(".note").all_inner_texts()
    assert all(name in card.told for name, card in zip(named[::2], cards[::2], strict=True))  # in English both
    for place, phone in enumerate(home.phones):
        expect(phone.locator("h1")).to_contain_text(verdicts[place % 2])


@pytest.mark.parametrize("game", GAMES)
def test_six_phones_and_a_television_in_all_three_degrees(home: Home, game: str) -> None:
    host = home.sit_down(game)
    known = only_dealt(home, game)
    narrated(home, game, known)
    on_the_phones(home, game, host)
    assert not any(home.complaints)


def test_plain_http_takes_nothing_away(home: Home) -> None:
    host = home.sit_down("avalon")
    phone = home.host
    assert phone.evaluate(LACKS) == [False] * 4
    assert phone.get_by_role("button", name="Copy link").evaluate(CLICKED).strip() == "Copied"  # for a moment
    phone.get_by_role("button", name="Settings").click()
    phone.get_by_role("switch", name="Notify me").click()
    expect(phone.get_by_text("doesn’t allow notifications")).to_be_visible()
    phone.keyboard.press("Escape")
    host.ask("ChangeSettings", settings={"in_person": "narrated"})
    host.ask("Start")
    phone.get_by_role("switch", name="Speak on this phone").check()
    expect(phone.get_by_text("has no voice for English")).to_be_visible()
    phone.get_by_role("button", name="Play", exact=True).click()
    expect(phone.locator("[data-narrator=speaking], [data-narrator=pausing]")).to_be_visible()
    assert not any(home.complaints)
