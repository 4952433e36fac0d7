"""How bots play Cuckoo: a policy for the careful bot, and a bot of its own."""

from __future__ import annotations

from typing import Any

from roundtable.core.actions import Move
from roundtable.core.chance import Chance, pick
from roundtable.core.options import Options
from roundtable.core.policy import Heard, Leanings, any_of


def careful(view: Any, options: Options, heard: Heard = ()) -> Leanings:
    """Nothing is known about the other birds, so every target is as good as another."""
    return any_of(move for option in options for move in option)


class MagpieBot:
    """A bot for every game, by the name `magpie`: it takes the last choice of a random option."""

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        return list(pick(chance, options))[-1] if options else None
