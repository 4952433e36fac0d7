"""Which tables are compared: the usual one for each number of players, other sets of roles, and the variants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Literal, NamedTuple

from roundtable.core.setup import Setup
from roundtable.games import game_named, make_setup
from roundtable.games.avalon.setup import OPTIONAL_ROLES, AvalonSetup, default_roles
from roundtable.games.quests.roles import Role

USUAL, ROLES, VARIANT = "usual", "roles", "variant"
DUTY = " (assassin=duty)"

# Options that change who wins, each tried by itself on the usual table.
VARIANTS: dict[str, tuple[dict[str, str], ...]] = {
    "avalon": (
        {"merlin": "no"},
        {"assassin": "duty"},
        {"hammer": "auto"},
        {"two_fails_from": "8"},
        {"lady": "yes"},
        {"choose_quests": "yes"},
        {"excalibur": "both"},
        {"excalibur": "fail_only"},
    ),
    "thavalon": ({"nine_evil": "4"}, {"first_round": "paired"}, {"no_target_call": "yes"}),
    "saviom": (
        {"begins_with": "night"},
        {"trial_by": "cast"},
        {"reveal_on_death": "side"},
        {"quiet_limit": "20"},
    ),
}
ONLY_AT = {"two_fails_from": (7,), "nine_evil": (9,)}  # elsewhere they change nothing
MODES = ("classic", "advanced")  # of Saviom; both are usual


class Table(NamedTuple):
    """A row of the page."""

    kind: str
    label: str
    setup: Setup


def tables_of(game: str, seats: tuple[int, ...] = ()) -> list[Table]:
    setup_type = game_named(game).setup_type
    counts = seats or tuple(range(setup_type.fewest, setup_type.most + 1))
    return [table for count in counts for table in _tables_at(game, count)]


def _tables_at(game: str, seats: int) -> Iterator[Table]:
    for label, options in _usual(game, seats):
        yield Table(USUAL, label, make_setup(game, seats, options))
    if game == "avalon":
        yield from _role_sets(seats)
    for options in VARIANTS[game]:
        if all(seats in ONLY_AT.get(option, (seats,)) for option in options):
            yield from _with(game, seats, options)


def _usual(game: str, seats: int) -> list[tuple[str, dict[str, Any]]]:
    if game == "saviom":
        return [(mode, {"mode": mode}) for mode in MODES]
    return [(_named(default_roles(seats)) if game == "avalon" else "usual rules", {})]


def _role_sets(seats: int) -> Iterator[Table]:
    """A4: every other set of special roles that fits, if need be without an Assassin's card."""
    for size in range(len(OPTIONAL_ROLES) + 1):
        for chosen in combinations(sorted(OPTIONAL_ROLES), size):
            if frozenset(chosen) != default_roles(seats):
                yield from _role_set(seats, chosen)


def _role_set(seats: int, chosen: tuple[Role, ...]) -> Iterator[Table]:
    kinds: tuple[Literal["role", "duty"], ...] = ("role", "duty")
    for assassin in kinds:
        setup = AvalonSetup(seats=seats, roles=frozenset(chosen), assassin=assassin)
        if not setup.problems():
            yield Table(ROLES, _named(chosen) + (DUTY if assassin == "duty" else ""), setup)
            return


def _with(game: str, seats: int, options: dict[str, str]) -> Iterator[Table]:
    for label, usual in _usual(game, seats):
        said = ", ".join(f"{name}={value}" for name, value in options.items())
        shown = f"{label}, {said}" if game == "saviom" else said
        yield Table(VARIANT, shown, make_setup(game, seats, {**usual, **options}))


def _named(roles: Any) -> str:
    return ", ".join(sorted(roles)) or "no special roles"
