"""Every figure of docs/people.md: `ROUNDTABLE_HUMAN_GAMES=… python -m benchmarks.people [--plots FOLDER]`."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from benchmarks.people.careful import best_slip
from benchmarks.people.figures import Constants, Figures, figures_of, merged
from benchmarks.people.games import HumanGame, games_path, read_games
from benchmarks.people.plots import draw
from benchmarks.people.statistics import calibration, gap, mcnemar
from roundtable.games.avalon.people.model import people

AT_ONCE = 100  # test games for a process
SLIP_GAMES = 300  # training games, by which the careful bot's slips are fitted
# Marginal accuracy on logs of the same site, as CSP4SDG reports it for its best variant.
CSP4SDG = {
    "who is what, 6 players: onlooker": 0.326,
    "who is what, 9 players: onlooker": 0.360,
    "who is what, 6 players: Merlin": 0.615,
    "who is what, 9 players: Merlin": 0.666,
    "who is what, 6 players: Percival": 0.637,
    "who is what, 9 players: Percival": 0.525,
    "who is what, 6 players: servant": 0.419,
    "who is what, 9 players: servant": 0.403,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.people", description="How well the model predicts people."
    )
    parser.add_argument("--plots", type=Path, help="draw calibration into this folder")
    parser.add_argument("--games", type=int, help="only the first so many test games")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    asked = parser.parse_args()
    path = games_path()
    games = read_games(path, test=True)[: asked.games]
    print(f"{len(games)} test games; means with 95 % bootstrap intervals by game, and counts")
    constants = constants_of(read_games(path, test=False))
    print(f"careful with {constants.slip:.0%} of random votes, as {SLIP_GAMES} training games fit best")
    parts = [games[start : start + AT_ONCE] for start in range(0, len(games), AT_ONCE)]
    found: list[Figures] = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        for part in pool.map(measured, parts, [constants] * len(parts)):
            found.append(part)
            print(f"{len(found)} of {len(parts)} parts done", file=sys.stderr, flush=True)
    figures = merged(found)
    show(figures)
    if asked.plots:
        draw(figures, asked.plots)


def constants_of(games: list[HumanGame]) -> Constants:
    """From training games."""
    approvals = np.concatenate([poll.ballots for game in games for poll in game.polls])
    fails = [seat in failed for game in games for result, failed in zip(game.results, game.failed, strict=True)
             for seat in result.team if game.deal[seat] >= 3]  # fmt: skip
    return Constants(float(approvals.mean()), float(np.mean(fails)), best_slip(games[:SLIP_GAMES]))


def measured(games: list[HumanGame], constants: Constants) -> Figures:
    return figures_of(people(), games, constants)


def show(figures: Figures) -> None:
    for name, tally in sorted(figures.tallies.items()):
        beside = f"; CSP4SDG {CSP4SDG[name]:.3f}" if name in CSP4SDG else ""
        unit = "" if "hits" in name or "who" in name else " bits"
        print(f"{name:42} {tally.mean()}{unit}{beside}")
    hits = {name: np.array(values) for name, values in figures.hits.items()}
    for other in ("people", "careful"):
        if hits:
            paired = mcnemar(hits["model"], hits[other])
            print(
                f"shots, only the model hit {paired.only_first}, only {other} {paired.only_second}: p = {paired.p:.2g}"
            )
    for name, chances in figures.predicted.items():
        bins = calibration(np.concatenate(chances), np.concatenate(figures.happened[name]))
        print(f"calibration of {name}: expected error {gap(bins):.4f}")
        print("   " + "  ".join(f"{step.predicted:.2f}:{step.seen:.2f}" for step in bins))


if __name__ == "__main__":
    main()
