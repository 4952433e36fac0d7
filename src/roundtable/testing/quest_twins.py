"""What the rulebook lets each listener of Avalon and THavalon know, stated apart from the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from roundtable.core.actions import Expire, Say
from roundtable.core.chance import Chance, pick, shuffled
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games.avalon.actions import ExamineLoyalty, UseExcalibur
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.actions import CastVote, PlayCard
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.state import QuestDeal
from roundtable.games.thavalon.actions import DeclareAgravaine, DeclareArthur, GoOn
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.testing.twins import OTHER_WORDS, Ask, Script, Step

# Written again here on purpose: a slip in the engine's own tables must not hide from its test.
EVIL = {"Assassin", "Morgana", "Mordred", "Oberon", "Minion of Mordred", "Maelagant", "Agravaine", "Colgrevance"}
SECRET_CARDS = {"Lancelot": "SR", "Maelagant": "SFR", "Agravaine": "F"}
LETTER = {Card.SUCCESS: "S", Card.FAIL: "F", Card.REVERSE: "R"}


def is_evil(role: str) -> bool:
    return role in EVIL


def may_play(role: str, card: Card) -> bool:
    return LETTER[card] in SECRET_CARDS.get(role, "SF" if is_evil(role) else "S")


def where(roles: Sequence[str], wanted: Iterable[str]) -> tuple[Seat, ...]:
    wanted = set(wanted)
    return tuple(seat for seat, role in enumerate(roles) if role in wanted)


class QuestSecrecy(ABC):
    """Shared by both games: the assassin's secret, and how two deals are brought near each other."""

    def known(self, setup: Any, deal: QuestDeal, listener: int) -> Hashable:
        if listener == SPECTATOR:
            return deal.leader
        role = deal.roles[listener]
        return (deal.leader, role, listener == deal.assassin, self.seen(role, deal.roles, listener))

    @abstractmethod
    def seen(self, role: str, roles: Sequence[str], seat: Seat) -> Hashable:
        """What a role is shown of a deal."""

    def another_deal(self, setup: Any, deal: QuestDeal, listener: Seat, chance: Chance) -> QuestDeal:
        roles = list(deal.roles)
        others = [seat for seat in range(len(roles)) if seat != listener]
        for _ in range(1 + chance.below(2)):
            one, other = shuffled(chance, others)[:2]
            roles[one], roles[other] = roles[other], roles[one]
        return QuestDeal(tuple(roles), deal.leader, self.any_assassin(setup, deal, roles, chance))

    def any_assassin(self, setup: Any, deal: QuestDeal, roles: Sequence[Role], chance: Chance) -> Seat | None:
        evil = [seat for seat, role in enumerate(roles) if is_evil(role)]
        return deal.assassin if deal.assassin in evil and chance.below(2) else pick(chance, evil)

    def mirror(self, script: Script, deal: QuestDeal, focus: int, chance: Chance) -> QuestMirror:
        return QuestMirror(script, deal, focus, chance)


class AvalonSecrecy(QuestSecrecy):
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


class ThavalonSecrecy(QuestSecrecy):
    def seen(self, role: str, roles: Sequence[str], seat: Seat) -> Hashable:
        match role:
            case "Merlin":
                return where(roles, EVIL - {"Mordred"} | {"Lancelot"})
            case "Percival":
                return where(roles, {"Merlin", "Morgana"})
            case "Tristan" | "Iseult":
                return where(roles, {"Tristan", "Iseult"})
            case "Nimue":
                return frozenset(roles)
            case "Arthur":
                return frozenset(role for role in roles if not is_evil(role))
            case "Colgrevance":
                return tuple(role if is_evil(role) else None for role in roles)
            case _ if is_evil(role):
                return where(roles, EVIL - {"Colgrevance"} | {"Titania"}), "Colgrevance" in roles, "Titania" in roles
        return None

    def another_deal(self, setup: Any, deal: QuestDeal, listener: Seat, chance: Chance) -> QuestDeal:
        """Roles change seats, and sometimes a role that was not drawn takes the place of one that was."""
        assert isinstance(setup, ThavalonSetup)
        near = QuestSecrecy.another_deal(self, setup, deal, listener, chance)
        if chance.below(2):
            return near
        roles = list(near.roles)
        seat = pick(chance, [seat for seat in range(len(roles)) if seat != listener])
        pool = setup.evil_pool if is_evil(roles[seat]) else setup.good_pool
        undrawn = [role for role in pool if role not in roles and role not in ("Tristan", "Iseult")]
        if undrawn and roles[seat] not in ("Tristan", "Iseult"):
            roles[seat] = pick(chance, undrawn)
        return QuestDeal(tuple(roles), deal.leader, near.assassin)


class QuestMirror:
    """Everything public is repeated by the same seats; what nobody else may know is done another way.

    Cards are exchanged so that their numbers stay the same, a vote that was changed is cast in its final form at
    once, votes that are never counted are cast at random, and an absent seat may lay its dull card after all.
    """

    def __init__(self, script: Script, deal: QuestDeal, focus: int, chance: Chance) -> None:
        self.script = script
        self.deal = deal
        self.focus = focus
        self.chance = chance
        self.cards: dict[Seat, Card] | None = {}
        self.shown: dict[Seat, Card] = {}
        self.apart: set[Seat] = set()
        self.same_sides = [is_evil(role) for role in script.deal.roles] == [is_evil(role) for role in deal.roles]
        self.same_assassin = script.deal.assassin == deal.assassin

    def asks(self, index: int) -> Sequence[Ask] | None:
        step = self.script.steps[index]
        self.apart = set()
        if step.next_phase == "assassination" and not (self.same_sides and self.same_assassin):
            return None
        if step.phase.name == "quest" and self.script.begins_phase(index):
            self.cards = self.exchange_cards(index)
            self.shown = self.laid(index)
        if step.phase.name == "quest" and self.cards is None:
            return None
        if step.refusal is not None:
            return [Ask(step.actor, step.action)] if self.is_slip_alike(step) else []
        match step.action:
            case PlayCard(card=card) if self.cards is not None:
                if self.cards[step.actor] != card:
                    self.apart.add(step.actor)
                return [Ask(step.actor, PlayCard(phase=step.phase.number, card=self.cards[step.actor]))]
            case CastVote():
                return self.vote_asks(index, step)
            case GoOn():
                return self.go_on_asks(index, step)
            case Expire() if step.phase.name == "quest":
                return [*self.late_cards(index), Ask(step.actor, step.action)]
            case DeclareArthur() | DeclareAgravaine():
                if self.script.deal.roles[step.actor] != self.deal.roles[step.actor]:
                    return None
            case Say(channel="evil") if not self.is_evil_focus:
                self.apart |= set(where(self.deal.roles, EVIL))
                return [Ask(step.actor, Say(channel="evil", text=OTHER_WORDS))] if self.same_sides else []
            case UseExcalibur(target=target):
                if self.shown.get(target) != (self.cards or {}).get(target):
                    self.apart.add(step.actor)
            case ExamineLoyalty(target=target):
                before, after = self.script.deal.roles[target], self.deal.roles[target]
                if is_evil(before) != is_evil(after):
                    self.apart.add(step.actor)
        return [Ask(step.actor, step.action)]

    @property
    def is_evil_focus(self) -> bool:
        return self.focus >= 0 and is_evil(self.deal.roles[self.focus])

    def told_apart(self, index: int) -> Iterable[int]:
        return self.apart

    def is_slip_alike(self, step: Step) -> bool:
        """Whether what was a slip is one in the twin too: by the same role, and at no other seat's place in a queue."""
        seat = step.actor
        if isinstance(step.action, GoOn) and seat != self.focus:
            return False
        return seat < 0 or self.script.deal.roles[seat] == self.deal.roles[seat]

    def vote_asks(self, index: int, step: Step) -> Sequence[Ask]:
        """A12, T16: only final votes are heard, and only if they are counted."""
        if step.actor == self.focus:
            return [Ask(step.actor, step.action)]
        steps = [one for one in self.script.of_phase(index) if one.refusal is None]
        votes = [one for one in steps if one.actor == step.actor and isinstance(one.action, CastVote)]
        if isinstance(steps[-1].action, DeclareArthur):
            self.apart.add(step.actor)
            return [Ask(step.actor, CastVote(phase=step.phase.number, approve=self.chance.below(2) == 1))]
        if len(votes) > 1:
            self.apart.add(step.actor)
            return [Ask(step.actor, votes[-1].action)] if votes[0] is step else []
        return [Ask(step.actor, step.action)]

    def go_on_asks(self, index: int, step: Step) -> Sequence[Ask]:
        """T21: who has nothing to declare is nobody's business, so others take one another's places."""
        waiting = [
            one.actor
            for one in self.script.of_phase(index)
            if isinstance(one.action, GoOn) and one.refusal is None and one.actor != self.focus
        ]
        if step.actor == self.focus:
            return [Ask(step.actor, step.action)]
        stand_in = waiting[-1 - waiting.index(step.actor)]
        self.apart |= {step.actor, stand_in}
        return [Ask(stand_in, step.action)]

    def late_cards(self, index: int) -> Sequence[Ask]:
        """C5: of several absent seats one lays its card after all; nobody is shown which card was a default."""
        absent = self.absent(index)
        dullards = [seat for seat in absent if seat != self.focus]
        if len(absent) < 2 or not dullards:
            return []
        seat = pick(self.chance, dullards)
        self.apart.add(seat)
        card = Card.FAIL if dull(self.deal.roles[seat]) == "F" else Card.SUCCESS
        return [Ask(seat, PlayCard(phase=self.script.steps[index].phase.number, card=card))]

    def laid(self, index: int) -> dict[Seat, Card]:
        return {
            step.actor: step.action.card
            for step in self.script.of_phase(index)
            if isinstance(step.action, PlayCard) and step.refusal is None
        }

    def absent(self, index: int) -> list[Seat]:
        return sorted(self.script.steps[index].phase.awaited - set(self.laid(index)))

    def exchange_cards(self, index: int) -> dict[Seat, Card] | None:
        """Cards for the twin that its roles may play and that count the same, or None where there are none."""
        laid = self.laid(index)
        roles = self.deal.roles
        if any(dull(self.script.deal.roles[seat]) != dull(roles[seat]) for seat in self.absent(index)):
            return None
        turned = self.turned(index)
        pinned = {seat: laid[seat] for seat in self.watched(turned) if seat in laid}
        if not all(may_play(roles[seat], card) for seat, card in pinned.items()):
            return None
        others = {seat: card for seat, card in laid.items() if seat not in pinned}
        wanted = self.final_count(laid, turned)
        for attempt in range(24):
            cards = pinned | (self.any_cards(others) if attempt % 2 else self.swapped(others))
            is_legal = all(may_play(roles[seat], card) for seat, card in cards.items())
            if is_legal and self.final_count(cards, turned) == wanted:
                return cards
        return None

    def swapped(self, cards: dict[Seat, Card]) -> dict[Seat, Card]:
        return dict(zip(shuffled(self.chance, cards), cards.values(), strict=True))

    def any_cards(self, seats: Iterable[Seat]) -> dict[Seat, Card]:
        roles = self.deal.roles
        return {seat: pick(self.chance, [card for card in Card if may_play(roles[seat], card)]) for seat in seats}

    def turned(self, index: int) -> Step | None:
        """Excalibur's use after this quest, if it was used."""
        number = self.script.steps[index].phase.number + 1
        for step in self.script.steps[index:]:
            if step.phase.number == number and isinstance(step.action, UseExcalibur) and step.refusal is None:
                return step
        return None

    def watched(self, turned: Step | None) -> Iterable[Seat]:
        """Whose card the focus knows: its own, and the one it turned with Excalibur."""
        yield self.focus
        if turned and turned.actor == self.focus and isinstance(turned.action, UseExcalibur):
            yield turned.action.target

    def final_count(self, cards: dict[Seat, Card], turned: Step | None) -> Counter[Card]:
        """The number of each kind that becomes public, after Excalibur has done its work (A18, A25)."""
        lying = dict(cards)
        if turned and isinstance(turned.action, UseExcalibur) and turned.action.target in lying:
            was = lying[turned.action.target]
            if was is Card.FAIL or self.script.setup.excalibur == "both":  # type: ignore[attr-defined]
                lying[turned.action.target] = Card.SUCCESS if was is Card.FAIL else Card.FAIL
        return Counter(lying.values())


def dull(role: str) -> str:
    return "F" if role == "Agravaine" else "S"
