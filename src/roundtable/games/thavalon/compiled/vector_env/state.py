"""Where a game of THavalon stands, and the numbers of its choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.quests.compiled.vector_env import (
    QUEST_STATE,
    QUEST_STEPS,
    lay_out_row,
    number_choices,
    with_room_for_steps,
)
from roundtable.games.quests.compiled.words import ROLES, roles_in_bits
from roundtable.games.quests.roles import Role
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.compiled.rules import RULES, rules_of
from roundtable.games.thavalon.deal import SEEN_BY_EVIL, SIGHTS
from roundtable.games.thavalon.environment import roles_of
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.kernels.actions import NO_PHASE, Actions
from roundtable.kernels.layout import Layout

PROPOSE, STAND, VOTE, QUEST, RECKONING, CALL = range(6)  # in the order of the row's phases
COLGREVANCE = ROLES.index(Role.COLGREVANCE)
TOLD_OF_HIDDEN = roles_in_bits(SEEN_BY_EVIL)  # T11

STATE = np.dtype(
    [
        *QUEST_STATE,
        ("first_proposer", np.int64),  # of a pair
        ("has_pair", np.bool_),
        ("went_on", np.int64),
        ("declared", np.int64),  # who has declared as Agravaine
        ("drawn", np.int64),  # the place of the last team that was drawn for a leader who named none
    ]
)
STEP_RULES = np.dtype(
    [
        *RULES.descr,
        *QUEST_STEPS,
        ("has_arthur", np.bool_),  # whether a player could declare as Arthur
        ("declare_arthur", np.int64),  # the number of each kind of move, or of its first
        ("declare_agravaine", np.int64),
        ("go_on", np.int64),
        ("call_merlin", np.int64),
        ("call_nimue", np.int64),
        ("call_lovers", np.int64),
        ("call_nobody", np.int64),
    ]
)


def step_rules_of(setup: ThavalonSetup, actions: Actions, layout: Layout) -> Any:
    table = with_room_for_steps(rules_of(setup), STEP_RULES)
    rules = table[0]
    lay_out_row(rules, layout, setup, roles_of(setup), SIGHTS)
    number_choices(rules, setup, actions, named=False, with_excalibur=False)
    rules["has_arthur"] = setup.has_arthur
    firsts = {
        "declare_arthur": DeclareArthur(phase=NO_PHASE),
        "declare_agravaine": DeclareAgravaine(phase=NO_PHASE),
        "go_on": GoOn(phase=NO_PHASE),
        "call_merlin": CallMerlin(phase=NO_PHASE, target=0),
        "call_nimue": CallNimue(phase=NO_PHASE, target=0),
        "call_lovers": CallLovers(phase=NO_PHASE, targets=frozenset((0, 1))),
        "call_nobody": CallNobody(phase=NO_PHASE),
    }
    for name, move in firsts.items():
        rules[name] = actions.number(move) if move in actions.moves else -1
    return table
