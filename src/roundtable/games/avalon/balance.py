"""Which tables of Avalon a balance study compares, and 12,933 games that people played at avalongame.online."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Literal, NamedTuple

from roundtable.core.balance import Balance, Options, People, Won
from roundtable.core.setup import Setup
from roundtable.games.avalon.setup import OPTIONAL_ROLES, AvalonSetup, default_roles
from roundtable.games.quests.roles import Role

DUTY = " (assassin=duty)"


def usual(seats: int) -> list[tuple[str, Options]]:
    return [(label_of(default_roles(seats)), {})]


def role_sets(seats: int) -> Iterator[tuple[str, Setup]]:
    """A4: every other set of special roles that fits, if need be without an Assassin's card."""
    for size in range(len(OPTIONAL_ROLES) + 1):
        for chosen in combinations(sorted(OPTIONAL_ROLES), size):
            if frozenset(chosen) != default_roles(seats):
                yield from role_set(seats, chosen)


def role_set(seats: int, chosen: tuple[Role, ...]) -> Iterator[tuple[str, Setup]]:
    kinds: tuple[Literal["role", "duty"], ...] = ("role", "duty")
    for assassin in kinds:
        setup = AvalonSetup(seats=seats, roles=frozenset(chosen), assassin=assassin)
        if not setup.problems():
            yield label_of(chosen) + (DUTY if assassin == "duty" else ""), setup
            return


def label_of(roles: Iterable[Role]) -> str:
    return ", ".join(sorted(roles)) or "no special roles"


class PlayedByPeople(NamedTuple):
    games: int
    first_side_won: float  # in percent
    merlin_hit: float  # in percent of the shots


BY_SEATS = {
    5: PlayedByPeople(3_574, 44.7, 40.5),
    6: PlayedByPeople(3_330, 46.5, 35.3),
    7: PlayedByPeople(2_828, 44.2, 35.9),
    8: PlayedByPeople(1_722, 40.7, 35.7),
    9: PlayedByPeople(862, 46.3, 29.2),
    10: PlayedByPeople(616, 34.1, 38.1),
}

# Of 8,032 of these games, by the special roles that were dealt; sets with 60 games or more. There the Assassin was an
# Evil player of whatever role.
BY_ROLES = {
    (5, "no special roles"): Won(138, 277),
    (5, "Mordred"): Won(38, 102),
    (5, "Morgana, Percival"): Won(365, 766),
    (5, "Mordred, Morgana, Percival"): Won(232, 576),
    (6, "no special roles"): Won(97, 228),
    (6, "Mordred"): Won(27, 82),
    (6, "Morgana, Percival"): Won(350, 688),
    (6, "Mordred, Morgana, Percival"): Won(333, 736),
    (7, "no special roles"): Won(47, 121),
    (7, "Morgana, Percival"): Won(214, 507),
    (7, "Mordred, Morgana, Percival"): Won(134, 336),
    (7, "Morgana, Oberon, Percival"): Won(90, 181),
    (7, "Mordred, Morgana, Oberon, Percival"): Won(207, 415),
    (8, "no special roles"): Won(19, 61),
    (8, "Morgana, Percival"): Won(109, 271),
    (8, "Mordred, Morgana, Percival"): Won(96, 248),
    (8, "Mordred, Morgana, Oberon, Percival"): Won(149, 303),
    (9, "Morgana, Percival"): Won(56, 96),
    (9, "Mordred, Morgana, Percival"): Won(93, 238),
    (9, "Mordred, Morgana, Oberon, Percival"): Won(49, 108),
    (10, "Mordred, Morgana, Oberon, Percival"): Won(55, 175),
    (5, "merlin=no"): Won(159, 268),
    (6, "merlin=no"): Won(101, 203),
    (7, "merlin=no"): Won(40, 103),
}

BALANCE = Balance(
    usual=usual,
    role_sets=role_sets,
    variants=(
        {"merlin": "no"},
        {"assassin": "duty"},
        {"hammer": "auto"},
        {"two_fails_from": "8"},
        {"lady": "yes"},
        {"choose_quests": "yes"},
        {"excalibur": "both"},
        {"excalibur": "fail_only"},
    ),
    only_at={"two_fails_from": (7,)},
    people=People(
        by_seats=BY_SEATS,
        by_table=BY_ROLES,
        ignored_suffix=DUTY,
    ),
)
