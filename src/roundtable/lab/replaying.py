"""A kernel's game played again by the engine, move by move: what proves that both play the same rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from roundtable.core.actions import Move
from roundtable.core.game import Transition
from roundtable.core.options import require_legal
from roundtable.core.state import TableState
from roundtable.games import game_named
from roundtable.kernels.contract import GameTrace, TraceStep


class ScriptedChance:
    """Chance that answers what it answered in the kernel."""

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers = list(answers)

    def below(self, bound: int) -> int:
        answer = self._answers.pop(0)
        if not 0 <= answer < bound:
            raise ValueError(f"The kernel drew {answer}, which is not below {bound}.")
        return answer


def replayed(trace: GameTrace) -> Iterator[tuple[Transition[Any], TraceStep]]:
    """Every step through the game's own rules, and before each the table's state.

    A move that the rules do not allow raises `IllegalAction`.
    """
    game = game_named(trace.setup.game)
    now = Transition(game, game.blank(trace.setup))
    game.begin(now, trace.deal)
    for step in trace.steps:
        yield now, step
        actor, action, drawn, _ = step
        if isinstance(action, Move):
            require_legal(game.options(now.state, actor), now.state, action)
            game.decide(now, actor, action)
        elif action is not None:
            game.expire(now, ScriptedChance(drawn))


def replay(trace: GameTrace) -> TableState:
    """The state at the end."""
    [(now, _)] = deque(replayed(trace), maxlen=1)
    state: TableState = now.state
    return state
