"""Chance from a seed, for bots and simulations, where speed counts and nothing needs to be verified."""

from __future__ import annotations

import random


class Dice(random.Random):
    """`Dice(7)` is the same sequence in every run; deals that players can check come from `roundtable.core.chance`."""

    def below(self, bound: int) -> int:
        """As `randrange`, without its checks of kinds."""
        if bound < 1:
            raise ValueError(f"A bound is 1 or more, and {bound} is not.")
        bits = bound.bit_length()
        while (drawn := self.getrandbits(bits)) >= bound:
            pass
        return drawn
