"""Commands such as `roundtable play` in a pseudo-terminal: a test types, and reads the screen as a person sees it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Mapping, Sequence
from pathlib import Path
from unicodedata import combining, east_asian_width

from roundtable.bots.dice import Dice
from support.waiting import PATIENCE, wait_until

CTRL_C = b"\x03"
PROMPT = re.compile(
    r"(Your choice:|choose again:|Type (\d seats|a seat), such as [\d ]+:|Which quest\?.*:|Who carries Excalibur\?"
    r"|do it anyway:|to hide it\)|to continue\)) $"
)
CONTROL = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


class Screen:
    """The text on a terminal of a given width, after control sequences."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.rows: list[str] = [""]
        self.row = self.column = 0

    def show(self, text: str) -> str:
        place = 0
        while place < len(text):
            if control := CONTROL.match(text, place):
                self._move(control[2], int(control[1].split(";")[0] or 1))
                place = control.end()
            else:
                self._put(text[place])
                place += 1
        return "\n".join(self.rows)

    def _move(self, letter: str, count: int) -> None:
        if letter == "A":
            assert count <= self.row, "The cursor would leave the screen."
            self.row -= count
        elif letter == "J":
            self.rows[self.row] = self.rows[self.row][: self.column]
            del self.rows[self.row + 1 :]
        else:
            assert letter == "m"

    def _put(self, sign: str) -> None:
        width = 0 if sign in "\r\n" or combining(sign) else 2 if east_asian_width(sign) in "WF" else 1
        if sign in "\r\n":
            self.row, self.column = self.row + (sign == "\n"), 0
        elif self.column + width > self.columns:
            self.row, self.column = self.row + 1, 0
        self.rows += [""] * (self.row + 1 - len(self.rows))
        if width:
            line = self.rows[self.row].ljust(self.column)
            self.rows[self.row] = line[: self.column] + sign + line[self.column + width :]
            self.column += width


class TerminalSession:
    """Runs a command, `roundtable play` unless told otherwise, in a pseudo-terminal, types, and reads its screen."""

    def __init__(
        self,
        *arguments: object,
        colour: bool = False,
        term: str = "xterm",
        columns: int = 80,
        rows: int = 24,
        program: Sequence[str] = (sys.executable, "-m", "roundtable"),
        command: str = "play",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.hand, screen = pty.openpty()
        self.columns = columns
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        inherited = {name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        inherited |= {"TERM": term} | ({} if colour else {"NO_COLOR": "1"}) | dict(environment or {})
        self.process = subprocess.Popen(
            [*program, command, *map(str, arguments)], stdin=screen, stdout=screen, stderr=screen, env=inherited,
            start_new_session=True, preexec_fn=_take_terminal,
        )  # fmt: skip
        os.close(screen)
        self.seen = ""
        self._found_to = 0  # in the text without control sequences, for `read_until`
        self._decoder = getincrementaldecoder("utf-8")()

    @property
    def screen(self) -> str:
        """The whole screen, with what has scrolled away."""
        return Screen(self.columns).show(self.seen)

    def read(self) -> str:
        """New output, up to the next prompt or the end."""
        new, printed = "", b""
        while not PROMPT.search(CONTROL.sub("", new)):
            assert select.select([self.hand], [], [], PATIENCE)[0], f"nothing more was shown after {new!r}"
            try:
                printed += os.read(self.hand, 65536)
            except OSError:  # the process has ended
                break
            new = printed.decode(errors="replace").replace("\r\n", "\n")  # the last character may be incomplete
        self.seen += new
        return new

    def read_until(self, pattern: str) -> str:
        """Read until the pattern is found after where it was found last; the text up to its end."""
        while True:
            text = self.text
            if found := re.search(pattern, text[self._found_to :], re.MULTILINE):
                begin, self._found_to = self._found_to, self._found_to + found.end()
                return text[begin : self._found_to]
            shown = text[self._found_to :]
            assert select.select([self.hand], [], [], PATIENCE)[0], f"{pattern!r} was not shown after {shown!r}"
            try:
                self.seen += self._decoder.decode(os.read(self.hand, 65536))
            except OSError:  # the process has ended
                raise AssertionError(f"{pattern!r} was not shown before the end: {shown!r}") from None

    @property
    def text(self) -> str:
        """Everything that was printed, without control sequences."""
        return CONTROL.sub("", self.seen).replace("\r\n", "\n")

    def read_what_is_there(self) -> None:
        """Read what has been printed by now, and wait a moment for it."""
        while select.select([self.hand], [], [], 0.05)[0]:
            try:
                self.seen += self._decoder.decode(os.read(self.hand, 65536))
            except OSError:  # the process has ended
                return

    def press(self, keys: bytes) -> None:
        os.write(self.hand, keys)

    def type(self, text: str) -> str:
        os.write(self.hand, text.encode() + b"\n")
        return self.read()

    def interrupt(self) -> str:
        self._wait_for_prompt()
        os.write(self.hand, CTRL_C)
        return self.read()

    def _wait_for_prompt(self) -> None:
        """Wait until the process sleeps in read(); before that, Ctrl-C would interrupt the printing."""
        status = Path(f"/proc/{self.process.pid}/stat")
        if status.exists():  # on Linux only
            wait_until(lambda: status.read_text().rpartition(")")[2].split()[0] == "S", "the process waits for input")

    def leave(self) -> int:
        code = self.process.wait(timeout=PATIENCE)
        os.close(self.hand)
        return code


def legal_answer(screen: str, dice: Dice) -> str:
    """A legal answer to what is asked."""
    question = screen.splitlines()[-1]
    if named := re.match(r"Pick (\d+) players \((.*)\)\. Type \d seats, such as [\d ]+:", question):
        return " ".join(dice.sample(re.findall(r"(\d+) ", named[2]), int(named[1])))
    if "Which quest?" in question:
        return str(dice.choice(re.findall(r"(\d) \(", question)))
    if "do it anyway:" in question:
        return "yes"
    if "Your choice:" in question:
        return str(dice.choice(re.findall(r"^  (\d+)  ", screen.rpartition("?\n")[2], re.MULTILINE)))
    return ""


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
