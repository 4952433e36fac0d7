"""The Resistance: Avalon, 5 to 10 players."""

from roundtable.games.avalon.game import Avalon
from roundtable.games.avalon.setup import AvalonSetup

__all__ = ["Avalon", "AvalonSetup"]
