"""THavalon's cards: who is told which roles are in the game, and what Evil is told besides."""

from __future__ import annotations

from collections.abc import Collection

from roundtable.games.quests.cards import QuestCards
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.thavalon.deal import SIGHTS, notices_to, roles_known_to


class ThavalonCards(QuestCards):
    sights = SIGHTS

    def assassins(self) -> Collection[Role]:
        """T4."""
        return EVIL_ROLES

    def roles_known_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[Role, ...]:
        return roles_known_to(role, pool)

    def notices_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[str, ...]:
        return notices_to(role, pool)
