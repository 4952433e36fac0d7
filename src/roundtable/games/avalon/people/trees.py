"""Boosted trees as arrays, and their sums for many rows at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from roundtable.games.avalon.people.history import Floats

AT_ONCE = 1 << 16  # rows times trees that fit into a processor's cache
PARTS = ("feature", "threshold", "left", "right", "value", "roots")


@dataclass(frozen=True, eq=False, kw_only=True)
class Forest:
    """Trees whose nodes lie in common arrays. A leaf is its own left and right child, so that a row waits there."""

    feature: npt.NDArray[np.int64]
    threshold: npt.NDArray[np.float64]
    left: npt.NDArray[np.int64]
    right: npt.NDArray[np.int64]
    value: Floats
    roots: npt.NDArray[np.int64]

    @classmethod
    def read(cls, arrays: Mapping[str, npt.NDArray[np.generic]], name: str) -> Forest:
        kinds = {"threshold": np.float64, "value": np.float64}
        return cls(**{part: arrays[f"{name}_{part}"].astype(kinds.get(part, np.int64)) for part in PARTS})  # type: ignore[arg-type]

    def scores(self, rows: Floats) -> Floats:
        """The sum of the trees for each row of features; equal rows are computed once."""
        rows = rows.astype(np.float32).astype(np.float64)
        _, first, place = np.unique(hashes(rows), return_index=True, return_inverse=True)
        return self._sums(rows[first])[place]

    def _sums(self, rows: Floats) -> Floats:
        step = max(1, AT_ONCE // len(self.roots))
        parts = [self._sum(rows[start : start + step]) for start in range(0, len(rows), step)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _sum(self, rows: Floats) -> Floats:
        flat, start = rows.ravel(), (np.arange(len(rows)) * rows.shape[1])[:, None]
        node = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        while True:
            goes_left = flat[start + self.feature[node]] <= self.threshold[node]
            following = np.where(goes_left, self.left[node], self.right[node])
            if np.array_equal(following, node):
                return np.asarray(self.value[node].sum(axis=1))
            node = following


def hashes(rows: Floats) -> npt.NDArray[np.uint64]:
    """A number of 64 bits for each row, the same for equal rows: much faster than comparing rows."""
    factors = np.random.default_rng(0).integers(1 << 63, size=rows.shape[1], dtype=np.uint64) * 2 + 1
    bits = np.ascontiguousarray(rows).view(np.uint64)
    mixed = (bits ^ (bits >> np.uint64(29))) * factors
    return np.asarray((mixed ^ (mixed >> np.uint64(32))).sum(axis=1, dtype=np.uint64))
