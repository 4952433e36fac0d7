"""THavalon: Avalon in which everybody has a role of their own, 5 to 10 players."""

from roundtable.games.thavalon.game import Thavalon
from roundtable.games.thavalon.setup import ThavalonSetup

__all__ = ["Thavalon", "ThavalonSetup"]
