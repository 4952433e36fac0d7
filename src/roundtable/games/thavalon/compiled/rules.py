"""What a table of THavalon is agreed on, in whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.compiled.kernel import QUEST_RULES, lay_out
from roundtable.games.quests.compiled.words import MOST_SEATS, number_of, roles_in_bits
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon.deal import SIGHTS
from roundtable.games.thavalon.setup import TWO_FAILS_FROM, ThavalonSetup

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
    return table
