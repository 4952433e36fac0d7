"""Whether talk shifts the balance: games of careful bots, silent and talking, in the engine.

In each phase bots are asked in rounds as at a live table: a few of them speak first, then all move, until nothing
changes or the phase is over. The silent games are played in the same rounds.

python -m benchmarks.bots_talk [games]
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from roundtable.bots import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import time_is_up
from roundtable.core.actions import Remark
from roundtable.core.chance import shuffled
from roundtable.core.events import Remarked
from roundtable.core.game import OPEN_TALK
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.games import GAMES, make_setup

GAMES_EACH = 300
ROUNDS = 6
TABLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("avalon", 5, {}),
    ("avalon", 7, {"lady": True}),
    ("avalon", 10, {}),
    ("thavalon", 5, {}),
    ("thavalon", 8, {}),
    ("saviom", 8, {"mode": "classic", "early_end": True}),
    ("saviom", 8, {"mode": "advanced", "early_end": True}),
    ("saviom", 12, {"mode": "advanced", "early_end": True}),
)


class Talking:
    """A game of careful bots, with or without talk."""

    def __init__(self, play: Play[Any, Any], dice: Dice, *, has_talk: bool) -> None:
        self._play, self._dice, self._has_talk = play, dice, has_talk
        self.remarks: Counter[str] = Counter()

    def play_out(self) -> None:
        while not self._play.is_over:
            phase = self._play.phase.number
            if self._has_talk:
                self._speak()
            for _ in range(ROUNDS if self._is_long else 1):
                if not self._ask_all(phase):
                    break
            if self._play.state.outcome is None and self._play.phase.number == phase:
                time_is_up(self._play)

    @property
    def _is_long(self) -> bool:
        return self._play.phase.name in self._play.game.timed_phases

    def _bot(self, seat: Seat) -> CarefulBot:
        bot = CarefulBot()
        if self._has_talk:
            bot.listen([line.event for line in self._play.heard(seat) if isinstance(line.event, Remarked)])
        return bot

    def _speak(self) -> None:
        """As many bots as at a live table (rooms/bot_scheduler.py)."""
        floor = self._play.state.floors.get(OPEN_TALK)
        able = sorted(floor.speakers) if floor else []
        count = 2 + self._dice.below(2) if self._is_long else self._dice.below(2)
        for seat in shuffled(self._dice, able)[:count]:
            said = self._bot(seat).speak(self._play.view(seat), seat, self._dice)
            assert isinstance(said, Remark)
            self._play.act(seat, said)
            self.remarks[said.phrase] += 1

    def _ask_all(self, phase: int) -> bool:
        """Whether a bot has moved and the phase goes on."""
        has_moved = False
        for seat in shuffled(self._dice, range(self._play.state.setup.seats)):
            view = self._play.view(seat)
            options = self._play.game.options(view, seat)
            move = self._bot(seat).choose(view, options, self._dice) if options else None
            if move is not None:
                self._play.act(seat, move)
                has_moved = True
            if self._play.is_over or self._play.phase.number != phase:
                return False
        return has_moved


def winners(
    game: str, seats: int, options: dict[str, Any], games: int, *, has_talk: bool
) -> tuple[Counter[str], float]:
    """How often each side won, and how many remarks there were in a game."""
    won: Counter[str] = Counter()
    said = 0
    for seed in range(games):
        dice = Dice(seed)
        play = Play.open(GAMES[game].game, make_setup(game, seats, options), dice.randbytes(32))
        play.deal()
        table = Talking(play, dice, has_talk=has_talk)
        table.play_out()
        assert play.state.outcome is not None
        won[play.state.outcome.winner or "no one"] += 1
        said += table.remarks.total()
    return won, said / games


def shares(won: Counter[str], games: int) -> str:
    return ", ".join(f"{side} {100 * count / games:.0f} %" for side, count in sorted(won.items()))


def main() -> int:
    games = int(sys.argv[1]) if sys.argv[1:] else GAMES_EACH
    for game, seats, options in TABLES:
        silent, _ = winners(game, seats, options, games, has_talk=False)
        talking, said = winners(game, seats, options, games, has_talk=True)
        print(f"{game} {seats} {options.get('mode', '')}: {said:.1f} remarks in a game")
        print(f"    silent {shares(silent, games)}; talking {shares(talking, games)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
