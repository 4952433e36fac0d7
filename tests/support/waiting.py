"""Waiting for a condition: one pause between two looks, and one deadline for all tests."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from inspect import isawaitable
from typing import TypeVar

PATIENCE = 300.0  # seconds after which a test gives up: far more than any wait takes on a busy machine
PAUSE = 0.01  # seconds between two looks

Seen = TypeVar("Seen")


def wait_until(look: Callable[[], Seen], what: str) -> Seen:
    """Look again and again until there is something to see, and return it."""
    deadline, never = time.monotonic() + PATIENCE, threading.Event()
    while not (seen := look()):
        assert time.monotonic() < deadline, f"never happened: {what}"
        never.wait(PAUSE)
    return seen


async def until(look: Callable[[], object], what: str) -> None:
    """The same in an event loop, which goes on meanwhile. A look may have to be awaited."""
    deadline = time.monotonic() + PATIENCE
    while True:
        seen = look()
        if await seen if isawaitable(seen) else seen:
            return
        assert time.monotonic() < deadline, f"never happened: {what}"
        await asyncio.sleep(PAUSE)
