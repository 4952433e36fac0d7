"""Seeded chance for tests and simulations, where speed counts and deals need no verification."""

from __future__ import annotations

import random


class Dice(random.Random):
    def below(self, bound: int) -> int:
        return self.randrange(bound)
