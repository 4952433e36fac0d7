"""Before a game, on a phone: from a link to a seat, the lobby and its settings, and rooms that only deal roles."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from functools import partial
from operator import eq, truth
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from support.live_server import LiveServer
from support.web.at_table import enter, look_at_card
from support.web.polling import at_most, eventually, look_again
from support.web.rooms import call, join, open_room, start_with_bots

pytestmark = pytest.mark.slow

COUNT_TAPS = "addEventListener('pointerdown', () => (window.taps = (window.taps ?? 0) + 1), true)"
LIES_ON_NOTHING = """() => {
  const bar = document.querySelector('.bar');
  const { bottom, top } = bar.querySelector('.fault').getBoundingClientRect();
  const around = bar.getBoundingClientRect();
  return top >= around.top && bottom <= around.bottom && !getComputedStyle(bar).backgroundColor.startsWith('rgba');
}"""
COVERED_BY_BUTTON = """() => document.querySelector('[data-secret]').getBoundingClientRect().bottom
  - document.querySelector('[data-deal=got_it]').getBoundingClientRect().top"""
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false"


def open_table(page: Page, name: str = "Ann", button: str = "Create a table") -> str:
    """Open a table from the first page; its code."""
    page.goto("/")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=button).click()
    code = page.locator("[data-code]")
    expect(code).to_have_text(re.compile(r"^\w{6}$"))
    return code.inner_text()


def sit_down(page: Page, code: str, name: str) -> None:
    page.goto(f"/r/{code}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(seat_of(page, name)).to_be_visible()


def seat_of(page: Page, name: str) -> Locator:
    return page.locator("[data-seat]").filter(has_text=name)


# From a link to a seat


def test_from_a_link_to_a_seat_it_takes_three_taps_and_a_name(phone: Page, server: LiveServer) -> None:
    table = open_room(server.url)
    phone.add_init_script(COUNT_TAPS)
    phone.goto(f"/r/{table.code}")
    expect(phone.get_by_text("Ann’s table: Avalon, 5 players")).to_be_visible()
    phone.get_by_label("Your name").tap()
    phone.keyboard.type("Bình")
    phone.get_by_role("button", name="Join").tap()
    expect(seat_of(phone, "Bình")).to_be_visible()
    eventually(phone, "() => window.taps", at_most(3))


def lose_the_first_answer(route: Route, lost: list[str]) -> None:
    """The server handles the request, and its answer is lost."""
    if route.request.method != "POST" or lost:
        route.continue_()
        return
    lost.append(route.fetch().text())
    route.abort()


def test_a_player_who_sits_down_again_because_the_answer_was_lost_sits_once(phone: Page, server: LiveServer) -> None:
    table = open_room(server.url)
    lost: list[str] = []
    phone.route("**/members", lambda route: lose_the_first_answer(route, lost))
    phone.goto(f"/r/{table.code}")
    phone.get_by_label("Your name").fill("Bình")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("alert")).to_be_visible()
    phone.reload()
    sit_down(phone, table.code, "Bình")
    assert [member.name for member in table.look().members] == ["Ann", "Bình"]


def test_a_host_who_opens_a_table_again_because_the_answer_was_lost_finds_the_first(phone: Page) -> None:
    lost: list[str] = []
    phone.route("**/api/rooms", lambda route: lose_the_first_answer(route, lost))
    phone.goto("/")
    phone.get_by_label("Your name").fill("Ann")
    phone.get_by_role("button", name="Create a table").click()
    expect(phone.get_by_role("alert")).to_be_visible()
    phone.get_by_role("button", name="Create a table").click()
    expect(phone.locator("[data-code]")).to_have_text(json.loads(lost[0])["room"])


def test_a_player_who_comes_again_is_known_by_name(phone: Page, server: LiveServer) -> None:
    sit_down(phone, open_room(server.url).code, "Bình")
    phone.goto(f"/r/{open_room(server.url).code}")
    expect(phone.get_by_label("Your name")).to_have_value("Bình")


def test_a_code_is_read_in_any_case_and_out_of_a_link(phone: Page, server: LiveServer) -> None:
    table = open_room(server.url)
    typed = f" {table.code[:3].lower()}-{table.code[3:].lower()}"
    for text in (typed, f"{server.url}/r/{table.code}", f"Come: {server.url}/r/{table.code.lower()}?from=chat"):
        phone.goto("/")
        phone.get_by_label("Have a code?").fill(text)
        phone.get_by_role("button", name="Join").click()
        expect(phone.get_by_role("heading", name=f"Join table {table.code}")).to_be_visible()
    phone.goto("/")
    phone.get_by_label("Have a code?").fill("hello")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_text("A code has six letters and digits")).to_be_visible()


def test_a_member_without_a_seat_waits_outside_where_spectators_are_not_allowed(
    phone: Page, server: LiveServer
) -> None:
    table = open_room(server.url, settings={"has_spectators": False})
    sit_down(phone, table.code, "Bình")
    seat_of(phone, "Bình").click()
    phone.get_by_role("button", name="Give up my seat and spectate").click()
    expect(phone.get_by_text("You’re spectating. Tap a free seat or a bot to play.")).to_be_visible()
    start_with_bots(table)
    expect(phone.get_by_role("heading", name="Game in progress")).to_be_visible()
    table.ask("CallItOff")
    expect(phone.get_by_text("When Ann opens the next game, you can take a seat.")).to_be_visible()
    table.ask("Rematch")
    table.ask("RemoveBot", seat=1)
    phone.get_by_role("button", name="Go to the lobby").click()
    expect(phone.get_by_text("You’re spectating. Tap a free seat or a bot to play.")).to_be_visible()


def test_a_room_that_cannot_seat_a_guest_says_why(phone: Page, server: LiveServer) -> None:
    dealt, full, closed, over = (
        open_room(server.url, settings={"in_person": "deal"}),
        open_room(server.url),
        open_room(server.url, settings={"has_spectators": False}),
        open_room(server.url),
    )
    for table in (dealt, full, closed):
        for guest in range(1, 5):
            join(server.url, table.code, f"Guest {guest}")
    dealt.ask("Start")
    start_with_bots(over)
    over.ask("CallItOff")
    for code, words, offer in (
        (over.code, "The last game is over.", "Spectate until the next game"),
        (dealt.code, "A game is in progress.", "Spectate until the next game"),
        (full.code, "The table is full.", "Spectate"),
        (closed.code, "doesn’t allow spectators", None),
        ("ZZZZZZ", "There’s no table with the code ZZZZZZ.", None),
    ):
        phone.goto(f"/r/{code}")
        expect(phone.get_by_text(words)).to_be_visible()
        expect(phone.get_by_role("button", name="Join")).to_have_count(0)
        expect(phone.get_by_label("Your name")).to_have_count(0 if offer is None else 1)
        if offer:
            expect(phone.get_by_role("button", name=offer)).to_be_visible()


def test_a_public_table_is_found_and_joined_from_the_first_page(phone: Page, server: LiveServer) -> None:
    table = open_room(server.url, name="Ngọc Lan", settings={"is_public": True})
    phone.goto("/")
    phone.get_by_role("link", name="Ngọc Lan’s table").click()
    expect(phone.get_by_role("heading", name=f"Join table {table.code}")).to_be_visible()
    table.ask("Leave")


def test_one_tap_plays_against_bots_and_the_choice_is_remembered(phone: Page) -> None:
    phone.goto("/")
    phone.get_by_role("radio", name="Town of Saviom").check()
    phone.get_by_role("button", name="More").click()
    phone.get_by_role("button", name="Play now against bots").click()
    phone.set_viewport_size({"width": 320, "height": 568})
    phone.get_by_role("button", name="Flip your card").click()
    eventually(phone, COVERED_BY_BUTTON, at_most(0))  # on the lowest phone, too
    phone.get_by_role("button", name="Got it").click()
    phone.goto("/")
    expect(phone.get_by_text("9 players", exact=True)).to_be_visible()
    expect(phone.get_by_role("radio", name="Town of Saviom")).to_be_checked()


# The lobby


def test_bots_come_and_go_with_a_tap_and_the_game_starts(phone: Page) -> None:
    open_table(phone)
    phone.get_by_role("button", name="Seat 3: free. Tap to add a bot.").click()
    phone.get_by_role("button", name="Seat 3: bot. Tap to remove it.").click()
    expect(phone.get_by_role("button", name="Seat 3: free.")).to_be_visible()
    expect(phone.get_by_role("button", name="Start game")).to_be_disabled()
    expect(phone.get_by_text("4 free seats.")).to_be_visible()
    phone.get_by_role("button", name="Fill with bots").click()
    expect(phone.get_by_text("Everyone is ready.")).to_be_visible()
    phone.get_by_role("button", name="Start game").click()
    look_at_card(phone)


def test_the_start_says_whom_it_waits_for(phone: Page, another: Callable[..., Page]) -> None:
    code, guest = open_table(phone), another()
    sit_down(guest, code, "Bình")
    phone.get_by_role("button", name="Fill with bots").click()
    expect(phone.get_by_text("Waiting for Bình.")).to_be_visible()
    expect(guest.get_by_text("Everyone is waiting for you.")).to_be_visible()
    guest.get_by_role("button", name="I’m ready").click()
    expect(guest.get_by_text("Waiting for Ann to start the game.")).to_be_visible()
    expect(phone.get_by_role("button", name="Start game")).to_be_enabled()


def test_a_player_moves_to_another_seat_with_a_tap(phone: Page, server: LiveServer) -> None:
    sit_down(phone, open_room(server.url).code, "Bình")
    phone.get_by_role("button", name="Seat 4: free. Tap to sit here.").click()
    expect(phone.get_by_role("button", name="Seat 4: Bình.")).to_be_visible()
    expect(phone.get_by_role("button", name="Seat 2: free.")).to_be_visible()


def test_a_host_silences_hands_over_and_shows_out(phone: Page, another: Callable[..., Page]) -> None:
    code, guest = open_table(phone), another()
    sit_down(guest, code, "Bình")
    for button in ("Mute for everyone", "Make host"):
        seat_of(phone, "Bình").click()
        phone.get_by_role("button", name=button).click()
    guest.get_by_label("Message").fill("Hello?")
    guest.get_by_role("button", name="Send").click()
    expect(guest.get_by_text("The host has muted you.")).to_be_visible()
    seat_of(guest, "Ann").click()
    guest.get_by_role("button", name="Remove").click()
    expect(seat_of(guest, "Ann")).to_have_count(0)
    expect(phone.get_by_text("The host removed you from this table; ask them to let you back in.")).to_be_visible()
    guest.get_by_role("button", name="Let Ann back in").click()
    expect(guest.get_by_role("button", name="Let Ann back in")).to_have_count(0)


def test_talk_in_the_lobby_is_text_and_nothing_else(phone: Page, another: Callable[..., Page]) -> None:
    code, guest = open_table(phone), another()
    sit_down(guest, code, "<b>Bình</b>")
    line = "<img src=x onerror=alert(1)> chào!"
    guest.get_by_label("Message").fill(line)
    guest.get_by_label("Message").press("Enter")
    expect(phone.get_by_role("log").get_by_text(line)).to_be_visible()
    expect(phone.get_by_role("log").get_by_text("<b>Bình</b>")).to_be_visible()


# What is played


def test_a_preset_and_a_house_rule_change_the_deal_for_everybody(phone: Page, another: Callable[..., Page]) -> None:
    code, guest = open_table(phone), another()
    sit_down(guest, code, "Bình")
    for seats in (6, 7):
        phone.get_by_role("group", name="Number of players").get_by_role("button", name="More").click()
        expect(guest.get_by_role("heading", name=f"Avalon, {seats} players")).to_be_visible()
    phone.get_by_role("radio", name="★ With the Lady (recommended)").check()
    for page in (phone, guest):
        expect(page.get_by_role("radio", name="★ With the Lady (recommended)")).to_be_checked()
        page.get_by_role("heading", name="House rules").click()
        expect(page.get_by_role("switch", name="Lady of the Lake")).to_be_checked()
    expect(guest.get_by_role("switch", name="Lady of the Lake")).to_be_disabled()
    phone.get_by_role("switch", name="Time to vote").check()
    expect(guest.get_by_role("group", name="Time to vote")).to_contain_text("60 s")
    phone.get_by_role("button", name="Oberon", exact=True).click()
    expect(guest.locator("[data-side=Evil]")).to_contain_text("Minion of Mordred")
    phone.get_by_role("radio", name="Harder for Good").check()
    expect(guest.get_by_role("radio", name="Harder for Good")).to_be_checked()
    expect(guest.locator("[data-side=Evil]")).to_contain_text("Mordred")
    expect(guest.locator("[data-side=Evil]")).not_to_contain_text("Minion of Mordred")


def test_what_is_wrong_with_a_choice_is_said_in_words_in_both_languages(phone: Page) -> None:  # A4
    open_table(phone)
    phone.get_by_role("heading", name="House rules").click()
    phone.get_by_role("button", name="Mordred", exact=True).click()
    expect(phone.locator(".start").get_by_text("with 5 players, Evil has only 2 places.")).to_be_visible()
    eventually(phone, LIES_ON_NOTHING, truth)
    phone.get_by_role("button", name="Tiếng Việt").click()
    said = "3 vai đặc biệt (Assassin, Morgana và Mordred) là quá nhiều: với 5 người chơi, Phe Đỏ chỉ có 2 chỗ."
    expect(phone.get_by_text(said)).to_be_visible()
    expect(phone.get_by_role("button", name="Mordred", exact=True)).to_have_attribute("aria-pressed", "false")


def test_six_and_nine_at_thavalon_are_called_unbalanced(phone: Page) -> None:  # T5
    open_table(phone)
    phone.get_by_role("radio", name="THavalon").check()
    seats = phone.get_by_role("group", name="Number of players")
    notice = phone.locator("[data-notice=good_favoured]")
    for count in range(5, 11):
        expect(phone.get_by_role("heading", name=f"THavalon, {count} players")).to_be_visible()
        expect(seats).to_contain_text(f"{count} players")
        expect(notice).to_have_count(1 if count in (6, 9) else 0)
        if count == 9:
            expect(phone.get_by_text("★ Standard (recommended)")).to_be_visible()
            expect(phone.get_by_text("Nine players, four Evil", exact=True)).to_be_visible()
        if count < 10:
            seats.get_by_role("button", name="More").click()
    phone.get_by_role("button", name="Tiếng Việt").click()
    seats = phone.get_by_role("group", name="Số người chơi")
    seats.get_by_role("button", name="Bớt").click()
    expect(notice).to_contain_text("ván 9 người nghiêng hẳn về Phe Xanh")


def test_the_lobby_chooses_a_pool_and_says_what_cannot_go_together(  # T26, T5
    phone: Page, another: Callable[..., Page]
) -> None:
    code, guest = open_table(phone), another()
    sit_down(guest, code, "Bình")
    phone.get_by_role("radio", name="THavalon").check()
    for page in (phone, guest):
        expect(page.get_by_role("heading", name="THavalon, 5 players")).to_be_visible()
        page.get_by_role("heading", name="House rules").click()
    pool, good, start = phone.locator("[data-set=pool]"), guest.locator("[data-side=Good]"), phone.locator(".start")
    pool.get_by_role("button", name="Tristan").click()  # both lovers leave
    expect(good).not_to_contain_text("Iseult")
    expect(pool.get_by_role("button", name="Iseult")).to_have_attribute("aria-pressed", "false")
    pool.get_by_role("button", name="Arthur").click()
    expect(good).to_contain_text("Arthur")
    phone.get_by_role("radio", name="Only Merlin").check()
    expect(guest.get_by_role("radio", name="Only Merlin")).to_be_checked()
    pool.get_by_role("button", name="Merlin", exact=True).click()
    expect(start.get_by_text("Merlin must be in the pool")).to_be_visible()
    expect(pool.get_by_role("button", name="Merlin", exact=True)).to_have_attribute("aria-pressed", "true")
    phone.get_by_role("radio", name="Paired", exact=True).check()
    phone.get_by_role("radio", name="Five rejections").click()
    expect(start.get_by_text("go together: in a paired round")).to_be_visible()
    expect(phone.get_by_role("radio", name="Limited proposals")).to_be_checked()
    phone.get_by_role("button", name="Tiếng Việt").click()
    expect(start.get_by_text("Luật năm lần từ chối không đi cùng vòng đầu theo cặp")).to_be_visible()


def test_nine_players_with_four_evil_are_not_called_unbalanced(phone: Page) -> None:  # T5
    open_table(phone)
    phone.get_by_role("radio", name="THavalon").check()
    seats = phone.get_by_role("group", name="Number of players")
    for count in range(6, 10):
        seats.get_by_role("button", name="More").click()
        expect(seats).to_contain_text(f"{count} players")
    expect(phone.locator("[data-notice=good_favoured]")).to_have_count(1)
    phone.get_by_role("radio", name="Nine players, four Evil").check()
    expect(phone.locator("[data-notice=good_favoured]")).to_have_count(0)


def test_the_settings_of_a_room_are_switches(phone: Page, another: Callable[..., Page]) -> None:
    code, guest = open_table(phone), another()
    sit_down(guest, code, "Bình")
    phone.get_by_role("heading", name="Table settings").click()
    phone.get_by_role("switch", name="Chat").uncheck()
    expect(guest.get_by_text("The host turned chat off.")).to_be_visible()
    phone.get_by_role("switch", name="Bot takes over when disconnected").uncheck()
    expect(phone.get_by_role("group", name="Bot takes over when disconnected")).to_have_count(0)
    phone.get_by_role("switch", name="Public").check()
    guest.goto("/")
    expect(guest.get_by_role("link", name=re.compile("Ann’s table")).first).to_be_visible()
    phone.get_by_role("switch", name="Public").uncheck()


# How others come


def expect_invitation(page: Page, address: str) -> None:
    """Decode the QR code on the page."""

    def read() -> list[str]:
        picture = page.locator("[data-qr]")
        picture.evaluate("one => one.scrollIntoView({ block: 'center' })")  # the bar at the bottom must not cover it
        shot = picture.screenshot()
        return [found.text for found in zxingcpp.read_barcodes(Image.open(io.BytesIO(shot)))]

    look_again(read, partial(eq, [address]))


def test_the_picture_leads_to_the_table(phone: Page, server: LiveServer) -> None:
    code = open_table(phone)
    for look in ("Dark", "Light"):
        phone.get_by_role("button", name="Settings").click()
        phone.get_by_role("radio", name=look).check()
        phone.keyboard.press("Escape")
        expect(phone.locator(f"html[data-theme={look.lower()}]")).to_be_attached()
        expect_invitation(phone, f"{server.url}/r/{code}")


def test_without_a_clipboard_the_link_is_shown_to_be_copied_by_hand(phone: Page, server: LiveServer) -> None:
    phone.add_init_script(NO_CLIPBOARD)
    code = open_table(phone)
    phone.get_by_role("button", name="Copy link").click()
    expect(phone.get_by_label("Copy this link:")).to_have_value(f"{server.url}/r/{code}")


def test_who_opened_the_page_on_the_servers_machine_invites_to_its_address_in_the_network(
    phone: Page, built: Path, tmp_path: Path
) -> None:
    with LiveServer(tmp_path / "rooms.db", "--host", "0.0.0.0") as open_to_all:
        port = open_to_all.url.rpartition(":")[2]
        if open_to_all.url.startswith("http://127."):
            pytest.skip("This machine is in no network.")
        host = open_room(f"http://localhost:{port}")
        enter(phone, host)
        expect(phone.get_by_role("img", name=f"{open_to_all.url}/r/{host.code}")).to_be_visible()
        expect_invitation(phone, f"{open_to_all.url}/r/{host.code}")
        expect(phone.get_by_text("This address only works on this computer.")).to_have_count(0)
        phone.goto(f"http://localhost:{port}/tv/{host.code}")
        expect(phone.get_by_text(open_to_all.url.removeprefix("http://"))).to_be_visible()


# With the keyboard, and in the other language


def walk_to(page: Page, place: Locator) -> None:
    """Press Tab until this is what the keyboard is on."""
    expect(place).to_be_enabled()
    for _ in range(80):
        page.keyboard.press("Tab")
        if place.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"The keyboard never came to {place}.")


def test_a_table_is_opened_filled_and_started_with_the_keyboard_alone(phone: Page) -> None:
    phone.goto("/")
    walk_to(phone, phone.get_by_label("Your name"))
    phone.keyboard.type("Ann")
    walk_to(phone, phone.get_by_role("button", name="Create a table"))
    phone.keyboard.press("Enter")
    walk_to(phone, phone.get_by_role("button", name="Seat 2: free."))
    phone.keyboard.press("Space")
    expect(phone.get_by_role("button", name="Seat 2: bot.")).to_be_visible()
    walk_to(phone, phone.get_by_role("button", name="Fill with bots"))
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("Everyone is ready.")).to_be_visible()
    walk_to(phone, phone.get_by_role("button", name="Start game"))
    phone.keyboard.press("Enter")
    for button in ("Flip your card", "Got it"):
        walk_to(phone, phone.get_by_role("button", name=button))
        phone.keyboard.press("Enter")
    expect(phone.locator("[data-role-hold]")).to_be_visible()


def test_the_way_to_a_seat_is_in_vietnamese_too(another: Callable[..., Page], server: LiveServer) -> None:
    table, phone = open_room(server.url, name="Lan", game="saviom", seats=8), another("vi-VN")
    phone.goto(f"/r/{table.code}")
    expect(phone.get_by_text("Bàn của Lan: Town of Saviom (Ma Sói), 8 người")).to_be_visible()
    phone.get_by_label("Tên của bạn").fill("Bình")
    phone.get_by_role("button", name="Vào bàn").click()
    expect(phone.get_by_role("heading", name="Town of Saviom (Ma Sói), 8 người")).to_be_visible()
    expect(phone.locator("[data-side=Wolves]")).to_contain_text("2 × Sói")
    phone.get_by_role("button", name="English").click()
    expect(phone.get_by_role("heading", name="Town of Saviom (Werewolf), 8 players")).to_be_visible()


# The rules


def test_the_rules_lie_over_the_table_and_leave_it_where_it_is(phone: Page, server: LiveServer) -> None:
    table = open_room(server.url, game="thavalon", seats=7)
    sit_down(phone, table.code, "Bình")
    phone.get_by_role("link", name="Rules").click()
    sheet = phone.get_by_role("dialog")
    expect(sheet.get_by_text("Lancelot may play Reverse.")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(seat_of(phone, "Bình")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "english", "vietnamese"),
    [
        ("avalon", "Merlin knows who is Evil, and has to help without being found out.", "Merlin biết ai là Phe Đỏ."),
        ("thavalon", "Maelagant may play Reverse.", "Maelagant"),
        ("saviom", "Town of Saviom", "Tiên Tri mỗi đêm soi một người"),
    ],
)
def test_every_game_has_its_rulebook_in_both_languages(phone: Page, game: str, english: str, vietnamese: str) -> None:
    phone.goto(f"/rules/{game}")
    expect(phone.locator("main").get_by_text(english).first).to_be_visible()
    expect(phone.get_by_text("Nudge timer")).to_be_visible()
    phone.get_by_role("button", name="Tiếng Việt").click()
    expect(phone.locator("main").get_by_text(vietnamese).first).to_be_visible()
    expect(phone.get_by_text("Đồng hồ nhắc")).to_be_visible()


# Deal only


def role_on(page: Page) -> str:
    """Flip the card for the first look, then hold it, read it, and let it go."""
    expect(page.locator("[data-deal=back], [data-role-hold]")).to_be_visible()
    if page.locator("[data-deal=back]").count():
        flip(page)
    page.locator("[data-role-hold]").dispatch_event("pointerdown")
    role = page.locator("[data-secret] .role").inner_text()
    page.evaluate("dispatchEvent(new PointerEvent('pointerup'))")
    expect(page.locator("[data-secret]")).to_have_count(0)
    return role


def flip(page: Page) -> None:
    page.locator("[data-deal=back]").click()
    page.locator("[data-deal=got_it]").click()
    expect(page.locator("[data-role-hold]")).to_be_visible()


def test_home_opens_a_table_in_one_room_in_each_degree_with_one_tap(phone: Page, server: LiveServer) -> None:
    buttons = {"deal": "Deal the roles", "narrated": "Deal and narrate", "phones": "All on the phones"}
    for degree, button in buttons.items():
        code = open_table(phone, button=button)
        settings = call(f"{server.url}/api/rooms/{code}")["settings"]
        assert (settings["in_person"], settings["has_chat"]) == (degree, False)


def test_each_phone_shows_its_role_and_the_rest_is_played_by_people(
    phone: Page, another: Callable[..., Page], server: LiveServer
) -> None:
    code, guest = open_table(phone, button="Deal the roles"), another("vi-VN")
    for name in ("Chi", "Dũng"):
        join(server.url, code, name)
    expect(phone.get_by_text("3 players here; Avalon needs at least 5.")).to_be_visible()
    expect(phone.get_by_role("button", name="Deal roles")).to_be_disabled()
    phone.get_by_role("group", name="Number of players").get_by_role("button", name="More").click()
    join(server.url, code, "Eve")
    guest.goto(f"/r/{code}")
    guest.get_by_label("Tên của bạn").fill("Bình")
    guest.get_by_role("button", name="Vào bàn").click()
    phone.get_by_role("button", name="Deal to 5 players").click()

    for page in (phone, guest):
        expect(page.locator("[data-deal=back]")).to_be_visible()
        expect(page.locator("[data-secret]")).to_have_count(0)
        expect(page.locator("[data-move]")).to_have_count(0)
    roles = {"Merlin", "Percival", "Assassin", "Morgana"}
    assert role_on(phone) in roles | {"Loyal Servant"}
    assert role_on(guest) in roles | {"Bề Tôi Trung Thành"}
    assert role_on(phone) != role_on(guest)
    assert not any(role in phone.title() for role in (*roles, "Servant"))

    guest.get_by_role("heading", name="Lời của người dẫn chuyện").click()
    expect(guest.get_by_text("điện thoại của mọi người đều hiện tên")).to_be_visible()
    expect(guest.get_by_text("nhắm mắt")).to_have_count(0)  # the phones show whom a role sees
    expect(guest.get_by_role("button", name="Chia lại")).to_have_count(0)
    phone.get_by_role("button", name="Deal again").click()
    phone.locator("dialog[open] [data-confirm]").click()
    expect(phone.get_by_text("Deal #2.")).to_be_visible()
    expect(guest.get_by_text("Lần chia #2.")).to_be_visible()
    assert role_on(guest)
    phone.get_by_role("button", name="Back to the lobby").click()
    expect(guest.get_by_role("heading", name="Avalon, 5 người")).to_be_visible()
