"""What each seat of a compiled game has heard, while the engine replays it."""

from __future__ import annotations

from typing import Any

from roundtable.core.game import Transition, evolve
from roundtable.games import GAMES
from roundtable.kernels.contract import GameTrace


class Views:
    """The view of each seat of a game that is being replayed."""

    def __init__(self, script: GameTrace) -> None:
        self._game = GAMES[script.setup.game].game
        self._read: dict[int, tuple[int, Any]] = dict.fromkeys(
            range(script.setup.seats), (0, self._game.blank(script.setup))
        )

    def of(self, now: Transition[Any], seat: int) -> Any:
        read, view = self._read[seat]
        view = evolve(self._game, view, [event for event in now.events[read:] if seat in event.audience])
        self._read[seat] = (len(now.events), view)
        return view
