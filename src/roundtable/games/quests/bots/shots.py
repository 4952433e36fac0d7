"""Whom the Assassin takes for whom: who led and voted as if they knew, and which two never left each other out."""

from __future__ import annotations

from itertools import combinations

from roundtable.core.seats import Seat
from roundtable.games.quests.state import QuestState

CLEAN_LEAD, DIRTY_LEAD = 2, -6  # Merlin hardly ever leads an Evil player to a quest
RIGHT, WRONG, BLIND = 1, -1, -3  # a vote that fits, one against a clean team, one for a team with Evil on it
KEPT, LEFT_OUT = 2, -6  # a leader who took the other along, and one who did not

Pair = frozenset[Seat]


def good_seats(view: QuestState) -> list[Seat]:
    """Sides are public when the dagger is drawn (A21)."""
    assert view.evil is not None
    return [seat for seat in range(view.setup.seats) if seat not in view.evil]


def likeliest_merlins(view: QuestState) -> list[Seat]:
    signs = {seat: signs_of_knowing(view, seat) for seat in good_seats(view)}
    most = max(signs.values())
    return [seat for seat, sign in signs.items() if sign == most]


def signs_of_knowing(view: QuestState, seat: Seat) -> int:
    assert view.evil is not None
    evil = frozenset(view.evil)
    return sum(
        [
            sign_in(poll.proposal.leader == seat, bool(poll.proposal.team & evil), poll.ballots[seat])
            for poll in view.polls
        ]
    )


def sign_in(is_leader: bool, is_dirty: bool, approved: bool) -> int:
    """What a poll says of a seat, in whole numbers alone: the kernels compile this."""
    sign = 0
    if is_leader:
        sign += DIRTY_LEAD if is_dirty else CLEAN_LEAD
    if is_dirty:
        return sign + (BLIND if approved else RIGHT)
    return sign + (RIGHT if approved else WRONG)


def likeliest_lovers(view: QuestState) -> tuple[list[Pair], int]:
    """The pairs with the strongest bond, and how strong it is."""
    bonds = {frozenset(pair): bond_between(view, *pair) for pair in combinations(good_seats(view), 2)}
    most = max(bonds.values())
    return [pair for pair, bond in bonds.items() if bond == most], most


def bond_between(view: QuestState, one: Seat, other: Seat) -> int:
    """THavalon's lovers trust each other, so neither leads a team without the other."""
    led = [poll.proposal for poll in view.polls if poll.proposal.leader in (one, other)]
    return sum([KEPT if {one, other} <= proposal.team else LEFT_OUT for proposal in led])
