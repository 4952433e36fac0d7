"""THavalon a choice at a time, compiled: the kernel's deal and tables, and the phases of games/thavalon/game.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.quests.compiled.vector_env import ROLE_NAMES, deal_of
from roundtable.games.thavalon.compiled.rules import REASONS
from roundtable.games.thavalon.compiled.vector_env.observe import write_mask, write_row
from roundtable.games.thavalon.compiled.vector_env.state import STATE, step_rules_of
from roundtable.games.thavalon.compiled.vector_env.turns import begin_game, reward, take
from roundtable.kernels.compiling import entry
from roundtable.kernels.turns import begin_each, observe_each, step_each
from roundtable.kernels.vector_env import Steps


@entry
def begin_all(tables: Any, states: Any, seed: np.uint64) -> None:
    begin_each(tables, states, seed, begin_game)


@entry
def step_all(tables: Any, states: Any, seed: np.uint64, choices: Any, endings: Any) -> int:
    return step_each(tables, states, seed, choices, endings, take, reward, begin_game)


@entry
def observe_all(tables: Any, states: Any, seen: Any) -> None:
    observe_each(tables, states, seen, write_mask, write_row)


STEPS = Steps(
    state=STATE,
    reasons=REASONS,
    roles=ROLE_NAMES,
    rules_of=step_rules_of,
    deal_of=deal_of,
    begin=begin_all,
    step=step_all,
    observe=observe_all,
)
