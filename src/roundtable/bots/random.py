"""A bot that does anything that is allowed, except give up."""

from __future__ import annotations

from fractions import Fraction

from roundtable.core.actions import Move
from roundtable.core.chance import Chance, pick
from roundtable.core.options import Options
from roundtable.core.policy import Probabilities
from roundtable.core.state import TableState


class RandomBot:
    """First a kind of action, then a choice within it, each drawn uniformly."""

    def choose(self, view: TableState, options: Options, chance: Chance) -> Move | None:
        serious = without_giving_up(options)
        return pick(chance, serious).sample(chance) if serious else None

    def probabilities(self, view: TableState, options: Options) -> Probabilities:
        serious = without_giving_up(options)
        if not serious:
            return {None: Fraction(1)}
        return {move: odds / len(serious) for option in serious for move, odds in option.odds()}


def without_giving_up(options: Options) -> Options:
    return tuple([option for option in options if not option.kind.gives_up])
