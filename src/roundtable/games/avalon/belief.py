"""Belief in Avalon: what the Lady shows, and what Excalibur does to the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from roundtable.belief.contract import Floats
from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, UseExcalibur
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.events import (
    CardShown,
    ExcaliburUnused,
    ExcaliburUsed,
    LadyUnused,
    LoyaltyExamined,
    LoyaltyShown,
)
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.belief import CARDS, QuestBelief, Rules, Told
from roundtable.games.quests.belief_cards import FAIL, SUCCESS
from roundtable.games.quests.events import QuestResolved, TeamProposed
from roundtable.games.quests.roles import EVIL_ROLES, SIDE_OF, Card, Role, Side, Sight


class AvalonBelief(QuestBelief):
    sights: ClassVar[tuple[Sight, ...]] = SIGHTS

    setup: AvalonSetup

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._turned: Seat | None = None  # on whom Excalibur was used in this quest
        self._shown: Card | None = None  # and what its holder saw

    def rules(self) -> Rules:
        """A5: one set of cards, each seating alike."""
        cards = self.setup.all_roles
        good, evil = (tuple(card for card in cards if SIDE_OF[card] is side) for side in (Side.GOOD, Side.EVIL))
        return Rules(((good, 1.0),), ((evil, 1.0),))

    def told(self, role: Role, roles: tuple[Role, ...]) -> Told:
        return (), ()

    def able_assassins(self, roles: Sequence[Role]) -> list[Seat]:
        """A4, A27."""
        if not self.setup.merlin:
            return []
        able = EVIL_ROLES - {Role.OBERON} if self.setup.has_duty else {Role.ASSASSIN}
        return [seat for seat, role in enumerate(roles) if role in able]

    def learn_assassin(self, seat: Seat) -> None:
        """A4."""
        self.learn_role(seat, tuple(EVIL_ROLES - {Role.OBERON}) if self.setup.has_duty else (Role.ASSASSIN,))

    def proposal(self, event: TeamProposed) -> ProposeTeam:
        quest = event.quest if self.setup.choose_quests else None
        return ProposeTeam(phase=self.public.phase.number, team=event.team, quest=quest, excalibur=event.excalibur)

    def notice(self, event: Event) -> None:
        phase = self.public.phase.number
        match event:
            case LoyaltyExamined(holder=holder, target=target):
                self.watch(holder, ExamineLoyalty(phase=phase, target=target))
            case LoyaltyShown(target=target, side=side):
                self.learn_side(target, side)  # A23
            case LadyUnused(holder=holder) if self.setup.lady_may_pass:
                self.watch(holder, KeepLady(phase=phase))
            case ExcaliburUsed(holder=holder, target=target):
                self._turned = target
                self.watch(holder, UseExcalibur(phase=phase, target=target))
            case CardShown(card=card):
                self._shown = card
            case ExcaliburUnused(holder=holder):
                self.watch(holder, LeaveExcalibur(phase=phase))
            case QuestResolved():
                super().notice(event)
                self._turned = self._shown = None
            case _:
                super().notice(event)

    def turn_card(self, event: QuestResolved, chances: Floats) -> tuple[Floats, Seat | None]:
        """A25: the card at one seat was turned over before it was counted; its holder knows what it had been."""
        if self._turned is None:
            return chances, None
        chances = chances.copy()
        at = self.space.seat == self._turned
        if self._shown is not None:
            chances[at] *= [card is self._shown for card in CARDS]
            self._learn_if_fail()
        if self.setup.excalibur == "both":
            chances[np.ix_(at, [SUCCESS, FAIL])] = chances[np.ix_(at, [FAIL, SUCCESS])]
            return chances, self._turned
        chances[at, SUCCESS] += chances[at, FAIL]
        chances[at, FAIL] = 0.0
        return chances, None

    def _learn_if_fail(self) -> None:
        if self._shown is Card.FAIL and self._turned is not None:
            self.learn_side(self._turned, Side.EVIL)  # A17
