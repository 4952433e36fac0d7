"""What follows for certain: from "among these seats so many are Evil" to who must be, and who cannot be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from roundtable.core.seats import Seat

Mask = int  # a set of seats, one bit for each


class Bound(NamedTuple):
    """Among these seats at least `least` and at most `most` are Evil."""

    group: Mask
    least: int
    most: int


class Known(NamedTuple):
    """Who is certainly Evil and who certainly is not, and the bounds from which it follows."""

    evil: Mask
    good: Mask
    bounds: tuple[Bound, ...]

    @property
    def is_sound(self) -> bool:
        """Whether the bounds go together; what a player pretends may clash with what everyone saw."""
        return not self.evil & self.good

    def surely_on(self, team: Mask) -> int:
        """How many Evil players this team has at the very least."""
        found = [left_for(team, self.good, group, least) for group, least, _ in self.bounds]
        return max((team & self.evil).bit_count(), *found)


def mask_of(seats: Iterable[Seat]) -> Mask:
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def exactly(evil: int, seats: Iterable[Seat]) -> Bound:
    return Bound(mask_of(seats), evil, evil)


@lru_cache(maxsize=1 << 14)
def known_from(seats: int, evil: int, bounds: tuple[Bound, ...]) -> Known:
    """All that these bounds make certain at a table with so many seats, so many of them Evil."""
    everyone = (1 << seats) - 1
    rows = [Bound(everyone, evil, evil)]
    for bound in bounds:
        rows += [bound, Bound(*rest_of(everyone, evil, *bound))]
    known = Known(0, 0, tuple(rows))
    while (further := one_step(known)) != known and further.is_sound:
        known = further
    return further


def one_step(known: Known) -> Known:
    """Go through the bounds once."""
    evil, good, bounds = known
    everyone = bounds[0].group
    for group, least, most in bounds:
        evil, good = follow(everyone, evil, good, group, least, most)
        if evil & good:
            break
    return Known(evil, good, bounds)


# What one bound says, in whole numbers alone: the kernels compile these.


def rest_of(everyone: Mask, evil: int, group: Mask, least: int, most: int) -> tuple[Mask, int, int]:
    """What a bound says about everyone else."""
    return everyone & ~group, evil - most, evil - least


def follow(everyone: Mask, evil: Mask, good: Mask, group: Mask, least: int, most: int) -> tuple[Mask, Mask]:
    """A group as large as its Evil is all Evil, one whose Evil are found is else Good; all are both in a clash."""
    unknown = group & ~(evil | good)
    found = (group & evil).bit_count()
    if not least - unknown.bit_count() <= found <= most:
        return everyone, everyone
    if found + unknown.bit_count() == least:
        return evil | unknown, good
    if found == most:
        return evil, good | unknown
    return evil, good


def left_for(team: Mask, good: Mask, group: Mask, least: int) -> int:
    """How many of a group's Evil must be on the team, since they cannot all be elsewhere."""
    return least - (group & ~(team | good)).bit_count()
