"""Round Table: hidden-role games, dealt, played and studied."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roundtable.bots import Dice, RandomBot, play_out
    from roundtable.core.errors import IllegalAction, RoundTableError, SetupError
    from roundtable.core.play import Play, replay
    from roundtable.core.seats import CLOCK, HOST, SPECTATOR
    from roundtable.games import GAMES, make_setup, new_game, open_table

__version__ = "0.1.0"

__all__ = [
    "CLOCK",
    "GAMES",
    "HOST",
    "SPECTATOR",
    "Dice",
    "IllegalAction",
    "Play",
    "RandomBot",
    "RoundTableError",
    "SetupError",
    "make_setup",
    "new_game",
    "open_table",
    "play_out",
    "replay",
]

# Where each name lives. They are fetched when they are first asked for, so that the command answers at once.
_HOMES = {
    "roundtable.bots": ("Dice", "RandomBot", "play_out"),
    "roundtable.games": ("GAMES", "make_setup", "new_game", "open_table"),
    "roundtable.core.errors": ("IllegalAction", "RoundTableError", "SetupError"),
    "roundtable.core.play": ("Play", "replay"),
    "roundtable.core.seats": ("CLOCK", "HOST", "SPECTATOR"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"roundtable has no {name!r}")
