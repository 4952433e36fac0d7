"""Counts that anyone can check by hand or with a program of their own, kept as readable tables in tests/perft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, factorial, prod
from typing import Any

import pytest

from roundtable.core.play import Play
from roundtable.games import new_game
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.options import TeamChoice
from roundtable.games.quests.tables import team_size
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.games.thavalon.deal import draw_good
from roundtable.games.thavalon.setup import ThavalonSetup
from support.chances import every_outcome
from support.paths import TESTS
from support.scenes import SEED

PERFT = TESTS / "perft"


def rows(table: str) -> Iterator[list[str]]:
    for line in (PERFT / table).read_text().splitlines():
        if not line.startswith("#"):
            yield line.split()


def seatings(cards: Sequence[object]) -> int:
    """In how many ways these cards can lie round a table."""
    return factorial(len(cards)) // prod(factorial(number) for number in Counter(cards).values())


def thavalon_deals(seats: int) -> int:
    setup = ThavalonSetup(seats=seats)
    good, evil = setup.sides
    good_sets = every_outcome(lambda chance: frozenset(draw_good(setup.good_pool, good, chance)))
    return len(good_sets) * comb(len(setup.evil_pool), evil) * factorial(seats)


def deal_row(seats: int) -> list[str]:
    quests = [seatings(AvalonSetup(seats=seats).all_roles), thavalon_deals(seats)] if seats <= 10 else []
    modes = ("classic", "advanced") if seats >= 6 else ()
    towns = [seatings(SaviomSetup(seats=seats, mode=mode).all_roles) for mode in modes]  # type: ignore[arg-type]
    shown = [*map(str, quests)] or ["-", "-"]
    return [str(seats), *shown, *(map(str, towns) if towns else ("-", "-"))]


def team_row(seats: int) -> list[str]:
    plain, armed = [], []
    for quest in range(1, 6):
        choice = TeamChoice(phase=1, eligible=tuple(range(seats)), sizes=((None, team_size(seats, quest)),))
        sword = TeamChoice(phase=1, eligible=choice.eligible, sizes=choice.sizes, excalibur_not=0)
        assert len(choice) == len(list(choice)) == len(set(choice))
        assert len(sword) == len(list(sword)) == len(set(sword))
        plain.append(str(len(choice)))
        armed.append(str(len(sword)))
    return [str(seats), *plain, *armed]


def history_row(name: str, seats: int, deepest: int) -> list[str]:
    return [name, str(seats), *(str(histories(new_game(name, seats, SEED), depth)) for depth in range(1, deepest + 1))]


def histories(play: Play[Any, Any], depth: int) -> int:
    moves = [(seat, move) for seat in range(play.state.setup.seats) for option in play.options(seat) for move in option]
    if depth == 1:
        return len(moves)
    total = 0
    for seat, move in moves:
        branch = Play(play.game, play.entries)
        branch.act(seat, move)
        total += histories(branch, depth - 1)
    return total


def test_deals_are_as_many_as_the_table_says() -> None:  # A4, T2, T3, S2, S3
    assert [deal_row(seats) for seats in range(5, 13)] == list(rows("deals.txt"))


def test_teams_are_as_many_as_the_table_says() -> None:  # A3, A11, A25
    assert [team_row(seats) for seats in range(5, 11)] == list(rows("teams.txt"))


@pytest.mark.slow
def test_histories_are_as_many_as_the_table_says() -> None:  # A11, A12, T14, S6
    for name, seats, *counts in rows("histories.txt"):
        assert history_row(name, int(seats), len(counts)) == [name, seats, *counts]


def test_the_number_of_teams_is_the_number_of_combinations() -> None:  # A11
    for seats in range(5, 11):
        for quest in range(1, 6):
            size = team_size(seats, quest)
            choice = TeamChoice(phase=1, eligible=tuple(range(seats)), sizes=((None, size),))
            assert len(choice) == comb(seats, size) == len(list(combinations(range(seats), size)))
