"""The people of Arthur's court, their sides, and the cards they may play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from roundtable.core.seats import Seat
from roundtable.core.values import Value, Word, value


class Side(Word):
    GOOD = "Good"
    EVIL = "Evil"


class Role(Word):
    MERLIN = "Merlin"
    PERCIVAL = "Percival"
    SERVANT = "Loyal Servant"
    TRISTAN = "Tristan"
    ISEULT = "Iseult"
    LANCELOT = "Lancelot"
    NIMUE = "Nimue"
    ARTHUR = "Arthur"
    TITANIA = "Titania"
    ASSASSIN = "Assassin"
    MORGANA = "Morgana"
    MORDRED = "Mordred"
    OBERON = "Oberon"
    MINION = "Minion of Mordred"
    MAELAGANT = "Maelagant"
    AGRAVAINE = "Agravaine"
    COLGREVANCE = "Colgrevance"


EVIL_ROLES = frozenset(
    (
        Role.ASSASSIN,
        Role.MORGANA,
        Role.MORDRED,
        Role.OBERON,
        Role.MINION,
        Role.MAELAGANT,
        Role.AGRAVAINE,
        Role.COLGREVANCE,
    )
)
SIDE_OF = {role: Side.EVIL if role in EVIL_ROLES else Side.GOOD for role in Role}


class Card(Word):
    SUCCESS = "Success"
    FAIL = "Fail"
    REVERSE = "Reverse"


QUEST_WORDS: frozenset[str] = frozenset((*Role, *Side, *Card))  # what players can claim about one another


# T17, and A17 for the roles that Avalon has.
CARDS_BY_SIDE = {Side.GOOD: (Card.SUCCESS,), Side.EVIL: (Card.SUCCESS, Card.FAIL)}
CARDS_BY_ROLE = {role: CARDS_BY_SIDE[SIDE_OF[role]] for role in Role} | {
    Role.LANCELOT: (Card.SUCCESS, Card.REVERSE),
    Role.MAELAGANT: (Card.SUCCESS, Card.FAIL, Card.REVERSE),
    Role.AGRAVAINE: (Card.FAIL,),
}


@value
class Glimpse(Value):
    """Seats a player was shown at the start, in seat order, and as what."""

    seen_as: str
    seats: tuple[Seat, ...]


class Sight(NamedTuple):
    """A row of who sees whom as what."""

    viewers: frozenset[Role]
    seen: frozenset[Role]
    seen_as: str
    told_when_empty: bool = True  # whether a viewer is told that there is no such player


def glimpses(rows: Iterable[Sight], roles: tuple[Role, ...], seat: Seat) -> tuple[Glimpse, ...]:
    """What this seat is shown of that deal."""
    shown = []
    for row in rows:
        if roles[seat] in row.viewers:
            seats = tuple(other for other, role in enumerate(roles) if other != seat and role in row.seen)
            if seats or row.told_when_empty:
                shown.append(Glimpse(seen_as=row.seen_as, seats=seats))
    return tuple(shown)


def seats_on(side: Side, roles: Iterable[Role]) -> tuple[Seat, ...]:
    return tuple(seat for seat, role in enumerate(roles) if SIDE_OF[role] is side)
