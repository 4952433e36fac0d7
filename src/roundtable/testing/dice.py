"""Seeded chance for tests: the same as that of bots and simulations."""

from roundtable.bots.dice import Dice

__all__ = ["Dice"]
