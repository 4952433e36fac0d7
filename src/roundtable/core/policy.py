"""How a player decides: the moves they lean to, each with a weight, and the chances that follow; and what they say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeVar

from roundtable.core.actions import Move
from roundtable.core.chance import Chance, pick
from roundtable.core.events import Remarked
from roundtable.core.game import OPEN_TALK
from roundtable.core.options import Options
from roundtable.core.seats import Seat

M = TypeVar("M", bound=Move)
T = TypeVar("T")


class Phrasing(NamedTuple):
    """A phrase of the game's phrase book, with the seat and the word that belong to it."""

    phrase: str
    about: Seat | None = None
    word: str | None = None


# A move with weight 3 is three times as likely as one with weight 1. Without any, the player does nothing now.
Leanings = tuple[tuple[Move, int], ...]

# The remarks that a seat has heard, its own included, in order.
Heard = Sequence[Remarked]

# From a seat's view, its options (never empty) and the remarks that it has heard to its leanings. The same always give
# the same leanings.
Policy = Callable[[Any, Options, Heard], Leanings]

# How likely a player is to make each move; None is to do nothing now. Moves they never make are left out.
Probabilities = Mapping[Move | None, Fraction]

NOTHING: Leanings = ()
PLAIN_WORDS = (Phrasing("wait"), Phrasing("go_on"))  # from a player who has no one to suspect and no one to trust


@dataclass(frozen=True, kw_only=True)
class Face:
    """How a player wants to be seen to judge."""

    suspects: Collection[Seat]
    """The most suspect of the others, all alike; none where no one stands out."""
    trusted: Collection[Seat]
    told: Collection[Phrasing] = ()
    """What they have said already, and do not repeat."""


class Speech(Protocol):
    """What a player says to all, from the view of their seat and the remarks that it has heard.

    Without a face they judge by rules of thumb, and always say something. With one they may say nothing. Whether they
    do must not depend on their role: silence tells something too. The bot adds the channel.
    """

    def __call__(self, view: Any, seat: Seat, heard: Heard, chance: Chance, face: Any = None) -> Phrasing | None: ...


def is_asked_why(heard: Heard, seat: Seat) -> bool:
    """Whether the question why was put to this seat since it last spoke."""
    for said in reversed(heard):
        if said.seat == seat:
            return False
        if said.phrase == "why" and said.about == seat and said.channel == OPEN_TALK:
            return True
    return False


def opinion(face: Face, chance: Chance, trusting: int) -> Phrasing | None:
    """Whom this player says they suspect; in one of `trusting` cases, whom they trust."""
    doubts = [Phrasing("i_suspect", seat) for seat in sorted(face.suspects)]
    trusts = [Phrasing("i_trust", seat) for seat in sorted(face.trusted)]
    first, second = (doubts, trusts) if chance.below(trusting) else (trusts, doubts)
    for words in (first, second, PLAIN_WORDS):
        if fresh := [said for said in words if said not in face.told]:
            return pick(chance, fresh)
    return None


def surely(move: Move) -> Leanings:
    return ((move, 1),)


def any_of(moves: Iterable[Move]) -> Leanings:
    """Each of these moves alike."""
    return tuple([(move, 1) for move in moves])


def either(first: Move, weight: int, second: Move, out_of: int) -> Leanings:
    """The first move in `weight` cases out of so many, and otherwise the second."""
    return ((first, weight), (second, out_of - weight))


def offered(options: Options, kind: type[M]) -> list[M]:
    """The moves of one kind that a seat may choose from."""
    return [move for option in options if option.kind is kind for move in option if isinstance(move, kind)]


def drawn(leanings: Sequence[tuple[T, int]], chance: Chance) -> T | None:
    """One of the moves, by its weight; chance is asked only where there is a choice."""
    if len(leanings) < 2:
        return leanings[0][0] if leanings else None
    place = chance.below(sum([weight for _, weight in leanings]))
    for move, weight in leanings[:-1]:
        if place < weight:
            return move
        place -= weight
    return leanings[-1][0]


def chances(leanings: Leanings) -> Probabilities:
    """The exact chance of each move that `drawn` can give; of None where the player does nothing."""
    if not leanings:
        return {None: Fraction(1)}
    weights: dict[Move | None, int] = {}
    for move, weight in leanings:
        weights[move] = weights.get(move, 0) + weight
    return {move: Fraction(weight, sum(weights.values())) for move, weight in weights.items() if weight}


def is_same(one: Move, other: Move) -> bool:
    """Whether two moves are the same choice, whatever phase each answers (C5: a declaration holds for its round)."""
    return type(one) is type(other) and chosen(one) == chosen(other)


def chosen(move: Move) -> tuple[Any, ...]:
    """A move's parts, without the phase that it answers."""
    return tuple([getattr(move, part.name) for part in fields(move) if part.name != "phase"])
