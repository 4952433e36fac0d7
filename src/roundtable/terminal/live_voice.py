"""A terminal at which news arrives while a person types: it is printed above the line that they are typing."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

from roundtable.terminal.asking import COMMANDS
from roundtable.terminal.keyboard import InputEnded, Keys, Line
from roundtable.terminal.voice import WARNINGS, Deadline, Terminal, can_hush, columns_of_screen, rows_used

Answer = TypeVar("Answer")
QUIET = 0.5  # seconds without news after which there is nothing more to wait for


class Overtaken(Exception):
    """What was asked is out of date: the table has moved on."""


class Woken:
    """Something that was waited for has happened."""


class LiveTerminal(Terminal):
    """Waits for keys and for news at the same time; both come through one inbox."""

    def __init__(self) -> None:
        super().__init__()
        self.inbox: SimpleQueue[object] = SimpleQueue()
        self.on_news: Callable[[object], None] = lambda news: None
        self.on_quiet: Callable[[], None] = lambda: None
        self.on_typed: Callable[[], None] = lambda: None
        self.state: Callable[[], object] = lambda: None  # a question is out of date when this has changed
        self._line = Line()
        self._prompt: str | None = None  # what is on the screen in front of the cursor
        self._held: list[object] | None = None  # news that waits while a secret is on the screen
        self._first: deque[object] = deque()  # what was taken out of the inbox too early
        self._warned = float("inf")  # the last mark of the countdown that was told
        self._can_edit = self._can_move and can_hush()

    # Printing above the line

    def say(self, text: str = "", style: str = "") -> None:
        self._lift()
        super().say(text, style)

    def _lift(self) -> None:
        """Remove the question and the line from the screen, until `_lower`."""
        if self._prompt is None:
            return
        if self._can_edit:
            rows = rows_used([self._prompt + self._line.text], columns_of_screen())
            print("\r" + (f"\x1b[{rows - 1}A" if rows > 1 else "") + "\x1b[J", end="", flush=True)
        else:
            print(flush=True)
        self._prompt = None

    def _lower(self, prompt: str) -> None:
        if self._prompt is None:
            typed = self._line.text if self._can_edit else ""
            print(self.paint(prompt, "cyan") + typed, end="", flush=True)
            self._prompt = prompt

    # Waiting

    def ask(self, prompt: str, warn: bool = True) -> str:
        """A line from the person. `Overtaken` if the table moves on, unless the question hides a secret afterwards."""
        shown, is_secret, before = f"{prompt} ", not warn, self.state()
        if is_secret:
            self._held = []
            print(self.paint(shown, "cyan"), end="", flush=True)
        try:
            return self._answer(shown, is_secret, before)
        finally:
            held, self._held = self._held, None
            self._first.extendleft(reversed(held or ()))

    def _answer(self, shown: str, is_secret: bool, before: object) -> str:
        if self._line.has_more and (line := self._type("", shown, is_secret)) is not None:
            return line
        while True:
            if not is_secret:
                self._lower(shown)
            thing = self._next()
            if isinstance(thing, Keys):
                if (line := self._type(thing.text, shown, is_secret)) is not None:
                    return line
            elif isinstance(thing, InputEnded):
                self._first.append(thing)  # every later question ends in the same way
                raise EOFError
            elif thing is not None:
                self._take(thing)
                if not is_secret and self.state() != before:
                    self._give_up_line()
                    raise Overtaken

    def _type(self, keys: str, shown: str, is_secret: bool) -> str | None:
        self.on_typed()
        old = self._line.text
        line = self._line.type(keys)
        if is_secret or not self._can_edit:
            if line is not None and not is_secret:
                self._prompt = None
            return None if line is None else line.strip()
        new = self._line.text if line is None else line
        if new.startswith(old):
            print(new[len(old) :], end="", flush=True)
        else:
            self._line.text, typed = old, new
            self._lift()
            self._line.text = typed
            self._lower(shown)
        if line is None:
            return None
        self._line.text = ""
        self._prompt = None
        print(flush=True)
        return line.strip()

    def _give_up_line(self) -> None:
        """What was begun answered the old question, unless it is a command."""
        if self._line.text.split(" ", 1)[0].casefold() not in COMMANDS or " " not in self._line.text:
            self._lift()
            self._line.forget()

    def wait_for(self, answer: Future[Answer]) -> Answer:
        """The result of a request; news is printed meanwhile, and keys wait."""
        answer.add_done_callback(lambda _: self.inbox.put(Woken()))
        keys: list[object] = []
        while not answer.done():
            thing = self._next()
            if isinstance(thing, Keys | InputEnded):
                keys.append(thing)
            elif thing is not None:
                self._take(thing)
        self._first.extendleft(reversed(keys))
        return answer.result()

    def _take(self, thing: object) -> None:
        if isinstance(thing, Woken):
            return
        if self._held is not None:
            self._held.append(thing)
        else:
            self.on_news(thing)

    def _next(self) -> object | None:
        """Keys or news; None when nothing has come for a while."""
        if self._first:
            return self._first.popleft()
        try:
            return self.inbox.get(timeout=QUIET)  # which also lets Ctrl-C in where it does not interrupt a wait
        except Empty:
            if self._held is None:
                self.on_quiet()
                self._warn()
            return None

    # Time

    def _warn(self) -> None:
        """Tell the person how much time is left, once at each mark."""
        if self.deadline is None:
            return
        left = self.deadline.at - time.monotonic()
        passed = [mark for mark in WARNINGS if left <= mark]
        if passed and passed[-1] < self._warned and left > 0:
            self.say(self.deadline.warning(passed[-1]), "yellow")
        self._warned = min([self._warned, *passed])

    def set_deadline(self, deadline: Deadline | None) -> None:
        """Count down to this from now on; marks that have passed already are not told."""
        self.deadline = deadline
        left = float("inf") if deadline is None else deadline.at - time.monotonic()
        self._warned = min([float("inf"), *(mark for mark in WARNINGS if left <= mark)])
