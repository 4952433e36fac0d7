"""Watch bots play: the game as a spectator hears it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import ask_round
from roundtable.core.entries import Heard
from roundtable.core.events import Event, SecretsRevealed
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.terminal.pace import Pacer, seconds_after, seconds_before
from roundtable.terminal.voice import Terminal
from roundtable.text.teller import Teller


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


def tell(event: Event, teller: Teller, voice: Terminal, pacer: Pacer) -> None:
    """The next part of the story, with time to read it."""
    if sentence := teller.tell(event):
        pacer.pause(seconds_before(event, teller))
        voice.say(sentence)
        if not isinstance(event, SecretsRevealed):  # after which nothing is left to wait for
            pacer.pause(seconds_after(sentence))
