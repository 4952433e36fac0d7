"""THavalon a choice at a time, compiled: the kernel's deal and tables, and the phases of games/thavalon/game.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.lab.kernels.compiling import entry
from roundtable.lab.kernels.thavalon.table import REASONS
from roundtable.lab.stepping.quests import ROLE_NAMES, deal_of
from roundtable.lab.stepping.steps import Steps
from roundtable.lab.stepping.thavalon.looking import write_mask, write_row
from roundtable.lab.stepping.thavalon.table import STATE, step_rules_of
from roundtable.lab.stepping.thavalon.turns import begin_game, reward, take
from roundtable.lab.stepping.turns import begin_each, look_each, step_each


@entry
def begin_all(tables: Any, states: Any, seed: np.uint64) -> None:
    begin_each(tables, states, seed, begin_game)


@entry
def step_all(tables: Any, states: Any, seed: np.uint64, choices: Any, endings: Any) -> int:
    return step_each(tables, states, seed, choices, endings, take, reward, begin_game)


@entry
def look_all(tables: Any, states: Any, seen: Any) -> None:
    look_each(tables, states, seen, write_mask, write_row)


STEPS = Steps(
    state=STATE,
    reasons=REASONS,
    roles=ROLE_NAMES,
    rules_of=step_rules_of,
    deal_of=deal_of,
    begin=begin_all,
    step=step_all,
    look=look_all,
)
