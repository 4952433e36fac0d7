"""What everyone at the table has seen, as arrays: teams, votes, results, and who is suspect because of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from roundtable.core.seats import Seat
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.roles import Role
from roundtable.games.quests.state import Poll, Result
from roundtable.games.quests.tables import SIDES_BY_COUNT

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

FAIL_RATE = 0.58  # how often Evil people fail when they can
OPTIONAL = (Role.MERLIN, Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON)


@lru_cache(maxsize=8)
def evil_sets(seats: int) -> Floats:
    """Every set of Evil seats, a row of 0 and 1 each."""
    chosen = list(combinations(range(seats), SIDES_BY_COUNT[seats][1]))
    rows = np.zeros((len(chosen), seats))
    rows[np.arange(len(chosen))[:, None], np.array(chosen)] = 1
    return rows


class Called(NamedTuple):
    """The team that is voted on, or that plays its cards; before it is named, the team is empty."""

    leader: Seat
    quest: int
    attempt: int
    team: frozenset[Seat] = frozenset()


@dataclass(frozen=True, eq=False, kw_only=True)
class History:
    """A setup, what was counted at it so far, and whose turn it is to lead."""

    setup: AvalonSetup
    polls: Sequence[Poll]
    results: Sequence[Result]
    called: Called

    @property
    def seats(self) -> int:
        return self.setup.seats

    @property
    def needed(self) -> int:
        return self.setup.fails_needed(self.called.quest)

    @cached_property
    def team(self) -> Floats:
        return marked(self.called.team, self.seats)

    @cached_property
    def teams(self) -> Floats:
        """By poll and seat: who was named."""
        return np.array([marked(poll.proposal.team, self.seats) for poll in self.polls]).reshape(-1, self.seats)

    @cached_property
    def ballots(self) -> Floats:
        """By poll and seat: 1 for an approval."""
        return np.array([poll.ballots for poll in self.polls], float).reshape(-1, self.seats)

    @cached_property
    def lean(self) -> Floats:
        """By poll and seat: how much more a seat approved than the table did."""
        ballots = self.ballots
        return ballots - ballots.mean(axis=1, keepdims=True) if len(ballots) else ballots

    @cached_property
    def led(self) -> Floats:
        """By poll and seat: 1 for the leader."""
        rows = np.zeros((len(self.polls), self.seats))
        rows[np.arange(len(self.polls)), [poll.proposal.leader for poll in self.polls]] = 1
        return rows

    @cached_property
    def went(self) -> Flags:
        """By poll: whether the team was approved."""
        return np.array([poll.approved for poll in self.polls], bool)

    @cached_property
    def outcome(self) -> Floats:
        """By poll: 1 for a quest that succeeded, -1 for one that failed, 0 for a team that did not go or is away."""
        ended = {result.quest: 1.0 if result.succeeded else -1.0 for result in self.results}
        return np.array([ended.get(poll.proposal.quest, 0.0) if poll.approved else 0.0 for poll in self.polls])

    @cached_property
    def quests(self) -> Ints:
        return np.array([poll.proposal.quest for poll in self.polls], int)

    @cached_property
    def quest_teams(self) -> Floats:
        return np.array([marked(result.team, self.seats) for result in self.results]).reshape(-1, self.seats)

    @cached_property
    def weights(self) -> Floats:
        """By set of Evil seats: how well it explains the Fails so far; 0 where it cannot."""
        sets = evil_sets(self.seats)
        weights = np.ones(len(sets))
        for result, team in zip(self.results, self.quest_teams, strict=True):
            weights = weights * FAIL_ODDS[(sets @ team).astype(int), result.fails]
        total = weights.sum()
        return weights / total if total else np.full(len(sets), 1 / len(sets))

    @cached_property
    def suspicion(self) -> Floats:
        """By seat: the chance of being Evil, from the Fails alone."""
        return np.asarray(self.weights @ evil_sets(self.seats))

    @cached_property
    def risk(self) -> Floats:
        """By poll: the chance that an Evil seat was on the team, from the Fails alone, as they are known now."""
        return np.asarray(self.weights @ (evil_sets(self.seats) @ self.teams.T > 0))

    @cached_property
    def support(self) -> Floats:
        """By voter and member: how much more than others the voter approved teams with the member."""
        return self.lean.T @ self.teams

    @cached_property
    def backing(self) -> Floats:
        """By voter and leader: the same for teams of the leader."""
        return self.lean.T @ self.led

    @cached_property
    def picks(self) -> Floats:
        """By leader and member: how often the one named the other."""
        return self.led.T @ self.teams

    @cached_property
    def dealt(self) -> Floats:
        """Which of the optional roles everyone knows to be in the game."""
        return np.array([role in self.setup.special_roles for role in OPTIONAL], float)


def marked(seats: frozenset[Seat], count: int) -> Floats:
    row = np.zeros(count)
    row[list(seats)] = 1
    return row


def binomials() -> Floats:
    """By number of Evil on a team and number of Fails: the chance of so many."""
    table = np.zeros((6, 6))
    table[0, 0] = 1
    for evil in range(1, 6):
        table[evil] = table[evil - 1] * (1 - FAIL_RATE)
        table[evil, 1:] += table[evil - 1, :-1] * FAIL_RATE
    return table


FAIL_ODDS = binomials()


def called_next(setup: AvalonSetup, polls: Sequence[Poll], first_leader: Seat) -> Called:
    """Who leads next, for which quest, and at which attempt (A11, A14)."""
    if not polls:
        return Called(first_leader, 1, 1)
    last = polls[-1]
    leader = (last.proposal.leader + 1) % setup.seats
    if last.approved:
        return Called(leader, last.proposal.quest + 1, 1)
    return Called(leader, last.proposal.quest, 1 + sum(poll.proposal.quest == last.proposal.quest for poll in polls))
