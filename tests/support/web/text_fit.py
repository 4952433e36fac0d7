"""Measures in a page whether all text is whole, lies on nothing else, stays on the screen, and is translated."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Page

from support.web.polling import eventually

FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").rstrip(";\n")
LAYOUT = """() => [innerWidth, document.body.innerText, document.scrollingElement.scrollHeight,
  ...[...document.querySelectorAll('[data-seat]')].map(one => one.getBoundingClientRect().x), document.fonts.status]"""


def text_faults(page: Page, names: Iterable[str] = (), untranslated: str = "") -> list[str]:
    """What is wrong with the text of this page, once it has stopped changing. The names are the players' and the room's
    own; any other text with one of these letters was not translated."""
    longest_first = sorted(names, key=len, reverse=True)
    measure = f"() => ({FAULTS})({json.dumps(longest_first)}, {json.dumps(untranslated)})"
    eventually(page, LAYOUT, lambda found: bool(found[-1] == "loaded"))
    faults: list[str] = page.evaluate(measure)
    return list(eventually(page, measure, lambda found: True)) if faults else []
