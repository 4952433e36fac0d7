"""What a table of THavalon is agreed on, in whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.compiled.kernel import QUEST_RULES, lay_out
from roundtable.games.quests.compiled.words import MOST_SEATS, number_of
from roundtable.games.quests.options import teams
from roundtable.games.thavalon.deal import SIGHTS
from roundtable.games.thavalon.options import NIMUE_AT
from roundtable.games.thavalon.setup import AGRAVAINE_FROM, TWO_FAILS_FROM, ThavalonSetup

REASONS = ("three_failures", "target_assassinated", "target_survived")
THREE_FAILURES, TARGET_ASSASSINATED, TARGET_SURVIVED = range(len(REASONS))
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
        ("later_proposals", np.int64),
        ("is_paired", np.bool_),
        ("calls_nimue", np.bool_),
        ("calls_nobody", np.bool_),
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
    rules["later_proposals"] = setup.later_proposals
    rules["is_paired"] = setup.first_round == "paired"
    rules["calls_nimue"] = setup.seats == NIMUE_AT
    rules["calls_nobody"] = setup.no_target_call
    rules["has_window"] = setup.seats >= AGRAVAINE_FROM
    rules["clock"] = setup.clock
    for size in range(1, setup.seats):
        masks = [mask_of(team) for team in teams(tuple(range(setup.seats - 1)), size)]
        rules["teams_without"][size, : len(masks)] = masks
        rules["team_counts_without"][size] = len(masks)
    return table
