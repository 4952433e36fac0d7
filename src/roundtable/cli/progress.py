"""How far long work has come: a bar on a terminal, a line for every tenth elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from roundtable.cli.printing import aside
from roundtable.core.catalogue import catalogue

WIDTH = 30
BETWEEN = 0.1  # seconds between two pictures of the bar


class Progress:
    """Goes to standard error, so that what is printed can be read by programs."""

    def __init__(self, total: int, lang: str, what: str = "games") -> None:
        self._what = what
        self._total = total
        self._lang = lang
        self._began = time.monotonic()
        self._found: int | None = None
        self._drawn = -1.0
        self._tenth = 0
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def show(self, done: int) -> None:
        now = time.monotonic()
        if self._found is None:  # what was finished before we began says nothing about our speed
            self._found, self._began = done, now
        if self._is_terminal:
            if now - self._drawn >= BETWEEN or done == self._total:
                self._drawn = now
                self._draw(f"\r{self._bar(done)} {self._words(done, now)}\x1b[K")
        elif (tenth := 10 * done // self._total) > self._tenth:
            self._tenth = tenth
            aside(self._words(done, now))

    def end(self) -> None:
        """Leave a clean line."""
        if self._is_terminal and self._drawn >= 0:
            self._draw("\r\x1b[K")

    def _bar(self, done: int) -> str:
        full = WIDTH * done // self._total
        return f"[{'#' * full}{'.' * (WIDTH - full)}]"

    def _words(self, done: int, now: float) -> str:
        made, taken = done - (self._found or 0), now - self._began
        words, so_far, total = catalogue(self._lang), f"{done:,}", f"{self._total:,}"
        if not made or taken <= 0:
            return words.text(f"progress.{self._what}", done=so_far, total=total)
        rate, seconds = f"{made / taken:,.0f}", f"{(self._total - done) * taken / made:.0f}"
        return words.text(f"progress.{self._what}_rate", done=so_far, total=total, rate=rate, seconds=seconds)

    def _draw(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)


@contextmanager
def progress_of(what: str, lang: str) -> Iterator[Callable[[int, int], None]]:
    """A function that takes what is done and the total, for work that finds its total only when it begins."""
    bars: list[Progress] = []

    def show(done: int, total: int) -> None:
        if not bars:
            bars.append(Progress(total, lang, what))
        bars[0].show(done)

    try:
        yield show
    finally:
        for bar in bars:
            bar.end()
