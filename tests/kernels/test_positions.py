"""Kernels play on from any position as the engine and the careful bot do."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

from roundtable.bots import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.core.actions import Move
from roundtable.core.errors import SetupError
from roundtable.core.game import Transition
from roundtable.core.options import require_legal
from roundtable.games import GAMES, make_setup, new_game
from roundtable.games.quests.compiled.positions import QuestDeals
from roundtable.kernels.contract import GameTrace, TraceStep
from roundtable.lab.engines import kernel
from roundtable.lab.replaying import ScriptedChance, replayed
from roundtable.lab.vector_env import stepper
from roundtable.testing.generators import any_setup
from support.kernel_tables import SEED, careful_seats, is_as_expected
from support.replayed_views import Views
from support.sizes import POSITIONS

pytestmark = pytest.mark.usefixtures("compiled_kernels", "compiled_town")


def stopped_at(trace: GameTrace, steps: int) -> tuple[Transition[Any], Views]:
    """The engine's table after so many steps of a game."""
    views = Views(trace)
    for now, step in islice(replayed(trace), steps + 1):
        if step.leanings is not None:
            views.of(now, step.actor)
    return now, views


def play_on(now: Transition[Any], steps: tuple[TraceStep, ...], views: Views, game: Any) -> None:
    """The engine takes the steps; wherever a careful seat was asked, the careful bot leans to the same moves."""
    for actor, action, drawn, leanings in steps:
        if leanings is not None:
            view = views.of(now, actor)
            assert dict(CarefulBot().leanings(view, game.options(view, actor))) == dict(leanings)
        if isinstance(action, Move):
            require_legal(game.options(now.state, actor), now.state, action)
            game.decide(now, actor, action)
        elif action is not None:
            game.expire(now, ScriptedChance(drawn))


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_plays_on_to_the_same_end_from_anywhere(name: str) -> None:
    dice, of, game = Dice(7), kernel(name), GAMES[name].game
    for number in range(POSITIONS):
        setup = any_setup(game, dice)
        bots = careful_seats(setup.seats, number)
        trace = of.actions(setup, bots, SEED, number)
        now, views = stopped_at(trace, dice.below(len(trace.steps)))
        position = of.positions(now.state)
        steps = of.actions_from(setup, position, bots, SEED)
        batch = of.run_from(setup, position, bots, SEED, 3)
        assert batch.length[0, 0] == len([step for step in steps if step.action is not None])
        play_on(now, steps, views, game)
        assert now.state.outcome is not None
        assert now.state.outcome.reason == of.reasons[batch.reason[0, 0]]
        assert now.state.outcome.seats == tuple(np.flatnonzero(batch.won[0, 0]).tolist())


@pytest.mark.parametrize("name", GAMES)
def test_games_from_their_deals_end_as_often_as_games_that_were_dealt(name: str) -> None:
    of, setup, games = kernel(name), make_setup(name, 7), 20_000
    whole = of.run(setup, ("careful",), SEED, 0, games)
    deals = [of.actions(setup, ("random",), SEED, number).deal for number in range(500)]
    batch = of.run_from(setup, of.deals(setup, deals), ("careful",), SEED + 1, games // 500)
    assert batch.won.shape == (500, games // 500, 7)
    assert (batch.roles[:, 0] == of.run(setup, ("random",), SEED, 0, 500).roles).all()
    assert (batch.roles == batch.roles[:, :1]).all()
    expected = np.bincount(whole.reason, minlength=len(of.reasons))
    seen = np.bincount(batch.reason.ravel(), minlength=len(of.reasons))
    assert is_as_expected(seen / 4, expected / 4)  # both are drawn, and games of one deal are alike


def test_many_deals_share_one_history() -> None:
    of, setup, game = kernel("avalon"), make_setup("avalon", 6), GAMES["avalon"].game
    trace = of.actions(setup, ("random",), SEED, 3)
    now, _ = stopped_at(trace, len(trace.steps) // 2)
    dice = Dice(1)
    deals = [game.deal(setup, dice) for _ in range(40)]
    positions = of.positions(now.state, deals)
    batch = of.run_from(setup, positions, ("careful",), SEED, 5)
    assert [[of.roles[role] for role in row[0]] for row in batch.roles] == [list(deal.roles) for deal in deals]
    arrays = QuestDeals(batch.roles[:, 0], np.array([deal.assassin for deal in deals]))
    again = of.run_from(setup, of.positions(now.state, arrays), ("careful",), SEED, 5)
    assert (again.won == batch.won).all()
    assert not (of.run_from(setup, positions, ("careful",), SEED + 1, 5).won == batch.won).all()


def test_what_is_no_position_of_the_game_is_refused() -> None:
    with pytest.raises(SetupError, match="does not play saviom"):
        kernel("avalon").deals(make_setup("saviom", 6), [("Wolf",) * 6])
    town = make_setup("saviom", 6)
    positions = kernel("saviom").deals(town, [town.all_roles])  # type: ignore[attr-defined]
    six, seven = make_setup("avalon", 6), make_setup("avalon", 7)
    of = kernel("avalon")
    wrong: Any
    for wrong in (positions, positions[:0], np.zeros((3, 4)), [1]):
        with pytest.raises(ValueError, match="Positions of avalon are one or more rows"):
            of.run_from(six, wrong, ("random",), SEED)
        with pytest.raises(ValueError, match="Positions of avalon are one or more rows"):
            stepper(six, 8, positions=wrong)
    deals = [GAMES["avalon"].game.deal(six, Dice(1))]
    for other, setup in ((of.deals(six, deals), seven), (np.zeros(1, of.position), six)):
        with pytest.raises(ValueError, match="made for another setup"):
            of.run_from(setup, other, ("random",), SEED)
        with pytest.raises(ValueError, match="made for another setup"):
            of.actions_from(setup, other, ("random",), SEED)
    with pytest.raises(ValueError, match="one deal or more"):
        of.deals(six, [])


def test_a_view_alone_is_no_position() -> None:
    """Who is unknown would be taken for Merlin."""
    of = kernel("avalon")
    play = new_game("avalon", 6, bytes(32))
    with pytest.raises(ValueError, match="does not say who is who"):
        of.positions(play.view(0))
    with pytest.raises(SetupError, match="does not play avalon"):
        kernel("saviom").positions(play.state)


def test_positions_of_a_stepper_are_played_on() -> None:
    of, setup = kernel("avalon"), make_setup("avalon", 6)
    games = stepper(setup, 3, SEED)
    for _ in range(100):
        games.step(games.masks.argmax(axis=1))
        assert of.run_from(setup, games.positions, "random", SEED).winner.shape == (3, 1)
