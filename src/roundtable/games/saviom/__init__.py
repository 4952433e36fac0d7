"""Town of Saviom (Werewolf), 6 to 12 players."""

from roundtable.games.saviom.game import Saviom
from roundtable.games.saviom.setup import SaviomSetup

__all__ = ["Saviom", "SaviomSetup"]
