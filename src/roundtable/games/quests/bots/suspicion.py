"""Whom a quest player suspects, in points: what cards and votes say in hindsight, and above all what is certain."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.seats import Seat
from roundtable.games.quests.bots.knowledge import Known, Mask
from roundtable.games.quests.state import Poll, Result

Points = tuple[int, ...]  # by seat; the more, the more suspect

# Ten points make a player about three times as likely to be Evil. Found by playing the bot against itself.
CERTAIN = 1000  # known to be Evil
TRUSTED = -15  # known to be Good
A_FAIL = 9  # for a Fail, and off for a quest without one: divided among the other members
A_REVERSE = 4  # which a role of either side may play
LED = 6  # for leading a team that failed, and off for one that went well
WANTED = 6  # for approving, from outside, a team that failed
WARNED = 3  # off for rejecting, from outside, a team that failed
OPPOSED = 4  # for rejecting, from outside, a team that went well


def points_against(known: Known, earned: Points) -> Points:
    """Certainty outweighs everything else."""
    return tuple([judge(known.evil, known.good, seat, points) for seat, points in enumerate(earned)])


@lru_cache(maxsize=1 << 12)
def points_earned(seats: int, results: tuple[Result, ...], polls: tuple[Poll, ...]) -> Points:
    """What everyone at the table can hold against each seat."""
    points = [0] * seats
    for result in results:
        for seat in result.team:
            points[seat] += for_cards(result.fails, result.reverses, len(result.team))
        for poll in polls:
            if poll.proposal.team == result.team:
                look_back(points, poll, went_well=not (result.fails or result.reverses))
    return tuple(points)


def look_back(points: list[int], poll: Poll, went_well: bool) -> None:
    """In hindsight: who led and who wanted a team that failed, and who did not want one that went well."""
    points[poll.proposal.leader] += for_leading(went_well)
    for seat, approved in enumerate(poll.ballots):
        if seat not in poll.proposal.team:
            points[seat] += for_vote(went_well, approved)


# In whole numbers alone: the kernels compile these.


def judge(evil: Mask, good: Mask, seat: Seat, points: int) -> int:
    if evil >> seat & 1:
        return CERTAIN
    return TRUSTED if good >> seat & 1 else points


def for_cards(fails: int, reverses: int, size: int) -> int:
    """The smaller the team, the more its cards say about each member."""
    found = A_FAIL * fails + A_REVERSE * reverses
    return (found or -A_FAIL) // (size - 1)


def for_leading(went_well: bool) -> int:
    return -LED if went_well else LED


def for_vote(went_well: bool, approved: bool) -> int:
    """What a vote from outside the team says in hindsight."""
    if went_well:
        return 0 if approved else OPPOSED
    return WANTED if approved else -WARNED
