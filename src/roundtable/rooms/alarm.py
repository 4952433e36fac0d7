"""A room's alarm: it rings when the next thing is due."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from roundtable.rooms.aggregate import RoomAggregate

RETRY_AFTER = 500  # milliseconds after which something is tried again that could not be written


class Alarm:
    """Set to what `next_due` says, in milliseconds since 1970, it calls `ring` then. It may ring too early; then it
    looks around, and is set anew: cheaper than at every move."""

    def __init__(self, standing: RoomAggregate, next_due: Callable[[], int], ring: Callable[[], None]) -> None:
        self._standing = standing
        self._next_due = next_due
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0  # when it rings
        self._patient_until = 0  # after a failure nothing rings before
        self._is_stopped = False

    @property
    def is_set(self) -> bool:
        return self._timer is not None

    def set(self) -> None:
        if self._is_stopped or self._standing.state.is_closed:
            return
        due = max(self._next_due(), self._patient_until)
        if self._timer:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due = due
        seconds = max(0, due - self._standing.now()) / 1000
        self._timer = asyncio.get_running_loop().call_later(seconds, self._time_has_come)

    def put_off(self) -> None:
        """Whatever is due stays due, but not at once: a full disk must not keep the house busy."""
        self._patient_until = self._standing.now() + RETRY_AFTER
        self.set()

    def look_at_the_clock(self) -> None:
        """It is another time than the timer counts on: the machine has slept, or its clock was set."""
        if self._timer:
            self._timer.cancel()
            self._time_has_come()

    def stop(self) -> None:
        self._is_stopped = True
        if self._timer:
            self._timer.cancel()

    def _time_has_come(self) -> None:
        """Or not yet, by the machine's clock or because what was due has moved."""
        self._timer = None
        if max(self._due, self._patient_until) > self._standing.now():
            self.set()
        else:
            self._ring()
