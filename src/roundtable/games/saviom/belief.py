"""Belief in Saviom: what accusations, verdicts, deaths and a seat's own nights say about Wolves, Seer and Protector."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import permutations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Belief, Floats, Model, Possible, SideSets, Situation, clipped, normalised
from roundtable.belief.listed import ListedDeals
from roundtable.core.actions import Move
from roundtable.core.events import Event, FloorGiven, GameEnded, Remarked, SecretsRevealed
from roundtable.core.game import OPEN_TALK
from roundtable.core.seats import Seat
from roundtable.games.saviom import events as happened
from roundtable.games.saviom.actions import Accuse, Hunt, Judge, Protect
from roundtable.games.saviom.bots.hearsay import WOLF_WORDS
from roundtable.games.saviom.events import RoleDealt
from roundtable.games.saviom.habits import CLAIMS, SaviomHabits, mask_of
from roundtable.games.saviom.setup import Role, SaviomSetup, side_of
from roundtable.games.saviom.state import most_named

DYING = (happened.PlayerDied, happened.FateRevealed, FloorGiven)  # what is told before a side can have won (S13)


class SaviomViewpoints:
    """What one seat may be: a role, and for a Wolf the pack.

    A Seer's viewpoints are told apart by who the Wolves are too: some of them may have been seen.
    """

    def __init__(self, names: tuple[str, ...], seat: Seat, roles: NDArray[np.int64], wolves: NDArray[np.int64]) -> None:
        self.names = names
        self.seat = seat
        self.roles = roles
        self.wolves = wolves
        """For a Wolf and a Seer all Wolves, as bits; otherwise 0."""
        self.packs: NDArray[np.int64] = np.where(self.have(Role.WOLF), wolves, 0)
        """For a Wolf all Wolves, as bits; otherwise 0."""
        self.ids: NDArray[np.int64] = wolves * len(names) + roles

    def __len__(self) -> int:
        return len(self.roles)

    def have(self, role: Role) -> NDArray[np.bool_]:
        """Which of them have this role."""
        return np.asarray(self.roles == (self.names.index(role) if role in self.names else -1))

    def view(self, situation: Situation, place: int) -> Any:
        state = situation.state.copy()
        pack = int(self.packs[place])
        state.roles = {self.seat: Role(self.names[self.roles[place]])}
        state.pack = frozenset(seat for seat in range(state.setup.seats) if pack >> seat & 1)
        return state


class SaviomBelief(Belief):
    habits: ClassVar[Model] = SaviomHabits()

    setup: SaviomSetup

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.roles = tuple(dict.fromkeys(self.setup.all_roles))
        self.sides = tuple(side_of(Role(role)) for role in self.roles)
        cards = tuple(self.roles.index(role) for role in self.setup.all_roles)
        self.deals = ListedDeals(seatings(cards), len(self.roles))
        self._packs = np.zeros(0, dtype=np.int64)
        self._pack: frozenset[Seat] = frozenset()  # where the listener is a Wolf
        self._hunts: dict[Seat, Seat] = {}  # tonight's, as the Wolves hear them
        self._ward: Seat | None = None  # tonight's, where the listener is the Protector
        self._was_saved = False  # whether a Wolf who listens knows of a rescue last night
        self._may_have_won = False

    # What is heard

    def notice(self, event: Event) -> None:
        if self._may_have_won and not isinstance(event, (*DYING, GameEnded)):
            self._go_on()
        match event:
            case RoleDealt(seat=seat, role=role) if seat == self.listener:
                self._learn(self._has(seat, role))
            case happened.PackMet(wolves=wolves):
                self._pack = frozenset(wolves)
                self._learn(self._wolves() == mask_of(self._pack))
            case happened.AccusationMade(seat=seat, target=target):
                self._watch(seat, Accuse(phase=self.public.phase.number, target=target))
            case Remarked(channel=channel, seat=seat) if channel == OPEN_TALK and seat != self.listener:
                self._weigh_claim(event)
            case happened.VerdictsCounted():
                for seat in (*event.eliminate, *event.save):
                    verdict = Judge(phase=self.public.phase.number, eliminate=seat in event.eliminate)
                    self._watch(seat, verdict)
            case happened.HuntMarked(seat=seat, target=target):
                self._hunts[seat] = target
            case happened.HuntWithdrawn(seat=seat):
                self._hunts.pop(seat, None)
            case happened.ProtectionChosen(target=target):
                self._ward = target
            case happened.InspectionShown(target=target, is_wolf=is_wolf):
                self._learn(self._has(target, Role.WOLF) == is_wolf)  # S10
            case happened.NightEnded(killed=killed):
                self._dawn(killed)
            case happened.PlayerDied():
                self._bury(event)
            case happened.FateRevealed(seat=seat, revealed=revealed):
                self._learn(self._is_revealed(seat, revealed))  # S11
            case GameEnded(outcome=outcome):
                self._may_have_won = False
                if outcome.winner is not None:
                    won = mask_of(frozenset(outcome.seats))
                    winners = won if outcome.winner == side_of(Role.WOLF) else (1 << self.setup.seats) - 1 & ~won
                    self._learn(self._wolves() == winners)
            case SecretsRevealed():
                for _, fact in event.secret_facts:
                    if isinstance(fact, RoleDealt):
                        self._learn(self._has(fact.seat, fact.role))

    def _learn(self, possible: NDArray[np.bool_]) -> None:
        self.deals.keep(possible)
        self.has_proved()

    def _has(self, seat: Seat, role: Role) -> NDArray[np.bool_]:
        column = self.roles.index(role) if role in self.roles else -1
        return np.asarray(self.deals.roles[:, seat] == column)

    def _is_revealed(self, seat: Seat, revealed: str) -> NDArray[np.bool_]:
        """The dead's role, or only their side, as the table plays."""
        fitting = [column for column, role in enumerate(self.roles) if revealed in (role, self.sides[column])]
        return np.asarray(np.isin(self.deals.roles[:, seat], fitting))

    def _wolves(self, among: int = -1) -> NDArray[np.int64]:
        """The Wolves of each deal, as bits."""
        if len(self._packs) != len(self.deals.roles):  # deals are only ever left out
            is_wolf = self.deals.roles == self.roles.index(Role.WOLF)
            self._packs = np.asarray(is_wolf @ np.left_shift(1, np.arange(self.setup.seats)))
        return np.asarray(self._packs & among)

    def _go_on(self) -> None:
        """S13: no side has won, so Wolves are left, and fewer than others."""
        self._may_have_won = False
        alive = self.public.alive
        wolves = np.bitwise_count(self._wolves(mask_of(alive)))
        self._learn((wolves >= 1) & (2 * wolves < len(alive)))

    def _bury(self, death: happened.PlayerDied) -> None:
        self._may_have_won = True
        if death.cause == "surrender" and self._was_saved:
            self._learn(~self._has(death.seat, Role.PROTECTOR))  # S12: who leaves protects no one

    # Nights

    def _dawn(self, killed: Seat | None) -> None:
        """S8, S9: Wolves do not hunt Wolves, and who knows of a rescue knows that the Protector lives."""
        prey = self._known_prey()
        self._was_saved = killed is None and prey is not None
        if self.model is not None:
            self._weigh_night(killed, prey)
        if killed is not None:
            self._learn(~self._has(killed, Role.WOLF))
        if self._was_saved and prey is not None:
            alive = self.public.alive if self.setup.protect_self else self.public.alive - {prey}
            protectors = np.stack([self._has(seat, Role.PROTECTOR) for seat in sorted(alive)])
            self._learn(np.asarray(protectors.any(axis=0)))
        self._hunts, self._ward = {}, None

    def _known_prey(self) -> Seat | None:
        """Whom the Wolves have agreed on, where one of them listens."""
        hunters = self._pack & self.public.alive
        if self.listener not in hunters:
            return None
        votes = [prey for wolf, prey in self._hunts.items() if wolf in hunters]
        return most_named(votes, len(votes) if self.setup.kill_by == "cast" else len(hunters))

    def _weigh_night(self, killed: Seat | None, prey: Seat | None) -> None:
        hunted, warded = self._hunt_chances(prey), self._ward_chances()
        dies = hunted * (1 - warded)
        likely = 1 - dies.sum(axis=1) if killed is None else dies[:, killed]
        self.deals.weigh(clipped(np.log(np.maximum(likely, 1e-300))))
        self.has_suggested()

    def _hunt_chances(self, prey: Seat | None) -> Floats:
        """[deal, seat]: whom the Wolves agree on. One Wolf, the one in the lowest seat, chooses for all."""
        chances = np.zeros(self.deals.roles.shape)
        if self.listener in self._pack & self.public.alive:
            if prey is not None:
                chances[:, prey] = 1
            return chances
        wolves = self._wolves(mask_of(self.public.alive))
        first = np.bitwise_count((wolves & -wolves) - 1)
        for wolf in sorted(self.public.alive):
            rows = np.flatnonzero((first == wolf) & (wolves > 0))
            for target in sorted(self.public.alive - {wolf}):
                move = Hunt(phase=self.public.phase.number, target=target)
                legal = rows[~(wolves[rows] >> target & 1).astype(bool)]
                chances[legal, target] = np.exp(self._log_chances(wolf, move, legal))
        return shared(chances)

    def _ward_chances(self) -> Floats:
        """[deal, seat]: whom the Protector protects."""
        chances = np.zeros(self.deals.roles.shape)
        for seat in sorted(self.public.alive):
            rows = np.flatnonzero(self._has(seat, Role.PROTECTOR))
            if not len(rows):
                continue
            if seat == self.listener:
                if self._ward is not None:
                    chances[rows, self._ward] = 1
                continue
            for target in sorted(self.public.alive if self.setup.protect_self else self.public.alive - {seat}):
                move = Protect(phase=self.public.phase.number, target=target)
                chances[rows, target] = np.exp(self._log_chances(seat, move, rows))
        return shared(chances)

    # What players do

    def _watch(self, seat: Seat, move: Move) -> None:
        if self.model is None or seat == self.listener:
            return
        self.deals.weigh(self._log_chances(seat, move, np.arange(len(self.deals.roles))))
        self.has_suggested()

    def _weigh_claim(self, said: Remarked) -> None:
        """The Seer tells the truth, and almost no one but a Wolf pretends to be the Seer."""
        if self.model is None or Role.SEER not in self.roles:
            return
        is_true = np.ones(len(self.deals.roles), dtype=np.bool_)
        if said.phrase == "i_examined" and said.about is not None:
            is_true = self._has(said.about, Role.WOLF) == (said.word in WOLF_WORDS)
        elif said.phrase != "i_am" or said.word != Role.SEER:
            return
        claimants = (self._has(said.seat, Role.SEER) & is_true, self._has(said.seat, Role.WOLF))
        self.deals.weigh(np.log(np.select(claimants, (CLAIMS.seer, CLAIMS.wolf), CLAIMS.other)))
        self.has_suggested()

    def _log_chances(self, seat: Seat, move: Move, rows: NDArray[np.int64]) -> Floats:
        """By deal, of those in the rows; each viewpoint is asked for once."""
        assert self.model is not None
        roles = self.deals.roles[rows, seat]
        informed = [column for column, role in enumerate(self.roles) if role in (Role.WOLF, Role.SEER)]
        wolves = np.where(np.isin(roles, informed), self._wolves()[rows], 0)
        keys, index = np.unique(wolves * len(self.roles) + roles, return_inverse=True)
        points = SaviomViewpoints(self.roles, seat, keys % len(self.roles), keys // len(self.roles))
        logs = clipped(np.asarray(self.model.log_chances(self.situation(seat), move, points), dtype=float))
        return np.asarray(logs[index.reshape(-1)])

    # What follows

    def count(self) -> Possible:
        return self.deals.count()

    def weigh(self) -> Floats:
        return self.deals.posterior()

    def sides_if(self, roles: Mapping[Seat, Collection[str]]) -> SideSets | None:
        fits = np.ones(len(self.deals.roles), dtype=np.bool_)
        for seat, names in roles.items():
            fits &= np.logical_or.reduce([self._has(seat, Role(role)) for role in names])
        if not fits.any():
            return None
        logs = self.deals.logs[fits]
        return SideSets(self.deals.roles[fits] == self.roles.index(Role.WOLF), normalised(np.exp(logs - logs.max())))

    def entropy(self) -> float:
        return self.deals.entropy()

    def sample(self, count: int, rng: np.random.Generator) -> list[tuple[Role, ...]]:
        names = [Role(role) for role in self.roles]
        return [tuple(names[role] for role in roles) for roles in self.deals.draw(count, rng).tolist()]


def shared(chances: Floats) -> Floats:
    """No row above one: what a model says of single moves need not add up."""
    return np.asarray(chances / np.maximum(chances.sum(axis=1, keepdims=True), 1))


@lru_cache(maxsize=32)
def seatings(cards: tuple[int, ...]) -> NDArray[np.int64]:
    """Every different order of these cards, of which most are alike."""
    usual = max(set(cards), key=cards.count)
    others = [card for card in cards if card != usual]
    found = set()
    for places in permutations(range(len(cards)), len(others)):
        row = [usual] * len(cards)
        for place, card in zip(places, others, strict=True):
            row[place] = card
        found.add(tuple(row))
    return np.array(sorted(found), dtype=np.int64)
