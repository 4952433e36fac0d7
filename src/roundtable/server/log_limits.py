"""A rate limit for log lines, so that bad requests cannot fill the disk."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

LINES = 10  # of one message and logger, in one window
WINDOW = 60.0  # seconds
MOST_MESSAGES = 1_000  # that are counted; there are far fewer, unless messages are built from what clients send


class LogLimit(logging.Filter):
    """Lets a few lines a minute of each message pass, by its template. The last of them says that more are left out,
    and the first after that minute how many were. It belongs to handlers: a logger does not filter for its children."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._windows: dict[tuple[str, str], tuple[float, int]] = {}  # when each began, and its lines so far

    def filter(self, record: logging.LogRecord) -> bool:
        with self._lock:
            note = self._count((record.name, str(record.msg)))
        if note:
            record.msg, record.args = f"{record.getMessage()} ({note})", ()
        return note is not None

    def _count(self, key: tuple[str, str]) -> str | None:
        """What to add to this line; None where it is left out."""
        now = self._clock()
        begun, lines = self._windows.get(key, (now, 0))
        left_out = 0
        if now >= begun + WINDOW:
            begun, lines, left_out = now, 0, max(0, lines - LINES)
        if key not in self._windows and len(self._windows) >= MOST_MESSAGES:
            del self._windows[next(iter(self._windows))]
        self._windows[key] = (begun, lines + 1)
        if lines >= LINES:
            return None
        if lines == LINES - 1:
            return "more lines like this are left out for a minute"
        return f"{left_out} lines like this were left out" if left_out else ""


def limit_log() -> None:
    """Limit what goes to the log, uvicorn's lines included."""
    limit = LogLimit()
    for handler in logging.getLogger().handlers:
        handler.addFilter(limit)
