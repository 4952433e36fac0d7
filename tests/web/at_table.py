"""People at a table through the page: how they sit down, and how they do whatever the table wants of them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from playwright.sync_api import Browser, Error, Locator, Page, ViewportSize, expect

from web.rooms import Person

PHONE: ViewportSize = {"width": 390, "height": 844}
LOST = re.compile("Connection lost|You are offline")
REFUSED = re.compile("Your role may not play|Vai của bạn không được ra")
A_GAME = 300.0  # seconds until a test gives up on a whole game; the machine may be busy
SOON = 2_000  # milliseconds; the table may move on under a finger, and then another look is better than more patience


def sit(
    browser: Browser, who: Person, language: str = "en", viewport: ViewportSize = PHONE, is_still: bool = True
) -> Page:
    """A browser of their own, in which the seat is theirs; what moves stands still unless it is wanted."""
    context = browser.new_context(
        base_url=who.url,
        viewport=viewport,
        has_touch=True,
        is_mobile=viewport["width"] < 800,
        reduced_motion="reduce" if is_still else "no-preference",
    )
    context.add_init_script(
        f"localStorage.getItem('roundtable.language') ?? localStorage.setItem('roundtable.language', '{language}');"
    )
    page = context.new_page()
    enter(page, who)
    expect(page.locator("[data-phase]")).to_be_visible()
    return page


def enter(page: Page, who: Person) -> None:
    """Go to their room as they."""
    page.add_init_script(f"localStorage.setItem('roundtable.token.{who.code}', '{who.token}')")
    page.goto(f"{who.url}/r/{who.code}")


def task(page: Page) -> str:
    """What is wanted of this seat: `done` where it is done, `over` when the table is left for what comes after."""
    found = page.evaluate(
        """() => {
          const tray = document.querySelector('[data-task]');
          if (!tray) return 'over';
          if (tray.querySelector('[data-move=LockIn]')) return 'lock';
          return 'done' in tray.dataset ? 'done' : tray.dataset.task;
        }"""
    )
    return str(found)


def phase(page: Page) -> str:
    return str(page.evaluate("document.querySelector('[data-phase]')?.dataset.phase ?? 'over'"))


def tray(page: Page) -> Locator:
    return page.locator("[data-task]")


def do_what_is_wanted(page: Page) -> bool:
    """One move, if one is wanted."""
    return do(page, task(page))


def do(page: Page, wanted: str) -> bool:
    """This and nothing else, even if by now the table wants something else."""
    its_tray = page.locator("[data-task]" if wanted == "lock" else f"[data-task={wanted}]:not([data-done])")
    doing = DOING.get(wanted)
    if doing is None:
        return False
    try:
        if (sheet := page.locator("dialog[open] .close")).count():  # a tap that came too late asked about somebody
            sheet.click(timeout=SOON)
        return doing(page, its_tray)
    except Error:  # the table has moved on
        return False


def _name_somebody(page: Page, its_tray: Locator) -> bool:
    button = its_tray.locator("[data-move]").first
    seats = page.locator("[data-pick][aria-pressed=false]")
    for _ in range(page.locator("[data-pick]").count()):
        if button.is_enabled(timeout=SOON):
            break
        seats.first.click(timeout=SOON)
        holder = page.locator("[data-excalibur]")
        if holder.count():
            holder.first.click(timeout=SOON)
    button.click(timeout=SOON)
    sure = page.locator("[data-confirm]")
    if sure.count():
        sure.click(timeout=SOON)
    return True


def _press_the_first(page: Page, its_tray: Locator) -> bool:
    its_tray.locator("[data-move]").first.click(timeout=SOON)
    return True


def _lock_in(page: Page, its_tray: Locator) -> bool:
    its_tray.locator("[data-move=LockIn]").click(timeout=SOON)
    return True


def _lay_a_card(page: Page, its_tray: Locator) -> bool:
    is_refused = its_tray.get_by_text(REFUSED).count() > 0  # Agravaine has nothing but a Fail
    its_tray.locator(f"[data-card={'Fail' if is_refused else 'Success'}]").click(timeout=SOON)
    return True


DOING: dict[str, Callable[[Page, Locator], bool]] = {
    "team": _name_somebody,
    "aim": _name_somebody,
    "night": _name_somebody,
    "ballot": _press_the_first,
    "window": _press_the_first,
    "cards": _lay_a_card,
    "lock": _lock_in,
}


def play_out(pages: Sequence[Page], seconds: float = A_GAME) -> dict[str, int]:
    """Everybody does what is wanted until the game is over; how often each kind of thing was."""
    done: dict[str, int] = {}
    until = time.monotonic() + seconds
    while any(task(page) != "over" for page in pages):
        assert time.monotonic() < until, f"still in {phase(pages[0])}, wanted: {[task(page) for page in pages]}"
        moved = False
        for page in pages:
            wanted = task(page)
            if do(page, wanted):
                done[wanted] = done.get(wanted, 0) + 1
                moved = True
        if not moved:
            pages[0].wait_for_timeout(60)
    return done


def play_until(page: Page, wanted: str, *others: Page, seconds: float = A_GAME) -> bool:
    """Everybody does what comes until this is wanted of the first of them; whether it ever was."""
    until = time.monotonic() + seconds
    while (now := task(page)) != wanted:
        if now == "over" and page.locator("h1").count():
            return False
        assert time.monotonic() < until, f"nobody ever wanted {wanted}"
        moved = [do(one, what) for one in (page, *others) if (what := task(one)) != wanted]
        if not any(moved):
            page.wait_for_timeout(60)
    return True


def hold_role(page: Page) -> None:
    """Press on one's role, and keep pressing."""
    box = page.locator("[data-role-hold]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    expect(page.locator("[data-secret]")).to_be_visible()


def hold_the_clock(page: Page) -> None:
    """The page's time stands still from now on, and goes only as far as it is told to."""
    page.clock.install()
    page.reload()
    expect(page.locator("[data-seat]").first).to_be_visible()
    page.clock.pause_at(time.time() + 5)


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    """Something that has to come, and that no locator sees."""
    until = time.monotonic() + A_GAME
    page.wait_for_timeout(20)
    while not is_so():
        assert time.monotonic() < until, "it never came"
        page.wait_for_timeout(20)


def frames_sent(page: Page) -> list[str]:
    """Everything that this page says on its sockets from its next one on."""
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    return sent


def frames_heard(page: Page) -> list[str]:
    """Everything that this page is told on its sockets from its next one on."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    return heard


def insist(page: Page, button: Locator, *, until: Callable[[], bool]) -> None:
    """Press it until it takes: a tap does nothing in the moment in which the table moves on."""
    for _ in range(20):
        button.click()
        page.wait_for_timeout(200)
        if until():
            return
    raise AssertionError("it did not take")
