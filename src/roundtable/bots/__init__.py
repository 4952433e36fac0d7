"""Players without a body: each sees a view and its options, and nothing else."""

from collections.abc import Callable

from roundtable.bots.careful import CarefulBot
from roundtable.bots.playing import Bot, PolicyBot, Probabilities, play_out
from roundtable.bots.random import RandomBot

BOTS: dict[str, Callable[[], PolicyBot]] = {"random": RandomBot, "careful": CarefulBot}

__all__ = ["BOTS", "Bot", "CarefulBot", "PolicyBot", "Probabilities", "RandomBot", "play_out"]
