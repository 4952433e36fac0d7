"""Printing to a terminal and reading from it, with colour where the terminal has it."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final, NamedTuple
from unicodedata import combining, east_asian_width

WARNINGS = (60, 30, 10)  # seconds before the deadline at which a person is told
STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class TimeIsUp(Exception):
    """The deadline has passed while the person was being asked."""


class Deadline(NamedTuple):
    """A time on the clock of `time.monotonic`, and how a person is told that so many seconds are left."""

    at: float
    warning: Callable[[int], str]


class Terminal:
    """Prints and asks. Colour only on a terminal that has it, and never where NO_COLOR is set."""

    deadline: Deadline | None = None
    """When questions end unanswered; it is kept where a person types, and not where a file is read."""

    def __init__(self, colour: bool | None = None) -> None:
        self.is_screen = sys.stdout is not None and sys.stdout.isatty()  # and not a pipe or a file
        self._can_move = self.is_screen and os.environ.get("TERM") != "dumb"
        self._colour = self._can_move and not os.environ.get("NO_COLOR") if colour is None else colour

    def say(self, text: str = "", style: str = "") -> None:
        print(self.paint(text, style), flush=True)

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self._colour and style else text

    def ask(self, prompt: str, warn: bool = True) -> str:
        """A line from the person; EOFError at the end of the input, `TimeIsUp` at the deadline."""
        line = self.paint(f"{prompt} ", "cyan")
        print(line, end="", flush=True)  # input() would put it on standard error
        if self.deadline is not None and can_hush():
            self.wait_for_line(self.deadline, line if warn else "")
        return input().strip()

    def wait_for_line(self, deadline: Deadline, prompt: str) -> None:
        """Wait until a line is there. On the way the person is told how much time is left, and asked again."""
        marks = [mark for mark in WARNINGS if prompt and mark < deadline.at - time.monotonic()]
        while not has_line(deadline.at - (marks[0] if marks else 0) - time.monotonic()):
            if not marks:
                forget_typed()
                raise TimeIsUp
            print(f"\n{self.paint(deadline.warning(marks.pop(0)), 'yellow')}\n{prompt}", end="", flush=True)

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
                self.ask(prompt, warn=not rows)  # a warning would be more rows
            finally:
                if rows:
                    print("\r" + (f"\x1b[{rows - 1}A" if rows > 1 else "") + "\x1b[J", end="", flush=True)


def columns_of_screen() -> int:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


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


def has_line(seconds: float) -> bool:
    """Whether a line has been typed before so many seconds are over."""
    return bool(select.select([sys.stdin], [], [], max(0, seconds))[0])


def forget_typed() -> None:
    """A line that was begun for one question must not answer the next."""
    import termios

    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def can_hush() -> bool:
    """Whether the terminal can turn off the echo of typed characters."""
    try:
        import termios
    except ImportError:
        return False
    try:
        termios.tcgetattr(sys.stdin.fileno())
    except (termios.error, OSError, ValueError, AttributeError):  # no terminal, or no standard input
        return False
    return True


@contextmanager
def hushed() -> Iterator[None]:
    """Turn off the echo of typed characters, so that the cursor stays where the question ends."""
    if not sys.stdin.isatty():
        yield
        return
    import termios

    with without_modes(termios.ECHO | termios.ECHONL, termios.TCSADRAIN):
        yield


@contextmanager
def without_modes(modes: int, afterwards: int) -> Iterator[None]:
    """Turn off modes of the terminal at standard input; `afterwards` says when they are set again."""
    import termios

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    changed = [*before]
    changed[3] &= ~modes
    termios.tcsetattr(keyboard, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, afterwards, before)
