"""The probabilities that bots state for their moves are those with which they play."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from roundtable.bots import BOTS, PolicyBot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import ask_round
from roundtable.core.play import Play
from roundtable.games import GAMES
from roundtable.testing.generators import any_setup
from support.chances import every_outcome


def dealt(name: str, dice: Dice) -> Play[Any, Any]:
    play = Play.open(GAMES[name].game, any_setup(GAMES[name].game, dice), dice.randbytes(32))
    play.deal()
    return play


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("bot", ["random", "careful"])  # of the sage: tests/bots/test_sage.py
@pytest.mark.parametrize("name", GAMES)
def test_a_bot_is_as_likely_to_make_a_move_as_it_says(name: str, bot: str, seed: int) -> None:
    dice = Dice(seed)
    play, player = dealt(name, dice), BOTS[bot]()
    assert isinstance(player, PolicyBot)
    bots = dict.fromkeys(range(play.state.setup.seats), player)
    asked = 0
    while not play.is_over:
        for seat in bots:
            view, options = play.view(seat), play.options(seat)
            if options and dice.below(4) == 0:
                said = player.probabilities(view, options)
                assert said == every_outcome(partial(player.choose, view, options))
                assert sum(said.values()) == 1
                asked += 1
        ask_round(play, bots, dice)
    assert asked > 3


@pytest.mark.parametrize("bot", BOTS)
def test_who_may_do_nothing_surely_does_nothing(bot: str) -> None:
    play = dealt("avalon", Dice(1))
    idle = next(seat for seat in range(play.state.setup.seats) if not play.options(seat))
    player = BOTS[bot]()
    assert isinstance(player, PolicyBot)
    assert player.probabilities(play.view(idle), ()) == {None: 1}
