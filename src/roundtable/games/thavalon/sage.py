"""What a sage has to know of THavalon."""

from __future__ import annotations

from roundtable.games.quests.sage.strategy import QuestStrategy
from roundtable.games.quests.sage.tendencies import Customs
from roundtable.games.quests.tables import fails_needed
from roundtable.games.thavalon.bots.careful import public_bounds
from roundtable.games.thavalon.setup import TWO_FAILS_FROM

STRATEGY = QuestStrategy(
    Customs(
        evil=lambda state: state.setup.sides[1],
        bounds=public_bounds,
        needed=lambda state, quest: fails_needed(state.setup.seats, quest, TWO_FAILS_FROM),
        last_attempt=lambda state: state.proposals_allowed,
        doubtful=1,  # T6: Lancelot
    ),
    pool=lambda setup: setup.good_pool,
    most_seats_overheard=9,  # at ten, a remark would take an eighth of a second, and the belief 44 MB
)
