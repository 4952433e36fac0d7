"""Deals listed one by one, each with its weight: for games that have no more than some ten thousand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Counts, Floats, Possible, entropy_of, normalised


class ListedDeals:
    """`roles` has a row for each deal and a column for each seat; every deal is dealt alike."""

    def __init__(self, roles: NDArray[np.int64], columns: int) -> None:
        self.roles = roles
        self.columns = columns
        self.logs: Floats = np.zeros(len(roles))

    def keep(self, possible: NDArray[np.bool_]) -> None:
        """Leave out the deals that are not possible."""
        self.roles, self.logs = self.roles[possible], self.logs[possible]

    def weigh(self, logs: Floats) -> None:
        self.logs = self.logs + logs - logs.max(initial=-np.inf)

    @property
    def chances(self) -> Floats:
        """Of each deal."""
        return normalised(np.exp(self.logs - self.logs.max(initial=-np.inf)))

    def count(self) -> Possible:
        found: Counts = np.stack([(self.roles == role).sum(axis=0) for role in range(self.columns)], axis=1)
        return Possible(len(self.roles), found.astype(np.int64))

    def posterior(self) -> Floats:
        chances = self.chances
        return np.stack([chances @ (self.roles == role) for role in range(self.columns)], axis=1)

    def entropy(self) -> float:
        return entropy_of(self.chances)

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        return self.roles[rng.choice(len(self.roles), size=count, p=self.chances)]
