"""When machine code may be made: at its first use, or in the background while bots do without it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock, Thread

logger = logging.getLogger("roundtable.bots")


class MachineCode:
    """The machine code of this process, by game. Numba may take half a minute to make that of a game, and a second to
    read it from disk: too long for a move at a live table."""

    def __init__(self) -> None:
        self._waits = True
        self._begun: dict[str, Thread] = {}
        self._ready: set[str] = set()
        self._lock = Lock()

    def never_wait(self) -> None:
        """From now on, make machine code in the background when it is first asked for."""
        self._waits = False

    def is_ready(self, game: str, make: Callable[[], object]) -> bool:
        """Whether a game's machine code may be called now. `make` is called once, in a thread, where no caller may
        wait; where callers may, they make it themselves by calling it."""
        if self._waits or game in self._ready:
            return True
        with self._lock:
            if game not in self._begun:
                self._begun[game] = Thread(target=self._make, args=(game, make), daemon=True)
                self._begun[game].start()
        return False

    def finish(self) -> None:
        """Wait for all that is being made."""
        for thread in [*self._begun.values()]:
            thread.join()

    def _make(self, game: str, make: Callable[[], object]) -> None:
        try:
            make()
        except Exception:
            logger.exception("no machine code for %s; bots play without it", game)
        else:
            self._ready.add(game)


MACHINE_CODE = MachineCode()
