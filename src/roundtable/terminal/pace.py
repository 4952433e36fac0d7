"""How long a story pauses around each thing that happens, so that people can read along."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

from roundtable.core.events import Event, GameEnded
from roundtable.terminal.voice import can_hush, has_line
from roundtable.text.teller import Teller

SPEEDS: Final = {"instant": 0.0, "quick": 0.4, "human": 1.0, "slow": 2.0}
READING = 0.03  # seconds for each character
LONGEST_READ = 2.0  # seconds for one sentence; a check code is not read letter by letter
BREATH = 0.5  # after every sentence
SUSPENSE = 1.0  # before a result: the votes, a quest, a verdict
CHAPTER = 1.5  # before the next proposal, day or night
END = 2.5  # before the winner is named


def seconds_before(event: Event, teller: Teller) -> float:
    """The pause before an event is told. It depends on public facts alone."""
    if isinstance(event, GameEnded):
        return END
    return CHAPTER if teller.opens_paragraph(event) else SUSPENSE if teller.is_aside(event) else 0.0


def seconds_after(sentence: str) -> float:
    """How long people read a sentence."""
    return BREATH + min(READING * len(sentence.strip()), LONGEST_READ)


class Pacer:
    """Pauses at a speed; where a person sits at the keyboard, Enter ends a pause."""

    def __init__(self, pace: str, wait: Callable[[float], object] | None = None) -> None:
        self._speed = SPEEDS[pace]
        self._wait = wait or (wait_for_enter if can_hush() else time.sleep)

    @property
    def is_skippable(self) -> bool:
        """Whether there are pauses that Enter ends."""
        return self._speed > 0 and self._wait is wait_for_enter

    def pause(self, seconds: float) -> None:
        if seconds and self._speed:
            self._wait(seconds * self._speed)


def wait_for_enter(seconds: float) -> None:
    if has_line(seconds):
        sys.stdin.readline()
