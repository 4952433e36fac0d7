"""Waits for a page to show what it should, however slow the machine is."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, TypeVar

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as Late

from support.waiting import PATIENCE, wait_until

Found = TypeVar("Found")
STEADY = """([rejected, frames]) => {
  const text = JSON.stringify((%s)());
  const last = window.measured?.text === text ? window.measured.times : 0;
  window.measured = { text, times: last + 1 };
  return window.measured.times > frames && text !== rejected && text;
}"""


def eventually(page: Page, measure: str, is_right: Callable[[Any], bool], frames: int = 3) -> Any:
    """Return what the JavaScript function `measure` returns, once `is_right` accepts it and it has not changed for some
    frames: a page takes a few of them to draw anew, and what was there before may have been right too."""
    deadline = time.monotonic() + PATIENCE
    text = None
    page.evaluate("() => void delete window.measured")
    while text is None or not is_right(json.loads(text)):
        left = max(1.0, 1_000 * (deadline - time.monotonic()))
        try:
            text = page.wait_for_function(STEADY % measure, arg=[text, frames], timeout=left).json_value()
        except Late as late:
            raise AssertionError(f"It is still {text}, and now {page.evaluate(measure)}.") from late
    return json.loads(text)


def at_most(limit: float) -> Callable[[float], bool]:
    return lambda found: found <= limit


def boxes(selector: str) -> str:
    """Measures left, top, width and height of all of these."""
    return f"""() => [...document.querySelectorAll('{selector}')]
      .map(one => one.getBoundingClientRect()).map(({{ x, y, width, height }}) => [x, y, width, height])"""


def look_again(measure: Callable[[], Found], is_right: Callable[[Found], bool]) -> Found:
    """The same for slow measurements, such as a screenshot."""
    deadline = time.monotonic() + PATIENCE
    while not is_right(found := measure()):
        assert time.monotonic() < deadline, f"It is still {found}."
    return found


def run_clock_until(page: Page, shown: Locator, *, is_gone: bool = False) -> None:
    """Let a held clock run on until this is visible, or no longer is. A connection that the page gives up meanwhile is
    opened again by the same clock, so one long run could stop it between two attempts."""

    def is_so() -> bool:
        page.clock.run_for(500)
        return shown.is_visible() != is_gone

    wait_until(is_so, f"{shown} was {'gone' if is_gone else 'shown'}")
