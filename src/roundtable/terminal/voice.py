"""Printing to a terminal and reading from it, with colour where the terminal has it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final
from unicodedata import combining, east_asian_width

STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Voice:
    """Prints and asks. Colour only on a terminal that has it, and never where NO_COLOR is set."""

    def __init__(self, colour: bool | None = None) -> None:
        self._can_move = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._colour = self._can_move and not os.environ.get("NO_COLOR") if colour is None else colour

    def say(self, text: str = "", style: str = "") -> None:
        print(self.paint(text, style), flush=True)

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self._colour and style else text

    def ask(self, prompt: str) -> str:
        """A line from the person; EOFError at the end of the input."""
        print(self.paint(f"{prompt} ", "cyan"), end="", flush=True)  # input() would put it on standard error
        return input().strip()

    @property
    def can_hide(self) -> bool:
        """Whether this terminal can remove lines from its screen."""
        return self._can_move and (not sys.stdin.isatty() or can_hush())

    def show_and_hide(self, text: str, hide: str, stays: str) -> None:
        """Show a secret until Enter or Ctrl-C is pressed, and then remove it from the screen where the terminal can.

        `hide` is the prompt where it can be removed, `stays` where it cannot.
        """
        lines, prompt = text.splitlines(), hide
        columns, height = os.get_terminal_size(sys.stdout.fileno()) if self.can_hide else (0, 0)
        rows = rows_used([*lines, f"{prompt} "], columns or 80)
        if not self.can_hide or rows > (height or 24):  # lines that have scrolled off the screen cannot be removed
            prompt, rows = stays, 0
        with hushed() if rows else nullcontext():
            try:
                for line in lines:
                    self.say(line, "yellow")
                self.ask(prompt)
            finally:
                if rows:
                    print("\r" + (f"\x1b[{rows - 1}A" if rows > 1 else "") + "\x1b[J", end="", flush=True)


def rows_used(lines: Iterable[str], columns: int) -> int:
    """How many rows these lines take on a screen of that width."""
    rows = 0
    for line in lines:
        rows, column = rows + 1, 0
        for sign in line:
            width = 0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1
            if column + width > columns:
                rows, column = rows + 1, 0
            column += width
    return rows


def can_hush() -> bool:
    """Whether the terminal can turn off the echo of typed characters."""
    try:
        import termios
    except ImportError:
        return False
    try:
        termios.tcgetattr(sys.stdin.fileno())
    except termios.error:
        return False
    return True


@contextmanager
def hushed() -> Iterator[None]:
    """Turn off the echo of typed characters, so that the cursor stays where the question ends."""
    if not sys.stdin.isatty():
        yield
        return
    import termios

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    silent = [*before]
    silent[3] &= ~(termios.ECHO | termios.ECHONL)
    termios.tcsetattr(keyboard, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
