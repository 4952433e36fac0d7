"""Which tables are compared: the usual ones for each number of players, other sets of roles, and the variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from roundtable.core.balance import Balance, Options
from roundtable.core.errors import StudyError, shown
from roundtable.core.setup import Setup
from roundtable.games import make_setup, spec_named

USUAL, ROLES, VARIANT = "usual", "roles", "variant"


class Table(NamedTuple):
    """A row of the page."""

    kind: str
    label: str
    setup: Setup


def balance_of(game: str) -> Balance:
    """What the game says about its balance; `PluginError` where it says nothing."""
    return cast(Balance, spec_named(game).part("balance"))


def tables_of(game: str, seats: Sequence[int] = (), labels: Sequence[str] = ()) -> list[Table]:
    """All of them, or those with so many seats and with one of these labels."""
    setup_type = spec_named(game).game.setup_type
    counts = seats or range(setup_type.fewest, setup_type.most + 1)
    tables = [table for count in counts for table in _tables_at(game, count)]
    known = list(dict.fromkeys(table.label for table in tables))
    for label in labels:
        if label not in known:
            raise StudyError("study/asked", "table", found=shown(label), tables="; ".join(known))
    return [table for table in tables if not labels or table.label in labels]


def _tables_at(game: str, seats: int) -> Iterator[Table]:
    balance = balance_of(game)
    for label, options in balance.usual(seats):
        yield Table(USUAL, label, make_setup(game, seats, options))
    for label, setup in balance.role_sets(seats):
        yield Table(ROLES, label, setup)
    for options in balance.variants:
        if all(seats in balance.only_at.get(option, (seats,)) for option in options):
            yield from _variants(game, seats, options, balance)


def _variants(game: str, seats: int, options: Options, balance: Balance) -> Iterator[Table]:
    """A variant of each usual table; where there are several, it says of which one."""
    usual_tables = balance.usual(seats)
    said = ", ".join(f"{name}={value}" for name, value in options.items())
    for label, usual in usual_tables:
        shown = f"{label}, {said}" if len(usual_tables) > 1 else said
        yield Table(VARIANT, shown, make_setup(game, seats, {**usual, **options}))
