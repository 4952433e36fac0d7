"""What a table of THavalon is agreed on, in whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.compiled.choices import lay_out_row, number_choices
from roundtable.games.quests.compiled.common import QUEST_RULES, lay_out
from roundtable.games.quests.compiled.words import MOST_SEATS, number_of, roles_in_bits
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.deal import SIGHTS
from roundtable.games.thavalon.environment import layout, moves, roles_of
from roundtable.games.thavalon.setup import TWO_FAILS_FROM, ThavalonSetup
from roundtable.kernels.actions import NO_PHASE, Actions

REASONS = ("three_failures", "target_assassinated", "target_survived", "five_rejections")
THREE_FAILURES, TARGET_ASSASSINATED, TARGET_SURVIVED, FIVE_REJECTIONS = range(len(REASONS))
MOST_IN_POOL = 8

Rules = Any  # a row of RULES
RULES = np.dtype(
    [
        *QUEST_RULES,
        ("good_pool", np.int64, MOST_IN_POOL),
        ("good_pool_size", np.int64),
        ("good", np.int64),  # how many are Good
        ("evil_pool", np.int64, MOST_IN_POOL),
        ("evil_pool_size", np.int64),
        ("allowed", np.int64, QUESTS + 1),  # proposals, by quest
        ("has_vote_track", np.bool_),  # whether the fifth rejection wins for Evil
        ("is_paired", np.bool_),
        ("reversal", np.bool_),
        ("has_merlin", np.bool_),  # whether he can be dealt
        ("has_lovers", np.bool_),  # whether they can be dealt, and called
        ("calls_lovers", np.bool_),
        ("calls_nimue", np.bool_),
        ("calls_nobody", np.bool_),
        ("targets", np.int64),  # roles, as bits
        ("declarations", np.bool_),
        ("has_window", np.bool_),  # whether a success may be declared a failure
        ("clock", np.bool_),
        ("teams_without", np.int64, (MOST_SEATS, 126)),  # teams of one seat fewer, where Arthur stays at home
        ("team_counts_without", np.int64, MOST_SEATS),
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


@lru_cache(maxsize=256)
def rules_of(setup: ThavalonSetup) -> Any:
    table = np.zeros(1, RULES)
    rules = table[0]
    good, evil = setup.sides
    lay_out(rules, setup.seats, evil, TWO_FAILS_FROM, SIGHTS)
    for side, pool in (("good_pool", setup.good_pool), ("evil_pool", setup.evil_pool)):
        rules[side][: len(pool)] = [number_of(role) for role in pool]
        rules[side + "_size"] = len(pool)
    rules["good"] = good
    rules["allowed"][1:] = [setup.proposals_allowed(quest) for quest in range(1, QUESTS + 1)]
    rules["has_vote_track"] = setup.has_vote_track
    rules["is_paired"] = setup.first_round == "paired"
    rules["reversal"] = setup.reversal
    rules["has_merlin"] = Role.MERLIN in setup.good_pool
    rules["has_lovers"] = setup.calls_lovers and Role.TRISTAN in setup.good_pool
    rules["calls_lovers"] = setup.calls_lovers
    rules["calls_nimue"] = setup.calls_nimue
    rules["calls_nobody"] = setup.no_target_call
    rules["targets"] = roles_in_bits(setup.target_roles)
    rules["declarations"] = setup.declarations
    rules["has_window"] = setup.has_agravaine
    rules["clock"] = setup.clock
    for size in range(1, setup.seats):
        masks = [mask_of(team) for team in teams(tuple(range(setup.seats - 1)), size)]
        rules["teams_without"][size, : len(masks)] = masks
        rules["team_counts_without"][size] = len(masks)
    rules["has_arthur"] = setup.has_arthur
    number_moves(rules, setup, Actions(moves(setup)))
    lay_out_row(rules, layout(setup), setup, roles_of(setup), SIGHTS)
    return table


def number_moves(rules: Any, setup: ThavalonSetup, actions: Actions) -> None:
    """The numbers of choices, as environments have them."""
    number_choices(rules, setup, actions, named=False, with_excalibur=False)
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
