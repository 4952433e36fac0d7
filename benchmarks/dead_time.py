"""Dead time: the seconds of a game against bots in which the only person waits, in virtual time.

python -m benchmarks.dead_time [bot_pace=quick] [bots_speak=]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.prompt_person import QUICK_SAVIOM, measure

GAMES_EACH = 8
USUAL = {"bot_pace": "human", "bots_speak": True}


def tables() -> Iterator[tuple[str, int, dict[str, Any]]]:
    for game, counts, options in (
        ("avalon", (5, 7, 10), {}),
        ("thavalon", (5, 8, 10), {}),
        ("saviom", (6, 8, 10, 12), QUICK_SAVIOM),
    ):
        yield from ((game, seats, options) for seats in counts)


def main() -> int:
    settings: dict[str, Any] = USUAL | dict(part.split("=") for part in sys.argv[1:])
    settings["bots_speak"] = bool(settings["bots_speak"])
    print(f"{'game':10}{'seats':>6}{'a game':>10}{'waiting':>10}   seconds, mean of {GAMES_EACH} games, {settings}")
    for game, seats, options in tables():
        played = [measure(game, seats, seed, options, **settings) for seed in range(GAMES_EACH)]
        print(f"{game:10}{seats:6}{mean(one.total for one in played):10.0f}{mean(one.waited for one in played):10.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
