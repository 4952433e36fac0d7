"""Careful seats in a kernel make the same moves with the same weights as the careful bot."""

from __future__ import annotations

import pytest

from roundtable.bots import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.core.actions import Move
from roundtable.games import GAMES
from roundtable.kernels.contract import GameTrace, TraceStep
from roundtable.lab.engines import kernel
from roundtable.lab.replaying import replayed
from support.kernel_tables import (
    QUEST_GAMES,
    SEED,
    careful_seats,
    check_equal,
    every_table,
    is_spread_evenly,
    setups,
)
from support.replayed_views import Views

pytestmark = pytest.mark.usefixtures("compiled_kernels")


def check_leanings(script: GameTrace) -> int:
    """At every decision of a careful seat the bot leans to the same moves, with the same weights."""
    game, views, decided = GAMES[script.setup.game].game, Views(script), 0
    for now, step in replayed(script):
        if step.leanings is not None:
            view = views.of(now, step.actor)
            assert dict(CarefulBot().leanings(view, game.options(view, step.actor))) == dict(step.leanings)
            assert step.action in dict(step.leanings) or (step.action is None and not step.leanings)
            decided += 1
    return decided


@every_table
def test_careful_seats_lean_as_the_careful_bot_does_at_every_decision(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        assert check_leanings(kernel(game).actions(setup, careful_seats(seats, place), SEED, place))


@pytest.mark.slow
@every_table
def test_careful_seats_lean_as_the_careful_bot_does_in_many_games(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        for number in range(4):
            assert check_leanings(kernel(game).actions(setup, careful_seats(seats, number), SEED, 100 + place))


@pytest.mark.parametrize("game", QUEST_GAMES)
def test_careful_seats_draw_among_their_moves_by_weight(game: str) -> None:
    dice = Dice(7)
    places: dict[type[Move], list[float]] = {}
    for place, setup in enumerate(setups(game, 7)):
        for number in range(6):
            for step in kernel(game).actions(setup, careful_seats(7, number), SEED, 500 + place).steps:
                if step.leanings is not None and len(step.leanings) > 1:
                    places.setdefault(type(step.leanings[0][0]), []).append(place_by_weight(step, dice))
    assert len(places) > 3
    for seen in places.values():
        assert len(seen) < 50 or is_spread_evenly(seen)


def place_by_weight(step: TraceStep, dice: Dice) -> float:
    """The place of the move among those it was drawn from, each as wide as its weight."""
    assert step.leanings is not None
    moves = [move for move, _ in step.leanings]
    weights = [weight for _, weight in step.leanings]
    assert isinstance(step.action, Move)
    at = moves.index(step.action)
    return (sum(weights[:at]) + dice.random() * weights[at]) / sum(weights)


@every_table
def test_the_engine_replays_careful_kernel_games_too(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        check_equal(kernel(game), setup, careful_seats(seats, place), place, 2)
