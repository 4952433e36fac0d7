"""How many tables of strong bots one core carries: CPU time of a decision by game and seats, and memory.

python -m benchmarks.bot_load [GAME:SEATS ...] [--games 1] [--options '{"lady": true}'] [--without-machine-code]

Machines differ, so the mean, the 95th percentile and the longest decision are also given in units: one unit is the CPU
time of a million exponentials, measured in the same process. Each table is played in a process of its own, by bots of
one kind in all seats, which share that process as they do on a server. Machine code is read or made before the clock
starts. The load of a table is the CPU time of the decisions of a phase in which every bot is asked once, over the time
that such a phase takes at the pace.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Mapping
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

from roundtable.bots import make_bot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import ask_round
from roundtable.bots.sage.rollouts import has_machine_code, rehearse
from roundtable.games import new_game, spec_named
from roundtable.rooms.bot_pace import PACES

TABLES = (("avalon", 5), ("avalon", 10), ("thavalon", 5), ("thavalon", 10), ("saviom", 6), ("saviom", 12))
SEATS = 5  # of the tables that a core is filled with


class Table(NamedTuple):
    game: str
    seats: int
    options: Mapping[str, Any]


class Load(NamedTuple):
    decisions: list[float]  # seconds of CPU time
    unit: float  # seconds of CPU time
    megabytes: float  # the peak of the process

    @property
    def mean(self) -> float:
        return float(np.mean(self.decisions))


class TimedBot:
    """Times the decisions of a bot."""

    def __init__(self, name: str) -> None:
        self._bot = make_bot(name)
        self.decisions: list[float] = []

    def follow(self, heard: object) -> None:
        if hasattr(self._bot, "follow"):
            self._bot.follow(heard)

    def choose(self, view: object, options: object, chance: object) -> object:
        begun = time.process_time()
        move = self._bot.choose(view, options, chance)  # type: ignore[arg-type]
        self.decisions.append(time.process_time() - begun)
        return move


def unit() -> float:
    """CPU seconds of a million exponentials: the least of ten runs."""
    numbers, found = np.linspace(-20, 0, 1_000_000), []
    for _ in range(10):
        begun = time.process_time()
        np.exp(numbers)
        found.append(time.process_time() - begun)
    return min(found)


def play(table: Table, bot: str, games: int, compiled: bool) -> Load:
    """Whole games of one kind of bot in all seats."""
    if not compiled:
        sys.modules["numba"] = None  # type: ignore[assignment]  # as if it were not installed
    if bot != "careful" and spec_named(table.game).kernel and has_machine_code():
        rehearse(spec_named(table.game))
    bots = {seat: TimedBot(bot) for seat in range(table.seats)}
    for seed in range(games):
        dice = Dice(seed)
        game = new_game(table.game, table.seats, dice.randbytes(32), **table.options)
        while not game.is_over:
            ask_round(game, bots, dice)  # type: ignore[arg-type]
    decisions = [seconds for one in bots.values() for seconds in one.decisions]
    return Load(decisions, unit(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def table_named(text: str) -> tuple[str, int]:
    game, _, seats = text.partition(":")
    return game, int(seats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", type=table_named, default=TABLES, metavar="GAME:SEATS")
    parser.add_argument("--games", type=int, default=1, help="games at each table")
    parser.add_argument("--options", type=json.loads, default={}, help="house rules of the tables, as JSON")
    parser.add_argument("--without-machine-code", action="store_true", help="as if the extra `lab` were not installed")
    asked = parser.parse_args()
    compiled = has_machine_code() and not asked.without_machine_code
    print(f"machine code: {'yes' if compiled else 'no'}")
    print(f"{'':<14}{'':>10}{'strong, ms':>24}{'careful':>9}{'':>8}{'strong, units':>24}")
    head = f"{'mean':>8}{'95 %':>8}{'longest':>8}"
    print(f"{'table':<14}{'decisions':>10}{head}{'ms':>9}{'ratio':>8}{head}{'peak MB':>9}")
    shares: dict[str, float] = {}
    for game, seats in asked.tables:
        table = Table(game, seats, asked.options)
        strong, careful = (apart(table, bot, asked.games, compiled) for bot in ("strong", "careful"))
        figures = np.array([strong.mean, np.quantile(strong.decisions, 0.95), max(strong.decisions)])
        times = "".join(f"{1000 * figure:>8.1f}" for figure in figures)
        units = "".join(f"{figure / strong.unit:>8.1f}" for figure in figures)
        name = f"{game} {seats}"
        print(
            f"{name:<14}{len(strong.decisions):>10}{times}{1000 * careful.mean:>9.2f}{strong.mean / careful.mean:>8.0f}"
            f"{units}{strong.megabytes:>9.0f}",
            flush=True,
        )
        if seats == SEATS:
            shares[game] = strong.mean
    for pace in ("human", "quick"):
        for game, each in shares.items():
            round_seconds = (PACES[pace].first + SEATS * PACES[pace].each + PACES[pace].thinking) / 1000
            print(f"one core carries {round_seconds / (SEATS * each):.0f} tables of {game}, {SEATS} seats, pace {pace}")


def apart(table: Table, bot: str, games: int, compiled: bool) -> Load:
    with get_context("spawn").Pool(1) as process:
        return process.apply(play, (table, bot, games, compiled))


if __name__ == "__main__":
    main()
