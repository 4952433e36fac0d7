"""Ways in, out and back, in the browser: a bot's seat is taken, left and returned to; results stay; a start does
not hang on one person."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.waiting import wait_until
from support.web.at_table import OpenPage, hold_role, sit
from support.web.hands import HandsOf
from support.web.rooms import open_room, start_game

pytestmark = pytest.mark.slow


def open_panel(page: Page) -> None:
    page.locator("[data-tool=room]").click()


def test_a_second_phone_takes_a_bots_seat_leaves_it_returns_and_reads_the_results_in_peace(
    open_page: OpenPage, server: LiveServer, another: Callable[..., Page], hands_of: HandsOf
) -> None:
    (ann,) = start_game(server.url, "avalon", 5, ("Ann",), {"propose_seconds": 600, "vote_seconds": 600})
    anns, phone = sit(open_page, ann), another()
    # The door of a running game seats a newcomer, who plays on for a bot.
    phone.goto(f"/r/{ann.code}")
    expect(phone.get_by_text("A game is in progress, and bots play in 4 seats.")).to_be_visible()
    phone.get_by_label("Your name").fill("Bình")
    phone.get_by_role("button", name="Join").click()
    expect(anns.get_by_text("Bình now plays in Bors’s seat, for a bot.")).to_be_visible()
    hold_role(phone)
    phone.mouse.up()
    # They rename themselves, and the table reads it.
    open_panel(phone)
    phone.locator("[data-profile]").click()
    phone.locator("#new-name").fill("Bảo Bình")
    phone.locator("label[title=Raven]").click()
    phone.get_by_role("button", name="Save").click()
    expect(anns.get_by_text("Bình is now called Bảo Bình.")).to_be_visible()
    assert [one.avatar.partition("-")[0] for one in ann.look().members] == ["", "raven"]
    # They leave for now: a bot plays at once. Home has the way back.
    phone.locator("[data-leave=away]").click()
    expect(phone.get_by_text("Leave the table for now? A bot plays on for you.")).to_be_visible()
    phone.locator("[data-confirm]").click()
    expect(phone.locator(f"[data-own-table='{ann.code}']")).to_contain_text("a bot plays for you")
    assert ann.look().seats[1].stand_in is not None
    # A team is proposed, by Ann or by a bot: a game without a move has no votes to show.
    (hand,) = hands_of([ann])
    if hand.leader == 0:
        hand.proposes(0, 1)
    wait_until(lambda: hand.view.phase.name == "vote", "a proposed team")
    phone.get_by_role("link", name="Return to your game").click()
    expect(phone.locator("[data-role-hold]")).to_be_visible()
    assert ann.look().seats[1].stand_in is None
    # The results stay when the host opens the next game, with the votes; the table lists what was played.
    ann.ask("CallItOff")
    expect(phone.get_by_role("heading", name=re.compile("No one wins"))).to_be_visible()
    ann.ask("Rematch")
    expect(phone.get_by_text("Ann has opened the next game.")).to_be_visible()
    expect(phone.get_by_role("heading", name=re.compile("No one wins"))).to_be_visible()
    expect(phone.locator("[data-votes]")).to_be_visible()
    phone.get_by_role("button", name="Go to the lobby").click()
    phone.get_by_text("Games at this table").click()
    expect(phone.locator("[data-past-games]").get_by_text("Game 1: Avalon")).to_be_visible()
    # The host does not wait for a person who is not ready.
    anns.get_by_role("button", name="Go to the lobby").click()
    anns.get_by_role("button", name="Start without Bảo Bình").click()
    expect(anns.locator("[data-phase]")).to_be_visible()
    expect(phone.locator("[data-phase]")).to_be_visible()
    assert ann.look().seats[1].stand_in is not None
    phone.locator("[data-tool=room]").click()
    expect(anns.locator("[data-seat='1']")).not_to_contain_text("bot")
    # A removed player reads what happened, also after a reload; the record of their game is still at home.
    ann.ask("Kick", member=2)
    for _ in range(2):
        expect(phone.get_by_role("heading", name="You were removed")).to_be_visible()
        expect(phone.get_by_text("ask them to let you back in")).to_be_visible()
        phone.reload()
    phone.goto("/")
    phone.locator(f"[data-own-game='{ann.code}/1']").click()
    expect(phone).to_have_url(re.compile(f"/record/{ann.code}/1$"))
    expect(phone.locator("[data-votes]")).to_be_visible()


def test_a_watcher_takes_a_bots_seat_and_leaves_for_good(phone: Page, server: LiveServer) -> None:
    (ann,) = start_game(server.url, "avalon", 5, ("Ann",), {"propose_seconds": 600, "vote_seconds": 600})
    phone.goto(f"/r/{ann.code}")
    phone.get_by_label("Your name").fill("Wanda")
    phone.get_by_role("button", name="Spectate").click()
    phone.get_by_text("Play instead of a bot").click()
    phone.locator("[data-bot-seat='3']").click()
    expect(phone.locator("[data-role-hold]")).to_be_visible()
    open_panel(phone)
    phone.locator("[data-leave=for_good]").click()
    phone.locator("[data-confirm]").click()
    expect(phone.get_by_role("heading", name="Play Avalon & Werewolf with friends")).to_be_visible()
    expect(phone.locator("[data-own-table]")).to_have_count(0)
    phone.goto(f"/r/{ann.code}")
    phone.get_by_role("button", name="Join").click()  # with the same token: the table knows whose seat it was
    expect(phone.locator("[data-role-hold]")).to_be_visible()
    assert [seat.bot for seat in ann.look().seats[1:]] == ["careful", "careful", None, "careful"]


def test_a_lobby_is_left_after_a_question_and_says_werewolf(phone: Page, server: LiveServer) -> None:
    host = open_room(server.url, "saviom", 6)
    phone.goto(f"/r/{host.code}")
    expect(phone.get_by_text("You can take 5 of 6 seats.")).to_be_visible()
    expect(phone.get_by_text("Town of Saviom (Werewolf)")).to_be_visible()
    phone.get_by_label("Your name").fill("Wanda")
    phone.get_by_role("button", name="Join").click()
    phone.get_by_role("button", name="Leave table").click()
    phone.locator("[data-cancel]").click()
    expect(phone.get_by_role("button", name="Leave table")).to_be_visible()
    phone.get_by_role("button", name="Leave table").click()
    phone.locator("[data-confirm]").click()
    expect(phone.get_by_role("heading", name="Play Avalon & Werewolf with friends")).to_be_visible()
    assert [member.name for member in host.look().members] == ["Ann"]
