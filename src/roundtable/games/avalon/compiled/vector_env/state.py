"""Where a game of Avalon stands, and the numbers of its choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.compiled.rules import RULES, rules_of
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.environment import roles_of
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.compiled.vector_env import (
    QUEST_STATE,
    QUEST_STEPS,
    lay_out_row,
    number_choices,
    with_room_for_steps,
)
from roundtable.games.quests.compiled.words import MOST_SEATS
from roundtable.games.quests.tables import QUESTS
from roundtable.kernels.actions import NO_PHASE, Actions
from roundtable.kernels.layout import Layout

PROPOSE, VOTE, QUEST, EXCALIBUR, LADY, SHOT = range(6)  # in the order of the row's phases

STATE = np.dtype(
    [
        *QUEST_STATE,
        ("turned", np.int64, QUESTS + 1),  # by quest: whose card was turned, by whom, and whether it was a Fail
        ("turner", np.int64, QUESTS + 1),
        ("turned_fail", np.int64, QUESTS + 1),
        ("examined", np.int64, MOST_SEATS),  # by holder
    ]
)
STEP_RULES = np.dtype(
    [
        *RULES.descr,
        *QUEST_STEPS,
        ("uses", np.int64),  # the first number of each kind of move
        ("leave", np.int64),
        ("examines", np.int64),
        ("keep", np.int64),  # the Lady
        ("shots", np.int64),
    ]
)


def step_rules_of(setup: AvalonSetup, actions: Actions, layout: Layout) -> Any:
    table = with_room_for_steps(rules_of(setup), STEP_RULES)
    rules = table[0]
    lay_out_row(rules, layout, setup, roles_of(setup), SIGHTS)
    number_choices(rules, setup, actions, setup.choose_quests, setup.excalibur != "off")
    if setup.excalibur != "off":
        rules["uses"] = actions.number(UseExcalibur(phase=NO_PHASE, target=0))
        rules["leave"] = actions.number(LeaveExcalibur(phase=NO_PHASE))
    if setup.lady:
        rules["examines"] = actions.number(ExamineLoyalty(phase=NO_PHASE, target=0))
        rules["keep"] = actions.number(KeepLady(phase=NO_PHASE)) if setup.lady_may_pass else -1
    if setup.merlin:
        rules["shots"] = actions.number(ShootMerlin(phase=NO_PHASE, target=0))
    return table
