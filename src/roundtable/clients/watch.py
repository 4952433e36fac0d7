"""Watch bots play: the game as a spectator hears it, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roundtable.bots import RandomBot
from roundtable.bots.playing import ask_round
from roundtable.clients.story import Story, names_for
from roundtable.table.play import Play
from roundtable.table.seats import SPECTATOR


def watch(play: Play[Any, Any]) -> Iterator[str]:
    """Let random players finish a dealt game, and tell what a spectator hears as they go."""
    bots = {seat: RandomBot() for seat in range(play.state.setup.seats)}
    chance = play.chance("bots")  # so the same seed tells the same story
    story = Story(play.game.name, names_for(play.state.setup.seats))
    told = 0
    while True:
        lines = play.heard(SPECTATOR, told)
        told += len(lines)
        yield from (sentence for line in lines if (sentence := story.tell(line.event)))
        if play.is_over:
            return
        ask_round(play, bots, chance)
