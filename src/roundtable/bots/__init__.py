"""Players without a body: each sees a view and its options, and nothing else."""

from collections.abc import Callable

from roundtable.bots.careful import CarefulBot
from roundtable.bots.playing import Bot, FrankBot, Probabilities, play_out
from roundtable.bots.random import RandomBot

BOTS: dict[str, Callable[[], FrankBot]] = {"random": RandomBot, "careful": CarefulBot}

__all__ = ["BOTS", "Bot", "CarefulBot", "FrankBot", "Probabilities", "RandomBot", "play_out"]
