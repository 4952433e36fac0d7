"""Players in a browser: how a test takes a seat in a page, and makes the moves that the page asks for."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from playwright.sync_api import Error, Locator, Page, ViewportSize, expect

from support.waiting import PATIENCE
from support.web.rooms import Person

OpenPage = Callable[..., Page]  # takes what `Browser.new_context` takes
Doing = Callable[[Page, str, float], bool]

PHONE: ViewportSize = {"width": 390, "height": 844}
LOST = re.compile("Connection lost|You’re offline")
BUBBLES_STAY = """
  const wait = setTimeout;
  window.setTimeout = (then, after, ...more) => (after === 6_000 ? 0 : wait(then, after, ...more));
"""  # what is said at a table, however slow the machine is
REFUSED = re.compile("Your role can’t play|Vai của bạn không được ra")
SOON = 2_000.0  # milliseconds; if the game goes on meanwhile, looking again is better than waiting


def sit(
    open_page: OpenPage,
    who: Person,
    language: str = "en",
    viewport: ViewportSize = PHONE,
    *,
    is_still: bool = True,
    holds_clock: bool = False,
) -> Page:
    """A page of their own, in which the seat is theirs; what moves stands still unless it is wanted."""
    page = open_page(
        base_url=who.url,
        viewport=viewport,
        has_touch=True,
        is_mobile=viewport["width"] < 800,
        reduced_motion="reduce" if is_still else "no-preference",
    )
    page.add_init_script(
        f"localStorage.getItem('roundtable.language') ?? localStorage.setItem('roundtable.language', '{language}');"
    )
    if holds_clock:
        hold_the_clock(page)
    enter(page, who)
    expect(page.locator("[data-phase]")).to_be_visible()
    return page


def look_at_card(page: Page) -> None:
    """Flip the card that was dealt, and go on to the table."""
    page.get_by_role("button", name="Flip your card").click()
    page.get_by_role("button", name="Got it").click()
    expect(page.locator("[data-role-hold]")).to_be_visible()


def enter(page: Page, who: Person) -> None:
    """Go to their room, with their token."""
    page.add_init_script(f"localStorage.setItem('roundtable.token.{who.code}', '{who.token}')")
    page.goto(f"{who.url}/r/{who.code}")


def hold_the_clock(page: Page) -> None:
    """Stop the clock of every document that is opened from now on; it goes only as far as the test lets it."""
    page.clock.install(time=0)
    page.clock.pause_at(86_400)  # it runs until then, which is late enough for the slowest machine


def settled(page: Page, tray: str = "[data-task]") -> Locator:
    """The tray, once its new buttons take taps."""
    return page.locator(f"{tray}:not(.settling)")


# What the page asks for


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


SHOWN = "() => [...document.querySelectorAll('h1, [data-task]')].map(one => one.innerText).join(' ')"


def shown(page: Page) -> str:
    """What the page says about the game; it changes whenever something happens there."""
    return str(page.evaluate(SHOWN))


def tray(page: Page) -> Locator:
    return page.locator("[data-task]")


# Doing it


def do_what_is_wanted(page: Page) -> bool:
    """Make one move, if the page asks for one."""
    return do(page, task(page))


def do(page: Page, wanted: str, soon: float = SOON) -> bool:
    """This and nothing else, even if by now the table wants something else. Whether there was time for it."""
    its_tray = settled(page, "[data-task]" if wanted == "lock" else f"[data-task={wanted}]:not([data-done])")
    doing = DOING.get(wanted)
    if doing is None:
        return False
    try:
        if (sure := page.locator("dialog[open] [data-confirm]")).count():
            sure.click(timeout=soon)
            return True
        if (sheet := page.locator("dialog[open] .close")).count():  # a tap that came too late asked about a seat
            sheet.click(timeout=soon)
        its_tray.wait_for(timeout=soon)
        doing(page, its_tray, soon)
    except Error:  # the game has gone on
        return False
    return True


def _pick_seats(page: Page, its_tray: Locator, soon: float) -> None:
    button = its_tray.locator("[data-move]").first
    seats = page.locator("[data-pick][aria-pressed=false]")
    if its_tray.locator(".fault").count():  # a Wolf has picked a Wolf
        picked = page.locator("[data-pick]").evaluate_all("all => all.findIndex(one => one.ariaPressed === 'true')")
        seats.nth(picked % seats.count()).click(timeout=soon)  # the next one, or the first after the last
    for _ in range(page.locator("[data-pick]").count()):
        if button.is_enabled(timeout=soon):
            break
        seats.first.click(timeout=soon)
        holder = page.locator("[data-excalibur]")
        if holder.count():
            holder.first.click(timeout=soon)
    button.click(timeout=soon)


def _press_the_first(page: Page, its_tray: Locator, soon: float) -> None:
    its_tray.locator("[data-move]").first.click(timeout=soon)


def _lock_in(page: Page, its_tray: Locator, soon: float) -> None:
    its_tray.locator("[data-move=LockIn]").click(timeout=soon)


def _lay_a_card(page: Page, its_tray: Locator, soon: float) -> None:
    is_refused = its_tray.get_by_text(REFUSED).count() > 0  # Agravaine has nothing but a Fail
    its_tray.locator(f"[data-card={'Fail' if is_refused else 'Success'}]").click(timeout=soon)


DOING: dict[str, Callable[[Page, Locator, float], None]] = {
    "team": _pick_seats,
    "aim": _pick_seats,
    "night": _pick_seats,
    "ballot": _press_the_first,
    "window": _press_the_first,
    "cards": _lay_a_card,
    "lock": _lock_in,
}


def play(pages: Sequence[Page], until: Callable[[], bool], do: Doing = do) -> Counter[str]:
    """All pages do what is wanted until this is so; how often each kind of thing was done. A game may take as long as
    it likes, but it has to go on."""
    done: Counter[str] = Counter()
    seen, since, soon = [""], time.monotonic(), SOON
    while not until():
        now = [shown(page) for page in pages]
        if now != seen:
            seen, since, soon = now, time.monotonic(), SOON
        assert time.monotonic() < since + PATIENCE, f"The game does not go on; wanted: {[*map(task, pages)]}, {seen}"
        moves = [wanted for page in pages if do(page, wanted := task(page), soon)]
        done.update(moves)
        if not moves:
            soon = min(2 * soon, 1_000 * PATIENCE / 4)  # the machine may be slow
            with suppress(Error):  # another page may have news
                pages[0].wait_for_function(f"seen => ({SHOWN})() !== seen", arg=seen[0], timeout=SOON)
    return done


def play_out(pages: Sequence[Page], do: Doing = do) -> Counter[str]:
    """Play until the game is over."""
    return play(pages, lambda: all(task(page) == "over" for page in pages), do)


def hold_role(page: Page) -> None:
    """Press and hold one's own role."""
    page.locator("[data-role-hold]").hover()
    page.mouse.down()
    expect(page.locator("[data-secret]")).to_be_visible()


# Frames


def frames_sent(page: Page) -> list[str]:
    """All frames that this page sends, from its next socket on."""
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    return sent
