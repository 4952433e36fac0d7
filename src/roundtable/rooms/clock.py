"""When a phase ends: it follows from the events and the times at which they were written."""

from __future__ import annotations

from dataclasses import dataclass

from roundtable.core import events as happened
from roundtable.core.events import Event

CLOCK_EVENTS = frozenset(  # the events that change the clock
    {
        happened.PhaseBegan,
        happened.CountdownStarted,
        happened.ClockPaused,
        happened.ClockResumed,
        happened.ClockExtended,
        happened.GameEnded,
    }
)


@dataclass
class GameClock:
    """The deadline of the phase in milliseconds since 1970; while the game is paused, the milliseconds left."""

    ends_at: int | None = None
    left: int | None = None  # while paused
    is_paused: bool = False

    def absorb(self, event: Event, at: int) -> None:
        match event:
            case happened.PhaseBegan(seconds=seconds):
                self._set(seconds, at)
            case happened.CountdownStarted(seconds=seconds):
                self._set(seconds, at)
            case happened.ClockPaused():
                self.is_paused = True
                self.left = None if self.ends_at is None else max(0, self.ends_at - at)
                self.ends_at = None
            case happened.ClockResumed():
                self.is_paused = False
                self.ends_at = None if self.left is None else at + self.left
                self.left = None
            case happened.ClockExtended(seconds=seconds):
                self.ends_at = None if self.ends_at is None else self.ends_at + seconds * 1000
                self.left = None if self.left is None else self.left + seconds * 1000
            case happened.GameEnded():
                self.ends_at = self.left = None

    def _set(self, seconds: int | None, at: int) -> None:
        """A phase that begins while the clock is paused waits as well."""
        given = None if seconds is None else seconds * 1000
        self.left = given if self.is_paused else None
        self.ends_at = None if given is None or self.is_paused else at + given
