"""A player's program: a process of its own, heard line by line, that can neither hold up nor fill up the table.

Nothing here waits for the program. What it may send is limited, and so is what it has not read yet. When it is ended,
everything that it started in its process group is ended with it.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import IO, NamedTuple

from roundtable.core.names import printable
from roundtable.core.seats import Seat
from roundtable.protocol.encoding import LONGEST

MOST_BYTES = 65_536  # a phase, on standard output and on standard error each
MOST_LINES = 200  # a phase
MOST_UNREAD = 1 << 20  # bytes that wait for a program which does not read
TICK = 0.05  # seconds between two looks at who is still there
TOO_LONG = b"\0"  # stands for a line that was longer than allowed, and reads as none of ours


class Departure(NamedTuple):
    """Why a program left: `referee.left.<reason>` in the catalogues, and its exit code or signal where it has one."""

    reason: str
    number: int | None = None


Aside = Callable[[Seat, str], None]


class BotProcess:
    """One program, its three pipes, and why it is gone, if it is."""

    def __init__(self, seat: Seat, command: Sequence[str], selector: selectors.BaseSelector, aside: Aside) -> None:
        self.seat = seat
        self.command = tuple(command)
        self.gone: Departure | None = None
        self._selector = selector
        self._aside = aside
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (_unblocked(stream) for stream in streams)
        self._unread = bytearray()
        self._is_deaf = False
        self._lines: list[bytes] = []
        self._begun = b""
        self._is_skipping = False
        self._aside_begun = b""
        self.begin_phase()
        selector.register(self._stdout, selectors.EVENT_READ, self._listen)
        selector.register(self._stderr, selectors.EVENT_READ, self._read_stderr)

    # What it is told

    def tell(self, line: bytes) -> None:
        """Send it a line, now or as soon as it reads."""
        if self.gone is not None or self._is_deaf:
            return
        self._unread += line
        self._send()
        if len(self._unread) > MOST_UNREAD:
            self.end("stopped_reading")

    def _send(self) -> None:
        try:
            with suppress(BlockingIOError):
                while self._unread:
                    del self._unread[: os.write(self._stdin.fileno(), self._unread[:MOST_BYTES])]
        except OSError:  # the program no longer reads; it may still write
            self._is_deaf = True
            self._unread.clear()
        self._wish_to_send(bool(self._unread))

    def _wish_to_send(self, wishes: bool) -> None:
        is_waiting = self._stdin in self._selector.get_map()
        if wishes and not is_waiting:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._send)
        elif is_waiting and not wishes:
            self._forget(self._stdin)

    # What it says

    def begin_phase(self) -> None:
        """A new phase, and a new allowance of words."""
        self._bytes_left = self._aside_left = MOST_BYTES
        self._lines_left = MOST_LINES

    def take_lines(self) -> list[bytes]:
        """The whole lines that came since the last time."""
        lines, self._lines = self._lines, []
        return lines

    def _listen(self) -> None:
        if (said := self._read(self._stdout)) is None:
            return
        if not said:
            self._hung_up()
            return
        *whole, self._begun = (self._begun + said).split(b"\n")
        if whole and self._is_skipping:
            whole[0], self._is_skipping = TOO_LONG, False
        if len(self._begun) >= LONGEST:
            self._begun, self._is_skipping = b"", True
        self._bytes_left -= len(said)
        self._lines_left -= len(whole)
        if min(self._bytes_left, self._lines_left) < 0:
            self.end("flooded_output")
            return
        self._lines += [line if len(line) < LONGEST else TOO_LONG for line in whole]

    def _read_stderr(self) -> None:
        if (said := self._read(self._stderr)) is None:
            return
        self._aside_left -= len(said)
        if self._aside_left < 0:
            self.end("flooded_errors")
            return
        *whole, rest = (self._aside_begun + said).split(b"\n")
        if not said or len(rest) >= LONGEST:
            whole, rest = [*whole, *([rest] if rest else [])], b""
        self._aside_begun = rest
        for line in whole:
            self._aside(self.seat, _showable(line))
        if not said:
            self._forget(self._stderr)

    def _read(self, stream: IO[bytes]) -> bytes | None:
        """What waits in a pipe: nothing at its end, None where there is nothing yet."""
        try:
            return os.read(stream.fileno(), MOST_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    # How it leaves

    def look(self) -> None:
        """Notice a program that has ended although something it started still holds its pipes."""
        if self.gone is None and self._process.poll() is not None:
            self._listen()
            if self.gone is None:
                self._hung_up()

    def _hung_up(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=TICK)  # one that is about to end may say how
        self._read_stderr()
        self.end("not_ending")
        self.gone = _departure(self._process.returncode)

    def close_input(self) -> None:
        """Nothing more will be sent: close its standard input, once it has read what waits for it."""
        if self.gone is None and not self._unread:
            with suppress(OSError):
                self._stdin.close()

    def end(self, reason: str) -> None:
        """End the program and all that it started, and let go of its pipes."""
        if self.gone is not None:
            return
        self.gone = Departure(reason)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        for stream in (self._stdin, self._stdout, self._stderr):
            if not stream.closed:
                self._forget(stream)
                with suppress(OSError):
                    stream.close()

    def _forget(self, stream: IO[bytes]) -> None:
        with suppress(KeyError):
            self._selector.unregister(stream)


def pump(selector: selectors.BaseSelector, bots: Iterable[BotProcess], seconds: float) -> None:
    """Read and write whatever can be, for a moment at most."""
    if selector.get_map():
        for key, _ in selector.select(min(max(seconds, 0), TICK)):
            if not getattr(key.fileobj, "closed", True):  # an earlier one in this round may have closed it
                key.data()
    for bot in bots:
        bot.look()


def _departure(code: int | None) -> Departure:
    """Why a program left whose pipes are closed, by its exit code after it was ended."""
    if code is None:
        return Departure("not_ending")
    if code == -signal.SIGKILL:
        return Departure("closed_pipes")
    return Departure("exited", code) if code >= 0 else Departure("signalled", -code)


def _unblocked(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream


def _showable(line: bytes) -> str:
    """A program's aside, without anything that could move a terminal's cursor."""
    return printable(line.decode(errors="backslashreplace"))
