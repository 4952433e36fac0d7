"""Waits for a page: what it draws is measured until it is right, however slow the machine is."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Page

PATIENCE = 120.0  # seconds; every wait ends as soon as it can, so only a test that fails takes so long


def eventually(page: Page, measure: str, is_right: Callable[[Any], bool]) -> Any:
    """What this JavaScript function measures, once it is right. Until then, look whenever it has changed."""
    until = time.monotonic() + PATIENCE
    while not is_right(found := json.loads(text := page.evaluate(f"() => JSON.stringify(({measure})())"))):
        left = max(1.0, 1_000 * (until - time.monotonic()))
        try:
            page.wait_for_function(f"text => JSON.stringify(({measure})()) !== text", arg=text, timeout=left)
        except Error as late:
            raise AssertionError(f"It is still {found}.") from late
    return found
