"""What a game says about a study of its balance: which tables to compare, and how often people win at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from roundtable.core.setup import Setup

Options = Mapping[str, str]  # as a command line takes them


class Won(NamedTuple):
    """Games won, and games played."""

    games_won: int
    games: int


class PeopleAt(Protocol):
    """People's games with one number of seats, whatever roles they chose: a named tuple."""

    @property
    def games(self) -> int: ...

    @property
    def first_side_won(self) -> float:
        """How often the first side won, in percent."""
        ...

    def _asdict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Games between people, for comparison; `balance.people` in the game's catalogues tells where they are from."""

    by_seats: Mapping[int, PeopleAt]
    by_table: Mapping[tuple[int, str], Won]
    """Wins of the first side, by number of seats and label of the table."""
    ignored_suffix: str = ""
    """What the label of a table may end in without being another table for people."""

    def at_table(self, seats: int, label: str) -> Won | None:
        return self.by_table.get((seats, label.removesuffix(self.ignored_suffix)))


def no_role_sets(seats: int) -> Iterable[tuple[str, Setup]]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """How the balance of a game is studied."""

    usual: Callable[[int], Sequence[tuple[str, Options]]]
    """The usual tables for a number of seats: label and options of each. A label is the same in every language; what
    people read of it is a role, an option, or `balance.table.<label>` in the game's catalogues."""
    role_sets: Callable[[int], Iterable[tuple[str, Setup]]] = no_role_sets
    """Other sets of roles for a number of seats."""
    variants: Sequence[Options] = ()
    """House rules that change who wins, each tried by itself on every usual table."""
    only_at: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """For an option that matters only at some numbers of seats: these numbers."""
    people: People | None = None
    called_unfair: Sequence[int] = ()
    """Numbers of players at which the game's documents call it imbalanced in favour of the first side."""
