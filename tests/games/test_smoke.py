"""A quick check that each game can be played at all; its rules have files of their own."""

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.games import GAMES, new_game
from support.scenes import SEED


@pytest.mark.parametrize("name", GAMES)
def test_random_players_finish_a_game(name: str) -> None:
    seats = GAMES[name].game.setup_type.fewest
    play = new_game(name, seats, SEED)
    play_out(play, {seat: RandomBot() for seat in range(seats)}, Dice(1))
    assert play.outcome is not None
