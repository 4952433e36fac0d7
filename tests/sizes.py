"""How much the long tests do: the first number in `make test`, the second in `make soak` (ROUNDTABLE_SOAK=1)."""

from __future__ import annotations

import os

IS_SOAK = bool(os.environ.get("ROUNDTABLE_SOAK"))


def size(test: int, *, soak: int) -> int:
    return soak if IS_SOAK else test


KERNEL_GAMES = size(1_000, soak=100_000)  # that the engine replays for each game and number of players
TWIN_PAIRS = {  # of games that a listener cannot tell apart
    "avalon": size(1_080, soak=360_000),
    "thavalon": size(1_200, soak=400_000),
    "saviom": size(720, soak=240_000),
}
SERVED_TWINS = size(6, soak=180)  # games on a server for each game, each compared with some twins
SIMULATIONS = size(200, soak=10_000)  # evenings with lost connections and crashing servers
CAREFUL_GAMES = 1_000  # of careful bots against random ones at each table, in `make soak`
