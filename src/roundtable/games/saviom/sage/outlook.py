"""How often Citizens win from nightfall on, by how many live and how many of them are Wolves."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from roundtable.belief.contract import Floats
from roundtable.games.saviom.formulas import is_at_parity


@lru_cache(maxsize=64)
def outlook(seats: int, insight: float) -> Floats:
    """[Wolves, living]: a player dies every night, and the town condemns someone where that is better than to wait."""
    table = np.zeros((seats + 1, seats + 1))
    table[0] = 1.0
    for living in range(1, seats + 1):
        for wolves in range(1, living + 1):
            table[wolves, living] = by_day(table, wolves, living - 1, insight)
    return table


def by_day(table: Floats, wolves: int, living: int, insight: float) -> float:
    if is_at_parity(wolves, living):
        return 0.0
    hit = min(1.0, insight * wolves / living)
    condemned = hit * table[wolves - 1, living - 1] + (1 - hit) * missed(table, wolves, living - 1)
    return float(max(condemned, table[wolves, living]))


def missed(table: Floats, wolves: int, living: int) -> float:
    return 0.0 if is_at_parity(wolves, living) else float(table[wolves, living])
