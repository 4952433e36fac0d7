"""The likelihood of a recorded game under a bot: asked at every choice, from the seat's own view."""

from __future__ import annotations

import os
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest

from games.avalon import test_human_games
from roundtable.bots import BOTS, CarefulBot, PolicyBot, RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.errors import BadRecord
from roundtable.games import GAMES, new_game
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.lab.likelihood import ALL, choices_in, choices_of, fits
from roundtable.storage import write_record


def recorded(path: Path, name: str, bot: str, seed: int = 1) -> Path:
    dice = Dice(seed)
    play = new_game(name, 8, dice.randbytes(32))
    play_out(play, {seat: BOTS[bot]() for seat in range(8)}, dice)
    write_record(path / f"{name}-{bot}-{seed}.jsonl", play)
    return path / f"{name}-{bot}-{seed}.jsonl"


@pytest.mark.parametrize("bot", ["random", "careful"])
@pytest.mark.parametrize("name", GAMES)
def test_a_bot_never_excludes_what_it_has_done_itself(tmp_path: Path, name: str, bot: str) -> None:
    path = recorded(tmp_path, name, bot)
    player = BOTS[bot]()
    assert isinstance(player, PolicyBot)
    choices = list(choices_in(path, player))
    assert len(choices) > 20
    assert all(choice.probability > 0 for choice in choices)
    assert fits(choices)[ALL].never == 0


@pytest.mark.parametrize("name", GAMES)
def test_a_careful_player_is_foretold_better_by_the_careful_bot(tmp_path: Path, name: str) -> None:
    path = recorded(tmp_path, name, "careful")
    careful, random = (fits(choices_in(path, bot))[ALL] for bot in (CarefulBot(), RandomBot()))
    assert careful.choices == random.choices
    assert careful.bits < random.bits
    assert careful.mean > random.mean


def test_the_random_bot_tosses_a_coin_for_every_vote_and_draws_every_team_alike(tmp_path: Path) -> None:
    choices = list(choices_in(recorded(tmp_path, "avalon", "careful"), RandomBot()))
    assert {choice.probability for choice in choices if isinstance(choice.move, CastVote)} == {Fraction(1, 2)}
    proposals = [choice for choice in choices if isinstance(choice.move, ProposeTeam)]
    assert all(choice.probability == Fraction(1, choice.options) for choice in proposals)
    votes = fits(choices, slip=0)["cast_vote"]
    assert (votes.bits, votes.even) == (1, 1)


def test_how_often_players_slip_is_found_out(tmp_path: Path) -> None:
    """Of a thousand players who should always approve, a hundred do anything, and so half of these reject."""
    choice = next(choices_in(recorded(tmp_path, "avalon", "careful"), RandomBot()))
    done = [choice._replace(probability=Fraction(place >= 50), options=2) for place in range(1_000)]
    assert fits(done)[ALL].slip == pytest.approx(0.1, abs=0.001)
    assert fits(done, slip=0)[ALL].bits == inf


def test_lines_are_those_of_the_record(tmp_path: Path) -> None:
    path = recorded(tmp_path, "thavalon", "random")
    lines = path.read_text().splitlines()
    for choice in choices_in(path, RandomBot()):
        assert f'"is":"{type(choice.move).__name__}"' in lines[choice.line - 1]
        assert f'"actor":{choice.seat},' in lines[choice.line - 1]


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Alice lied.\n")
    with pytest.raises(BadRecord, match="Line 1"):
        choices_in(tmp_path / "notes.txt", RandomBot())


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("ROUNDTABLE_HUMAN_GAMES"), reason="there are no human games here")
def test_people_are_foretold_better_by_the_careful_bot_than_by_chance() -> None:
    choices = []
    for game in test_human_games.games(0)[:100]:
        play = test_human_games.replayed(game)
        choices += list(choices_of("avalon", play.entries, CarefulBot()))
    found = fits(choices)
    for kind, fit in found.items():
        print(kind, fit)
        assert fit.bits < fit.even
