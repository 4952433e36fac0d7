"""A game of another package in the browser: chosen, set up and played at the plain table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from operator import not_
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from roundtable.core.catalogue import Catalogue, catalogue, flat
from roundtable.rooms.guests import BOT_NAMES
from support.cuckoo_package import PACKAGE, environment, install_cuckoo
from support.live_server import LiveServer, changed_program
from support.web.at_table import PHONE, OpenPage, hold_role, settled
from support.web.polling import look_again
from support.web.rooms import call
from support.web.text_fit import text_faults
from web.test_web_access import AXE, faults

pytestmark = pytest.mark.slow

DESK: ViewportSize = {"width": 1280, "height": 1080}


def text_of(language: str) -> Catalogue:
    """The sentences of the game and of the app."""
    own = json.loads((PACKAGE / "cuckoo" / "text" / f"{language}.json").read_text(encoding="utf-8"))
    return Catalogue(language, dict(flat(own)), catalogue(language))


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server in whose environment the package is installed."""
    folder = tmp_path_factory.mktemp("cuckoo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", environment(install_cuckoo(folder))["PYTHONPATH"])
        with LiveServer(folder / "rooms.db", program=changed_program()) as running:
            yield running


def require_good_looks(page: Page, width: int) -> None:
    """No text is cut or overlaps another, and everyone can use the page."""
    look_again(partial(text_faults, page, BOT_NAMES), not_)
    page.evaluate(AXE)
    look_again(partial(faults, page, width), not_)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("language", ["en", "vi"])
def test_it_is_played_to_the_end(
    open_page: OpenPage, server: LiveServer, language: str, viewport: ViewportSize
) -> None:
    text, width = text_of(language).text, viewport["width"]
    page = open_page(viewport=viewport, locale=language, reduced_motion="reduce", bypass_csp=True)

    page.goto("/")
    page.get_by_label(text("common.your_name")).fill("Ann")
    page.get_by_role("radio", name=text("game.name")).check()
    require_good_looks(page, width)
    page.get_by_role("button", name=text("home.create"), exact=True).click()

    page.locator("[data-bots]").select_option("magpie")
    page.locator("summary", has_text=text("lobby.house_rules")).click()
    expect(page.get_by_text("Point seconds")).to_be_visible()  # an option without a name in the catalogue
    page.get_by_role("radio", name=text("word.intruder")).check()
    require_good_looks(page, width)
    page.get_by_role("button", name=text("lobby.fill")).click()
    page.get_by_role("button", name=text("lobby.start")).click()
    for tap in ("back", "got_it"):
        page.locator(f"[data-deal={tap}]").click()
    expect(page.locator("[data-phase]")).to_be_visible()
    room = call(f"{server.url}/api/rooms/{page.url.rpartition('/')[2]}")
    assert [seat["bot"] for seat in room["seats"]] == [None, *["magpie"] * 4]
    assert room["setup"]["tie"] == "intruder"

    expect(page.get_by_role("heading", name=text("phase.point.question"))).to_be_visible()
    require_good_looks(page, width)
    hold_role(page)
    roles = (text("secret.egg_hatched", role=text(f"word.{role}")) for role in ("cuckoo", "songbird"))
    expect(page.locator("[data-secret]")).to_contain_text(re.compile("|".join(map(re.escape, roles))))
    page.mouse.up()
    point = settled(page, "[data-task=plain]").locator("[data-move=Point]")
    expect(point).to_be_disabled()
    page.locator("[data-pick]").first.click()
    point.click()

    expect(page.get_by_role("heading", name=text("replay.roles"))).to_be_visible()
    expect(
        page.get_by_text(re.compile(f"^({text('outcome.cuckoo_found')}|{text('outcome.cuckoo_unseen')})$"))
    ).to_be_visible()
    expect(page.locator("section li").get_by_text(text("word.cuckoo"), exact=True)).to_be_visible()
    require_good_looks(page, width)

    page.goto("/rules/cuckoo")
    expect(page.get_by_text("One of you is the")).to_be_visible()  # in Vietnamese too: there is one rulebook
    require_good_looks(page, width)
