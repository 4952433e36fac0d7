"""Which games every deal is played in: whole sides against each other, and one guest among others in every seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from roundtable.core.seats import Seat

TEAMS, GUESTS = "teams", "guests"
CONTESTS = (TEAMS, GUESTS)


class Fixture(NamedTuple):
    """One game of a deal. `guest` is the seat of the first bot; without one, it plays the whole first side."""

    bot: str
    other: str
    guest: Seat | None = None

    @property
    def bots(self) -> frozenset[str]:
        return frozenset((self.bot, self.other))

    def seated(self, sides: Sequence[int]) -> tuple[str, ...]:
        """Who sits where, at a table whose seats are on these sides."""
        if self.guest is None:
            return tuple([self.bot if side == 0 else self.other for side in sides])
        return tuple([self.bot if seat == self.guest else self.other for seat in range(len(sides))])


def fixtures_of(bots: Sequence[str], seats: int, contests: Sequence[str]) -> tuple[Fixture, ...]:
    """Every game of a deal. A bot against itself is always among them: guests are measured against it."""
    return (*_teams(bots, contests), *_guests(bots, seats, contests))


def _teams(bots: Sequence[str], contests: Sequence[str]) -> Iterator[Fixture]:
    for bot, other in product(bots, repeat=2):
        if TEAMS in contests or bot == other:
            yield Fixture(bot, other)


def _guests(bots: Sequence[str], seats: int, contests: Sequence[str]) -> Iterator[Fixture]:
    if GUESTS in contests:
        for (bot, other), seat in product(permutations(bots, 2), range(seats)):
            yield Fixture(bot, other, seat)
