"""The narrator's script of any table: the same for every deal, since it is written before the cards are dealt."""

from __future__ import annotations

from roundtable.core.errors import Problem, SetupError
from roundtable.core.setup import Setup
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.narrator.avalon import avalon_script
from roundtable.narrator.cues import Cue
from roundtable.narrator.languages import Lang
from roundtable.narrator.saviom import saviom_script
from roundtable.narrator.thavalon import thavalon_script


def narrate(setup: Setup, lang: Lang = "en") -> tuple[Cue, ...]:
    """What to read out at this table, from nothing but what everybody knows (A10, A26, T13, S4)."""
    setup.require_ready()
    match setup:
        case AvalonSetup():
            lines = avalon_script(setup)
        case ThavalonSetup():
            lines = thavalon_script(setup)
        case SaviomSetup():
            lines = saviom_script(setup)
        case _:
            raise SetupError([Problem("setup/game", f"There is no script for a game called {setup.game!r}.")])
    return tuple(line.spoken(lang) for line in lines)
