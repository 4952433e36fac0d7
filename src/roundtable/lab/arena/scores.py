"""Who won each game of an arena, deal by deal, once forfeits are counted.

A bot that forfeits has lost. Between teams the other team wins, and no one wins where both forfeit. A guest that
forfeits has lost, whatever its side does; where one of its hosts forfeits, the game stands as it was finished.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roundtable.lab.arena.fixtures import GUESTS, TEAMS, Fixture
from roundtable.lab.arena.forfeits import FAULTS
from roundtable.lab.arena.results import Results

Floats = npt.NDArray[np.float64]
Pair = tuple[str, str]


class FaultCount(NamedTuple):
    """The seats that a bot played, game by game, and how many it forfeited for each kind of fault."""

    seats: int
    by_fault: dict[str, int]

    @property
    def forfeits(self) -> int:
        return sum(self.by_fault.values())


class Scores:
    """Everything by deal, for the deals of which all games are played."""

    def __init__(self, results: Results) -> None:
        study = results.study
        self.study = study
        self.deals = len(deals := results.whole_deals())
        parts = (results.winner, results.won, results.sides, results.faults)
        winner, won, sides, faults = (_by_deal(part, study.deals)[deals] for part in parts)
        self._won: Any = (won & (faults == 0)).astype(np.float64)
        self._sides, self._faults = sides, faults
        self._team_won: Any = [team_won(winner, sides, faults, side).astype(np.float64) for side in (0, 1)]
        self._place = {fixture: place for place, fixture in enumerate(study.fixtures)}

    @property
    def pairs(self) -> Iterator[Pair]:
        """All ordered pairs of different bots."""
        return ((bot, other) for bot in self.study.bots for other in self.study.bots if bot != other)

    def has(self, contest: str) -> bool:
        return contest in self.study.contests and self.deals > 0

    def team_won(self, first: str, second: str, side: int) -> Floats:
        """By deal: whether this side won, where one bot played all of the first side and one all of the second."""
        assert TEAMS in self.study.contests or first == second
        won: Floats = self._team_won[side][:, self._place[Fixture(first, second)]]
        return won

    def guest_won(self, guest: str, hosts: str) -> Floats:
        """By deal and seat: whether the guest won in that seat. A bot among its own copies is no guest."""
        if guest == hosts:
            at_home: Floats = self._won[:, self._place[Fixture(guest, hosts)]]
            return at_home
        assert GUESTS in self.study.contests
        seats = range(self.study.setup.seats)
        return np.stack([self._won[:, self._place[Fixture(guest, hosts, seat)], seat] for seat in seats], axis=1)

    def seats_on(self, side: int | None) -> Floats:
        """By deal and seat: whether the seat is on this side; every seat counts where no side is named."""
        sides = self._sides[:, 0]
        return np.ones(sides.shape) if side is None else (sides == side).astype(np.float64)

    def faults(self, bot: str) -> FaultCount:
        is_bot = self._seats_of(bot)
        by_fault = {fault.name.lower(): int((is_bot & (self._faults == fault)).sum()) for fault in FAULTS}
        return FaultCount(int(is_bot.sum()), by_fault)

    def _seats_of(self, bot: str) -> npt.NDArray[np.bool_]:
        is_bot = np.zeros(self._faults.shape, np.bool_)
        for place, fixture in enumerate(self.study.fixtures):
            if fixture.guest is None:
                is_first = self._sides[:, place] == 0
                is_bot[:, place] = np.where(is_first, fixture.bot == bot, fixture.other == bot)
            else:
                is_bot[:, place] = np.array(fixture.seated([0] * self.study.setup.seats)) == bot
        return is_bot


def team_won(winner: Any, sides: Any, faults: Any, side: int) -> npt.NDArray[np.bool_]:
    """Whether the side won each game; arrays by game, and the last two also by seat."""
    has_fault, other_has_fault = (((sides == one) & (faults != 0)).any(axis=-1) for one in (side, 1 - side))
    won: npt.NDArray[np.bool_] = ~has_fault & (other_has_fault | (winner == side))
    return won


def _by_deal(part: Any, deals: int) -> Any:
    return part.reshape(deals, -1, *part.shape[1:])
