"""What both quest games let a table choose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from roundtable.core.setup import QuestPlan, Setup
from roundtable.games.quests.tables import QUESTS, team_size


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestSetup(Setup, ABC):
    """Timers are off unless the table turns them on (C5)."""

    fewest: ClassVar[int] = 5
    most: ClassVar[int] = 10

    propose_seconds: int | None = None
    vote_seconds: int | None = None
    quest_seconds: int | None = None
    shot_seconds: int | None = None

    @abstractmethod
    def fails_needed(self, quest: int) -> int:
        """A19, T20."""

    @abstractmethod
    def proposals_allowed(self, quest: int) -> int:
        """A15, T14."""

    def plans(self) -> tuple[QuestPlan, ...]:
        """All quests, in order."""
        return tuple(
            QuestPlan(quest, team_size(self.seats, quest), self.fails_needed(quest), self.proposals_allowed(quest))
            for quest in range(1, QUESTS + 1)
        )
