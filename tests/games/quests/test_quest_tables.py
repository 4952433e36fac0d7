"""The numbers of both quest games, row by row as the rulebook has them, and as the games play them."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.games import new_game
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.events import QuestResolved
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.quests.tables import SIDES_BY_COUNT, TEAM_SIZES, fails_needed, team_size
from roundtable.games.thavalon.setup import TWO_FAILS_FROM, ThavalonSetup
from support.scenes import SEED, last, quest

SIDES = "5: 3/2, 6: 4/2, 7: 4/3, 8: 5/3, 9: 6/3, 10: 6/4"  # players: Good/Evil
SIZES = "5: 2 3 2 3 3 · 6: 2 3 4 3 4 · 7: 2 3 3 4 4 · 8, 9 and 10: 3 4 4 5 5"  # players: team size by quest
FAILS = "5 and 6: 1 1 1 1 1 · 7, 8, 9 and 10: 1 1 1 2 1"  # players: Fails that a quest needs
FAILS_FROM_8 = "5, 6 and 7: 1 1 1 1 1 · 8, 9 and 10: 1 1 1 2 1"  # the same with two_fails_from = 8


def rows(text: str, between: str = " · ") -> dict[int, tuple[int, ...]]:
    """A line of the rulebook by number of players."""
    table = {}
    for row in text.split(between):
        counts, numbers = row.split(": ")
        for count in counts.replace(" and ", ", ").split(", "):
            table[int(count)] = tuple(int(number) for number in numbers.replace("/", " ").split())
    return table


both_games = pytest.mark.parametrize("game", ["avalon", "thavalon"])
every_count = pytest.mark.parametrize("seats", range(5, 11))


def seats_on_side(play: Play[Any, Any], evil: bool) -> list[Seat]:
    """A side's seats, without Agravaine, who can play nothing but Fail."""
    roles = play.state.roles
    return [seat for seat in sorted(roles) if (roles[seat] in EVIL_ROLES) is evil and roles[seat] is not Role.AGRAVAINE]


def play_quest(play: Play[Any, Any], fails: int) -> bool:
    """A team with that many Evil players goes, each of whom fails it; says whether the quest succeeded."""
    good, evil = seats_on_side(play, evil=False), seats_on_side(play, evil=True)
    failing = evil[:fails]
    size = rows(SIZES)[play.state.setup.seats][len(play.state.results)]
    quest(play, [*failing, *good[: size - fails]], dict.fromkeys(failing, Card.FAIL))
    succeeded: bool = last(play, QuestResolved).succeeded
    return succeeded


def test_every_row_of_the_rulebook_is_in_the_tables() -> None:  # A2, A3, T1
    assert rows(SIDES, ", ") == SIDES_BY_COUNT
    assert rows(SIZES) == TEAM_SIZES


@every_count
def test_sides_and_team_sizes_hold_in_both_setups(seats: int) -> None:  # A2, A3, T1
    good, evil = rows(SIDES, ", ")[seats]
    assert ThavalonSetup(seats=seats).sides == (good, evil)
    assert sum(role in EVIL_ROLES for role in AvalonSetup(seats=seats).all_roles) == evil
    assert len(AvalonSetup(seats=seats).all_roles) == good + evil == seats
    assert tuple(team_size(seats, number) for number in range(1, 6)) == rows(SIZES)[seats]


@every_count
def test_fails_needed_are_those_of_the_rulebook(seats: int) -> None:  # A19, T20
    quests = range(1, 6)
    assert tuple(fails_needed(seats, number, TWO_FAILS_FROM) for number in quests) == rows(FAILS)[seats]
    assert (
        tuple(fails_needed(seats, number, AvalonSetup(seats=seats).two_fails_from) for number in quests)
        == (rows(FAILS)[seats])
    )
    assert tuple(fails_needed(seats, number, 8) for number in quests) == rows(FAILS_FROM_8)[seats]


@both_games
@every_count
def test_deals_have_as_many_good_and_evil_players_as_the_rulebook(game: str, seats: int) -> None:  # A2, T1
    for number in range(8):
        roles = new_game(game, seats, number.to_bytes(32, "big")).state.roles
        evil = sum(role in EVIL_ROLES for role in roles.values())
        assert (seats - evil, evil) == rows(SIDES, ", ")[seats]


@both_games
@every_count
def test_every_quest_takes_a_team_of_its_size_and_of_no_other(game: str, seats: int) -> None:  # A3, A11
    play = new_game(game, seats, SEED)
    for size, fails in zip(rows(SIZES)[seats], (0, 2, 0, 2, 0), strict=True):
        moves = chain.from_iterable(play.options(play.state.leader))
        assert {len(move.team) for move in moves if isinstance(move, ProposeTeam)} == {size}
        play_quest(play, fails)
    assert [len(result.team) for result in play.state.results] == list(rows(SIZES)[seats])


RULES: dict[str, tuple[str, dict[str, Any], str]] = {
    "avalon": ("avalon", {}, FAILS),
    "avalon, two_fails_from 8": ("avalon", {"two_fails_from": 8}, FAILS_FROM_8),
    "thavalon": ("thavalon", {}, FAILS),
}


@pytest.mark.parametrize("rules", RULES)
@every_count
@pytest.mark.parametrize("number", range(1, 6))
def test_a_quest_bears_one_fail_less_than_it_needs(rules: str, seats: int, number: int) -> None:  # A19, T19, T20
    game, options, table = RULES[rules]
    for fails in (1, 2):
        play = new_game(game, seats, SEED, **options)
        for before in (0, 2, 0, 2)[: number - 1]:
            play_quest(play, before)
        assert play_quest(play, fails) is (fails < rows(table)[seats][number - 1])


@every_count
def test_the_plans_of_a_table_are_those_of_the_rulebook(seats: int) -> None:  # A3, A15, A19, T14, T20
    avalon, thavalon = AvalonSetup(seats=seats), ThavalonSetup(seats=seats)
    for setup in (avalon, thavalon):
        assert [plan.quest for plan in setup.rounds()] == [1, 2, 3, 4, 5]
        assert tuple(plan.size for plan in setup.rounds()) == TEAM_SIZES[seats]
        assert tuple(plan.fails for plan in setup.rounds()) == rows(FAILS)[seats]
    assert [plan.proposals for plan in avalon.rounds()] == [5] * 5
    assert [plan.proposals for plan in thavalon.rounds()] == [2] + [SIDES_BY_COUNT[seats][1] + 1] * 4
