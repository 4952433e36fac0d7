"""A kernel's game played again by the engine, move by move: what proves that both play the same rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from roundtable.core.actions import Move
from roundtable.core.conduct import require_legal
from roundtable.core.game import Transition
from roundtable.core.state import TableState
from roundtable.games import game_named
from roundtable.lab.kernels.contract import Script, Step


class Told:
    """Chance that answers what it answered in the kernel."""

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers = list(answers)

    def below(self, bound: int) -> int:
        answer = self._answers.pop(0)
        if not 0 <= answer < bound:
            raise ValueError(f"The kernel drew {answer}, which is not below {bound}.")
        return answer


def replayed(script: Script) -> Iterator[tuple[Transition[Any], Step]]:
    """Every step through the game's own rules, and before each how the table stands.

    A move that the rules do not allow raises `IllegalAction`.
    """
    game = game_named(script.setup.game)
    now = Transition(game, game.blank(script.setup))
    game.begin(now, script.deal)
    for step in script.steps:
        yield now, step
        actor, action, drawn, _ = step
        if isinstance(action, Move):
            require_legal(game.options(now.state, actor), now.state, action)
            game.decide(now, actor, action)
        elif action is not None:
            game.expire(now, Told(drawn))


def replay(script: Script) -> TableState:
    """How the table stands at the end."""
    [(now, _)] = deque(replayed(script), maxlen=1)
    return now.state
