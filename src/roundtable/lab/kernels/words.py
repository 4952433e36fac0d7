"""The words of the quest games as whole numbers: roles, cards, and what a step says; and steps as actions again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from roundtable.core.actions import Action, Expire
from roundtable.core.seats import Seat
from roundtable.games.avalon.actions import ExamineLoyalty, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role, Side
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)

MOST_SEATS = 10

ROLES = tuple(Role)
CARDS = tuple(Card)
SUCCESS, FAIL, REVERSE = (CARDS.index(card) for card in (Card.SUCCESS, Card.FAIL, Card.REVERSE))
SIDES = tuple(Side)
GOOD, EVIL = (SIDES.index(side) for side in (Side.GOOD, Side.EVIL))


def number_of(role: Role) -> int:
    return ROLES.index(role)


def roles_in_bits(roles: Iterable[Role]) -> int:
    return sum(1 << number_of(role) for role in roles)


EVIL_BITS = roles_in_bits(EVIL_ROLES)
MERLIN, NIMUE, TRISTAN, ISEULT, LANCELOT, ARTHUR, TITANIA, MAELAGANT, AGRAVAINE = map(
    number_of,
    (
        Role.MERLIN,
        Role.NIMUE,
        Role.TRISTAN,
        Role.ISEULT,
        Role.LANCELOT,
        Role.ARTHUR,
        Role.TITANIA,
        Role.MAELAGANT,
        Role.AGRAVAINE,
    ),
)

# What a step says; pages.WAIT is 0.
(
    PROPOSE,  # the team as a mask, the quest where it is named, the holder of Excalibur or -1
    VOTE,  # 1 to approve
    LAY,  # the card
    USE_EXCALIBUR,  # the target
    LEAVE_EXCALIBUR,
    EXAMINE,  # the target
    SHOOT,  # the target
    DECLARE_ARTHUR,
    DECLARE_AGRAVAINE,
    GO_ON,
    CALL_MERLIN,  # the target
    CALL_NIMUE,  # the target
    CALL_LOVERS,  # the two as a mask
    CALL_NOBODY,
    EXPIRE,  # what chance drew, and 1 if it was asked
) = range(1, 16)


def seats_in(mask: int) -> tuple[Seat, ...]:
    return tuple([seat for seat in range(MOST_SEATS) if mask >> seat & 1])


@lru_cache(maxsize=1 << 16)
def write_action(phase: int, verb: int, first: int, second: int, third: int) -> Action:
    """The action that a step stands for."""
    if verb == PROPOSE:
        holder = None if third < 0 else third
        return ProposeTeam(phase=phase, team=frozenset(seats_in(first)), quest=second or None, excalibur=holder)
    if verb == VOTE:
        return CastVote(phase=phase, approve=bool(first))
    if verb == LAY:
        return PlayCard(phase=phase, card=CARDS[first])
    if verb == CALL_LOVERS:
        return CallLovers(phase=phase, targets=frozenset(seats_in(first)))
    if verb in TARGETED:
        return TARGETED[verb](phase=phase, target=first)
    return BARE[verb](phase=phase)


TARGETED = {
    USE_EXCALIBUR: UseExcalibur,
    EXAMINE: ExamineLoyalty,
    SHOOT: ShootMerlin,
    CALL_MERLIN: CallMerlin,
    CALL_NIMUE: CallNimue,
}
BARE: dict[int, Callable[..., Action]] = {
    LEAVE_EXCALIBUR: LeaveExcalibur,
    DECLARE_ARTHUR: DeclareArthur,
    DECLARE_AGRAVAINE: DeclareAgravaine,
    GO_ON: GoOn,
    CALL_NOBODY: CallNobody,
    EXPIRE: Expire,
}
