"""A player who uses what their role knows, goes by rules of thumb, and never does the plainly foolish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roundtable.bots.careful.avalon import lean_in_avalon
from roundtable.bots.careful.leanings import NOTHING, Leanings, chances, drawn
from roundtable.bots.careful.saviom import lean_in_saviom
from roundtable.bots.careful.thavalon import lean_in_thavalon
from roundtable.bots.playing import Probabilities
from roundtable.core.actions import Move
from roundtable.core.chance import Chance
from roundtable.core.options import Options
from roundtable.core.seats import Seat
from roundtable.core.state import TableState
from roundtable.games.avalon.state import AvalonState
from roundtable.games.saviom.state import SaviomState
from roundtable.games.thavalon.state import ThavalonState

LEAN_IN: dict[type[TableState], Callable[[Any, Seat, Options], Leanings]] = {
    AvalonState: lean_in_avalon,
    ThavalonState: lean_in_thavalon,
    SaviomState: lean_in_saviom,
}


class CarefulBot:
    """Keeps nothing between calls: the same view and options always give the same leanings."""

    def leanings(self, view: Any, options: Options) -> Leanings:
        """The moves it would make now, with their weights; none where it would do nothing.

        A seat's view holds exactly one role before the end, its own, and that is how it knows where it sits.
        """
        if not options:
            return NOTHING
        (seat,) = view.roles
        return LEAN_IN[type(view)](view, seat, options)

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        return drawn(self.leanings(view, options), chance)

    def probabilities(self, view: Any, options: Options) -> Probabilities:
        return chances(self.leanings(view, options))


__all__ = ["CarefulBot"]
