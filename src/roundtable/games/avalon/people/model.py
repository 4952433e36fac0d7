"""The chances of what people do, for many things that a seat may know at once; and what the fitted file holds."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Any

import numpy as np

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.games.avalon.people.features import card_features, proposal_features, vote_features
from roundtable.games.avalon.people.history import Called, Floats, History, marked
from roundtable.games.avalon.people.trees import Forest
from roundtable.games.avalon.people.views import CODES, MERLIN, MINION, PERCIVAL, Views
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import Card, Role

FILE = "people.npz"
LEAST = 1e-4  # people do everything now and then


def chance_of(score: Floats) -> Floats:
    return np.asarray(np.clip(1 / (1 + np.exp(-score)), LEAST, 1 - LEAST))


@lru_cache(maxsize=32)
def teams_of(seats: int, size: int) -> Floats:
    """Every team of that size, a row of 0 and 1 each."""
    return np.array([marked(frozenset(team), seats) for team in combinations(range(seats), size)])


class PeopleModel:
    """How people propose, vote, play cards: by role, what the role was shown, and what everyone has seen."""

    def __init__(self, forests: dict[str, Forest]) -> None:
        self.forests = forests

    def approvals(self, history: History, views: Views) -> Floats:
        """By view: the chance that its seat approves the team that `history.called` names."""
        return chance_of(self.forests["votes"].scores(vote_features(history, views)))

    def proposals(self, history: History, views: Views, size: int) -> Floats:
        """By view of the leader and team of that size (in the order of `teams_of`): the chance that it is named."""
        scores = self.forests["proposals"].scores(proposal_features(history, views))
        sums = scores.reshape(len(views), history.seats) @ teams_of(history.seats, size).T
        weights = np.exp(sums - sums.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def fails(self, history: History, views: Views) -> Floats:
        """By view: the chance that its seat, on the team that `history.called` names, plays Fail (A17)."""
        chances = np.zeros(len(views))
        evil = np.flatnonzero(views.is_evil)
        if len(evil):
            chances[evil] = chance_of(self.forests["cards"].scores(card_features(history, views[evil])))
        return chances

    def log_chances(self, situation: Any, move: Move, viewpoints: Any) -> Floats:
        """By viewpoint of a seat: the log-chance of its move; 0 for kinds of moves that were not fitted.

        A situation has a `state` and a `seat`; viewpoints have `names` of roles, `roles` by number, `shown` as bits.
        """
        views = views_from(situation.seat, situation.state.setup.seats, viewpoints)
        history = history_of(situation.state)
        match move:
            case CastVote(approve=approve):
                chances = self.approvals(history, views)
                return np.log(chances if approve else 1 - chances)
            case ProposeTeam(team=team):
                named = np.flatnonzero((teams_of(history.seats, len(team)) == marked(team, history.seats)).all(axis=1))[
                    0
                ]
                return np.log(np.maximum(self.proposals(history, views, len(team))[:, named], LEAST**2))
            case PlayCard(card=card):
                fails = self.fails(history, views)
                chances = fails if card is Card.FAIL else 1 - fails
                return np.log(np.maximum(chances, LEAST**2))
        return np.zeros(len(views))


@lru_cache(maxsize=1)
def people() -> PeopleModel:
    """The model that was fitted on recorded games (docs/people.md)."""
    with (files(__package__) / FILE).open("rb") as file, np.load(file) as arrays:
        names = sorted({name.partition("_")[0] for name in arrays.files})
        return PeopleModel({name: Forest.read(arrays, name) for name in names})


def history_of(state: Any) -> History:
    """What everyone has seen of a game, from its state or from any view of it."""
    proposal = state.proposal
    quest = proposal.quest if proposal else len(state.results) + 1
    team = proposal.team if proposal else frozenset[Seat]()
    leader = proposal.leader if proposal else state.leader
    return History(
        setup=state.setup, polls=state.polls, results=state.results, called=Called(leader, quest, state.attempt, team)
    )


def views_from(seat: Seat, seats: int, viewpoints: Any) -> Views:
    """The rows of a belief's viewpoints: roles by name, and the seats that were shown as bits."""
    codes = np.array([CODES.get(Role(name), 0) for name in viewpoints.names])[viewpoints.roles]
    shown = (viewpoints.shown[:, None] >> np.arange(seats)) & 1
    knows_evil, knows_pair = (codes >= MINION) | (codes == MERLIN), codes == PERCIVAL
    return Views(np.full(len(codes), seat), codes, shown * knows_evil[:, None] * 1.0, shown * knows_pair[:, None] * 1.0)
