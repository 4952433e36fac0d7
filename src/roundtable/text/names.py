"""Names around a table, and lists in the way of a language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Self

from roundtable.core.catalogue import Catalogue, listed
from roundtable.core.names import printable

FIRST_NAMES = ("Alice", "Bob", "Charlie", "Dave", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Mallory", "Niaj")


class Names(tuple[str, ...]):
    """What the seats are called, as it can be printed: a record or a server may say anything."""

    def __new__(cls, names: Iterable[str] = ()) -> Self:
        return super().__new__(cls, map(printable, names))

    def list(self, seats: Iterable[int], catalogue: Catalogue) -> str:
        """The names of these seats in seat order: `Alice, Bob and Eve`."""
        return listed([self[seat] for seat in sorted(seats)], catalogue)


def names_for(seats: int) -> Names:
    return Names(FIRST_NAMES[:seats])


def counted(words: Iterable[str], catalogue: Catalogue) -> str:
    """`Merlin, Percival, 2 × Loyal Servant`."""
    return catalogue.text("list.separator").join(
        word if count == 1 else catalogue.text("list.times", count=count, item=word)
        for word, count in Counter(words).items()
    )
