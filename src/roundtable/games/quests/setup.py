"""What both quest games let a table choose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from roundtable.core.setup import Round, Setup
from roundtable.core.values import value
from roundtable.games.quests.roles import CARDS_BY_ROLE, Card, Role
from roundtable.games.quests.tables import QUESTS, team_size


@value
class QuestPlan(Round):
    """A quest as the rules have it for this table: how many go, how many Fails it takes, how many proposals."""

    quest: int
    size: int
    fails: int
    proposals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestSetup(Setup, ABC):
    """Timers are off unless the table turns them on (C5)."""

    fewest: ClassVar[int] = 5
    most: ClassVar[int] = 10

    propose_seconds: int | None = None
    vote_seconds: int | None = None
    quest_seconds: int | None = None
    shot_seconds: int | None = None

    def cards_of(self, role: Role) -> tuple[Card, ...]:
        """What a role may play on a quest (A17, T17). The plainest card comes first (C5)."""
        return CARDS_BY_ROLE[role]

    @abstractmethod
    def fails_needed(self, quest: int) -> int:
        """A19, T20."""

    @abstractmethod
    def proposals_allowed(self, quest: int) -> int:
        """A15, T14."""

    def rounds(self) -> tuple[QuestPlan, ...]:
        """All quests, in order."""
        return tuple(
            QuestPlan(
                quest=quest,
                size=team_size(self.seats, quest),
                fails=self.fails_needed(quest),
                proposals=self.proposals_allowed(quest),
            )
            for quest in range(1, QUESTS + 1)
        )
