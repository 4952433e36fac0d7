"""Takes the pictures of README and docs: `make screenshots` starts a server, seats bots, and drives Chromium.

    python tools/screenshots.py [FOLDER]            docs/images where no folder is named
    python tools/screenshots.py --survey FOLDER     every screen on a phone, a desktop and a television, in both themes

The pictures are of real games, so no two runs are the same to the last card.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # reuse the test harness

from roundtable.core.codec import plain  # noqa: E402
from support.live_server import LiveServer  # noqa: E402
from support.web.at_table import do_what_is_wanted, task  # noqa: E402
from support.web.chromium import MISSING, find_chromium  # noqa: E402
from support.web.rooms import Person, join, open_room, start_game, start_with_bots, watch_bots_play  # noqa: E402

PHONE, SMALL, DESK = (390, 844), (320, 640), (1280, 800)
TV, WALL = (1280, 720), (1920, 1080)  # in pictures, and to be looked at
NAMES = ("Ann", "Bình", "Chi", "Dũng", "Eve")
PATIENCE = 60_000  # milliseconds; the machine may be busy


class Camera:
    """Opens pages with a given theme and size, and takes their pictures."""

    def __init__(self, browser: Browser, url: str, folder: Path) -> None:
        self._browser = browser
        self._url = url
        self._folder = folder

    def page(
        self, size: tuple[int, int], theme: str = "dark", language: str = "en", guest: Person | None = None
    ) -> Page:
        context = self._browser.new_context(
            base_url=self._url,
            viewport={"width": size[0], "height": size[1]},
            is_mobile=size in (PHONE, SMALL),
            has_touch=size in (PHONE, SMALL),
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(f"localStorage.setItem('roundtable.language', '{language}')")
        context.add_init_script(f"localStorage.setItem('roundtable.theme', '{theme}')")
        if guest:
            context.add_init_script(f"localStorage.setItem('roundtable.token.{guest.code}', '{guest.token}')")
        return context.new_page()

    def take(self, page: Page, name: str, *, is_whole: bool = False) -> None:
        page.wait_for_timeout(600)  # for fonts and running transitions
        page.screenshot(path=self._folder / f"{name}.png", full_page=is_whole)
        print(f"  {name}.png", flush=True)

    def done(self, page: Page, name: str, *, is_whole: bool = False) -> None:
        self.take(page, name, is_whole=is_whole)
        page.context.close()


# The pictures


def before_the_game(camera: Camera, server: LiveServer) -> None:
    page = camera.page(PHONE)
    page.goto("/")
    page.get_by_role("textbox").first.wait_for()
    camera.done(page, "home-phone")
    page = camera.page(DESK, "light", "vi")
    page.goto("/")
    page.get_by_role("textbox").first.wait_for()
    camera.done(page, "home-desktop-vi")
    page = camera.page(DESK, "light")
    page.goto("/rules/avalon")
    page.locator("h1").first.wait_for()
    camera.done(page, "rules-desktop")
    host = open_room(server.url, "avalon", 7, NAMES[0])
    for name in NAMES[1:4]:
        join(server.url, host.code, name)
    host.ask("SeatBot", seat=4, bot="careful")
    page = camera.page(DESK, guest=host)
    page.goto(f"/r/{host.code}")
    page.locator("[data-qr], [data-seat]").first.wait_for()
    camera.done(page, "lobby-desktop")
    page = camera.page(TV)
    page.goto(f"/tv/{host.code}")
    page.locator("[data-qr]").first.wait_for()
    camera.done(page, "tv-lobby")


def the_deal(camera: Camera, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 5, NAMES[0], {"look_seconds": 60})
    people = [host, *(join(server.url, host.code, name) for name in NAMES[1:])]
    start_with_bots(*people)
    page = camera.page(PHONE, guest=next(one for one in people if role_of(one) == "Percival"))
    page.goto(f"/r/{people[0].code}")
    page.locator("[data-deal=back]").click()
    page.locator("[data-secret] img").wait_for()
    camera.done(page, "card-phone")


def role_of(one: Person) -> str:
    with one.connected() as table:
        return str(plain(table.view.roles[table.seat]))


def at_the_table(camera: Camera, server: LiveServer) -> None:
    people = start_game(server.url, "avalon", 7, NAMES[:3], {"lady": True})
    pages = [camera.page(PHONE, guest=one) for one in people]
    for page in pages:
        page.goto(f"/r/{people[0].code}")
        page.locator("[data-phase]").wait_for()
    play(pages, votes=2)
    wall = camera.page(TV)
    wall.goto(f"/tv/{people[0].code}")
    wall.locator("[data-seat]").first.wait_for()
    camera.take(pages[0], "table-phone")
    camera.take(wall, "tv")
    desk = camera.page(DESK, "light", guest=people[0])
    desk.goto(f"/r/{people[0].code}")
    desk.locator("[data-phase]").wait_for()
    camera.done(desk, "table-desktop")
    for page in (*pages, wall):
        page.context.close()


def at_night(camera: Camera, server: LiveServer) -> None:
    options = {"mode": "advanced", "begins_with": "night", "night_seconds": 600}
    people = start_game(server.url, "saviom", 8, NAMES[:2], options)
    page = camera.page(PHONE, "dark", "vi", people[0])
    page.goto(f"/r/{people[0].code}")
    page.locator("[data-phase]").wait_for()
    camera.done(page, "night-phone-vi")


def after_the_game(camera: Camera, server: LiveServer) -> None:
    host = open_room(server.url, "avalon", 7, NAMES[0])
    watch_bots_play(host)
    page = camera.page(PHONE, guest=host)
    page.goto(f"/r/{host.code}")
    page.locator("ul.cards").wait_for()
    camera.done(page, "after-phone")
    page = camera.page(TV)
    page.goto(f"/tv/{host.code}")
    page.locator("[data-finale] img").first.wait_for()
    camera.done(page, "tv-finale")
    page = camera.page((1280, 1180), "light")
    page.goto(f"/record/{host.code}/1")
    page.get_by_role("button", name="Check the deal").click()
    page.locator("[data-check]").first.wait_for()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    camera.done(page, "record-desktop")


def play(pages: list[Page], votes: int, most: int = 60) -> None:
    """Make a few moves, so that there is something to see; then wait until a vote is due."""
    for _ in range(most):
        counted = pages[0].locator("[data-quest].succeeded, [data-quest].failed").count()
        if counted >= votes and task(pages[0]) == "ballot":
            return
        moved = [do_what_is_wanted(page) for page in pages]
        if not any(moved):
            pages[0].wait_for_timeout(200)


# Every screen, to be looked at


def survey(camera: Camera, server: LiveServer) -> None:
    lobby = open_room(server.url, "avalon", 7, NAMES[0])
    for name in NAMES[1:4]:
        join(server.url, lobby.code, name)
    lobby.ask("SeatBot", seat=4, bot="careful")
    over = open_room(server.url, "avalon", 7, NAMES[0])
    watch_bots_play(over)
    tables = {
        "table-avalon": start_game(server.url, "avalon", 10, NAMES[:2], {"lady": True})[0],
        "table-thavalon": start_game(server.url, "thavalon", 8, NAMES[:2])[0],
        "table-saviom": start_game(server.url, "saviom", 12, NAMES[:2], {"mode": "advanced", "day_seconds": 600})[0],
        "night": start_game(server.url, "saviom", 8, NAMES[:2], {"begins_with": "night", "night_seconds": 600})[0],
    }
    cards, narrated = (around_a_table(server, degree) for degree in ("deal", "narrated"))
    gathering = open_room(server.url, "avalon", 5, NAMES[0], {"in_person": "deal"})
    moderator = open_room(server.url, "saviom", 6, "Mod", {"in_person": "narrated", "has_moderator": True})
    moderator.ask("LeaveSeat")
    for name in (*NAMES, "Fay"):
        join(server.url, moderator.code, name)
    moderator.ask("Start")
    at_rooms: dict[str, tuple[Person, Sequence[str]]] = {
        "lobby": (lobby, ()),
        **{name: (person, ()) for name, person in tables.items()},
        "notes": (tables["table-avalon"], ("[data-tool=notes]",)),
        "seat": (tables["table-avalon"], ("[data-seat='5']",)),
        "settings": (tables["table-avalon"], ("header button[aria-haspopup]",)),
        "lobby-deal": (gathering, ()),
        "deal": (cards, ()),
        "deal-card": (cards, ("[data-deal=back]",)),
        "deal-won": (cards, ("#who-won",)),
        "deal-narrated": (narrated, ()),
        "moderator": (moderator, ("[data-moderator] button.large", "dialog [data-confirm]")),
        "after": (over, ()),
    }
    addresses: dict[str, tuple[str, Sequence[str]]] = {
        "home": ("/", ()),
        "avatar": ("/", ("[data-own-avatar]",)),
        "rules": ("/rules/avalon", ("nav[aria-label] button:nth-child(3)",)),
        "record": (f"/record/{over.code}/1", ()),
        "join": (f"/r/{lobby.code}", ()),
        "clock": ("/clock", ()),
    }
    walls = {
        "tv-lobby": lobby,
        "tv": tables["table-avalon"],
        "tv-night": tables["night"],
        "tv-narrated": narrated,
        "tv-over": over,
    }
    for theme in ("dark", "light"):
        for size, device in ((PHONE, "phone"), (DESK, "desktop")):
            for name, (address, taps) in addresses.items():
                look(camera, camera.page(size, theme), address, f"{name}-{device}-{theme}", taps)
            for name, (member, taps) in at_rooms.items():
                page = camera.page(size, theme, guest=member)
                look(camera, page, f"/r/{member.code}", f"{name}-{device}-{theme}", taps)
        for name, member in walls.items():
            look(camera, camera.page(WALL, theme), f"/tv/{member.code}", f"{name}-{theme}")
    for size, language, device in ((SMALL, "en", "small"), (PHONE, "vi", "phone-vi")):
        for name, (address, taps) in addresses.items():
            look(camera, camera.page(size, "dark", language), address, f"{name}-{device}", taps)
        for name, (member, taps) in at_rooms.items():
            look(camera, camera.page(size, "dark", language, member), f"/r/{member.code}", f"{name}-{device}", taps)


def around_a_table(server: LiveServer, degree: str) -> Person:
    host = open_room(server.url, "avalon", 5, NAMES[0], {"in_person": degree})
    for name in NAMES[1:]:
        join(server.url, host.code, name)
    host.ask("Start")
    return host


def look(camera: Camera, page: Page, address: str, name: str, taps: Sequence[str] = ()) -> None:
    page.goto(address)
    page.locator("h1").first.wait_for()
    for one in taps:
        page.locator(one).first.click()
    camera.done(page, name, is_whole=True)


# The picture at the top of README: a television, and phones before it

POSTER = """<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; width: 1280px; height: 720px; position: relative; overflow: hidden;
    background: radial-gradient(60rem 40rem at 50% 20%, #4a2d18, #120c08 75%); }
  img { position: absolute; display: block; box-shadow: 0 1.5rem 3rem #000b; }
  .wall { left: 160px; top: 34px; width: 960px; border: 10px solid #0a0705; border-radius: 10px; }
  .phone { width: 236px; bottom: -26px; border: 8px solid #050302; border-radius: 30px; }
  .one { left: 44px; rotate: -5deg; } .two { right: 44px; rotate: 5deg; }
  .three { left: 522px; bottom: -190px; }
</style>"""


def poster(camera: Camera, browser: Browser, folder: Path) -> None:
    shown = (("wall", "tv"), ("phone one", "card-phone"), ("phone two", "after-phone"), ("phone three", "table-phone"))
    images = "".join(f'<img class="{style}" src="{(folder / name).as_uri()}.png">' for style, name in shown)
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False) as page_file:
        page_file.write(POSTER + images)
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(Path(page_file.name).as_uri())
    camera.done(page, "round-table")
    Path(page_file.name).unlink()


def icons(browser: Browser) -> None:
    """The app icon for home screens, drawn from the favicon; a maskable icon fills its square."""
    public = ROOT / "web" / "public"
    sign = (public / "favicon.svg").read_text()
    for name, size, share in (("icon-192", 192, 1.0), ("icon-512", 512, 1.0), ("icon-maskable", 512, 0.72)):
        page = browser.new_page(viewport={"width": size, "height": size})
        ground = "#1d130c" if share < 1 else "transparent"
        style = (
            f"body{{margin:0;display:grid;place-items:center;height:100vh;background:{ground}}}svg{{width:{share:%}}}"
        )
        page.set_content(f"<style>{style}</style>{sign}")
        page.screenshot(path=public / f"{name}.png", omit_background=True)
        page.close()


def main() -> int:
    reader = argparse.ArgumentParser(description="Takes pictures of the web app.")
    reader.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "images")
    reader.add_argument("--survey", action="store_true", help="every screen, on every device, in both themes")
    wanted = reader.parse_args()
    folder: Path = wanted.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = find_chromium()
    if found is None:
        print(MISSING, file=sys.stderr)
        return 1
    subprocess.run([sys.executable, ROOT / "tools" / "build_web.py"], check=True)
    with (
        tempfile.TemporaryDirectory() as kept,
        LiveServer(Path(kept) / "rooms.db") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found)
        camera = Camera(browser, server.url, folder)
        if wanted.survey:
            survey(camera, server)
        else:
            for part in (before_the_game, the_deal, at_the_table, at_night, after_the_game):
                part(camera, server)
            poster(camera, browser, folder)
            icons(browser)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
