"""The compiled vector environment agrees with the engine: turns, legal choices, observations and winners."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from roundtable.bots.dice import Dice
from roundtable.core.errors import IllegalAction, SetupError
from roundtable.games import GAMES, make_setup
from roundtable.kernels.vector_env import Stepper
from roundtable.lab.engines import kernel
from roundtable.lab.environments.table import Table
from roundtable.lab.vector_env import stepper
from roundtable.testing.generators import any_setup
from support.kernel_tables import is_as_expected
from support.scenes import SEED

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("compiled_steppers")]


class InSeatOrder:
    """A source of chance whose shuffles change nothing."""

    def below(self, bound: int) -> int:
        return bound - 1


def as_dealt(games: Stepper, game: int) -> Table:
    """A game of the engine with the deal of that compiled game."""
    table = Table(games.setup)
    table.begin(SEED, InSeatOrder(), games.deal(game))
    return table


class Told:
    """A source of chance that returns a given number."""

    def __init__(self, answer: int) -> None:
        self._answer = answer

    def below(self, bound: int) -> int:
        assert self._answer < bound
        return self._answer


def draw_alike(table: Table, games: Stepper, game: int) -> None:
    """Where time is up on a leader and a team is drawn (C5), the engine draws the one that the stepper drew."""
    if "drawn" in (games.positions.dtype.names or ()):
        drawn = int(games.positions[game]["drawn"])
        table.play.chance = lambda label: Told(drawn)  # type: ignore[assignment, method-assign, return-value]


def any_choices(games: Stepper, chance: np.random.Generator, step: int) -> Any:
    """At times a table chooses at random, and at times all do the first thing they may, or all the last."""
    moves = games.masks[:, 1:]
    anything = (chance.random(games.masks.shape) * games.masks).argmax(axis=1)
    first = moves.argmax(axis=1) + moves.any(axis=1)
    last = games.masks.shape[1] - 1 - games.masks[:, ::-1].argmax(axis=1)
    return np.choose((np.arange(games.games) + step // 60) % 3, (anything, first, last))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_the_engines(name: str, seed: int) -> None:
    games = stepper(any_setup(GAMES[name].game, Dice(seed)), games=4, seed=seed, last_rows=True)
    tables = [as_dealt(games, game) for game in range(games.games)]
    chance, ends = np.random.default_rng(seed), 0
    for step in range(150):
        for game, table in enumerate(tables):
            assert table.turn == games.turn[game]
            assert (table.mask(table.turn, True) == games.masks[game]).all()
            assert (table.row(table.turn) == games.rows[game]).all(), differing(table, games.rows[game])
        choices = any_choices(games, chance, step)
        games.step(choices)
        for game, table in enumerate(tables):
            draw_alike(table, games, game)
            table.take_turn(table.chosen(table.turn, int(choices[game])))
        for game, table in enumerate(tables):
            assert table.is_over == games.ended[game]
            assert [table.reward(seat) for seat in range(games.setup.seats)] == games.rewards[game].tolist()
            if table.is_over:
                assert table.play.outcome is not None
                assert table.play.outcome.reason == games.reasons[games.reason[game]]
                for seat in range(games.setup.seats):
                    assert (table.row(seat) == games.last_rows[game, seat]).all()
                assert list(table.roles()) == [games.role_names[role] for role in games.roles[game]]
                tables[game] = as_dealt(games, game)
                ends += 1
    assert ends > 0


EVERYTHING: dict[str, dict[str, Any]] = {
    "avalon": {"lady": True, "excalibur": "both"},
    "thavalon": {"clock": False},
    "saviom": {"mode": "advanced"},
}


@pytest.mark.parametrize("name", GAMES)
def test_random_choices_come_to_every_phase_and_every_end(name: str) -> None:
    """So that the comparison above covers everything."""
    games = stepper(make_setup(name, 10, EVERYTHING[name]), games=256, seed=1)
    chance, phases, ends = np.random.default_rng(1), set(), set()
    part = next((first, end) for part, first, end in games.layout.places() if part.name == "phase")
    for step in range(500):
        phases |= set(games.rows[:, slice(*part)].argmax(axis=1).tolist())
        games.step(any_choices(games, chance, step))
        ends |= set(games.reason[games.ended].tolist())
    assert phases == set(range(part[1] - part[0]))
    elsewhere = {"avalon": {"three_successes"}, "thavalon": {"five_rejections"}}.get(name, set())  # A27, T26
    assert {games.reasons[end] for end in ends} == set(games.reasons) - elsewhere


def differing(table: Table, row: Any) -> dict[str, Any]:
    """Which parts of two rows differ, for the message of a failure."""
    ours, theirs = table.layout.split(table.row(table.turn)), table.layout.split(row)
    return {name: (ours[name].tolist(), theirs[name].tolist()) for name in ours if (ours[name] != theirs[name]).any()}


def test_the_same_seed_is_the_same_games() -> None:
    one, other, third = (stepper(make_setup("avalon", 7), 16, seed) for seed in (3, 3, 4))
    assert [third.deal(game) for game in range(16)] != [one.deal(game) for game in range(16)]
    chance = np.random.default_rng(1)
    for step in range(200):
        choices = any_choices(one, chance, step)
        one.step(choices)
        other.step(choices)
        for part in ("turn", "masks", "rows", "ended", "rewards"):
            assert (getattr(one, part) == getattr(other, part)).all()


def test_a_choice_that_is_not_allowed_is_refused_and_no_game_goes_on() -> None:  # C2
    games = stepper(make_setup("avalon", 5), 3)
    choices = games.masks.argmax(axis=1)
    for wrong in (0, -1, 10_000):
        before = games.turn.copy(), games.rows.copy()
        with pytest.raises(IllegalAction, match=f"In game 1 seat . cannot choose {wrong}; it can choose 1, 2"):
            games.step([choices[0], wrong, choices[2]])
        assert (games.turn == before[0]).all()
        assert (games.rows == before[1]).all()


def test_what_cannot_be_stepped_through_is_refused_in_a_sentence() -> None:
    games = stepper(make_setup("avalon", 5), 3)
    with pytest.raises(ValueError, match="3 games take 3 choices in a row"):
        games.step([1, 2])
    with pytest.raises(SetupError, match="takes 5 to 10 players"):
        stepper(GAMES["avalon"].game.setup_type(seats=4), 3)


# Bots, roles, positions, and seats as the acting one counts


def test_bots_play_the_other_seats_as_in_a_kernel() -> None:
    setup, games = make_setup("avalon", 6), 4_000
    env = stepper(setup, games, 5, bots=dict.fromkeys(range(1, 6), "careful"))
    chance, reasons, is_first = np.random.default_rng(1), list[int](), np.ones(games, np.bool_)
    while is_first.any():
        assert not env.turn.any()
        env.step((chance.random(env.masks.shape) * env.masks).argmax(axis=1))
        reasons += env.reason[env.ended & is_first].tolist()
        is_first &= ~env.ended
    batch = kernel("avalon").run(setup, ("random", *["careful"] * 5), 6, 0, 40_000)
    expected = np.bincount(batch.reason, minlength=len(env.reasons)) / 40_000
    assert is_as_expected(np.bincount(reasons, minlength=len(env.reasons)), expected * len(reasons))


@pytest.mark.parametrize("name", GAMES)
def test_a_lone_learner_is_asked_in_every_phase_that_awaits_it(name: str) -> None:
    setup = make_setup(name, 8, EVERYTHING[name])
    bots = {seat: ("random", "careful")[seat % 2] for seat in range(8) if seat != 3}
    env, chance, ends = stepper(setup, 64, 2, bots=bots), np.random.default_rng(2), set()
    for step in range(200):
        assert (env.turn == 3).all()
        env.step(any_choices(env, chance, step))
        ends |= set(env.reason[env.ended].tolist())
        is_drawn = np.array([reason == "quiet" for reason in env.reasons])[env.reason[env.ended]]  # S15
        assert (np.abs(env.rewards[env.ended]) == np.where(is_drawn, 0, 1)[:, None]).all()
    assert len(ends) > 1


@pytest.mark.parametrize(("name", "role"), [("avalon", "Merlin"), ("thavalon", "Agravaine"), ("saviom", "Wolf")])
def test_a_seat_can_be_given_a_role(name: str, role: str) -> None:
    env, chance, ends = stepper(make_setup(name, 8), 32, 3, seat=5, role=role), np.random.default_rng(3), 0
    others = set()
    for step in range(200):
        env.step(any_choices(env, chance, step))
        for roles in env.roles[env.ended]:
            assert env.role_names[roles[5]] == role
            others.add(tuple(roles.tolist()))
        ends += int(env.ended.sum())
    assert ends >= len(others) > 5
    with pytest.raises(SetupError, match="never deals that role"):
        stepper(make_setup("avalon", 5), 1, role="Titania")
    with pytest.raises(SetupError, match="no role called Queen"):
        stepper(make_setup("avalon", 5), 1, role="Queen")
    with pytest.raises(SetupError, match="Bots have every seat"):
        stepper(make_setup("avalon", 5), 1, bots=dict.fromkeys(range(5), "random"))


@pytest.mark.parametrize("name", GAMES)
def test_seats_count_from_the_acting_one(name: str) -> None:
    setup = make_setup(name, 7, EVERYTHING[name])
    table, own = (stepper(setup, 24, 4, relative=is_own, last_rows=True) for is_own in (False, True))
    chance = np.random.default_rng(4)
    parts = {part.name: slice(first, end) for part, first, end in own.layout.places()}
    alike = [part for part in parts if part in ("phase", "role", "results", "quest", "attempt", "quiet")]
    for step in range(150):
        assert (own.rows[:, parts["seat"]].argmax(axis=1) == 0).all()
        for part in alike:
            assert (own.rows[:, parts[part]] == table.rows[:, parts[part]]).all()
        for game, seat in enumerate(table.turn):
            people = "alive" if name == "saviom" else "leader"
            assert (own.rows[game, parts[people]] == np.roll(table.rows[game, parts[people]], -seat)).all()
        assert (own.masks.sum(axis=1) == table.masks.sum(axis=1)).all()
        choices = any_choices(own, chance, step)
        assert own._relative is not None
        table.step(own._relative.absolute(own.turn, choices))
        own.step(choices)
        assert (own.ended == table.ended).all()
        assert (own.positions == table.positions).all()


def test_a_copy_plays_on_by_itself() -> None:
    games, chance = stepper(make_setup("avalon", 5), 3, 1), np.random.default_rng(1)
    games.step(any_choices(games, chance, 0))
    copied = copy.deepcopy(games)
    before = games.positions.copy()
    for step in range(1, 6):
        copied.step(any_choices(copied, np.random.default_rng(step), step))
    assert (games.positions == before).all()
    for step in range(1, 6):
        games.step(any_choices(games, np.random.default_rng(step), step))
    assert (games.positions == copied.positions).all()
    assert (games.rows == copied.rows).all()


def test_games_begin_from_positions_in_turn() -> None:
    of, setup = kernel("thavalon"), make_setup("thavalon", 7)
    deals = [of.actions(setup, ("random",), 1, number).deal for number in range(3)]
    env = stepper(setup, 6, positions=of.deals(setup, deals))
    assert [env.deal(game) for game in range(6)] == deals * 2
