"""What people's play tells: who is Evil to an onlooker, who is Merlin to the Assassin, and whom people shoot."""

from __future__ import annotations

import numpy as np

from roundtable.core.seats import Seat
from roundtable.games.avalon.people.deals import deals_of, knowledge_of, likelihoods
from roundtable.games.avalon.people.features import DECIMALS, merlin_features, suspect_features
from roundtable.games.avalon.people.history import Floats, History, Ints, evil_sets
from roundtable.games.avalon.people.model import PeopleModel
from roundtable.games.avalon.people.views import MERLIN, MINION

# People talk, so their acts are not independent: each log-chance counts for less. Chosen by cross-validation.
TRUST_IN_VOTES, TRUST_IN_PROPOSALS, TRUST_IN_CARDS = 0.8, 0.6, 1.0


def softmax(scores: Floats) -> Floats:
    weights = np.exp(scores - scores.max())
    return np.asarray(weights / weights.sum())


def evil_chances(model: PeopleModel, history: History) -> Floats:
    """By set of seats (in the order of `evil_sets`): the chance that it is Evil, to an onlooker."""
    scores = model.forests["suspects"].scores(suspect_features(history))
    possible = history.weights > 0
    base = np.log(np.where(possible, history.weights, 1.0))
    sums = evil_sets(history.seats) @ scores + base
    return np.where(possible, softmax(np.where(possible, sums, -np.inf)), 0.0)


def deal_weights(model: PeopleModel, history: History, deals: Ints) -> Floats:
    """By deal: how likely it makes what everyone has seen, as a logarithm."""
    found = likelihoods(model, history, knowledge_of(deals))
    return TRUST_IN_PROPOSALS * found.proposals + TRUST_IN_VOTES * found.votes + TRUST_IN_CARDS * found.cards


def deals_for_assassin(history: History, evil: frozenset[Seat], assassin: Seat, role: int) -> Ints:
    """The deals that an Assassin of that role thinks possible when the sides are known (A21)."""
    deals = deals_of(history.setup)
    is_evil = np.isin(np.arange(history.seats), list(evil))
    return np.asarray(deals[((deals >= MINION) == is_evil).all(axis=1) & (deals[:, assassin] == role)])


def merlin_base(model: PeopleModel, history: History, deals: Ints) -> Floats:
    """By seat: the chance of being Merlin from the chances of what was done alone."""
    chances = softmax(deal_weights(model, history, deals))
    return np.asarray(chances @ (deals == MERLIN))


def merlin_rows(history: History, good: Ints, base: Floats, role: int) -> tuple[Floats, Floats]:
    """Features and base scores of the Good seats."""
    evil = np.ones(history.seats)
    evil[good] = 0
    logs = np.log(np.maximum(base[good], 1e-6))
    return np.column_stack([merlin_features(history, evil, role)[good], (logs - logs.mean()).round(DECIMALS)]), logs


def merlin_chances(model: PeopleModel, history: History, evil: frozenset[Seat], assassin: Seat, role: int) -> Floats:
    """By seat: the chance of being Merlin, to an Assassin with that role (a number of `views.ROLES`)."""
    return _target(model, "merlin", history, evil, assassin, role)


def shot_chances(model: PeopleModel, history: History, evil: frozenset[Seat], assassin: Seat, role: int) -> Floats:
    """By seat: the chance that a person in the Assassin's place shoots at it."""
    return _target(model, "shots", history, evil, assassin, role)


def _target(
    model: PeopleModel, forest: str, history: History, evil: frozenset[Seat], assassin: Seat, role: int
) -> Floats:
    good = np.array([seat for seat in range(history.seats) if seat not in evil])
    base = merlin_base(model, history, deals_for_assassin(history, evil, assassin, role))
    rows, logs = merlin_rows(history, good, base, role)
    chances = np.zeros(history.seats)
    chances[good] = softmax(model.forests[forest].scores(rows) + logs)
    return chances
