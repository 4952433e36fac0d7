"""`roundtable compile`: afterwards nothing that a game is used for has to be compiled."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from roundtable.bots.dice import Dice
from roundtable.cli import main
from roundtable.games import game_named, make_setup, spec_named
from roundtable.kernels.compiling import counted
from roundtable.lab import avalon_v0, saviom_v0, thavalon_v0
from roundtable.lab.compiling import compile_game, compiled_games
from roundtable.lab.vector_env import stepper

MODULES = {"avalon": avalon_v0, "thavalon": thavalon_v0, "saviom": saviom_v0}
on_disk = pytest.mark.usefixtures("compiled_kernels", "compiled_town", "compiled_steppers")


@on_disk
@pytest.mark.parametrize("game", compiled_games())
def test_no_use_of_a_compiled_game_compiles_again(game: str) -> None:
    compile_game(game, lambda done, total: None)
    kernel, setup = spec_named(game).part("kernel"), make_setup(game, 7)
    with counted(lambda parts: None) as made:
        kernel.run(setup, ("careful", "random"), 1, 0, 2)
        deals = kernel.deals(setup, [game_named(game).deal(setup, Dice(1))])
        kernel.run_from(setup, deals, ("random",), 1, 2)
        games = stepper(setup, 3, 1, bots={1: "careful"}, relative=True, last_rows=True)
        games.step(games.masks.argmax(axis=1))
        MODULES[game].raw_env(8, compiled=True).reset(seed=1)
        MODULES[game].parallel_env(6, compiled=True).reset(seed=1)
    assert made.parts == 0


@on_disk
def test_the_command_says_that_all_was_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [f"{game}: everything was on disk already." for game in compiled_games()]


@pytest.mark.parametrize("games", [["chess"], ["avalon", "chess"]])
def test_the_command_refuses_an_unknown_game_before_it_compiles(
    games: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundtable.lab.compiling.compile_game", lambda *asked: pytest.fail("compiled"))
    assert main(["compile", *games]) == 2
    assert "chess" in capsys.readouterr().err


def test_parts_are_counted_as_they_are_compiled() -> None:
    told: list[int] = []
    doubled = numba.njit(lambda number: 2 * number)
    with counted(told.append) as made:
        assert (doubled(2), doubled(3), doubled(np.float64(0.5))) == (4, 6, 1.0)
    assert told == [1, 2]
    assert made.parts == 2
