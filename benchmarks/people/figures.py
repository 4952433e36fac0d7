"""What the shipped model predicts of the test games, choice by choice, beside simpler predictions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from math import comb
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from benchmarks.people.careful import careful_ballots, with_slips
from benchmarks.people.games import HumanGame
from benchmarks.people.statistics import Tally
from roundtable.games.avalon.people.deals import deals_of, knowledge_of, proposal_part
from roundtable.games.avalon.people.history import Flags, Floats, Ints, evil_sets
from roundtable.games.avalon.people.model import PeopleModel
from roundtable.games.avalon.people.readings import deal_weights, evil_chances, merlin_chances, shot_chances, softmax
from roundtable.games.avalon.people.views import MERLIN, MINION, PERCIVAL, ROLES, SERVANT, views_in, views_of
from roundtable.games.quests.bots.shots import likeliest_merlins


class Constants(NamedTuple):
    """What simpler predictions took from the training games."""

    approvals: float  # how often people approve
    fails: float  # how often Evil people who can play Fail do
    slip: float  # how often the careful bot would have to vote by the toss of a coin


class Figures:
    """Tallies by name; for calibration, chances of single events and whether they came true."""

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = defaultdict(Tally)
        self.predicted: dict[str, list[Floats]] = defaultdict(list)
        self.happened: dict[str, list[Floats]] = defaultdict(list)
        self.hits: dict[str, list[bool]] = defaultdict(list)

    def calibrate(self, name: str, chances: Floats, truths: Floats | Flags) -> None:
        self.predicted[name].append(np.asarray(chances, float))
        self.happened[name].append(np.asarray(truths, float))


def bits(chances: Floats) -> Floats:
    return np.asarray(-np.log2(np.maximum(chances, 1e-12)))


def of_truth(chances: Floats, truths: Floats) -> Floats:
    return np.where(truths > 0, chances, 1 - chances)


def add_acts(figures: Figures, model: PeopleModel, game: HumanGame, constants: Constants) -> None:
    """Votes, proposals and cards."""
    views, votes, proposals, cards = views_in(game.deal), [], [], []
    known = knowledge_of(game.deal[None])
    for count, poll in enumerate(game.polls):
        now, ballots = game.before_vote(count), np.array(poll.ballots, np.float64)
        chances = model.approvals(now, views)
        figures.calibrate("votes", chances, ballots)
        votes.append(
            np.stack(
                [bits(of_truth(chances, ballots)), bits(of_truth(np.full(len(views), constants.approvals), ballots))]
            )
        )
        part = proposal_part(model, now, known, poll)
        proposals.append([-part.sum() / np.log(2), np.log2(comb(now.seats, len(poll.proposal.team)))])
    for result, failed in zip(game.results, game.failed, strict=True):
        evil = np.array([seat for seat in sorted(result.team) if views.is_evil[seat]], int)
        if len(evil):
            chances = model.fails(game.on_quest(result.quest), views[evil])
            truths = np.isin(evil, list(failed)).astype(np.float64)
            figures.calibrate("cards", chances, truths)
            cards.append(
                np.stack([bits(of_truth(chances, truths)), bits(of_truth(np.full(len(evil), constants.fails), truths))])
            )
    _add(figures, "votes", np.concatenate(votes, axis=1), ("model", "constant"))
    careful = bits(with_slips(careful_ballots(game), constants.slip))
    _add(figures, "votes", careful[None], ("careful",))
    _add(figures, "proposals", np.array(proposals).T, ("model", "any team alike"))
    if cards:
        _add(figures, "cards", np.concatenate(cards, axis=1), ("model", "constant"))


def _add(figures: Figures, name: str, rows: Floats, labels: tuple[str, ...]) -> None:
    for label, row in zip(labels, rows, strict=True):
        figures.tallies[f"{name}: {label}"].add(row)


def add_suspects(figures: Figures, model: PeopleModel, game: HumanGame) -> None:
    """The Evil set after each quest, to an onlooker."""
    sets, rows = evil_sets(game.setup.seats), []
    true = np.flatnonzero((sets == (game.deal >= MINION)).all(axis=1))[0]
    for quest in range(1, len(game.results) + 1):
        after = game.after_quest(quest)
        chances = evil_chances(model, after)
        figures.calibrate("Evil seats", chances @ sets, game.deal >= MINION)
        rows.append(
            [bits(chances[true]), np.log2(len(sets)), np.log2((after.weights > 0).sum()), bits(after.weights[true])]
        )
    if rows:
        _add(figures, "Evil set", np.array(rows).T, ("model", "prior", "logic", "Fails alone"))


def add_shot(figures: Figures, model: PeopleModel, game: HumanGame) -> None:
    """Merlin, to the Assassin when the sides are known; and whom people, careful bots and the model shoot."""
    if game.shot is None or game.assassin is None:
        return
    past, evil = game.at_end(), frozenset(np.flatnonzero(game.deal >= MINION).tolist())
    merlin, role = int(np.flatnonzero(game.deal == MERLIN)[0]), int(game.deal[game.assassin])
    chances = merlin_chances(model, past, evil, game.assassin, role)
    good = np.flatnonzero(game.deal < MINION)
    figures.calibrate("Merlin", chances[good], good == merlin)
    _add(figures, "Merlin", np.array([[bits(chances[merlin])], [np.log2(len(good))]]), ("model", "prior"))
    careful = careful_shot(game, evil)
    for name, target in (("model", int(chances.argmax())), ("people", game.shot), ("careful", careful)):
        figures.hits[name].append(target == merlin)
        figures.tallies[f"shot hits: {name}"].add([float(target == merlin)])
    if game.shot not in evil:
        aimed = shot_chances(model, past, evil, game.assassin, role)
        figures.calibrate("shots", aimed[good], good == game.shot)
        _add(figures, "people's shots", np.array([[bits(aimed[game.shot])], [np.log2(len(good))]]), ("model", "prior"))


def careful_shot(game: HumanGame, evil: frozenset[int]) -> int:
    """Where the careful bot would shoot; of several that it likes alike, one by a hash of the game's id."""
    view = SimpleNamespace(setup=game.setup, polls=game.polls, evil=tuple(sorted(evil)))
    merlins = likeliest_merlins(view)  # type: ignore[arg-type]
    return merlins[int.from_bytes(sha256(game.id.encode()).digest()[16:20], "big") % len(merlins)]


WHO_IS_WHAT_SEATS = (6, 9)
VIEWS = ("onlooker", "Merlin", "Percival", "servant")


def add_who_is_what(figures: Figures, model: PeopleModel, game: HumanGame) -> None:
    """docs/people.md states the metric."""
    if game.setup.seats not in WHO_IS_WHAT_SEATS or MERLIN not in game.deal:
        return
    deals = deals_of(game.setup)
    weights = deal_weights(model, game.at_end(), deals)
    for view, role in zip(VIEWS, (None, MERLIN, PERCIVAL, SERVANT), strict=True):
        if role is None:
            rights = right_guesses(game, deals, weights)
        elif role in game.deal:
            seat = int(np.flatnonzero(game.deal == role)[0])
            alike = seen_alike(game, deals, seat)
            rights = np.delete(right_guesses(game, deals[alike], weights[alike]), seat)
        else:
            continue
        figures.tallies[f"who is what, {game.setup.seats} players: {view}"].add(rights)


def seen_alike(game: HumanGame, deals: Ints, seat: int) -> Flags:
    """The deals in which a seat would have been shown the same."""
    own, views = views_of(game.deal[None], seat), views_of(deals, seat)
    same = (views.seen == own.seen).all(axis=1) & (views.pair == own.pair).all(axis=1)
    return np.asarray(same & (views.role == own.role))


def right_guesses(game: HumanGame, deals: Ints, weights: Floats) -> Floats:
    """By seat: 1 where the likeliest role is the true one."""
    chances = softmax(weights)
    by_role = np.stack([chances @ (deals == role) for role in range(len(ROLES))])
    return np.asarray(by_role.argmax(axis=0) == game.deal, float)


def figures_of(model: PeopleModel, games: Sequence[HumanGame], constants: Constants) -> Figures:
    figures = Figures()
    for game in games:
        add_acts(figures, model, game, constants)
        add_suspects(figures, model, game)
        add_shot(figures, model, game)
        add_who_is_what(figures, model, game)
    return figures


def merged(parts: Sequence[Figures]) -> Figures:
    """The figures of several lists of games together, in their order."""
    figures = Figures()
    for part in parts:
        for name, tally in part.tallies.items():
            figures.tallies[name].sums += tally.sums
            figures.tallies[name].counts += tally.counts
        for name, values in part.predicted.items():
            figures.predicted[name] += values
            figures.happened[name] += part.happened[name]
        for name, hits in part.hits.items():
            figures.hits[name] += hits
    return figures
