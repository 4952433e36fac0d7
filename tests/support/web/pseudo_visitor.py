"""A visitor of the app in the test language, who looks at one state after another."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, expect
from pseudo_language import LETTERS, pseudo

from roundtable.rooms.guests import BOT_NAMES
from support.live_server import LiveServer
from support.web.at_table import OpenPage, enter, hold_the_clock
from support.web.hands import HandsOf
from support.web.rooms import Person
from support.web.text_fit import text_faults

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1280, "height": 800}
LONG = 86_400  # seconds; no test takes as long
NAMES = tuple(map(pseudo, ("Ann", "Ben", "Chi", "Dan", "Eve", "Frances", "George", "Hoa", "Ivan", "Josephine")))
OPEN_ALL = "() => document.querySelectorAll('details').forEach(one => { one.open = true })"
ROOM_OF = re.compile(r"/(?:r|tv|record)/(\w{6})")


@dataclass
class Visitor:
    """Opens pages in the test language, and looks at each state in both sizes: faults, and pictures if asked."""

    server: LiveServer
    open_page: OpenPage
    hands_of: HandsOf
    pictures: Path | None
    faults: list[str] = field(default_factory=list)

    def open(self, address: str = "/", *, holds_clock: bool = False) -> Page:
        page = self._page(holds_clock)
        page.goto(address)
        return page

    def sit(self, who: Person, *, holds_clock: bool = False) -> Page:
        page = self._page(holds_clock)
        enter(page, who)
        expect(page.locator("h1").first).to_be_visible()
        if holds_clock:
            page.clock.run_for(1_000)  # the tray takes taps
        return page

    def _page(self, holds_clock: bool) -> Page:
        page = self.open_page(base_url=self.server.url, reduced_motion="reduce", viewport=PHONE)
        page.add_init_script("localStorage.setItem('roundtable.language', 'xx')")
        if holds_clock:
            hold_the_clock(page)
        return page

    def look(self, page: Page, state: str) -> None:
        expect(page.locator("html[lang=xx]")).to_be_attached()
        expect(page.locator("h1, h2").first).to_be_attached()
        code = ROOM_OF.findall(page.url)
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            found = text_faults(page, (*NAMES, *BOT_NAMES, *code), LETTERS)
            self.faults += [f"{state}, {size['width']}: {fault}" for fault in found]
            if self.pictures:
                page.screenshot(path=self.pictures / f"{state}-{size['width']}.png", full_page=True)


def close_sheet(page: Page) -> None:
    page.locator("dialog[open] .close").last.click()
    expect(page.locator("dialog[open]")).to_have_count(0)


def tool(page: Page, name: str) -> None:
    page.locator(f"[data-tool={name}]").click()
    expect(page.locator("dialog[open]")).to_be_visible()


def hold_role(page: Page) -> None:
    page.locator("[data-role-hold]").focus()
    page.keyboard.down("Enter")
    expect(page.locator("[data-secret]")).to_be_visible()
