"""How many tables of strong bots one core carries: CPU time of a decision by game and seats, and memory.

python -m benchmarks.bot_load [--games 1]

Each table is played in a process of its own, by bots of one kind in all seats, which share that process as they do on a
server. Machine code is read or made before the clock starts. The load of a table is the CPU time of the decisions of a
phase in which every bot is asked once, over the time that such a phase takes at the pace.
"""

from __future__ import annotations

import argparse
import resource
import time
from multiprocessing import get_context
from typing import NamedTuple

from roundtable.bots import make_bot
from roundtable.bots.playing import ask_round
from roundtable.bots.sage.rollouts import has_machine_code, rehearse
from roundtable.games import new_game, spec_named
from roundtable.rooms.bot_pace import PACES
from roundtable.testing.dice import Dice

TABLES = (("avalon", 5), ("avalon", 10), ("thavalon", 5), ("thavalon", 10), ("saviom", 6), ("saviom", 12))
SEATS = 5  # of the tables that a core is filled with


class Load(NamedTuple):
    decisions: int
    seconds: float  # of CPU time
    megabytes: float  # the peak of the process


class CountingBot:
    """Counts and times the decisions of a bot."""

    def __init__(self, name: str) -> None:
        self._bot = make_bot(name)
        self.decisions, self.seconds = 0, 0.0

    def follow(self, heard: object) -> None:
        if hasattr(self._bot, "follow"):
            self._bot.follow(heard)

    def choose(self, view: object, options: object, chance: object) -> object:
        begun = time.process_time()
        move = self._bot.choose(view, options, chance)  # type: ignore[arg-type]
        self.decisions, self.seconds = self.decisions + 1, self.seconds + time.process_time() - begun
        return move


def play(game: str, seats: int, bot: str, games: int) -> Load:
    """Whole games of one kind of bot in all seats."""
    if bot != "careful" and spec_named(game).kernel and has_machine_code():
        rehearse(spec_named(game))
    bots = {seat: CountingBot(bot) for seat in range(seats)}
    for seed in range(games):
        dice = Dice(seed)
        table = new_game(game, seats, dice.randbytes(32))
        while not table.is_over:
            ask_round(table, bots, dice)  # type: ignore[arg-type]
    decisions, seconds = sum(one.decisions for one in bots.values()), sum(one.seconds for one in bots.values())
    return Load(decisions, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1, help="games at each table")
    games = parser.parse_args().games
    print(f"machine code: {'yes' if has_machine_code() else 'no'}")
    print(f"{'table':<14}{'decisions':>10}{'strong ms':>11}{'careful ms':>12}{'ratio':>8}{'peak MB':>9}")
    shares: dict[str, float] = {}
    for game, seats in TABLES:
        strong, careful = (apart(game, seats, bot, games) for bot in ("strong", "careful"))
        each, usual = strong.seconds / strong.decisions, careful.seconds / careful.decisions
        figures = f"{strong.decisions:>10}{1000 * each:>11.1f}{1000 * usual:>12.2f}{each / usual:>8.0f}"
        print(f"{game + ' ' + str(seats):<14}{figures}{strong.megabytes:>9.0f}", flush=True)
        if seats == SEATS:
            shares[game] = each
    for pace in ("human", "quick"):
        for game, each in shares.items():
            round_seconds = (PACES[pace].first + SEATS * PACES[pace].each + PACES[pace].thinking) / 1000
            print(f"one core carries {round_seconds / (SEATS * each):.0f} tables of {game}, {SEATS} seats, pace {pace}")


def apart(game: str, seats: int, bot: str, games: int) -> Load:
    with get_context("spawn").Pool(1) as process:
        return process.apply(play, (game, seats, bot, games))


if __name__ == "__main__":
    main()
