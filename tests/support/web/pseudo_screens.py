"""The screens around a game in the test language: how a visitor gets to each, and what it looks like there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.sync_api import Page, expect

from support.web.at_table import settled
from support.web.pseudo_tables import avalon, history, replay, saviom, thavalon
from support.web.pseudo_visitor import LONG, NAMES, OPEN_ALL, Visitor, close_sheet, hold_role, tool
from support.web.rooms import Person, join, open_room, seat_bots, start_game, watch_bots_play

# Outside a room


def entrances(visit: Visitor) -> None:
    url = visit.server.url
    public = open_room(url, "saviom", 9, NAMES[0], settings={"is_public": True})
    page = visit.open()
    expect(page.locator(f"a[href='/r/{public.code}']")).to_be_visible()
    visit.look(page, "home")
    page.locator(".tile").first.click()
    visit.look(page, "home-nameless")
    for state, button in {"avatars": "[data-own-avatar]", "settings": "header [aria-haspopup=dialog]"}.items():
        page.locator(button).click()
        expect(page.locator("dialog[open]")).to_be_visible()
        visit.look(page, state)
        close_sheet(page)
    page.goto(f"/r/{public.code}")
    expect(page.get_by_role("textbox")).to_be_visible()
    visit.look(page, "join")
    seat_bots(public)
    page.reload()
    expect(page.get_by_role("textbox")).to_be_visible()
    visit.look(page, "join-full")
    for state, address in {
        "join-unknown": "/r/ZZZZZZ",
        "not-found": "/there/is/nothing",
        "record-unknown": f"/record/{public.code}/1",
        "tv-unknown": "/tv/ZZZZZZ",
    }.items():
        page.goto(address)
        expect(page.locator(".fault, main p, h1").first).to_be_visible()
        visit.look(page, state)
    public.ask("Leave")


def rulebooks(visit: Visitor) -> None:
    page = visit.open("/rules")
    visit.look(page, "rules")
    for game in ("avalon", "thavalon", "saviom"):
        page.goto(f"/rules/{game}")
        expect(page.locator("dl dt").first).to_be_visible()
        visit.look(page, f"rules-{game}")


# Before a game


def lobbies(visit: Visitor) -> None:
    url = visit.server.url
    host = open_room(url, "avalon", 10, NAMES[0])
    guest, *_ = [join(url, host.code, name) for name in NAMES[1:6]]
    join(url, host.code, NAMES[6], watch=True)
    host.ask("SeatBot", seat=8, bot="careful")
    host.ask("Silence", member=guest.member, is_silenced=True)
    host.ask("Chat", text=NAMES[0])
    page = visit.sit(host)
    expect(page.locator(".ring")).to_be_visible()
    page.evaluate(OPEN_ALL)
    visit.look(page, "lobby")
    page.locator("[data-seat='1']").click()
    visit.look(page, "lobby-member")
    close_sheet(page)
    page.locator("header a.icon").click()
    expect(page.locator("dialog[open] h2").nth(1)).to_be_attached()
    visit.look(page, "lobby-rules")
    close_sheet(page)
    host.ask("Kick", member=guest.member)
    page.locator("[data-seat='0']").click()
    visit.look(page, "lobby-own-seat")
    other = visit.sit(join(url, host.code, NAMES[7]))
    expect(other.locator(".ring")).to_be_visible()
    other.evaluate(OPEN_ALL)
    visit.look(other, "lobby-guest")


def other_lobbies(visit: Visitor) -> None:
    for game, seats in (("thavalon", 9), ("saviom", 12)):
        host = open_room(visit.server.url, game, seats, NAMES[0])
        page = visit.sit(host)
        expect(page.locator(".ring")).to_be_visible()
        page.evaluate(OPEN_ALL)
        visit.look(page, f"lobby-{game}")


def dealt_in_person(visit: Visitor) -> None:
    url = visit.server.url
    host = open_room(url, "avalon", 5, NAMES[0], settings={"in_person": "deal"}, lady=True)
    page = visit.sit(host)
    expect(page.locator(".ring")).to_be_visible()
    visit.look(page, "deal-lobby")
    guest, *_ = [join(url, host.code, name) for name in NAMES[1:5]]
    host.ask("Start")
    expect(page.locator(".deal .players")).to_be_visible()
    page.locator("summary").click()
    expect(page.locator("details li").first).to_be_visible()
    visit.look(page, "deal-narration")
    page.locator(".chip").click()
    visit.look(page, "deal-invite")
    close_sheet(page)
    look_at_face(visit, page, "avalon")
    page.locator("[data-deal=got_it]").click()
    hold_role(page)
    visit.look(page, "deal-card")
    guests = visit.sit(guest)
    expect(guests.locator(".deal .players")).to_be_visible()
    visit.look(guests, "deal-guest")
    for game, seats in (("thavalon", 5), ("saviom", 7)):
        host = open_room(url, game, seats, NAMES[0], settings={"in_person": "deal"})
        for name in NAMES[1:seats]:
            join(url, host.code, name)
        host.ask("Start")
        look_at_face(visit, visit.sit(host), game)


def look_at_face(visit: Visitor, page: Page, game: str) -> None:
    """Flip the card that was dealt."""
    page.locator("[data-deal=back]").click()
    expect(page.locator("[data-deal=got_it]")).to_be_visible()
    visit.look(page, f"deal-face-{game}")


# Around a table


def room_panel(visit: Visitor) -> None:
    people = start_game(visit.server.url, "saviom", 8, NAMES[:8], {"day_seconds": LONG})
    page = visit.sit(people[0])
    expect(settled(page)).to_be_visible()
    tool(page, "room")
    visit.look(page, "room")
    page.locator("[data-host=call_off]").click()
    expect(page.locator("[data-confirm]")).to_be_visible()
    visit.look(page, "room-call-off")
    page.locator("[data-cancel]").click()
    page.locator("[data-move=Surrender]").click()
    visit.look(page, "room-surrender")
    page.locator("[data-cancel]").click()
    page.locator("[data-person='1']").click()
    expect(page.locator("[data-kick]")).to_be_visible()
    visit.look(page, "room-person")
    page.locator("[data-kick]").click()
    visit.look(page, "room-remove")
    page.locator("[data-cancel]").click()
    close_sheet(page)
    page.context.set_offline(True)
    expect(page.locator(".banner")).to_be_visible()
    visit.look(page, "offline")
    page.context.set_offline(False)
    expect(page.locator(".banner")).to_have_count(0)
    claim(visit, people, page)


def claim(visit: Visitor, people: Sequence[Person], page: Page) -> None:
    newcomer = join(visit.server.url, people[0].code, NAMES[8], watch=True)
    found = visit.sit(newcomer)
    found.locator("[data-claim-seat] summary").click()
    visit.look(found, "claim")
    newcomer.ask("ClaimSeat", seat=1)
    expect(found.locator("[data-claim-seat]")).to_have_count(0)
    visit.look(found, "claim-waiting")
    expect(page.locator("[data-claim]")).to_be_visible()
    visit.look(page, "claim-asked")


def clocks(visit: Visitor) -> None:
    people = start_game(visit.server.url, "avalon", 5, NAMES[:5])
    page = visit.sit(people[0])
    expect(settled(page)).to_be_visible()
    tool(page, "room")
    visit.look(page, "room-quests")
    people[0].ask("HoldClock", do="countdown", seconds=3_600)
    people[0].ask("HoldClock", do="pause")
    expect(page.locator("[data-host=resume]")).to_be_visible()
    close_sheet(page)
    visit.look(page, "paused")


def finished(visit: Visitor) -> None:
    """A game that bots played to its end, for the record and its highlights."""
    host = open_room(visit.server.url, "thavalon", 8, NAMES[0])
    watch_bots_play(host)
    page = visit.open(f"/record/{host.code}/1")
    expect(page.locator("#who-was-who")).to_be_visible()
    replay(visit, page, "record")


def wall_lobby(visit: Visitor) -> None:
    host = open_room(visit.server.url, "saviom", 9, NAMES[0])
    host.ask("SeatBot", seat=8, bot="careful")
    page = visit.open(f"/tv/{host.code}")
    expect(page.locator("[data-qr]")).to_be_visible()
    visit.look(page, "tv-lobby")


def new_host(visit: Visitor) -> None:
    """For a server that does not wait for a host who is away."""
    host = open_room(visit.server.url, "avalon", 5, NAMES[0])
    other = join(visit.server.url, host.code, NAMES[1])
    with other.connected():
        page = visit.sit(other)
        expect(page.locator("[data-notice=new_host]")).to_be_visible()
        visit.look(page, "new-host")
        old = visit.sit(host)
        expect(old.locator("[data-notice=new_host]")).to_be_visible()
        visit.look(old, "new-host-told")


Scene = Callable[[Visitor], None]
SCENES: Sequence[Scene] = (
    *(entrances, rulebooks, lobbies, other_lobbies, dealt_in_person, avalon, thavalon, history, saviom, room_panel),
    *(clocks, finished, wall_lobby),
)
