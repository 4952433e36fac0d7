"""For anyone who tests a game or adds one: chosen deals, moves in few words, and `check_game`."""

from roundtable.testing.check import Report, check_game

__all__ = ["Report", "check_game"]
