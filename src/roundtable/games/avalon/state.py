"""How an Avalon game stands."""

from __future__ import annotations

from dataclasses import dataclass

from roundtable.core.seats import Seat
from roundtable.core.state import Absorbers, no_change
from roundtable.games.avalon import events as happened
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import Card, Side
from roundtable.games.quests.state import ABSORB_QUESTS, QuestState
from roundtable.games.quests.tables import QUESTS


@dataclass(kw_only=True, eq=False, repr=False)
class AvalonState(QuestState):
    setup: AvalonSetup
    lady: Seat | None = None
    lady_has_been_with: frozenset[Seat] = frozenset()
    loyalties: tuple[tuple[Seat, Seat, Side], ...] = ()  # (holder, examined, side), as far as known
    excalibur_shown: tuple[tuple[int, Seat, Card], ...] = ()  # (quest, whose card, what it was), as far as known

    def open_quests(self) -> tuple[int, ...]:
        """The quests a team may be proposed for, lowest first (A24)."""
        if not self.setup.choose_quests:
            return (len(self.results) + 1,)
        played = {result.quest for result in self.results}
        return tuple(
            quest for quest in range(1, QUESTS + 1) if quest not in played and (quest < QUESTS or self.successes >= 2)
        )


def _lady_given(state: AvalonState, event: happened.LadyGiven) -> None:
    state.lady = event.seat
    state.lady_has_been_with |= {event.seat}


def _loyalty_shown(state: AvalonState, event: happened.LoyaltyShown) -> None:
    state.loyalties += ((event.holder, event.target, event.side),)


def _card_shown(state: AvalonState, event: happened.CardShown) -> None:
    assert state.proposal is not None
    state.excalibur_shown += ((state.proposal.quest, event.target, event.card),)


ABSORB_AVALON: Absorbers = {
    **ABSORB_QUESTS,
    happened.LadyGiven: _lady_given,
    happened.LoyaltyExamined: no_change,
    happened.LoyaltyShown: _loyalty_shown,
    happened.LadyUnused: no_change,
    happened.ExcaliburUsed: no_change,
    happened.CardShown: _card_shown,
    happened.ExcaliburUnused: no_change,
    happened.MerlinShot: no_change,
}
