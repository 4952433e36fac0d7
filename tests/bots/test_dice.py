"""Dice: the numbers of `random.Random.randrange`, for as long as recorded seeds are to mean the same games."""

from __future__ import annotations

import random

import pytest

from roundtable.bots.dice import Dice


def test_dice_draw_what_randrange_draws() -> None:
    dice, chance = Dice(5), random.Random(5)
    bounds = [*range(1, 70), 2**31 - 1, 2**32, 2**40 + 1] * 3
    assert [dice.below(bound) for bound in bounds] == [chance.randrange(bound) for bound in bounds]


@pytest.mark.parametrize("bound", [0, -1])
def test_dice_refuse_a_bound_below_one(bound: int) -> None:
    with pytest.raises(ValueError, match=f"1 or more, and {bound} is not"):
        Dice(1).below(bound)
