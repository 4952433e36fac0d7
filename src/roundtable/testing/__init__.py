"""For authors of games: `check_game`, the twin test behind it, and random setups and moves."""

from roundtable.testing.check import Report, check_game, secrecy_of
from roundtable.testing.generators import any_move, any_setup
from roundtable.testing.twins import Tally, TwinTest

__all__ = ["Report", "Tally", "TwinTest", "any_move", "any_setup", "check_game", "secrecy_of"]
