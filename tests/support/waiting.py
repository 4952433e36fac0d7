"""Waits for a condition, with the same pause and the same deadline in all tests."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from inspect import isawaitable
from typing import TypeVar

PATIENCE = 300.0  # seconds after which a test gives up: far more than any wait takes on a busy machine
PAUSE = 0.01  # seconds between two calls
DEAR = 0.1  # the same, if a call costs milliseconds

Seen = TypeVar("Seen")


def wait_until(look: Callable[[], Seen], what: str) -> Seen:
    """Call `look` until it returns something true, and return that."""
    deadline, never = time.monotonic() + PATIENCE, threading.Event()
    while not (seen := look()):
        assert time.monotonic() < deadline, f"never happened: {what}"
        never.wait(PAUSE)
    return seen


async def until(look: Callable[[], object], what: str, pause: float = PAUSE) -> None:
    """The same in an event loop, which goes on meanwhile. `look` may return an awaitable."""
    deadline = time.monotonic() + PATIENCE
    while True:
        seen = look()
        if await seen if isawaitable(seen) else seen:
            return
        assert time.monotonic() < deadline, f"never happened: {what}"
        await asyncio.sleep(pause)
