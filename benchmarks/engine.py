"""Games a second of the engine, random five-player Avalon on one core, beside a bare loop that plays the same game.

make bench
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from benchmarks.bare_loop import play_bare
from benchmarks.rounds import games_a_second, in_turn
from roundtable.bots.dice import Dice
from roundtable.core.play import Play
from roundtable.games.avalon.game import Avalon
from roundtable.games.avalon.setup import AvalonSetup

GAME = Avalon()
SETUP = AvalonSetup(seats=5)
ROUNDS = 12
SLICE = 0.5  # seconds of CPU time for each kind of play in a round


def play_events(dice: Dice, acting_view: bool = False, every_view: bool = False) -> Play[Any, Any]:
    """A whole game with commitment, deal, record and all events; moves are sampled from the options."""
    play = Play.open(GAME, SETUP, dice.randbytes(32))
    play.deal()
    while not play.is_over:
        for seat in play.phase.awaited:
            options = GAME.options(play.view(seat), seat) if acting_view else play.options(seat)
            play.act(seat, options[0].sample(dice))
            if every_view:
                for listener in range(SETUP.seats):
                    play.view(listener)
    return play


def main() -> None:
    dice, bare = Dice(1), random.Random(1)
    kinds: dict[str, Callable[[], object]] = {
        "bare integer loop, no rules library": lambda: play_bare(bare),
        "engine, all events, no views": lambda: play_events(dice),
        "engine, the acting seat's view": lambda: play_events(dice, acting_view=True),
        "engine, every seat's view after every move": lambda: play_events(dice, every_view=True),
    }
    rates = in_turn({kind: partial(games_a_second, play, SLICE) for kind, play in kinds.items()}, ROUNDS)
    report(rates, sum(len(play_events(dice).entries) for _ in range(200)) / 200 - 2)


def report(rates: dict[str, list[float]], moves: float) -> None:
    base = median(rates["bare integer loop, no rules library"])
    print(f"Random 5-player Avalon, one core, CPU time, median of {ROUNDS}; {moves:.1f} moves a game")
    print(f"{'':44}{'games/s':>10}{'best':>10}{'of bare':>10}")
    for kind, seen in rates.items():
        print(f"{kind:44}{median(seen):10,.0f}{max(seen):10,.0f}{median(seen) / base:10.3f}")


if __name__ == "__main__":
    main()
