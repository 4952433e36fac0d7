"""Figures with intervals from resampled deals: games of one deal go together, since they share its luck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from roundtable.lab.tally import Share

RESAMPLES = 1_000
INTERVAL = (0.025, 0.975)  # 95 %
Key = TypeVar("Key")
Floats = npt.NDArray[np.float64]


class Statistic(NamedTuple):
    """A ratio of two sums over deals, such as games won by games played."""

    cases: Floats  # by deal
    out_of: Floats
    is_difference: bool = False


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def plain(self) -> dict[str, float]:
        return self._asdict()


class Resampled(NamedTuple):
    """One statistic, over all deals and over each resample of them."""

    statistic: Statistic
    value: float
    draws: Floats

    @property
    def estimate(self) -> Estimate:
        """Where every game ended alike there is nothing to resample: such a share has Wilson's interval."""
        if not self.statistic.is_difference and self.value in (0.0, 1.0):
            deals = len(self.statistic.cases)
            return Estimate(self.value, *Share(round(self.value * deals), deals).interval)
        return estimate_of(self.value, self.draws)


def estimate_of(value: float, draws: Floats) -> Estimate:
    low, high = np.quantile(draws, INTERVAL)
    return Estimate(float(value), float(low), float(high))


def resample(statistics: Mapping[Key, Statistic], deals: int, seed: int) -> dict[Key, Resampled]:
    """Every statistic over the same resamples, each as many deals, drawn with replacement."""
    if not statistics:
        return {}
    cases, out_of = (
        np.stack([getattr(one, part) for one in statistics.values()], axis=1) for part in ("cases", "out_of")
    )
    dice = np.random.default_rng(seed)
    counts = (np.bincount(dice.integers(deals, size=deals), minlength=deals) for _ in range(RESAMPLES))
    draws = np.stack([_ratio(count @ cases, count @ out_of) for count in counts])
    values = _ratio(cases.sum(axis=0), out_of.sum(axis=0))
    return {
        key: Resampled(one, float(values[place]), draws[:, place])
        for place, (key, one) in enumerate(statistics.items())
    }


def _ratio(cases: Floats, out_of: Floats) -> Floats:
    """Without any games on a side, nothing was won."""
    return np.divide(cases, out_of, out=np.zeros_like(cases, dtype=np.float64), where=out_of > 0)
