"""Watch bots play: the game as a spectator hears it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roundtable.bots import Bot
from roundtable.bots.playing import ask_round
from roundtable.core.entries import Heard
from roundtable.core.events import Event, SecretsRevealed
from roundtable.core.game import Game, evolve, fold
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.terminal.pace import Pacer, seconds_after, seconds_before
from roundtable.terminal.player import drawn
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


class Story:
    """Tells a game as it goes, with time to read each part, and with pictures of the table on a screen."""

    def __init__(self, game: Game[Any, Any], teller: Teller, voice: Terminal, pacer: Pacer) -> None:
        self._game = game
        self._teller = teller
        self._voice = voice
        self._pacer = pacer
        self._view: Any = None

    def tell(self, event: Event) -> None:
        self._view = fold(self._game, [event]) if self._view is None else evolve(self._game, self._view, [event])
        if sentence := self._teller.tell(event):
            self._pacer.pause(seconds_before(event, self._teller))
            self._voice.say(sentence)
            if not isinstance(event, SecretsRevealed):  # after which nothing is left to wait for
                self._pacer.pause(seconds_after(sentence))
        if self._voice.is_screen and self._teller.changes_picture(event):
            self._voice.say(drawn(self._teller, self._view, SPECTATOR, self._voice))
