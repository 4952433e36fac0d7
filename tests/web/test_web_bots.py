"""Bots in the browser: the host chooses their pace, hears them speak, and silences one or all."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.web.at_table import BUBBLES_STAY, enter
from support.web.polling import look_again
from support.web.rooms import open_room, seat_bots

pytestmark = pytest.mark.slow

SPEAKING = {"bots_speak": True, "bot_pace": "quick"}
LONG_DAYS: dict[str, Any] = {"mode": "advanced", "early_end": True, "day_seconds": 600}


def test_the_host_chooses_the_pace_of_bots_and_who_of_them_speaks(phone: Page, server: LiveServer) -> None:
    host = open_room(server.url, "saviom", 6, settings=SPEAKING, **LONG_DAYS)
    seat_bots(host)
    phone.add_init_script(BUBBLES_STAY)
    enter(phone, host)
    phone.get_by_role("heading", name="Table settings").click()
    paces = phone.get_by_role("radiogroup", name="Bot pace")
    paces.get_by_role("radio", name="Slow").check()
    phone.get_by_role("switch", name="The bot on seat 3 talks").uncheck()
    look_again(lambda: (host.look().settings.bot_pace, host.look().seats[2].is_silenced), ("slow", True).__eq__)
    paces.get_by_role("radio", name="Quick").check()
    phone.get_by_role("switch", name="Bots talk").uncheck()
    expect(phone.locator("[data-quiet-bots]")).to_have_count(0)
    phone.get_by_role("switch", name="Bots talk").check()
    look_again(lambda: (host.look().settings.bot_pace, host.look().settings.bots_speak), ("quick", True).__eq__)
    host.ask("SayReady", is_ready=True)
    host.ask("Start")
    expect(phone.locator(".bubble").first).to_be_visible()  # a bot speaks
    phone.locator("[data-tool=room]").click()
    phone.locator("[data-person='4']").click()
    phone.locator("[data-silence-bot]").click()
    expect(phone.locator("[data-silence-bot]")).to_have_text("Let this bot talk")
    assert host.look().seats[4].is_silenced
