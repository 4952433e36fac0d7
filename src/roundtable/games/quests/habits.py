"""Rules of thumb for how people lead, vote and play cards in a quest game: a model with a few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Floats, Situation
from roundtable.core.actions import Move
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.quests.tables import TO_WIN

if TYPE_CHECKING:
    from roundtable.games.quests.belief import QuestViewpoints


@dataclass(frozen=True, kw_only=True)
class QuestHabits:
    """What a role knows about the seats of a team decides. The numbers are rules of thumb, not measurements."""

    approve_unknown: float = 0.5  # a team about which the role knows nothing
    approve_own: float = 0.75  # a team with oneself on it
    approve_known_evil: float = 0.2  # Good, a team with a player known as Evil
    approve_fellows: float = 0.7  # Evil, a team with Evil on it
    approve_without_fellows: float = 0.4
    take_oneself: float = 6.0  # how much likelier a team is with its leader on it
    take_known_evil: float = 0.15  # how much likelier it is with each player that Good knows as Evil
    take_fellow: float = 0.8  # and with each other player that Evil knows as Evil
    fail: float = 0.7  # Evil
    fail_last: float = 0.97  # Evil, where a side is one quest from winning
    reverse: float = 0.3  # Lancelot, and Maelagant of what is no Success

    def log_chances(self, situation: Situation, move: Move, viewpoints: object) -> Floats:
        points: QuestViewpoints = viewpoints  # type: ignore[assignment]
        match move:
            case CastVote(approve=approve):
                likely = self._approves(situation, points)
                return np.log(likely if approve else 1 - likely)
            case ProposeTeam(team=team):
                return self._proposes(situation, points, team)
            case PlayCard(card=card):
                return np.log(np.maximum(self._plays(situation, points, card), 1e-9))
        return np.zeros(len(points))

    def _approves(self, situation: Situation, points: QuestViewpoints) -> Floats:
        proposal = situation.state.first_of_pair if has_pair(situation) else situation.state.proposal
        team = mask_of(proposal.team)
        is_evil, known = evil_of(points), known_evil(points)
        is_on = team >> points.seat & 1
        good = np.where(known & team, self.approve_known_evil, self.approve_own if is_on else self.approve_unknown)
        fellows = (
            self.approve_fellows
            if is_on
            else np.where(known & team, self.approve_fellows, self.approve_without_fellows)
        )
        return np.where(is_evil, fellows, good)

    def _proposes(self, situation: Situation, points: QuestViewpoints, team: frozenset[int]) -> Floats:
        """Every team has a weight, by whether its leader goes and how many go whom the leader knows as Evil."""
        seats, size, mask = situation.state.setup.seats, len(team), mask_of(team)
        known = popcount(known_evil(points))
        named = popcount(known_evil(points) & mask)
        liking = np.where(evil_of(points), self.take_fellow, self.take_known_evil)
        total = np.zeros(len(points))
        for own in (0, 1):
            for others in range(size - own + 1):
                ways = [comb(count, others) * comb(seats - 1 - count, size - own - others) for count in range(seats)]
                total += np.array(ways, dtype=float)[known] * self.take_oneself**own * liking**others
        own = points.seat in team
        return np.asarray(np.log(self.take_oneself**own * liking**named / total))

    def _plays(self, situation: Situation, points: QuestViewpoints, card: Card) -> Floats:
        state = situation.state
        is_late = TO_WIN - 1 in (state.successes, state.failures)
        fail = self.fail_last if is_late else self.fail
        chances = {
            Role.LANCELOT: {Card.SUCCESS: 1 - self.reverse, Card.REVERSE: self.reverse},
            Role.MAELAGANT: {
                Card.SUCCESS: 1 - fail,
                Card.FAIL: fail * (1 - self.reverse),
                Card.REVERSE: fail * self.reverse,
            },
        }
        usual = {Card.SUCCESS: 1 - fail, Card.FAIL: fail}
        by_role = [chances.get(Role(role), usual).get(card, 0.0) for role in points.names]
        return np.array(by_role)[points.roles]


def evil_of(points: QuestViewpoints) -> NDArray[np.bool_]:
    return np.array([role in EVIL_ROLES for role in points.names])[points.roles]


def known_evil(points: QuestViewpoints) -> NDArray[np.int64]:
    """Seats that Merlin or Evil was shown as Evil, as bits."""
    knows = np.array([role in EVIL_ROLES or role == Role.MERLIN for role in points.names])
    return np.where(knows[points.roles], points.shown, 0)


def has_pair(situation: Situation) -> bool:
    """T14: both teams of a pair are voted on at once."""
    return getattr(situation.state, "first_of_pair", None) is not None


def popcount(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.bitwise_count(masks).astype(np.int64)
