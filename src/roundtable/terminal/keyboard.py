"""Keys as they are typed while a table goes on: read in a thread, edited as a line, drawn again below the news.

Written here because `input` holds the whole screen until Enter, and prompt_toolkit is more than a line of text needs.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from unicodedata import combining

from roundtable.core.names import is_unprintable
from roundtable.terminal.voice import can_hush, without_modes

ENTER = ("\n", "\r")
BACKSPACE = ("\x7f", "\b")
KILL_LINE, KILL_WORD, END_OF_INPUT = "\x15", "\x17", "\x04"  # Ctrl-U, Ctrl-W, Ctrl-D
SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O?.)?")  # arrows and other keys that have no letter
LONGEST_LINE = 1000


class Keys(NamedTuple):
    """Characters from a keyboard, or whole lines from a pipe."""

    text: str


class InputEnded:
    """Nothing more will be typed."""


def read_keys(deliver: Callable[[object], None]) -> None:
    """Read standard input in a thread of its own, to its end."""
    threading.Thread(target=_read, args=(deliver,), daemon=True).start()


def _read(deliver: Callable[[object], None]) -> None:
    decoder = getincrementaldecoder("utf-8")("replace")
    try:
        while typed := os.read(sys.stdin.fileno(), 4096):
            deliver(Keys(decoder.decode(typed)))
    except (OSError, ValueError):
        pass
    deliver(InputEnded())


class Line:
    """A line that is being typed."""

    def __init__(self) -> None:
        self.text = ""
        self._later = ""  # keys after Enter, which belong to the next line

    def type(self, keys: str) -> str | None:
        """Take keys; the line if Enter is among them. `EOFError` for Ctrl-D in an empty line."""
        pressed = SEQUENCE.sub("", self._later + keys)
        self._later = ""
        for place, key in enumerate(pressed):
            if key in ENTER:
                line, self.text, self._later = self.text, "", pressed[place + 1 :]
                return line
            self._press(key)
        return None

    @property
    def has_more(self) -> bool:
        return bool(self._later)

    def forget(self) -> None:
        """A line that was begun for one question must not answer the next."""
        self.text = self._later = ""

    def _press(self, key: str) -> None:
        if key in BACKSPACE:
            while self.text and combining(self.text[-1]):
                self.text = self.text[:-1]
            self.text = self.text[:-1]
        elif key == KILL_LINE:
            self.text = ""
        elif key == KILL_WORD:
            self.text = self.text.rstrip().rpartition(" ")[0]
        elif key == END_OF_INPUT and not self.text:
            raise EOFError
        elif not is_unprintable(key) and len(self.text) < LONGEST_LINE:
            self.text += key


@contextmanager
def single_keys() -> Iterator[None]:
    """Every key comes at once and is not echoed, where standard input is a terminal; Ctrl-C still interrupts."""
    if not can_hush():
        yield
        return
    import termios

    with without_modes(termios.ICANON | termios.ECHO, termios.TCSAFLUSH):
        yield
