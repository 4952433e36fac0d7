"""What a seat may do, as a list of moves, so that a short program can take one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from roundtable.core.actions import Move
from roundtable.core.options import Option, Options, SeatsChoice
from roundtable.core.seats import Seat

LISTED = 64  # of a larger choice this many are listed, spread evenly over all of it
LISTED_LIVE = 3  # the same for teams at a live table: `teams` tells a client all of them


class Teams(NamedTuple):
    """Every team that may be named, where there are too many to list."""

    eligible: tuple[Seat, ...]
    sizes: tuple[tuple[int | None, int], ...]  # the number to name (null where there is none), and its team's size
    bearer_not: Seat | None  # where a member of the team is given something: the seat that cannot be given it


class Offer(NamedTuple):
    """One kind of move: all of them, or an even selection, how many there are, and what was left out."""

    kind: str
    moves: tuple[Move, ...]
    total: int | None = None  # where not all are listed
    teams: Teams | None = None


def offers(options: Options, phase: int, listed: int = LISTED) -> tuple[Offer, ...]:
    """A seat's options in a phase, as they are sent; of a choice of teams, at most so many are listed."""
    return tuple(_offer(option, phase, listed) for option in options)


def _offer(option: Option, phase: int, listed: int) -> Offer:
    # A declaration may still answer an earlier phase of its round (C5); one copy of it is enough here.
    moves = [move for move in option if move.phase == phase]
    teams = _teams(option)
    some = _spread(moves, LISTED if teams is None else listed)
    return Offer(option.kind.__name__, some, len(moves) if len(some) < len(moves) else None, teams)


def _spread(moves: Sequence[Move], listed: int) -> tuple[Move, ...]:
    if len(moves) <= listed:
        return tuple(moves)
    return tuple(moves[place * len(moves) // listed] for place in range(listed))


def _teams(option: Option) -> Teams | None:
    if not isinstance(option, SeatsChoice):
        return None
    return Teams(option.eligible, option.sizes, option.bearer_not)
