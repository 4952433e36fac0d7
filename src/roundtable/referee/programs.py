"""Programs that are running: each plays one seat for game after game, and all are ended together."""

from __future__ import annotations

import selectors
from collections.abc import Sequence
from time import monotonic
from types import TracebackType
from typing import Self

from roundtable.core.seats import Seat
from roundtable.referee.program import Aside, BotProcess, pump

EXIT_SECONDS = 1.0  # seconds in which programs may end by themselves when their input is closed


class Programs:
    """Starts a program when its seat first needs it. Use it in a `with` statement."""

    def __init__(self, aside: Aside) -> None:
        self._aside = aside
        self._selector = selectors.DefaultSelector()
        self._running: dict[tuple[Seat, tuple[str, ...]], BotProcess] = {}

    def at(self, seat: Seat, command: Sequence[str]) -> BotProcess:
        """The process of this command at this seat."""
        key = seat, tuple(command)
        if key not in self._running:
            self._running[key] = BotProcess(seat, command, self._selector, self._aside)
        return self._running[key]

    def dismiss(self, bot: BotProcess) -> None:
        """End this program; its seat starts it anew when it needs it again."""
        bot.end("closed")
        del self._running[bot.seat, bot.command]

    def pump(self, seconds: float) -> None:
        pump(self._selector, self._running.values(), seconds)

    def finish(self) -> None:
        """Close every program's input, and wait a moment for the programs to end by themselves."""
        deadline = monotonic() + EXIT_SECONDS
        while any(bot.gone is None for bot in self._running.values()) and monotonic() < deadline:
            for bot in self._running.values():
                bot.close_input()
            self.pump(deadline - monotonic())

    def close(self) -> None:
        """End every program."""
        for bot in self._running.values():
            bot.end("closed")
        self._selector.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
