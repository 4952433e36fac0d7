"""An event loop in a thread, for tests whose own thread cannot run one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

from support.waiting import PATIENCE

Result = TypeVar("Result")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


def in_background(work: Coroutine[Any, Any, Result]) -> Result:
    """Run this in the loop of the thread, and wait for its result."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result(PATIENCE)
