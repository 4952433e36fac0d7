"""What a sage has to know of Avalon."""

from __future__ import annotations

from roundtable.games.avalon.bots.careful import needed_for, public_bounds
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.quests.sage.strategy import QuestStrategy
from roundtable.games.quests.sage.tendencies import Customs
from roundtable.games.quests.tables import SIDES_BY_COUNT

STRATEGY = QuestStrategy(
    Customs(
        evil=lambda state: SIDES_BY_COUNT[state.setup.seats][1],
        bounds=public_bounds,
        needed=needed_for,
        last_attempt=lambda state: LAST_ATTEMPT,
    ),
    pool=lambda setup: setup.all_roles,
    most_seats_overheard=10,
)
