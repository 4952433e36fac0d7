"""How strong the bots are, in Markdown for docs/bots.md: `python -m benchmarks.bot_strength [GAMES]`.

Kernels play the games at every table: all random, one side careful, all careful.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from roundtable.core.setup import Setup
from roundtable.games import GAMES, make_setup
from roundtable.lab.simulate import players_here, simulate
from roundtable.lab.studies import Study
from roundtable.lab.tally import Tally

SEED = "bots"
RANDOM, CAREFUL = "random", "careful"


def tables() -> Iterator[tuple[str, Setup]]:
    for game in ("avalon", "thavalon"):
        yield from ((f"{named(game)} {seats}", make_setup(game, seats)) for seats in range(5, 11))
    for mode in ("classic", "advanced"):
        for seats in range(6, 13):
            yield f"Saviom, {mode} {seats}", make_setup("saviom", seats, {"mode": mode})


def named(game: str) -> str:
    return {"avalon": "Avalon", "thavalon": "THavalon"}[game]


def row(name: str, setup: Setup, games: int) -> str:
    good, evil = (str(side) for side in GAMES[setup.game].game.sides)

    def won(first: str, second: str) -> Tally:
        return simulate(Study(setup=setup, bots=(first, second), seed=SEED, games=games), players_here(1))

    chance, good_careful, evil_careful = won(RANDOM, RANDOM), won(CAREFUL, RANDOM), won(RANDOM, CAREFUL)
    careful = won(CAREFUL, CAREFUL)
    cells = [
        percent(chance, good),
        percent(good_careful, good),
        percent(chance, evil),
        percent(evil_careful, evil),
        f"{percent(careful, good)} : {percent(careful, evil)}",
    ]
    return f"| {name} | {' | '.join(cells)} |"


def percent(tally: Tally, side: str) -> str:
    return f"{100 * tally.wins(side).rate:.1f}"


def main() -> None:
    games = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000
    for name, setup in tables():
        print(row(name, setup, games), flush=True)


if __name__ == "__main__":
    main()
