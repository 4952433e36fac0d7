"""A player who does anything that is allowed, except give up."""

from __future__ import annotations

from roundtable.games.saviom.actions import Surrender
from roundtable.table.actions import Move
from roundtable.table.chance import Chance, pick
from roundtable.table.options import Options
from roundtable.table.state import TableState


class RandomBot:
    """First a kind of action, then a choice within it, each drawn uniformly."""

    def choose(self, view: TableState, options: Options, chance: Chance) -> Move | None:
        earnest = [option for option in options if option.kind is not Surrender]
        return pick(chance, earnest).sample(chance) if earnest else None
