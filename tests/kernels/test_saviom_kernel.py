"""The kernel of Saviom follows the rules, and its careful player is the careful bot."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import sqrt

import numpy as np
import pytest

from roundtable.bots import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.core.errors import SetupError, StudyError
from roundtable.core.play import Play
from roundtable.core.seats import CLOCK
from roundtable.games import GAMES, make_setup
from roundtable.games.saviom.actions import Accuse, Judge
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.kernels.contract import GameTrace
from roundtable.lab.engines import kernel
from roundtable.testing.generators import any_setup
from support.kernel_tables import SEED, check_equal
from support.scenes import SEED as TABLE_SEED
from support.sizes import KERNEL_GAMES

pytestmark = pytest.mark.usefixtures("compiled_town")

KERNEL = kernel("saviom")
CREWS = (["random"], ["careful"], ["careful", "random"], ["random", "careful"])

every_table = pytest.mark.parametrize(("seats", "mode"), [*product(range(6, 13), ("classic", "advanced"))])


def any_saviom(seats: int, chance: Dice) -> SaviomSetup:
    setup = any_setup(GAMES["saviom"].game, chance, seats)
    assert isinstance(setup, SaviomSetup)
    return setup


@every_table
def test_the_engine_replays_kernel_games_to_the_same_outcome(seats: int, mode: str) -> None:  # S1 to S15
    setup = make_setup("saviom", seats, {"mode": mode})
    for place, bots in enumerate(CREWS):
        check_equal(KERNEL, setup, bots, 10 * place, 10)


@pytest.mark.slow
@every_table
def test_the_engine_replays_many_kernel_games_for_each_number_of_players(seats: int, mode: str, no_gc: None) -> None:
    setup, games = (
        make_setup("saviom", seats, {"mode": mode}),
        KERNEL_GAMES // 2 // len(CREWS),
    )  # there are two modes
    for place, bots in enumerate(CREWS):
        check_equal(KERNEL, setup, bots, games * place, games)


@pytest.mark.parametrize("seats", range(6, 13))
def test_every_option_is_played_as_the_engine_plays_it(seats: int) -> None:  # S5, S6, S8, S9, S11, S15
    dice = Dice(seats)
    for place in range(40):
        check_equal(KERNEL, any_saviom(seats, dice), CREWS[place % 4], place * 5, 5)


def test_bots_can_be_named_seat_by_seat() -> None:
    setup = make_setup("saviom", 8, {"mode": "advanced"})
    bots = ["careful", "random"] * 4
    check_equal(KERNEL, setup, bots, 0, 30)
    script = KERNEL.actions(setup, bots, SEED, 0)
    assert {step.actor % 2 for step in script.steps if step.leanings is not None} == {0}


def check_leanings(script: GameTrace) -> int:
    """Replay the game with the engine, and ask the careful bot wherever the kernel's careful player was asked."""
    play = Play.open(GAMES["saviom"].game, script.setup, TABLE_SEED)
    play.deal(script.deal)
    asked = 0
    for seat, action, _, leanings in script.steps:
        if leanings is not None:
            view = play.view(seat)
            assert dict(leanings) == dict(CarefulBot().leanings(view, play.game.options(view, seat)))
            asked += 1
        if action is not None:
            play.act(seat, action)
    assert play.is_over
    return asked


@every_table
def test_its_careful_player_leans_to_what_the_careful_bot_leans_to(seats: int, mode: str) -> None:
    setup = make_setup("saviom", seats, {"mode": mode})
    for bots in CREWS[1:]:
        assert sum(check_leanings(KERNEL.actions(setup, bots, SEED, number)) for number in range(5)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(6, 13))
def test_the_careful_players_agree_under_every_option(seats: int) -> None:
    dice = Dice(seats)
    for number in range(KERNEL_GAMES // 100):
        setup = any_saviom(seats, dice)
        seat_by_seat = [("random", "careful")[dice.below(2)] for _ in range(seats)]
        check_leanings(KERNEL.actions(setup, (*CREWS[1:], seat_by_seat)[number % 4], SEED, number))


# Chance


def test_a_game_is_the_same_in_whatever_batch_it_is_played() -> None:
    setup = make_setup("saviom", 9, {"mode": "advanced"})
    whole = KERNEL.run(setup, ["careful"], SEED, 0, 100)
    parts = [KERNEL.run(setup, ["careful"], SEED, first, count) for first, count in ((0, 30), (30, 70))]
    for name in ("winner", "reason", "roles", "won", "length"):
        assert np.array_equal(getattr(whole, name), np.concatenate([getattr(part, name) for part in parts]))
    assert not np.array_equal(whole.roles, KERNEL.run(setup, ["careful"], SEED + 1, 0, 100).roles)


def assert_uniform(counts: list[int]) -> None:
    expected = sum(counts) / len(counts)
    assert all(abs(count - expected) < 5 * sqrt(expected) for count in counts), counts


@pytest.mark.parametrize("seats", range(6, 13))
def test_every_seat_is_as_likely_to_be_dealt_a_role_as_any_other(seats: int) -> None:  # S1
    batch = KERNEL.run(make_setup("saviom", seats, {"mode": "advanced"}), ["random"], SEED, 0, 50_000)
    for role in range(len(KERNEL.roles)):
        if (batch.roles == role).any():
            assert_uniform((batch.roles == role).sum(axis=0).tolist())


def test_random_players_choose_each_option_alike() -> None:
    setup = make_setup("saviom", 7, {"trial_by": "cast"})
    scripts = [KERNEL.actions(setup, ["random"], SEED, number) for number in range(2_000)]
    accused, verdicts = [0] * 7, [0, 0]
    for script in scripts:
        for seat, action, _, _ in script.steps:
            if isinstance(action, Accuse) and action.phase == 1:
                accused[(action.target - seat) % 7] += 1
            if isinstance(action, Judge):
                verdicts[action.eliminate] += 1
    assert accused[0] == 0  # S6: no player votes for themself
    assert_uniform(accused[1:])
    assert_uniform(verdicts)


def test_a_game_that_is_too_long_to_be_written_down_is_refused() -> None:  # S15
    setup = make_setup("saviom", 12, {"quiet_limit": 5_000})
    phases = 1 + sum(step.actor == CLOCK for step in KERNEL.actions(setup, ["random"], SEED, 0).steps[:-1])
    short = replace(KERNEL, most_phases=phases - 1)
    with pytest.raises(StudyError, match=f"Game 0 has {phases} phases; at most {phases - 1} can be recorded"):
        short.actions(setup, ["random"], SEED, 0)


def test_it_plays_saviom_and_nothing_else() -> None:
    with pytest.raises(SetupError, match="does not play avalon"):
        KERNEL.run(make_setup("avalon", 5), ["random"], SEED, 0, 1)
    with pytest.raises(SetupError, match="No bot called 'fred'"):
        KERNEL.run(make_setup("saviom", 6), ["fred"], SEED, 0, 1)
