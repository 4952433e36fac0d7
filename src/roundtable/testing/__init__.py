"""For authors of games: `check_game`, the twin test behind it, random setups and moves, and seeded chance."""

from roundtable.testing.check import Report, check_game, secrecy_of
from roundtable.testing.dice import Dice
from roundtable.testing.generators import any_move, any_setup
from roundtable.testing.twins import Tally, TwinTest

__all__ = ["Dice", "Report", "Tally", "TwinTest", "any_move", "any_setup", "check_game", "secrecy_of"]
