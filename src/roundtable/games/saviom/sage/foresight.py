"""What a move is worth by the belief alone: who is likely to be a Wolf, and what the town gains if that one is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Floats
from roundtable.belief.strategy import Choice
from roundtable.core.seats import Seat
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect
from roundtable.games.saviom.formulas import is_at_parity
from roundtable.games.saviom.sage.outlook import outlook
from roundtable.games.saviom.sage.parameters import PARAMETERS
from roundtable.games.saviom.setup import Role
from roundtable.games.saviom.state import SaviomState

NIGHTLY = 0.1  # what a choice of the night is worth at most


class Prospects:
    """The living of each deal, and how the Citizens stand in it."""

    def __init__(self, view: SaviomState, deals: Sequence[Sequence[Role]]) -> None:
        self.view = view
        living = np.array([seat in view.alive for seat in range(view.setup.seats)])
        self.roles: NDArray[Any] = np.array([[str(role) for role in deal] for deal in deals])
        self.is_wolf = self.roles == str(Role.WOLF)
        self.wolves = (self.is_wolf & living).sum(axis=1)
        self.table = outlook(view.setup.seats, PARAMETERS.insight)

    def now(self) -> Floats:
        """By deal: how often Citizens win if no one dies today."""
        return np.asarray(self.table[self.wolves, len(self.view.alive)])

    def without(self, seat: Seat) -> Floats:
        """By deal: the same if this player dies today."""
        wolves, living = self.wolves - self.is_wolf[:, seat], len(self.view.alive) - 1
        is_lost = np.array([is_at_parity(int(count), living) for count in wolves])
        return np.where(wolves == 0, 1.0, np.where(is_lost, 0.0, self.table[wolves, living]))

    def chance(self, seat: Seat, role: Role) -> float:
        return float((self.roles[:, seat] == str(role)).mean())


def foresee(view: SaviomState, seat: Seat, moves: Sequence[Choice], deals: Sequence[Any]) -> Floats | None:
    """[move, deal]; None for a Wolf by day, who does best to run with the crowd, as rules of thumb have it."""
    is_wolf = view.roles[seat] is Role.WOLF
    if is_wolf and view.phase.name != "night":
        return None
    prospects = Prospects(view, deals)
    town = np.stack([town_wins_after(prospects, seat, move) for move in moves])
    return 1 - town if is_wolf else town


def town_wins_after(prospects: Prospects, seat: Seat, move: Choice) -> Floats:
    now = prospects.now()
    match move:
        case Accuse(target=target):
            return accused(prospects, seat, target)
        case Judge(eliminate=True):
            assert prospects.view.accused is not None
            return prospects.without(prospects.view.accused)
        case Inspect(target=target):
            wolf = prospects.chance(target, Role.WOLF)
            return now + NIGHTLY * 4 * wolf * (1 - wolf)
        case Protect(target=target):
            return now + NIGHTLY * worth_to_wolves(prospects, target)
        case Hunt(target=target):
            return now - NIGHTLY * worth_to_wolves(prospects, target)
    return now


def accused(prospects: Prospects, seat: Seat, target: Seat) -> Floats:
    """A trial needs a crowd: the more have accused the target already, the likelier it is."""
    view = prospects.view
    others = {accuser: named for accuser, named in view.accusations.items() if accuser != seat}
    waiting = len(view.alive) - len(others) - 1
    votes = Counter(others.values())[target] + 1 + PARAMETERS.follows * waiting
    likely = min(1.0, votes / (len(view.alive) // 2 + 1))
    now = prospects.now()
    gain = np.maximum(prospects.without(target) - now, 0)
    return np.asarray(now + likely * np.where(prospects.is_wolf[:, target], gain, 0.0))


def worth_to_wolves(prospects: Prospects, target: Seat) -> float:
    """How much the Wolves want a player gone: the Seer, the Protector, or whom no one takes for a Wolf."""
    trusted = 1 - prospects.chance(target, Role.WOLF)
    return 0.5 * trusted + 0.5 * min(
        1.0, prospects.chance(target, Role.SEER) + 0.5 * prospects.chance(target, Role.PROTECTOR)
    )
