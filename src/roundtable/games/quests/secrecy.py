"""What the rulebook lets listeners of both quest games know, stated apart from the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from roundtable.core.actions import Expire, Remark, Say
from roundtable.core.chance import Chance, pick, shuffled
from roundtable.core.events import Event
from roundtable.core.seats import SPECTATOR, Audience, Seat
from roundtable.core.secrecy import (
    Ask,
    AudienceRule,
    Audiences,
    Script,
    Step,
    common_audiences,
    everyone,
    other_talk,
    that_seat,
)
from roundtable.games.quests import events as quests
from roundtable.games.quests.actions import CastVote, PlayCard
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.state import QuestDeal

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


def evil_seats(state: Any) -> Audience:
    """A21: who hears the channel in which Evil confers."""
    return frozenset(seat for seat, role in state.roles.items() if is_evil(role))


QUEST_AUDIENCES: Mapping[type[Event], AudienceRule] = common_audiences({"evil": evil_seats}) | {
    quests.RoleDealt: that_seat,
    quests.LeaderNamed: everyone,
    quests.TeamProposed: everyone,
    quests.ProposalMissed: everyone,
    quests.BallotCast: everyone,
    quests.BallotMarked: that_seat,
    quests.VotesCounted: everyone,
    quests.CardChosen: that_seat,
    quests.QuestResolved: everyone,
    quests.SidesRevealed: everyone,
}


class QuestSecrecy(ABC):
    """Shared by both games: the assassin's secret, and how two deals are brought near each other."""

    audiences: ClassVar[Audiences]
    channels: ClassVar[Sequence[str]] = ("evil",)

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

    @abstractmethod
    def mirror(self, script: Script, deal: QuestDeal, focus: int, chance: Chance) -> QuestMirror: ...


class QuestMirror:
    """Everything public is repeated by the same seats; what is secret is done another way.

    Cards are exchanged so that their numbers stay the same, a vote that was changed is cast in its final form at
    once, votes that are never counted are cast at random, and an absent seat may lay its dull card after all.
    """

    def __init__(self, script: Script, deal: QuestDeal, focus: int, chance: Chance) -> None:
        self.script = script
        self.deal = deal
        self.focus = focus
        self.chance = chance
        self.cards: dict[Seat, Card] | None = {}
        self.laid_in_script: dict[Seat, Card] = {}
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
            self.laid_in_script = self.laid(index)
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
            case Expire() if step.phase.name == "quest":
                return [*self.late_cards(index), Ask(step.actor, step.action)]
            case Say(channel="evil") | Remark(channel="evil") if not self.is_evil_focus:
                self.apart |= set(where(self.deal.roles, EVIL))
                return other_talk(step, self.chance)
        return self.own_asks(index, step)

    def own_asks(self, index: int, step: Step) -> Sequence[Ask] | None:
        """What only one of the games knows; otherwise the same seat does the same."""
        return [Ask(step.actor, step.action)]

    @property
    def is_evil_focus(self) -> bool:
        return self.focus >= 0 and is_evil(self.deal.roles[self.focus])

    def told_apart(self, index: int) -> Iterable[int]:
        return self.apart

    def is_slip_alike(self, step: Step) -> bool:
        """Whether what was a slip is one in the twin too: by the same role, and at no other seat's place in a queue."""
        seat = step.actor
        return seat < 0 or self.script.deal.roles[seat] == self.deal.roles[seat]

    def discards_votes(self, last: Step) -> bool:
        """Whether the phase that ended with this step left its votes uncounted."""
        return False

    def vote_asks(self, index: int, step: Step) -> Sequence[Ask]:
        """A12, T16: only final votes are heard, and only if they are counted."""
        if step.actor == self.focus:
            return [Ask(step.actor, step.action)]
        steps = [one for one in self.script.of_phase(index) if one.refusal is None]
        votes = [one for one in steps if one.actor == step.actor and isinstance(one.action, CastVote)]
        if self.discards_votes(steps[-1]):
            self.apart.add(step.actor)
            return [Ask(step.actor, CastVote(phase=step.phase.number, approve=self.chance.below(2) == 1))]
        if len(votes) > 1:
            self.apart.add(step.actor)
            return [Ask(step.actor, votes[-1].action)] if votes[0] is step else []
        return [Ask(step.actor, step.action)]

    def late_cards(self, index: int) -> Sequence[Ask]:
        """C5: of several absent seats one lays its card after all; no listener is shown which card was a default."""
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
        pinned = {seat: laid[seat] for seat in self.watched(index) if seat in laid}
        if not all(self.may_play(roles[seat], card) for seat, card in pinned.items()):
            return None
        others = {seat: card for seat, card in laid.items() if seat not in pinned}
        wanted = self.final_count(index, laid)
        for attempt in range(24):
            cards = pinned | (self.any_cards(others) if attempt % 2 else self.swapped(others))
            is_legal = all(self.may_play(roles[seat], card) for seat, card in cards.items())
            if is_legal and self.final_count(index, cards) == wanted:
                return cards
        return None

    def swapped(self, cards: dict[Seat, Card]) -> dict[Seat, Card]:
        return dict(zip(shuffled(self.chance, cards), cards.values(), strict=True))

    def any_cards(self, seats: Iterable[Seat]) -> dict[Seat, Card]:
        roles = self.deal.roles
        return {seat: pick(self.chance, [card for card in Card if self.may_play(roles[seat], card)]) for seat in seats}

    def may_play(self, role: str, card: Card) -> bool:
        return may_play(role, card)

    def watched(self, index: int) -> Iterable[Seat]:
        """Whose card the focus knows."""
        yield self.focus

    def final_count(self, index: int, cards: dict[Seat, Card]) -> Counter[Card]:
        """The number of each kind that becomes public (A18, T18)."""
        return Counter(cards.values())


def dull(role: str) -> str:
    return "F" if role == "Agravaine" else "S"
