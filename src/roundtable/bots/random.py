"""A player who does anything that is allowed, except give up."""

from __future__ import annotations

from fractions import Fraction

from roundtable.bots.playing import Probabilities
from roundtable.core.actions import Move
from roundtable.core.chance import Chance, pick
from roundtable.core.options import Options
from roundtable.core.state import TableState
from roundtable.games.saviom.actions import Surrender


class RandomBot:
    """First a kind of action, then a choice within it, each drawn uniformly."""

    def choose(self, view: TableState, options: Options, chance: Chance) -> Move | None:
        serious = earnest(options)
        return pick(chance, serious).sample(chance) if serious else None

    def probabilities(self, view: TableState, options: Options) -> Probabilities:
        serious = earnest(options)
        if not serious:
            return {None: Fraction(1)}
        return {move: odds / len(serious) for option in serious for move, odds in option.odds()}


def earnest(options: Options) -> Options:
    """All that may be done, except to give up."""
    return tuple([option for option in options if option.kind is not Surrender])
