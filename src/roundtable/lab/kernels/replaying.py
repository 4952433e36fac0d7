"""A kernel's game played again by the engine, move by move: what proves that both play the same rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roundtable.games.registry import game_named
from roundtable.lab.kernels.contract import Script
from roundtable.table.actions import Move
from roundtable.table.conduct import require_legal
from roundtable.table.game import Unfolding


class Told:
    """Chance that answers what it answered in the kernel."""

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers = list(answers)

    def below(self, bound: int) -> int:
        answer = self._answers.pop(0)
        if not 0 <= answer < bound:
            raise ValueError(f"The kernel drew {answer}, which is not below {bound}.")
        return answer


def replay(script: Script) -> Unfolding[Any]:
    """Every step through the game's own rules; a move that they do not allow raises `IllegalAction`."""
    game = game_named(script.setup.game)
    now = Unfolding(game, game.blank(script.setup))
    game.begin(now, script.deal)
    for actor, action, drawn, _ in script.steps:
        if isinstance(action, Move):
            require_legal(game.options(now.state, actor), now.state, action)
            game.decide(now, actor, action)
        elif action is not None:
            game.expire(now, Told(drawn))
    return now
