"""Means by game with bootstrap intervals, the paired test of two shooters, and tables of calibration."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from roundtable.games.avalon.people.history import Flags, Floats

RESAMPLES, SEED = 2000, 7


class Mean(NamedTuple):
    """A mean over choices, with the interval that holds 95 % of the means of resampled games."""

    value: float
    low: float
    high: float
    choices: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f}; {self.choices})"


class Tally:
    """Figures of choices, kept by game."""

    def __init__(self) -> None:
        self.sums: list[float] = []
        self.counts: list[int] = []

    def add(self, values: Floats | list[float]) -> None:
        """All choices of one game."""
        self.sums.append(float(np.sum(values)))
        self.counts.append(len(values))

    def mean(self) -> Mean:
        sums, counts = np.array(self.sums), np.array(self.counts)
        drawn = np.random.default_rng(SEED).integers(len(sums), size=(RESAMPLES, len(sums)))
        means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = np.quantile(means, (0.025, 0.975))
        return Mean(float(sums.sum() / counts.sum()), float(low), float(high), int(counts.sum()))


class Paired(NamedTuple):
    """McNemar's exact test: how often only the one hit, only the other, and how likely so uneven a split is by luck."""

    only_first: int
    only_second: int
    p: float


def mcnemar(first: Flags, second: Flags) -> Paired:
    one, other = int((first & ~second).sum()), int((second & ~first).sum())
    total, least = one + other, min(one, other)
    tail = sum(comb(total, count) for count in range(least + 1)) / 2**total
    return Paired(one, other, min(1.0, 2 * tail))


class Bin(NamedTuple):
    """Predictions of about the same chance: how many, their mean, and how often they came true."""

    predictions: int
    predicted: float
    seen: float


def calibration(chances: Floats, truths: Floats, bins: int = 10) -> list[Bin]:
    """Predictions in equal steps of chance, empty steps left out."""
    place = np.minimum((chances * bins).astype(int), bins - 1)
    found = []
    for step in range(bins):
        inside = place == step
        if inside.any():
            found.append(Bin(int(inside.sum()), float(chances[inside].mean()), float(truths[inside].mean())))
    return found


def gap(bins: list[Bin]) -> float:
    """The expected calibration error: the mean distance between predicted and seen."""
    return sum(step.predictions * abs(step.predicted - step.seen) for step in bins) / sum(
        step.predictions for step in bins
    )
