"""Belief in the quest games: what sights, teams, votes, cards and revealed sides say about who is who."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cache, cached_property, partial, reduce
from operator import or_
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import LEAST, Belief, Floats, Model, Possible, SideSets, Situation, clipped, normalised
from roundtable.belief.orders import Ints, RoleSet
from roundtable.belief.placements import Cast, Own, Placements
from roundtable.belief.sums import Evidence, Sums, draw, likeliest, possible_layouts, sums_over
from roundtable.core.actions import Move
from roundtable.core.events import Event, GameEnded, PhaseBegan, SecretsRevealed
from roundtable.core.seats import NOBODY, Seat
from roundtable.core.state import Phase
from roundtable.games.quests import events as happened
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.belief_cards import count_cards
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.habits import QuestHabits
from roundtable.games.quests.roles import EVIL_ROLES, SIDE_OF, Card, Glimpse, Role, Side, Sight
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.state import QuestDeal

CARDS = tuple(Card)
Told = tuple[tuple[Role, ...], tuple[str, ...]]  # the roles that a role is told to be in the game, and notices


class Rules(NamedTuple):
    """What the two games differ in."""

    good: tuple[tuple[tuple[Role, ...], float], ...]  # sets of Good roles that can be dealt together, with chances
    evil: tuple[tuple[tuple[Role, ...], float], ...]


class QuestViewpoints:
    """What one seat of a quest game may be."""

    def __init__(self, belief: QuestBelief, seat: Seat, ids: Ints) -> None:
        self.seat = seat
        self.ids = ids
        self._belief = belief
        space = belief.space
        self.roles: NDArray[np.int64] = space.role[ids]
        self.shown: NDArray[np.int64] = space.shown[ids]
        """The seats that the role was shown, as bits."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def names(self) -> tuple[str, ...]:
        return self._belief.roles

    def view(self, situation: Situation, place: int) -> Any:
        dealt = self._belief.dealt(int(self.ids[place]))
        state = situation.state.copy()
        state.roles, state.dealt = {self.seat: dealt.role}, {self.seat: dealt}
        state.voted, state.ballots, state.cards = NOBODY, {}, {}
        return state


class QuestBelief(Belief):
    sights: ClassVar[tuple[Sight, ...]]
    habits: ClassVar[Model] = QuestHabits()

    setup: QuestSetup

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        rules = self.rules()
        dealt = {role for roles, _ in (*rules.good, *rules.evil) for role in roles}
        self.roles = tuple(role for role in Role if role in dealt)
        self.sides = tuple(SIDE_OF[Role(role)] for role in self.roles)
        self._rules = rules
        self._own: RoleDealt | None = None
        self._own_card: Card | None = None
        self._weighed: Sums | None = None
        self._has_new_proof = False
        self._can_be = True
        self._quest_phase: Phase | None = None
        self._assassin: Seat | None = None
        self._first_leader: Seat | None = None

    @abstractmethod
    def rules(self) -> Rules: ...

    @abstractmethod
    def told(self, role: Role, roles: tuple[Role, ...]) -> Told: ...

    @abstractmethod
    def able_assassins(self, roles: Sequence[Role]) -> list[Seat]:
        """Who can be the Assassin in a deal."""

    # The deals

    @cached_property
    def space(self) -> Placements:
        """Made when it is first needed: a seat's own role makes it smaller."""
        own = None
        if self._own is not None:
            own = Own(self._own.seat, self.roles.index(self._own.role), partial(self._is_on, self._own))
        space = Placements(self.cast(), own)
        self._hard = np.zeros(len(space))
        self._soft = np.zeros(len(space))
        shape = (len(space.outer_seats), len(space.outer), len(space.by_joint.places))
        self._joint_hard, self._joint_soft = np.zeros(shape), np.zeros(shape)
        return space

    def cast(self) -> Cast:
        def numbered(sets: Sequence[tuple[tuple[Role, ...], float]]) -> tuple[RoleSet, ...]:
            return tuple(RoleSet(tuple(self.roles.index(role) for role in roles), chance) for roles, chance in sets)

        @cache
        def told(role: int, roles: tuple[int, ...]) -> Hashable:
            return self.told(Role(self.roles[role]), tuple(Role(self.roles[other]) for other in roles))

        sees = [[row.seen for row in self._rows_of(Role(role)) if row.seen & set(self.roles)] for role in self.roles]
        groups = [
            [frozenset(self.roles.index(role) for role in self.roles if role in seen) for seen in rows] for rows in sees
        ]
        choosers = frozenset(
            column
            for column, role in enumerate(self.roles)
            if role not in EVIL_ROLES and len(self.setup.cards_of(Role(role))) > 1
        )
        return Cast(
            seats=self.setup.seats,
            outer=numbered(self._rules.evil),
            inner=numbered(self._rules.good),
            sees=lambda role: groups[role],
            told=told,
            choosers=choosers,
        )

    def _rows_of(self, role: Role) -> list[Sight]:
        return [row for row in self.sights if role in row.viewers]

    def dealt(self, viewpoint: int) -> RoleDealt:
        """What a seat with this viewpoint was dealt."""
        space = self.space
        role = Role(self.roles[space.role[viewpoint]])
        said: Any = space.sayings[space.saying[viewpoint]]
        return RoleDealt(
            audience=NOBODY,
            seat=int(space.seat[viewpoint]),
            role=role,
            sees=self._glimpses(role, space.sights[viewpoint].tolist()),
            roles_in_game=said[0],
            notices=said[1],
            is_assassin=False,
        )

    def _glimpses(self, role: Role, shown: Sequence[int]) -> tuple[Glimpse, ...]:
        masks = iter(shown)
        sees = []
        for row in self._rows_of(role):
            mask = next(masks) if row.seen & set(self.roles) else 0
            seats = tuple(seat for seat in range(self.setup.seats) if mask >> seat & 1)
            if seats or row.told_when_empty:
                sees.append(Glimpse(seen_as=row.seen_as, seats=seats))
        return tuple(sees)

    def _is_on(self, card: RoleDealt, shown: Sequence[int], said: Hashable) -> bool:
        """Whether a card shows and tells just this."""
        if said != (card.roles_in_game, card.notices):
            return False
        everyone = mask_of(seat for glimpse in card.sees for seat in glimpse.seats)
        return reduce(or_, shown) == everyone and self._glimpses(card.role, shown) == card.sees

    # What is heard

    def notice(self, event: Event) -> None:
        match event:
            case RoleDealt(seat=seat) if seat == self.listener:
                self._look_at_own_card(event)
            case happened.LeaderNamed(seat=seat):
                self._first_leader = seat if self._first_leader is None else self._first_leader
            case happened.TeamProposed():
                self.watch(event.leader, self.proposal(event))
            case happened.VotesCounted():
                for seat, approve in enumerate(event.ballots):
                    self.watch(seat, CastVote(phase=self.public.phase.number, approve=approve))
            case PhaseBegan(name="quest"):
                self._quest_phase, self._own_card = Phase(event.number, event.name, event.awaited, event.seconds), None
            case happened.CardChosen(card=card):
                self._own_card = card
            case happened.QuestResolved():
                self._learn_cards(event)
            case happened.SidesRevealed():
                self._learn_sides(event.evil)
                self._assassin = event.assassin
                self.learn_assassin(event.assassin)
            case GameEnded(outcome=outcome) if outcome.winner is not None:
                won = set(outcome.seats)
                is_evil = outcome.winner == Side.EVIL
                self._learn_sides([seat for seat in range(self.setup.seats) if (seat in won) is is_evil])
            case SecretsRevealed():
                for _, fact in event.secret_facts:
                    if isinstance(fact, RoleDealt):
                        self.learn_role(fact.seat, (fact.role,))

    def proposal(self, event: happened.TeamProposed) -> ProposeTeam:
        return ProposeTeam(phase=self.public.phase.number, team=event.team)

    def learn_assassin(self, seat: Seat) -> None:
        """What it says about a seat's role that it is the Assassin."""

    def _look_at_own_card(self, card: RoleDealt) -> None:
        self._own = card
        self.__dict__.pop("space", None)
        space = self.space
        ids = np.flatnonzero((space.seat == card.seat) & (space.role == self.roles.index(card.role)))
        shown, said = space.sights[ids].tolist(), [space.sayings[number] for number in space.saying[ids]]
        own = [self._is_on(card, *one) for one in zip(shown, said, strict=True)]
        self._hard[(space.seat == card.seat)] = -np.inf
        self._hard[ids[own]] = 0.0
        self.has_proved()

    def learn_role(self, seat: Seat, roles: Collection[Role]) -> None:
        """The seat has one of these roles."""
        is_other = self._has_none_of(seat, roles)
        self._hard[is_other] = -np.inf
        self.has_proved()

    def _has_none_of(self, seat: Seat, roles: Collection[str]) -> NDArray[np.bool_]:
        """The viewpoints of a seat with any other role."""
        space = self.space
        columns = [column for column, role in enumerate(self.roles) if role in roles]
        return np.asarray((space.seat == seat) & ~np.isin(space.role, columns))

    def _learn_sides(self, evil: Sequence[Seat]) -> None:
        for seat in range(self.setup.seats):
            self.learn_side(seat, Side.EVIL if seat in evil else Side.GOOD)

    def learn_side(self, seat: Seat, side: Side) -> None:
        self.learn_role(seat, [role for role in Role if SIDE_OF[role] is side])

    # What players do

    def watch(self, seat: Seat, move: Move) -> None:
        """A seat has made a move; what it says about the seat's role is the model's to say."""
        if self.model is None or seat == self.listener:
            return
        points = self.viewpoints(seat)
        logs = clipped(self.model.log_chances(self.situation(seat), move, points))
        self._soft[points.ids] += logs - logs.max(initial=LEAST)
        self.has_suggested()

    def viewpoints(self, seat: Seat) -> QuestViewpoints:
        """Those that this seat can still have."""
        space = self.space
        self._leave_out_impossible()
        ids = space.of_seat[seat]
        return QuestViewpoints(self, seat, ids[self._hard[ids] == 0])

    # Cards

    def _learn_cards(self, event: happened.QuestResolved) -> None:
        allowed = self._allowed_cards()
        counted = self._count(event, self._with_own_card(event, allowed))
        self._joint_hard = np.where(counted > 0, self._joint_hard, -np.inf)
        self.has_proved()
        if self.model is not None:
            likely = self._count(event, self._with_own_card(event, self._likely_cards(event, allowed)))
            self._joint_soft += np.log(np.maximum(likely, np.exp(LEAST)))

    def _count(self, event: happened.QuestResolved, chances: Floats) -> Floats:
        chances, turned = self.turn_card(event, chances)
        return count_cards(self.space, chances, event.team, event.fails, event.reverses, turned)

    def turn_card(self, event: happened.QuestResolved, chances: Floats) -> tuple[Floats, Seat | None]:
        """How Excalibur changed what lay there, and the seat whose Success, if it is Good, became a Fail (A25)."""
        return chances, None

    def _allowed_cards(self) -> Floats:
        """[viewpoint, card]: 1 where the role may play that card."""
        hands = np.array([[card in self.setup.cards_of(Role(role)) for card in CARDS] for role in self.roles])
        return np.where(self.space.role[:, None] >= 0, hands[self.space.role], 0).astype(float)

    def _with_own_card(self, event: happened.QuestResolved, chances: Floats) -> Floats:
        if self._own_card is None or self.listener not in event.team:
            return chances
        own = self.space.seat == self.listener
        chances = chances.copy()
        chances[own] = [card is self._own_card for card in CARDS]
        return chances

    def _likely_cards(self, event: happened.QuestResolved, allowed: Floats) -> Floats:
        """The same as chances that the model gives."""
        assert self.model is not None
        assert self._quest_phase is not None
        chances: Floats = allowed / np.maximum(allowed.sum(axis=1, keepdims=True), 1)
        state = self.public.copy()
        state.phase = self._quest_phase
        for seat in sorted(event.team - {self.listener}):
            points = self.viewpoints(seat)
            free = points.ids[allowed[points.ids].sum(axis=1) > 1]
            points = QuestViewpoints(self, seat, free)
            logs = [
                self.model.log_chances(
                    self.situation(seat, state), PlayCard(phase=state.phase.number, card=card), points
                )
                for card in CARDS
            ]
            likely = np.exp(clipped(np.stack(logs, axis=1))) * allowed[free]
            chances[free] = likely / likely.sum(axis=1, keepdims=True)
        return chances

    # What follows

    def _evidence(self, with_model: bool) -> Evidence:
        self._leave_out_impossible()
        if not with_model or self.model is None:
            return Evidence(self._hard, self._joint_hard)
        return Evidence(self._hard + self._soft, self._joint_hard + self._joint_soft)

    def is_possible(self) -> bool:
        self._leave_out_impossible()
        return self._can_be

    def count(self) -> Possible:
        found = sums_over(self.space, self._evidence(with_model=False), len(self.roles), with_chances=False)
        deals = round(float(np.exp(found.log_total)))
        return Possible(deals, np.rint(found.chances * deals).astype(np.int64))

    def _leave_out_impossible(self) -> None:
        """Of the layouts, before anything is summed up over them. All of it, so that what is left follows from what was
        heard, and not from when the belief was asked."""
        if not self._has_new_proof:
            return
        self._has_new_proof = False
        possible = possible_layouts(self.space, Evidence(self._hard, self._joint_hard))
        masks, rows = np.asarray(possible.any(axis=1)), np.asarray(possible.any(axis=0))
        self._can_be = bool(masks.any())
        if self._can_be and not (masks.all() and rows.all()):
            self.space.keep(masks, rows)
            self._joint_hard = self._joint_hard[masks][:, rows]
            self._joint_soft = self._joint_soft[masks][:, rows]

    def weigh(self) -> Floats:
        return normalised(self._sums().chances) * self.setup.seats

    def sides_if(self, roles: Mapping[Seat, Collection[str]]) -> SideSets | None:
        space, known = self.space, self._supposing(roles)
        logs = sums_over(space, known, len(self.roles)).outer_logs
        if not np.isfinite(logs).any():
            return None
        members = space.outer_mask[:, None] >> np.arange(self.setup.seats) & 1
        return SideSets(members.astype(np.bool_), normalised(np.exp(logs - logs.max()).sum(axis=1)))

    def _supposing(self, roles: Mapping[Seat, Collection[str]]) -> Evidence:
        """All that was heard, and that each of these seats has one of these roles."""
        known = self._evidence(with_model=True)
        by_viewpoint = known.by_viewpoint.copy()
        for seat, names in roles.items():
            by_viewpoint[self._has_none_of(seat, names)] = -np.inf
        return Evidence(by_viewpoint, known.joint)

    def entropy(self) -> float:
        return self._sums(with_entropy=True).entropy

    def _sums(self, with_entropy: bool = False) -> Sums:
        if self._weighed is None or with_entropy:
            space = self.space  # made before its evidence
            evidence = self._evidence(with_model=True)
            self._weighed = sums_over(space, evidence, len(self.roles), with_entropy=with_entropy)
        return self._weighed

    def has_suggested(self) -> None:
        super().has_suggested()
        self._weighed = None

    def has_proved(self) -> None:
        super().has_proved()
        self._weighed = None
        self._has_new_proof = True

    def sample(self, count: int, rng: np.random.Generator) -> list[QuestDeal]:
        """The first leader is the one of the game, and the Assassin is drawn where it is not known."""
        drawn = draw(self.space, self._evidence(with_model=True), self._sums().outer_logs, count, rng)
        names, leader = [Role(role) for role in self.roles], self._first_leader or 0
        assassins = self._draw_assassins(drawn, rng)
        return [
            QuestDeal(tuple([names[role] for role in roles]), leader, assassin)
            for roles, assassin in zip(drawn.tolist(), assassins, strict=True)
        ]

    def likeliest(self, most: int, loyal: Seat | None = None) -> tuple[Ints, Floats]:
        """[deal, seat] roles of so many deals, as columns, the likeliest first, and the chance of each; only those in
        which the seat `loyal` is Good."""
        good = [role for role, side in zip(self.roles, self.sides, strict=True) if side == Side.GOOD]
        space, known = self.space, self._supposing({} if loyal is None else {loyal: good})
        return likeliest(space, known, min(most, self.logic.deals))

    def _draw_assassins(self, drawn: Ints, rng: np.random.Generator) -> list[Seat | None]:
        """Of each deal, each of those alike who can be the Assassin, as far as the listener knows."""
        able = np.isin(drawn, self.able_assassins([Role(role) for role in self.roles]))
        seats = np.arange(self.setup.seats)
        if self._assassin is not None:
            able[:] = seats == self._assassin
        elif self._own is not None:
            able &= (seats == self.listener) == self._own.is_assassin
        places = (rng.random(len(drawn)) * able.sum(axis=1)).astype(int)
        found = np.argmax(np.cumsum(able, axis=1) > places[:, None], axis=1).tolist()
        return [seat if count else None for seat, count in zip(found, able.sum(axis=1), strict=True)]
