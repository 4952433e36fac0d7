"""The dice of the kernels are fair, and every game has its own."""

from __future__ import annotations

import pytest

from roundtable.lab.kernels.chance import FRACTION, split
from roundtable.lab.kernels.compiling import njit


@njit  # type: ignore[untyped-decorator]
def split_in_a_kernel(part: int, bound: int) -> tuple[int, int]:
    """Parts of kernels can only be called by compiled code."""
    return split(part, bound)


@pytest.mark.parametrize("bound", range(1, 17))
def test_the_largest_fraction_still_splits_below_the_bound(bound: int) -> None:
    number, rest = split_in_a_kernel(FRACTION, bound)
    assert number == bound - 1
    assert 0 <= rest <= FRACTION
