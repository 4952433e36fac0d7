"""The dice of the kernels are fair, and every game has its own."""

from __future__ import annotations

import pytest

from roundtable.lab.kernels.chance import FRACTION, split


@pytest.mark.parametrize("bound", range(1, 17))
def test_the_largest_fraction_still_splits_below_the_bound(bound: int) -> None:
    number, rest = split(FRACTION, bound)
    assert number == bound - 1
    assert 0 <= rest <= FRACTION
