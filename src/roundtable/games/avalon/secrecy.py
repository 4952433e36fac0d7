"""What the rulebook lets each listener of Avalon know, stated apart from the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar

from roundtable.core.chance import Chance, pick
from roundtable.core.seats import Audience, Seat
from roundtable.core.secrecy import Ask, Audiences, Script, Step, everyone
from roundtable.games.avalon import events as avalon
from roundtable.games.avalon.actions import ExamineLoyalty, UseExcalibur
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.secrecy import EVIL, QUEST_AUDIENCES, QuestMirror, QuestSecrecy, is_evil, where
from roundtable.games.quests.state import QuestDeal


def its_holder(event: Any, state: Any) -> Audience:
    return frozenset((event.holder,))


class AvalonSecrecy(QuestSecrecy):
    audiences: ClassVar[Audiences] = {
        **QUEST_AUDIENCES,
        avalon.LadyGiven: everyone,
        avalon.LoyaltyExamined: everyone,
        avalon.LoyaltyShown: its_holder,
        avalon.LadyUnused: everyone,
        avalon.ExcaliburUsed: everyone,
        avalon.CardShown: its_holder,
        avalon.ExcaliburUnused: everyone,
        avalon.MerlinShot: everyone,
    }

    def seen(self, role: str, roles: Sequence[str], seat: Seat) -> Hashable:
        match role:
            case "Merlin":
                return where(roles, EVIL - {"Mordred"})
            case "Percival":
                return where(roles, {"Merlin", "Morgana"})
            case _ if is_evil(role) and role != "Oberon":
                return where(roles, EVIL - {"Oberon"})
        return None

    def any_assassin(self, setup: Any, deal: QuestDeal, roles: Sequence[Role], chance: Chance) -> Seat | None:
        assert isinstance(setup, AvalonSetup)
        if not setup.merlin:
            return None
        if setup.assassin == "role":
            return list(roles).index(Role.ASSASSIN)
        able = [seat for seat, role in enumerate(roles) if is_evil(role) and role != "Oberon"]
        return deal.assassin if deal.assassin in able and chance.below(2) else pick(chance, able)

    def mirror(self, script: Script, deal: QuestDeal, focus: int, chance: Chance) -> AvalonMirror:
        return AvalonMirror(script, deal, focus, chance)


class AvalonMirror(QuestMirror):
    """The same, with the Lady and Excalibur: who was shown something else knows which game this is."""

    def own_asks(self, index: int, step: Step) -> Sequence[Ask] | None:
        match step.action:
            case UseExcalibur(target=target):
                if self.laid_in_script.get(target) != (self.cards or {}).get(target):
                    self.apart.add(step.actor)
            case ExamineLoyalty(target=target):
                before, after = self.script.deal.roles[target], self.deal.roles[target]
                if is_evil(before) != is_evil(after):
                    self.apart.add(step.actor)
        return [Ask(step.actor, step.action)]

    def turned(self, index: int) -> tuple[Seat, Seat] | None:
        """Who used Excalibur after this quest and on whom, if it was used."""
        number = self.script.steps[index].phase.number + 1
        for step in self.script.steps[index:]:
            if step.phase.number == number and isinstance(step.action, UseExcalibur) and step.refusal is None:
                return step.actor, step.action.target
        return None

    def watched(self, index: int) -> Iterable[Seat]:
        """Whose card the focus knows: its own, and the one it turned with Excalibur."""
        yield self.focus
        if (turned := self.turned(index)) and turned[0] == self.focus:
            yield turned[1]

    def final_count(self, index: int, cards: dict[Seat, Card]) -> Counter[Card]:
        """The number of each kind that becomes public, after Excalibur has done its work (A18, A25)."""
        lying, turned = dict(cards), self.turned(index)
        if turned and turned[1] in lying:
            before = lying[turned[1]]
            if before is Card.FAIL or self.script.setup.excalibur == "both":  # type: ignore[attr-defined]
                lying[turned[1]] = Card.SUCCESS if before is Card.FAIL else Card.FAIL
        return Counter(lying.values())


SECRECY = AvalonSecrecy()
