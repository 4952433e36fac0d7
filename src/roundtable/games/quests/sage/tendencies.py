"""How often kinds of players approve, lead and fail: behaviour models as small tables of chances.

What a player does is sorted by what the seat would know with a role, and by what a plain servant in that seat would
think of the team. `benchmarks.sage.tendencies` counts how bots play and writes `tendencies.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import prod
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Floats, Situation
from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.bots.knowledge import Bound, mask_of
from roundtable.games.quests.bots.mind import pose
from roundtable.games.quests.bots.quests import PATIENCE
from roundtable.games.quests.bots.suspicion import Points, points_against, points_earned
from roundtable.games.quests.habits import has_pair, popcount
from roundtable.games.quests.options import teams
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.quests.state import QuestState
from roundtable.games.quests.tables import TO_WIN

FILE = "tendencies.json"
RANDOM = "random"  # a kind of players that needs no counting

Ints = NDArray[np.int64]

# What a role makes of a player
PLAIN, INFORMED, LOVER, MERLIN, EVIL, LONE = range(6)
PLAIN_ROLES = {Role.SERVANT, Role.LANCELOT, Role.NIMUE, Role.ARTHUR, Role.TITANIA}
LONE_ROLES = {Role.OBERON}
LOVER_ROLES = {Role.TRISTAN, Role.ISEULT}

# The tables: what each place stands for, and how many there are of it
VOTES = (6, 2, 2, 3, 2, 2, 3)  # kind, on the team, looks fair, members known, each side one quest from winning, attempt
TEAMS = (6, 4, 2, 2)  # kind, members known, among the fairest of these, with the leader
HANDS = (3, 2, 2, 2, 3)  # hand, enough Evil on the team, among the first of them, one quest from the end, card
LAID_BY = {Role.MAELAGANT: 1, Role.LANCELOT: 2}  # whose hands have a Reverse

CARDS = tuple(Card)


class Customs(NamedTuple):
    """What the quest games differ in where a player judges a team."""

    evil: Callable[[Any], int]
    """How many Evil players a table has."""
    bounds: Callable[[Any], tuple[Bound, ...]]
    """What every player knows for certain."""
    needed: Callable[[Any, int], int]
    """How many Fails a quest needs to fail."""
    last_attempt: Callable[[Any], int]
    doubtful: int = 0
    """How many of the seats that Merlin is shown as Evil may be Good."""


class Knower(Protocol):
    """Many things that one seat may be: `QuestViewpoints`, or the truth."""

    @property
    def seat(self) -> Seat: ...

    @property
    def roles(self) -> Ints: ...

    @property
    def shown(self) -> Ints: ...

    @property
    def names(self) -> tuple[str, ...]: ...


def kinds_of(points: Knower) -> Ints:
    kinds = [
        MERLIN if role == Role.MERLIN
        else LONE if role in LONE_ROLES
        else EVIL if role in EVIL_ROLES
        else PLAIN if role in PLAIN_ROLES
        else LOVER if role in LOVER_ROLES
        else INFORMED
        for role in points.names
    ]  # fmt: skip
    return np.asarray(np.array(kinds)[points.roles])


def known_to(points: Knower, kinds: Ints) -> Ints:
    """Whom Merlin and Evil know as Evil, themselves included, and whom a Lover knows as the other Lover; as bits."""
    known = np.where((kinds >= LOVER) & (kinds <= EVIL), points.shown, 0)
    return np.where(kinds >= EVIL, known | 1 << points.seat, known)


# What a plain servant would think


def servants_points(customs: Customs, state: QuestState, seat: Seat) -> Points:
    """What a servant in that seat would hold against every seat."""
    seats = state.setup.seats
    posed = pose(seats, customs.evil(state), customs.bounds(state), seat)
    return points_against(posed, points_earned(seats, state.results, state.polls))


def looks_fair(points: Points, team: frozenset[Seat]) -> bool:
    return sum([points[seat] for seat in team]) <= sum(sorted(points)[: len(team)]) + PATIENCE


# Where in the tables something belongs


def vote_places(customs: Customs, state: QuestState, points: Knower) -> tuple[Any, ...]:
    proposal = state.proposal
    assert proposal is not None
    kinds = kinds_of(points)
    named = popcount(known_to(points, kinds) & mask_of(proposal.team))
    many = np.where(kinds < EVIL, 2, customs.needed(state, proposal.quest))
    members = np.where(named == 0, 0, np.where(named < many, 1, 2))
    is_fair = looks_fair(servants_points(customs, state, points.seat), proposal.team)
    attempt = 0 if state.attempt == 1 else 2 if state.attempt == customs.last_attempt(state) else 1
    is_on = points.seat in proposal.team
    return (
        kinds, int(is_on), int(is_fair), members,
        int(state.successes == TO_WIN - 1), int(state.failures == TO_WIN - 1), attempt,
    )  # fmt: skip


def team_places(customs: Customs, state: QuestState, points: Knower, size: int) -> tuple[Any, ...]:
    """Of every team of that size, in the order of `teams`: [team, viewpoint]."""
    seats, kinds = state.setup.seats, kinds_of(points)
    masks, costs = team_costs(seats, size, servants_points(customs, state, points.seat))
    known, index = np.unique(known_to(points, kinds), return_inverse=True)
    named = popcount(masks[:, None] & known[None, :])
    fairest = np.zeros(named.shape, dtype=bool)
    for count in range(int(named.max()) + 1):
        among = named == count
        least = np.where(among, costs[:, None], np.iinfo(np.int64).max).min(axis=0)
        fairest |= among & (costs[:, None] == least[None, :])
    leads = (masks >> points.seat & 1)[:, None]
    return kinds[None, :], np.minimum(named, 3)[:, index], fairest[:, index].astype(int), leads


@lru_cache(maxsize=256)
def team_masks(seats: int, size: int) -> Ints:
    return np.array([mask_of(team) for team in teams(tuple(range(seats)), size)], dtype=np.int64)


def team_costs(seats: int, size: int, points: Points) -> tuple[Ints, Ints]:
    masks = team_masks(seats, size)
    return masks, (masks[:, None] >> np.arange(seats) & 1) @ np.array(points)


def hand_places(customs: Customs, state: QuestState, points: Knower) -> tuple[Any, ...]:
    proposal = state.proposal
    assert proposal is not None
    kinds, team = kinds_of(points), mask_of(proposal.team)
    needed = customs.needed(state, proposal.quest)
    fellows = known_to(points, kinds) & team
    is_evil = kinds >= EVIL
    hands = np.array([LAID_BY.get(Role(name), 0) for name in points.names])[points.roles]
    is_enough = is_evil & (popcount(fellows) >= needed)
    is_first = is_evil & (popcount(fellows & ((1 << points.seat) - 1)) < needed)
    is_late = TO_WIN - 1 in (state.successes, state.failures)
    return hands, is_enough.astype(int), is_first.astype(int), int(is_late)


# The model


@dataclass(frozen=True, eq=False)
class Tendencies:
    """Chances by kind of player and situation; teams have weights instead, of which each is a share."""

    customs: Customs
    names: tuple[str, ...]
    votes: Floats
    teams: Floats
    cards: Floats

    def chances(self, situation: Situation, move: Move, viewpoints: Any) -> Floats:
        state: QuestState = situation.state
        match move:
            case CastVote(approve=approve) if not has_pair(situation):
                likely = self.votes[:, *vote_places(self.customs, state, viewpoints)]
                return likely if approve else 1 - likely
            case ProposeTeam(team=team) if len(viewpoints):
                return self._shares_of(team, state, viewpoints)
            case PlayCard(card=card):
                return self.cards[:, *hand_places(self.customs, state, viewpoints), CARDS.index(card)]
        return np.ones((len(self.names), len(viewpoints)))

    def _shares_of(self, team: frozenset[Seat], state: QuestState, viewpoints: Knower) -> Floats:
        """Of the weights of all teams of that size. Many viewpoints are alike, and so are many teams."""
        alike, index = those_alike(viewpoints)
        (kinds,), *places = team_places(self.customs, state, alike, len(team))
        place = np.ravel_multi_index(np.broadcast_arrays(*places), TEAMS[1:])
        size = prod(TEAMS[1:])
        counts = np.bincount((place + size * np.arange(len(kinds))).reshape(-1), minlength=size * len(kinds))
        weights = self.teams.reshape(len(self.names), TEAMS[0], size)[:, kinds]
        total = np.einsum("nkp,kp->nk", weights, counts.reshape(len(kinds), size))
        at = int(np.flatnonzero(team_masks(state.setup.seats, len(team)) == mask_of(team))[0])
        return np.asarray((weights[:, np.arange(len(kinds)), place[at]] / total)[:, index])


class Alike(NamedTuple):
    """A `Knower` of viewpoints that all differ in what they make of other players."""

    seat: Seat
    roles: Ints
    shown: Ints
    names: tuple[str, ...]


def those_alike(points: Knower) -> tuple[Alike, Ints]:
    """The different ones, and which of these each viewpoint is."""
    kinds = kinds_of(points)
    _, first, index = np.unique(known_to(points, kinds) * TEAMS[0] + kinds, return_index=True, return_inverse=True)
    return Alike(points.seat, points.roles[first], points.shown[first], points.names), index


@lru_cache(maxsize=32)
def tendencies_of(game: str, kinds: tuple[str, ...], customs: Customs) -> Tendencies:
    """How these kinds of players play a game, as it was counted, or as `RANDOM` players do."""
    found = [at_random() if kind == RANDOM else read_file()[kind][game] for kind in kinds]
    shapes = {"votes": VOTES, "teams": TEAMS, "cards": HANDS}
    parts = {
        name: np.array([tables[name] for tables in found], dtype=float).reshape(len(kinds), *shape)
        for name, shape in shapes.items()
    }
    return Tendencies(customs=customs, names=kinds, **parts)


def at_random() -> dict[str, list[float]]:
    """The tables of players who do anything."""
    hands = np.array([[0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3], [0.5, 0.0, 0.5]])
    cards = np.broadcast_to(hands[:, None, None, None, :], HANDS)
    return {"votes": [0.5] * prod(VOTES), "teams": [1.0] * prod(TEAMS), "cards": cards.reshape(-1).tolist()}


@lru_cache(maxsize=1)
def read_file() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files(__package__) / FILE).read_text("utf-8"))
    return found
