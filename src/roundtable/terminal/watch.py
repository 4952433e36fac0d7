"""Watch bots play: the game as a spectator hears it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import ask_round
from roundtable.core.entries import Heard
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR


def heard_while(
    play: Play[Any, Any], bots: Mapping[int, Bot], write_down: Callable[[], None] = lambda: None
) -> Iterator[Heard]:
    """Let the bots finish a dealt game; what a spectator hears, as it goes. It is written down before it is told."""
    chance = play.chance("bots")  # so the same seed tells the same story
    told = 0
    while True:
        lines = play.heard(SPECTATOR, told)
        told += len(lines)
        write_down()
        yield from lines
        if play.is_over:
            return
        ask_round(play, bots, chance)
