"""Avalon's cards: the Assassin's duty, and the first holder of the Lady of the Lake."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from roundtable.core.events import Event
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.events import LadyGiven
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.cards import QuestCards
from roundtable.games.quests.roles import EVIL_ROLES, Role


class AvalonCards(QuestCards):
    setup: AvalonSetup
    sights = SIGHTS

    def assassins(self) -> Collection[Role]:
        """A4."""
        return EVIL_ROLES if self.setup.has_duty else ()

    def start(self, heard: Iterable[Event]) -> str:
        events = list(heard)
        holders = [event.seat for event in events if isinstance(event, LadyGiven)]
        lady = [self.text("label.lady_first", name=self.names[holder]) for holder in holders]  # A23
        return " ".join([super().start(events), *lady])
