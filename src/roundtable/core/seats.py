"""Seats round a table, numbered from 0, and who may hear what is said there."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

Seat = Annotated[int, "seat"]  # an integer whose type hint says that it names a seat

# Those at a table who hold no seat. A listener is a seat or SPECTATOR; an actor is a seat, HOST, CLOCK or TABLE.
SPECTATOR: Final = -1
HOST: Final = -2
CLOCK: Final = -3
TABLE: Final = -4


class Everyone:
    """The audience of a public event: every seat and every spectator."""

    __slots__ = ()

    def __contains__(self, listener: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "EVERYONE"

    def __reduce__(self) -> str:
        return "EVERYONE"


EVERYONE: Final = Everyone()
NOBODY: Final[frozenset[Seat]] = frozenset()

Audience = Everyone | frozenset[Seat]


@lru_cache(maxsize=256)
def only(seat: Seat) -> frozenset[Seat]:
    """The audience of one."""
    return frozenset((seat,))


@lru_cache(maxsize=64)
def all_seats(seats: int) -> frozenset[Seat]:
    return frozenset(range(seats))


def left_of(seat: Seat, seats: int) -> Seat:
    return (seat + 1) % seats


def right_of(seat: Seat, seats: int) -> Seat:
    return (seat - 1) % seats
