"""Belief by going through all deals one by one, written without the package's tables; and a model for tests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, log, prod
from typing import Any, NamedTuple

import numpy as np

from roundtable.belief import Situation, Viewpoints
from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.policy import chosen
from roundtable.core.seats import Seat
from roundtable.games.avalon import events as avalon
from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, UseExcalibur
from roundtable.games.avalon.deal import hand_out as hand_out_avalon
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests import events as quests
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.thavalon import events as thavalon
from roundtable.games.thavalon.deal import draw_good, hand_out
from roundtable.games.thavalon.setup import ThavalonSetup
from support.chances import every_outcome

TURNED = {Card.SUCCESS: Card.FAIL, Card.FAIL: Card.SUCCESS}


def odd_chance(dealt: RoleDealt, move: Move) -> float:
    """A chance that looks random and depends on all that the seat was dealt, and on the move."""
    sees = [(str(shown.seen_as), sorted(map(int, shown.seats))) for shown in dealt.sees]
    known = [*map(str, dealt.roles_in_game), *map(str, dealt.notices)]
    what = [sorted(map(int, part)) if isinstance(part, frozenset) else part for part in chosen(move)]
    # Of plain values alone: equal values with NumPy's numbers in them look otherwise.
    key = repr((int(dealt.seat), str(dealt.role), sees, known, type(move).__name__, what))
    return 0.05 + 0.9 * hashlib.sha256(key.encode()).digest()[0] / 255


class OddModel:
    """Players who act by `odd_chance`."""

    def log_chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Any:
        views = [viewpoints.view(situation, place) for place in range(len(viewpoints))]
        return np.log([odd_chance(view.dealt[situation.seat], move) for view in views])


class Deal(NamedTuple):
    roles: tuple[Role, ...]
    cards: tuple[RoleDealt, ...]
    chance: float


def all_deals(setup: Any, own: RoleDealt | None) -> Iterator[Deal]:
    """Every seating of every set of roles, with its chance; for a seat those in which it has its role."""
    for roles, chance in role_sets(setup):
        if own is not None and own.role not in roles:
            continue
        alike = prod(factorial(roles.count(role)) for role in set(roles))
        for seating in seatings(roles, own):
            evil = next(seat for seat, role in enumerate(seating) if role in EVIL_ROLES)
            cards = hand_out(seating, evil) if isinstance(setup, ThavalonSetup) else hand_out_avalon(seating, None)
            yield Deal(seating, cards, chance * alike / factorial(len(roles)))


def seatings(roles: tuple[Role, ...], own: RoleDealt | None) -> set[tuple[Role, ...]]:
    if own is None:
        return set(permutations(roles))
    rest = list(roles)
    rest.remove(own.role)
    return {(*others[: own.seat], own.role, *others[own.seat :]) for others in permutations(rest)}


def role_sets(setup: Any) -> Iterator[tuple[tuple[Role, ...], float]]:
    if isinstance(setup, AvalonSetup):
        yield setup.all_roles, 1.0
        return
    good, evil = setup.sides
    drawn = every_outcome(lambda chance: frozenset(draw_good(setup.good_pool, good, chance)))
    sets = {frozenset(roles) for roles in permutations(setup.evil_pool, evil)}
    for some, chance in drawn.items():
        for others in sets:
            yield tuple(sorted(some | others)), float(chance) / len(sets)


@dataclass
class Brute:
    """What a listener may believe: the deals that are possible, and how likely each is."""

    setup: Any
    listener: int
    has_model: bool
    own: RoleDealt | None = None

    def __post_init__(self) -> None:
        self.deals = list(all_deals(self.setup, self.own))
        self.likely = [deal.chance for deal in self.deals]
        self.own_card: Card | None = None
        self.turned: Seat | None = None
        self.shown: Card | None = None

    def hear(self, event: Event, phase: int) -> None:
        match event:
            case RoleDealt():
                self.require(lambda deal: is_same(deal.cards[self.listener], event))
            case quests.TeamProposed(leader=leader, team=team, quest=quest, excalibur=bearer):
                named = quest if getattr(self.setup, "choose_quests", False) else None
                self.watch(leader, ProposeTeam(phase=phase, team=team, quest=named, excalibur=bearer))
            case quests.VotesCounted(ballots=ballots):
                for seat, approve in enumerate(ballots):
                    self.watch(seat, CastVote(phase=phase, approve=approve))
            case quests.CardChosen(card=card):
                self.own_card = card
            case quests.QuestResolved():
                self.count(event)
                self.own_card = self.turned = self.shown = None
            case quests.SidesRevealed(evil=evil, assassin=assassin):
                self.require(lambda deal: {s for s, role in enumerate(deal.roles) if role in EVIL_ROLES} == set(evil))
                if isinstance(self.setup, AvalonSetup):
                    is_card = not self.setup.has_duty
                    self.require(lambda deal: deal.roles[assassin] is not Role.OBERON)
                    self.require(lambda deal: not is_card or deal.roles[assassin] is Role.ASSASSIN)
            case avalon.LoyaltyExamined(holder=holder, target=target):
                self.watch(holder, ExamineLoyalty(phase=phase, target=target))
            case avalon.LoyaltyShown(target=target, side=side):
                self.require(lambda deal: (deal.roles[target] in EVIL_ROLES) is (side == "Evil"))
            case avalon.LadyUnused(holder=holder) if self.setup.lady_may_pass:
                self.watch(holder, KeepLady(phase=phase))
            case avalon.ExcaliburUsed(holder=holder, target=target):
                self.turned = target
                self.watch(holder, UseExcalibur(phase=phase, target=target))
            case avalon.ExcaliburUnused(holder=holder):
                self.watch(holder, LeaveExcalibur(phase=phase))
            case avalon.CardShown(card=card):
                self.shown = card
            case thavalon.ArthurDeclared(seat=seat):
                self.require(lambda deal: deal.roles[seat] is Role.ARTHUR)
            case thavalon.AgravaineDeclared(seat=seat):
                self.require(lambda deal: deal.roles[seat] is Role.AGRAVAINE)

    def require(self, holds: Any) -> None:
        kept = [holds(deal) for deal in self.deals]
        self.deals = [deal for deal, keep in zip(self.deals, kept, strict=True) if keep]
        self.likely = [chance for chance, keep in zip(self.likely, kept, strict=True) if keep]

    def watch(self, seat: Seat, move: Move) -> None:
        if self.has_model and seat != self.listener:
            known: dict[RoleDealt, float] = {}
            for place, deal in enumerate(self.deals):
                card = deal.cards[seat]
                if card not in known:
                    known[card] = odd_chance(card, move)
                self.likely[place] *= known[card]

    def count(self, event: quests.QuestResolved) -> None:
        """How likely each deal is to bring these cards; a deal in which that cannot happen is left out."""
        wanted = (event.fails, event.reverses)
        found = [self.chance_of(deal, sorted(event.team), wanted) for deal in self.deals]
        self.likely = [one * other for one, other in zip(self.likely, found, strict=True)]
        lasting = iter([chance > 0 for chance in found])
        self.require(lambda deal: next(lasting))

    def chance_of(self, deal: Deal, team: Sequence[Seat], wanted: tuple[int, int]) -> float:
        hands = [self.hand(deal, seat) for seat in team]
        total = 0.0
        for laid in product(*hands):
            cards = [self.after_turning(seat, card) for seat, (card, _) in zip(team, laid, strict=True)]
            is_seen = all(
                card is self.shown
                for seat, (card, _) in zip(team, laid, strict=True)
                if seat == self.turned and self.shown is not None
            )
            if is_seen and (cards.count(Card.FAIL), cards.count(Card.REVERSE)) == wanted:
                total += float(np.prod([chance for _, chance in laid]))
        return total if self.has_model else float(total > 0)

    def hand(self, deal: Deal, seat: Seat) -> list[tuple[Card, float]]:
        cards = self.setup.cards_of(deal.roles[seat])
        if seat == self.listener and self.own_card is not None:
            return [(self.own_card, 1.0)] if self.own_card in cards else []
        weights = [
            odd_chance(deal.cards[seat], PlayCard(phase=0, card=card)) if len(cards) > 1 else 1.0 for card in cards
        ]
        return [(card, weight / sum(weights)) for card, weight in zip(cards, weights, strict=True)]

    def after_turning(self, seat: Seat, card: Card) -> Card:
        if seat != self.turned or (self.setup.excalibur == "fail_only" and card is Card.SUCCESS):
            return card
        return TURNED[card]

    # What follows

    def counts(self, roles: Sequence[str]) -> list[list[int]]:
        return [
            [sum(deal.roles[seat] == role for deal in self.deals) for role in roles] for seat in range(self.setup.seats)
        ]

    def posterior(self, roles: Sequence[str]) -> Any:
        found = np.zeros((self.setup.seats, len(roles)))
        for deal, weight in zip(self.deals, self.likely, strict=True):
            for seat, role in enumerate(deal.roles):
                found[seat, roles.index(role)] += weight
        return found / sum(self.likely)

    def entropy(self) -> float:
        total = sum(self.likely)
        return -sum(weight / total * log(weight / total, 2) for weight in self.likely if weight)


def is_same(one: RoleDealt, other: RoleDealt) -> bool:
    """Whether a seat was dealt the same, but for the Assassin's duty."""
    return (one.role, one.sees, one.roles_in_game, one.notices) == (
        other.role,
        other.sees,
        other.roles_in_game,
        other.notices,
    )
