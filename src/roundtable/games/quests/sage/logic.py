"""Players who go by logic alone: a behaviour model of those who trust all that is not proven Evil.

Good leads and approves teams that can be free of Evil, for all that its seat knows. Evil does as a servant would who
knows no one, and fails every quest that it can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Floats, Situation
from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.bots.knowledge import Mask, mask_of
from roundtable.games.quests.habits import has_pair, popcount
from roundtable.games.quests.roles import EVIL_ROLES, Card
from roundtable.games.quests.sage.tendencies import (
    INFORMED,
    LOVER,
    MERLIN,
    Customs,
    Ints,
    Knower,
    kinds_of,
    team_masks,
)
from roundtable.games.quests.state import QuestState

LOGIC = "logic"
SLIP = 0.02  # how often such a player does anything else

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LogicPlayers:
    customs: Customs

    @property
    def names(self) -> tuple[str, ...]:
        return (LOGIC,)

    def chances(self, situation: Situation, move: Move, viewpoints: Any) -> Floats:
        state: QuestState = situation.state
        likely = np.ones(len(viewpoints.roles))
        match move:
            case CastVote(approve=approve) if not has_pair(situation):
                likely = np.where(self._approves(state, viewpoints) == approve, 1 - SLIP, SLIP)
            case ProposeTeam(team=team):
                likely = self._leads(state, viewpoints, team)
            case PlayCard(card=card):
                likely = lays(viewpoints, card)
        return np.asarray(likely[None])

    def _approves(self, state: QuestState, points: Knower) -> Bools:
        assert state.proposal is not None
        if state.attempt == self.customs.last_attempt(state):
            return np.ones(len(points.roles), dtype=np.bool_)
        return np.asarray(self._can_be_clean(state, points, np.array([mask_of(state.proposal.team)]))[0])

    def _leads(self, state: QuestState, points: Knower, team: frozenset[Seat]) -> Floats:
        """Any team that can be clean, with its leader if it can be."""
        masks = team_masks(state.setup.seats, len(team))
        clean = self._can_be_clean(state, points, masks)
        own = clean & (masks >> points.seat & 1 == 1)[:, None]
        named = np.where(own.any(axis=0), own, np.where(clean.any(axis=0), clean, True))
        at = int(np.flatnonzero(masks == mask_of(team))[0])
        return np.asarray((1 - SLIP) * named[at] / named.sum(axis=0) + SLIP / len(masks))

    def _can_be_clean(self, state: QuestState, points: Knower, teams: Ints) -> Bools:
        """[team, viewpoint]: whether the team can be free of Evil."""
        kinds = kinds_of(points)
        sees = np.where((kinds >= INFORMED) & (kinds <= MERLIN), points.shown, 0)
        known, index = np.unique(np.stack([kinds, sees]), axis=1, return_inverse=True)
        clean = team_masks(state.setup.seats, self.customs.evil(state)) & teams[:, None] == 0
        found = [
            clean[:, self._possible(state, points.seat, kind, seen)].any(axis=1) for kind, seen in known.T.tolist()
        ]
        return np.stack(found, axis=1)[:, index.reshape(-1)] if found else np.ones((len(teams), 0), dtype=np.bool_)

    def _possible(self, state: QuestState, seat: Seat, kind: int, seen: Mask) -> Bools:
        """Which sets of Evil seats are possible to a player who is shown these. Evil leaves itself out while it can."""
        sides = team_masks(state.setup.seats, self.customs.evil(state))
        possible = np.ones(len(sides), dtype=np.bool_)
        for group, least, most in self.customs.bounds(state):
            among = popcount(sides & group)
            possible &= (among >= least) & (among <= most)
        shown, among = seen.bit_count(), popcount(sides & seen)
        if kind == MERLIN:
            possible &= among >= shown - self.customs.doubtful
        elif kind == LOVER:
            possible &= among == 0
        elif kind == INFORMED and seen:
            possible &= (among >= shown - 1) & (among <= 1)
        plain = possible & (sides >> seat & 1 == 0)
        return np.asarray(plain if plain.any() else possible)


def lays(points: Knower, card: Card) -> Floats:
    """Evil fails; who has no Fail lays either card."""
    fails = (1 - SLIP) if card is Card.FAIL else SLIP
    by_role = [fails if role in EVIL_ROLES else 0.5 for role in points.names]
    return np.asarray(np.array(by_role)[points.roles])
