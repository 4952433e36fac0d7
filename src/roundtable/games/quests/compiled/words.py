"""The words of both quest games as whole numbers: roles, cards, and what a step says; and steps as actions again."""

from __future__ import annotations

from collections.abc import Iterable

from roundtable.core.actions import Action, Expire
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role, Side

MOST_SEATS = 10

ROLES = tuple(Role)
CARDS = tuple(Card)
SUCCESS, FAIL, REVERSE = (CARDS.index(card) for card in (Card.SUCCESS, Card.FAIL, Card.REVERSE))
SIDES = tuple(Side)
GOOD, EVIL = (SIDES.index(side) for side in (Side.GOOD, Side.EVIL))


NUMBERS = {role: number for number, role in enumerate(ROLES)}


def number_of(role: Role) -> int:
    return NUMBERS[role]


def roles_in_bits(roles: Iterable[Role]) -> int:
    return sum(1 << number_of(role) for role in roles)


EVIL_BITS = roles_in_bits(EVIL_ROLES)
MERLIN = number_of(Role.MERLIN)

# What a step says; trace.WAIT is 0, and a game's own verbs begin with OWN_VERBS.
PROPOSE, VOTE, LAY, EXPIRE, OWN_VERBS = range(1, 6)


def seats_in(mask: int) -> tuple[Seat, ...]:
    return tuple([seat for seat in range(MOST_SEATS) if mask >> seat & 1])


def quest_action(phase: int, verb: int, first: int, second: int, third: int) -> Action:
    """The action that a step stands for.

    PROPOSE: the team as a mask, the quest where it is named, the holder of Excalibur or -1. VOTE: 1 to approve.
    LAY: the card. EXPIRE: what chance drew, and 1 if it was asked.
    """
    if verb == PROPOSE:
        holder = None if third < 0 else third
        return ProposeTeam(phase=phase, team=frozenset(seats_in(first)), quest=second or None, excalibur=holder)
    if verb == VOTE:
        return CastVote(phase=phase, approve=bool(first))
    if verb == LAY:
        return PlayCard(phase=phase, card=CARDS[first])
    return Expire(phase=phase)
