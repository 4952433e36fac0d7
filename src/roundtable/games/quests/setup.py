"""What both quest games let a table choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from roundtable.games.quests.tables import QUESTS, team_size
from roundtable.table.setup import Setup


class QuestPlan(NamedTuple):
    """A quest as the table has it: how many go, how many Fails it takes, how many proposals there may be."""

    quest: int
    size: int
    fails: int
    proposals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestSetup(Setup):
    """Timers are off unless the table turns them on (C5)."""

    fewest: ClassVar[int] = 5
    most: ClassVar[int] = 10

    propose_seconds: int | None = None
    vote_seconds: int | None = None
    quest_seconds: int | None = None
    shot_seconds: int | None = None

    def fails_needed(self, quest: int) -> int:
        """A19, T20."""
        raise NotImplementedError

    def proposals_allowed(self, quest: int) -> int:
        """A15, T14."""
        raise NotImplementedError

    def plans(self) -> tuple[QuestPlan, ...]:
        """All quests, in order."""
        return tuple(
            QuestPlan(quest, team_size(self.seats, quest), self.fails_needed(quest), self.proposals_allowed(quest))
            for quest in range(1, QUESTS + 1)
        )
