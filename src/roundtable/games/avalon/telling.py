"""What only Avalon tells: the dagger as a duty, and what the Lady and Excalibur showed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.games.avalon.events import CardShown, LoyaltyShown
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests.events import TeamProposed
from roundtable.games.quests.roles import Role
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.state import QuestState
from roundtable.games.quests.telling import QuestTeller
from roundtable.text.picture import Mark


class AvalonTeller(QuestTeller):
    retold: ClassVar[tuple[type[Event], ...]] = (LoyaltyShown, CardShown)

    def duties(self, setup: QuestSetup) -> Iterator[str]:
        if isinstance(setup, AvalonSetup) and setup.has_duty:
            yield self.text("board.duty", context="" if Role.OBERON in setup.all_roles else "no_oberon")
        if isinstance(setup, AvalonSetup) and setup.identity_claims == "forbidden":
            yield self.text("board.no_claims")  # A10

    def marks(self, view: QuestState, seat: Seat) -> Iterator[Mark]:
        yield from super().marks(view, seat)
        if isinstance(view, AvalonState) and view.outcome is None:
            if view.proposal is not None and seat == view.proposal.excalibur:
                yield Mark("⚔", "X", self.text("mark.excalibur"), "cyan")
            if seat == view.lady:
                yield Mark("☾", "W", self.text("mark.lady"), "cyan")

    def secrets(self, heard: Iterable[Event]) -> str:
        events = list(heard)
        return "\n".join([super().secrets(events), *self.cards_seen(events)])

    def cards_seen(self, heard: Iterable[Event]) -> Iterator[str]:
        """Which cards Excalibur showed, each with its quest, which the event does not name (A25)."""
        quest = 0
        for event in heard:
            if isinstance(event, TeamProposed):
                quest = event.quest
            elif isinstance(event, CardShown):
                yield self.text("secret.card_seen", **self.blanks(event), quest=quest)
