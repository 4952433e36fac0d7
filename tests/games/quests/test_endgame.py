"""The last team of the last quest, as the sage solves it, beside linear programs and games solved by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from roundtable.belief import belief_of
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.games import spec_named
from roundtable.games.avalon.deal import hand_out
from roundtable.games.quests.belief import QuestBelief
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Card, Role
from roundtable.games.quests.sage.endgame import (
    Game,
    Solution,
    game_of,
    knowledge_of,
    solve_game,
    solve_last_team,
    team_chances,
)
from roundtable.games.quests.tables import team_size
from support.scenes import avalon, propose, quest, vote

LEADER = 0
SPEC = spec_named("avalon")
Failed = Mapping[int, Sequence[Seat]]

SERVANT, MERLIN, ASSASSIN, MINION = Role.SERVANT, Role.MERLIN, Role.ASSASSIN, Role.MINION
FIVE = (SERVANT, ASSASSIN, MERLIN, MINION, SERVANT)
ONE_OF_EACH: Failed = {1: (1, 2), 3: (3, 4)}  # one of these two pairs each is Evil
LED_BY_MERLIN = (MERLIN, ASSASSIN, MINION, MINION, *[SERVANT] * 5)


def last_team(roles: Sequence[Role], failed: Failed, **options: Any) -> Play[Any, Any]:
    """Seat 0 names the last team. In failed quests all Evil members play Fail, in others none does."""
    play = avalon(roles, leader=-8 % len(roles), **options)
    for number in range(1, 5):
        team = failed.get(number, range(team_size(len(roles), number)))
        evil = {seat for seat in team if roles[seat] in EVIL_ROLES and number in failed}
        quest(play, team, {seat: Card.FAIL if seat in evil else Card.SUCCESS for seat in team})
        if play.phase.name == "lady":
            (option,) = play.options(play.state.lady)
            play.act(play.state.lady, next(iter(option)))
    for _ in range(4):
        propose(play, range(team_size(len(roles), 5)))
        vote(play, ())
    return play


def onlooker(play: Play[Any, Any]) -> QuestBelief:
    """By logic alone, so that every possible deal is equally likely."""
    belief = belief_of(SPEC, play.state.setup)
    belief.hear_all(play.events_for(SPECTATOR))
    assert isinstance(belief, QuestBelief)
    return belief


def teams_of(play: Play[Any, Any]) -> dict[frozenset[Seat], float]:
    belief = onlooker(play)
    return team_chances(belief, solve_last_team(belief, LEADER), play.state.dealt[LEADER])


# Against a linear program


def shown(dealt: RoleDealt) -> str:
    return repr((dealt.role, dealt.sees))


def value_by_program(belief: QuestBelief, roles: Any, weights: Any) -> float:
    """How often Good wins: written from the rules, with every team and every shot."""
    columns: dict[Any, int] = {}
    gains: dict[int, float] = {}  # of the leader's chances; what the Assassin takes is subtracted
    rows: dict[Any, dict[int, float]] = {}
    seats = range(belief.setup.seats)
    for deal, weight in zip(roles.tolist(), weights, strict=True):
        cards = tuple(Role(belief.roles[role]) for role in deal)
        evil = frozenset(seat for seat in seats if cards[seat] in EVIL_ROLES)
        assassins = belief.able_assassins(cards)
        for assassin, team in [(one, team) for one in assassins for team in combinations(seats, len(seats) // 2 + 1)]:
            told = hand_out(cards, assassin)
            named = columns.setdefault((shown(told[LEADER]), team), len(columns))
            rows.setdefault(shown(told[LEADER]), {})[named] = 1.0
            if evil & set(team):
                continue
            gains[named] = gains.get(named, 0.0) + weight / len(assassins)
            situation = (evil, assassin, shown(told[assassin]), team)
            taken = columns.setdefault(situation, len(columns))
            gains[taken] = -1.0
            row = rows.setdefault((*situation, cards.index(MERLIN)), {taken: -1.0})
            row[named] = row.get(named, 0.0) + weight / len(assassins)

    def table(wanted: type) -> Any:
        found = [row for key, row in rows.items() if isinstance(key, wanted)]
        return np.array([[row.get(column, 0.0) for column in range(len(columns))] for row in found])

    shots, sums = table(tuple), table(str)
    goal = [-gains.get(column, 0.0) for column in range(len(columns))]
    found = linprog(goal, shots, np.zeros(len(shots)), sums, np.ones(len(sums)))
    assert found.success
    return float(-found.fun)


TABLES = [
    (FIVE, {}),
    ((Role.PERCIVAL, ASSASSIN, MERLIN, Role.MORGANA, SERVANT), {}),
    ((SERVANT, ASSASSIN, MERLIN, Role.MORDRED, SERVANT), {}),
    ((SERVANT, Role.OBERON, MERLIN, ASSASSIN, Role.PERCIVAL), {}),
    ((SERVANT, Role.MORGANA, MERLIN, MINION, Role.PERCIVAL), {"assassin": 1}),
]


def solved_with_odd_weights(
    roles: Sequence[Role], options: Any, **search: Any
) -> tuple[QuestBelief, Any, Any, Solution]:
    belief = onlooker(last_team(roles, {1: (1, 2), 3: (1, 4)}, **options))
    belief.learn_role(LEADER, [role for role in Role if role not in EVIL_ROLES])
    deals, _ = belief.likeliest(1000)
    weights = np.random.default_rng(3).dirichlet(np.ones(len(deals)))
    return belief, deals, weights, solve_game(game_of(belief, deals, weights, LEADER), **search)


@pytest.mark.parametrize(("roles", "options"), TABLES)
def test_the_value_is_that_of_a_linear_program(
    roles: Sequence[Role], options: Any
) -> None:  # A4, A6, A7, A8, A9, A20, A22
    belief, deals, weights, solution = solved_with_odd_weights(roles, options)
    assert 0 <= solution.exploitability <= 1e-3
    best = value_by_program(belief, deals, weights)
    assert solution.value - 1e-9 <= best <= solution.value + solution.exploitability + 1e-9


def test_more_rounds_come_closer() -> None:  # A21, A22
    few, many = (solved_with_odd_weights(*TABLES[1], enough=0.0, most_rounds=rounds)[-1] for rounds in (10, 400))
    assert (few.rounds, many.rounds) == (10, 400)
    assert many.exploitability < min(1e-4, few.exploitability)


def test_chances_sum_to_one_in_every_situation() -> None:  # A11, A21
    *_, solution = solved_with_odd_weights(*TABLES[1])
    for moves, chances in ((solution.game.leads, solution.leads), (solution.game.shots, solution.shots)):
        assert chances.min() >= 0
        assert moves.sums(chances) == pytest.approx(1)


def test_relabelled_seats_get_the_relabelled_strategy() -> None:  # A5, A6
    belief, deals, weights, solution = solved_with_odd_weights(*TABLES[1], enough=0.0, most_rounds=30)
    place = np.array([3, 0, 4, 2, 1])  # where each seat goes
    moved = np.empty_like(deals)
    moved[:, place] = deals
    other = solve_game(game_of(belief, moved, weights, int(place[LEADER])), enough=0.0, most_rounds=30)
    assert other.value == pytest.approx(solution.value)

    def relabelled(mask: int) -> int:
        return sum(1 << int(place[seat]) for seat in range(5) if mask >> seat & 1)

    for role, mask in {(int(key) >> 20, int(key) >> 10 & 1023) for key in solution.game.leads.keys}:
        expected = {relabelled(team): chance for team, chance in solution.teams(role, mask).items()}
        assert other.teams(role, relabelled(mask)) == pytest.approx(expected, abs=1e-6)


# Games that can be solved by hand


def test_a_leader_who_knows_nothing_names_equally_good_teams_alike() -> None:  # A11, A19
    assert teams_of(last_team(FIVE, ONE_OF_EACH)) == pytest.approx(
        {frozenset((LEADER, one, other)): 0.25 for one in (1, 2) for other in (3, 4)}
    )


def test_merlin_names_the_only_team_that_can_win() -> None:  # A8, A20
    play = last_team((MERLIN, ASSASSIN, SERVANT, MINION, SERVANT), ONE_OF_EACH)
    assert teams_of(play) == {frozenset((0, 2, 4)): 1.0}


def test_a_clean_team_tells_as_much_as_it_must() -> None:  # A21, A22
    """Merlin names it for certain, each of two servants once in four times: two thirds of the time it was Merlin's."""
    belief = onlooker(last_team(FIVE, ONE_OF_EACH))
    solution = solve_last_team(belief, LEADER)
    assert solution.value == pytest.approx((1 / 3 + 2 / 3 / 4) * (1 - 2 / 3), abs=1e-3)
    knowledge = knowledge_of(1, belief.roles.index(ASSASSIN), 1 << 3, 1 << 1 | 1 << 3)
    assert solution.targets(knowledge, 0b10101)[LEADER] > 0.99


def hit_chances(game: Game, leads: Any) -> tuple[Any, Any]:
    """By what the Assassin knows and sees: how often it comes to that, and how often the best shot then hits."""
    hits = game.shot_values(leads)
    total, best = game.shots.sums(hits), np.zeros(int(game.shots.situation.max()) + 1)
    np.maximum.at(best, game.shots.situation, hits)
    return total, best / np.maximum(total, 1e-12)


def test_no_team_tells_merlin_where_all_know_who_is_evil() -> None:  # A18, A21, A22
    """The best shot is at the seat that was the likeliest Merlin before the team was named."""
    belief = onlooker(last_team(LED_BY_MERLIN, {1: (1, 2, 3), 3: (1, 2, 3, 4)}))
    deals, _ = belief.likeliest(1000)
    deals = deals[deals[:, 1] == belief.roles.index(ASSASSIN)]
    assert len(deals) == 6  # of whom one is Merlin
    solution = solve_game(game_of(belief, deals, np.arange(1, 7) / 21, LEADER))
    assert solution.value == pytest.approx(1 - 6 / 21, abs=1e-3)
    seen, hits = hit_chances(solution.game, solution.leads)
    assert seen @ hits == pytest.approx(6 / 21, abs=1e-3)
    assert hits[seen > 0.01] == pytest.approx(6 / 21, abs=0.02)


def test_merlin_does_not_use_what_only_merlin_knows_where_it_would_tell() -> None:  # A8, A21
    """Three of seats 1 to 4 are Evil. Merlin knows which one is not, and leaves that one at home as others would."""
    play = last_team(LED_BY_MERLIN, {3: (1, 2, 3, 4), 2: (1, 2, 3, 4)})
    safe = frozenset((0, 5, 6, 7, 8))
    assert teams_of(play)[safe] > 0.98
    assert solve_last_team(onlooker(play), LEADER).value == pytest.approx(5 / 6, abs=2e-3)


# As the bot asks


def solved_for(play: Play[Any, Any], seat: Seat) -> dict[frozenset[Seat], float]:
    found = SPEC.part("sage").solve(play.view(seat), seat, onlooker(play))
    return {move.team: chance for move, chance in found.items()}


def test_the_sage_names_the_last_team_by_the_solution() -> None:  # A11, A15
    play = last_team((MERLIN, ASSASSIN, SERVANT, MINION, SERVANT), ONE_OF_EACH)
    assert solved_for(play, LEADER) == {frozenset((0, 2, 4)): 1.0}


def test_nothing_else_is_solved() -> None:  # A15, A21, A23
    led_by_evil = last_team((ASSASSIN, MERLIN, SERVANT, MINION, SERVANT), {1: (0, 1), 3: (0, 2)})
    early = avalon(FIVE)
    with_lady = last_team(FIVE, ONE_OF_EACH, lady=True)  # whose holders know more than their roles
    for play in (led_by_evil, early, with_lady):
        assert not solved_for(play, play.state.leader)
    assert not solved_for(last_team(FIVE, ONE_OF_EACH), 2)  # another leads
