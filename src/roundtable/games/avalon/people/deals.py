"""Every deal of a table as rows of role numbers, and how likely each makes what people did."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from roundtable.games.avalon.people.history import Called, Floats, History, Ints, marked
from roundtable.games.avalon.people.model import PeopleModel, teams_of
from roundtable.games.avalon.people.views import Views, codes_of, distinct, joined, views_of
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.state import Poll, Result

FREE = -1


@lru_cache(maxsize=16)
def deals_of(setup: AvalonSetup) -> Ints:
    """Every seating of the cards, a row each; the Assassin's card counts as a Minion's."""
    counts = Counter(codes_of(setup.all_roles).tolist())
    deals = np.full((1, setup.seats), FREE)
    for role, count in sorted(counts.items(), key=lambda item: item[1]):
        deals = placed(deals, role, count)
    return deals


def placed(deals: Ints, role: int, count: int) -> Ints:
    """Every way to give a role to so many of the free seats."""
    free = int((deals[0] == FREE).sum())
    seats = np.nonzero(deals == FREE)[1].reshape(len(deals), free)
    chosen = np.array(list(combinations(range(free), count)), int).reshape(-1, count)
    rows = np.repeat(deals, len(chosen), axis=0)
    where = seats[:, chosen].reshape(len(rows), count)
    rows[np.arange(len(rows))[:, None], where] = role
    return rows


class Knowledge(NamedTuple):
    """The different things that seats may know in some deals, and for each deal and seat which of them it is."""

    views: Views
    places: Ints  # deal, seat

    def rows_of(self, seat: int) -> Ints:
        return np.flatnonzero(self.views.seat == seat)


def knowledge_of(deals: Ints) -> Knowledge:
    parts, places, start = [], [], 0
    for seat in range(deals.shape[1]):
        views, place = distinct(views_of(deals, seat))
        parts.append(views)
        places.append(place.ravel() + start)
        start += len(views)
    return Knowledge(joined(parts), np.stack(places, axis=1))


class Likelihoods(NamedTuple):
    """By deal: the log-chance of all proposals, of all votes, and of the Fails of all quests."""

    proposals: Floats
    votes: Floats
    cards: Floats


def likelihoods(model: PeopleModel, past: History, known: Knowledge) -> Likelihoods:
    """How likely what everyone has seen is, under each deal."""
    seats = past.seats
    proposals, votes = np.zeros(len(known.views)), np.zeros(len(known.views))
    cards = np.zeros(len(known.places))
    results = {result.quest: result for result in past.results}
    for count, poll in enumerate(past.polls):
        now = before(past, count)
        votes += vote_part(model, now, known.views, poll)
        proposals += proposal_part(model, now, known, poll)
        if poll.approved and poll.proposal.quest in results:
            then = History(setup=past.setup, polls=past.polls[: count + 1], results=now.results, called=now.called)
            cards += card_part(model, then, known, results[poll.proposal.quest])
    by_deal = known.places[:, :seats]
    return Likelihoods(proposals[by_deal].sum(axis=1), votes[by_deal].sum(axis=1), cards)


def before(past: History, count: int) -> History:
    """What everyone had seen when the vote of that number was taken."""
    poll, earlier = past.polls[count], past.polls[:count]
    attempt = 1 + sum(other.proposal.quest == poll.proposal.quest for other in earlier)
    called = Called(poll.proposal.leader, poll.proposal.quest, attempt, poll.proposal.team)
    results = [result for result in past.results if result.quest < poll.proposal.quest]
    return History(setup=past.setup, polls=earlier, results=results, called=called)


def vote_part(model: PeopleModel, now: History, views: Views, poll: Poll) -> Floats:
    chances = model.approvals(now, views)
    return np.log(np.where(np.array(poll.ballots)[views.seat], chances, 1 - chances))


def proposal_part(model: PeopleModel, now: History, known: Knowledge, poll: Poll) -> Floats:
    rows = known.rows_of(poll.proposal.leader)
    teams = teams_of(now.seats, len(poll.proposal.team))
    named = np.flatnonzero((teams == marked(poll.proposal.team, now.seats)).all(axis=1))[0]
    part = np.zeros(len(known.views))
    chances = model.proposals(now, known.views[rows], len(poll.proposal.team))[:, named]
    part[rows] = np.log(np.maximum(chances, 1e-9))
    return part


def card_part(model: PeopleModel, now: History, known: Knowledge, result: Result) -> Floats:
    """By deal: the log-chance of so many Fails, each card by itself (A17)."""
    on_team = np.flatnonzero(np.isin(known.views.seat, list(result.team)))
    fails = np.zeros(len(known.views))
    fails[on_team] = model.fails(now, known.views[on_team])
    counts = np.zeros((len(known.places), len(result.team) + 1))
    counts[:, 0] = 1
    for seat in result.team:
        chance = fails[known.places[:, seat]][:, None]
        shifted = np.pad(counts, ((0, 0), (1, 0)))[:, :-1]
        counts = counts * (1 - chance) + shifted * chance
    return np.log(np.maximum(counts[:, result.fails], 1e-300))
