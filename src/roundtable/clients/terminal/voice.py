"""How the terminal speaks and listens: colour where there is any, plain text where there is none."""

from __future__ import annotations

import os
import sys
from typing import Final

STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Voice:
    """Prints and asks. Colour only on a terminal that has it, and never where NO_COLOR is set."""

    def __init__(self, colour: bool | None = None) -> None:
        if colour is None:
            colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._colour = colour

    def say(self, text: str = "", style: str = "") -> None:
        print(self.paint(text, style), flush=True)

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self._colour and style else text

    def ask(self, prompt: str) -> str:
        """A line from the person; EOFError where nobody is there any more."""
        return input(self.paint(f"{prompt} ", "cyan")).strip()

    def show_and_hide(self, text: str) -> None:
        """Show a secret until Enter is pressed, then take it off the screen where the terminal can."""
        lines = text.splitlines()
        for line in lines:
            self.say(line, "yellow")
        self.ask("(Enter hides it again)")
        if self._colour:
            print(f"\x1b[{len(lines) + 1}A\x1b[J", end="", flush=True)
