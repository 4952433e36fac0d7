"""Bots of one's own in studies: a class by its path, or a program; and moves that are kept."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from roundtable.cli import main
from roundtable.core.options import permits
from roundtable.core.play import Play
from roundtable.games import game_named, make_setup
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.state import QuestDeal
from roundtable.lab.moves import THE_CLOCK, numbered_moves
from roundtable.lab.studies import Study
from support.paths import ROOT

EXAMPLE = f"{shlex.quote(sys.executable)} {ROOT / 'examples' / 'random_bot.py'} 7"
CONTRARY = """
from roundtable.bots import RandomBot

class Contrary(RandomBot):
    def choose(self, view, options, chance):
        return list(options[0])[-1] if view.phase.name == "vote" else super().choose(view, options, chance)

class Statue:
    pass

class Broken(RandomBot):
    def choose(self, view, options, chance):
        return {}[view.leader]

class Quitter(RandomBot):
    def follow(self, heard):
        raise SystemExit(3)

class Greedy(RandomBot):
    def __init__(self, greed):
        self.greed = greed

class Illegal(RandomBot):
    def choose(self, view, options, chance):
        return 17
"""


def study_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any], str]:
    code = main(["simulate", "avalon", "--seats", "5", "--seed", "tea", "--jobs", "1", "--json", *arguments])
    said = capsys.readouterr()
    return code, json.loads(said.out.splitlines()[-1]) if said.out else {}, said.err


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module in the folder that the command is typed in."""
    (tmp_path / "contrary_bots.py").write_text(CONTRARY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.mark.usefixtures("own_module")
def test_a_class_plays_by_its_path(capsys: pytest.CaptureFixture[str]) -> None:
    code, figures, _ = study_of(capsys, "--games", "4", "--bots", "contrary_bots:Contrary")
    assert code == 0
    assert [(ending["reason"], ending["count"]) for ending in figures["endings"]] == [("five_rejections", 4)]


def test_a_program_plays_all_games_of_a_batch_in_one_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "starts"
    command = f"sh -c 'echo started >> {log}; exec {EXAMPLE}'"
    asked = ("--games", "4", "--program", f"mine={command}", "--bots", "careful,mine,random,random,random")
    code, figures, _ = study_of(capsys, *asked)
    assert (code, figures["games"], figures["bots"][1]) == (0, 4, "mine")
    assert log.read_text().split() == ["started"]
    assert study_of(capsys, *asked)[1] == figures


@pytest.mark.usefixtures("own_module")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--bots", "contrary_bots:Statue"), "'contrary_bots:Statue' is not a class with a method choose, as a"),
        (("--bots", "contrary_bots:Broken"), "The bot contrary_bots:Broken failed in game 0, at seat "),
        (("--bots", "contrary_bots:Broken"), "(contrary_bots.py, line 13)."),
        (("--bots", "contrary_bots:Quitter"), ": SystemExit: 3 (contrary_bots.py, line 17)."),
        (("--bots", "contrary_bots:Greedy"), "missing 1 required positional argument: 'greed'"),
        (("--bots", "contrary_bots:Illegal"), "The bot contrary_bots:Illegal chose 17 in game 0, at seat "),
        (("--bots", "contrary_bots:Illegal,mine,mine,mine,mine", "--program", f"mine={EXAMPLE}"), "Illegal chose 17"),
        (("--bots", "no_such_module:Bot"), "can’t be loaded: ModuleNotFoundError"),
        (("--bots", "mine"), "There is no bot called 'mine'"),
        (("--program", "mine", "--bots", "mine"), "--program takes NAME=COMMAND"),
        (("--program", "mine=/no/such/bot", "--bots", "mine"), "/no/such/bot: No such file or directory."),
        (("--program", "mine=false", "--bots", "mine"), "The program mine left in game 0, at seat 0 (exited 1)."),
        (("--program", "mine=sh -c 'echo; cat >/dev/null'", "--bots", "mine"), "The program mine"),
        (("--moves",), "--moves keeps every move in a file; name it with --out FILE.parquet."),
    ],
)
def test_what_cannot_play_is_named_in_one_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundtable.lab.refereed.SECONDS", 0.2)
    code, figures, told = study_of(capsys, "--games", "2", *arguments)
    assert (code, figures) == (2, {})
    assert sentence in told
    assert told.count("roundtable: ") == 1


@pytest.mark.usefixtures("own_module")
def test_moves_are_kept_and_lead_to_the_outcome_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the engine: a bot of one's own has no machine code."""
    path = tmp_path / "games.parquet"
    asked = ("--games", "3", "--bots", "good=random,evil=contrary_bots:Contrary", "--moves", "--out", str(path))
    assert study_of(capsys, *asked)[0] == 0
    for game in pq.read_table(path).to_pylist():
        assert_leads_to_the_outcome(game)


@pytest.mark.slow
@pytest.mark.usefixtures("compiled_kernels")
def test_moves_of_compiled_games_are_kept_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.parquet"
    assert study_of(capsys, "--games", "20", "--moves", "--out", str(path))[0] == 0
    for game in pq.read_table(path).to_pylist():
        assert_leads_to_the_outcome(game)
    legend = json.loads(pq.read_schema(path).metadata[b"roundtable.moves"])
    assert legend[0] is None
    assert legend[21] == {"is": "CastVote", "approve": True}


def assert_leads_to_the_outcome(game: dict[str, Any]) -> None:
    setup = AvalonSetup(seats=5)
    deal = json.loads(game["deal"])
    numbers = numbered_moves(setup)
    play = Play.open(game_named("avalon"), setup, bytes(32))
    roles = {str(role): role for role in setup.all_roles}
    play.deal(QuestDeal(tuple(roles[name] for name in deal["roles"]), deal["leader"], deal["assassin"]))
    for step in game["moves"]:
        assert (play.phase.number, step["actor"] == THE_CLOCK) == (step["phase"], False)
        move = numbers.move(step["move"], step["phase"])
        assert move is not None
        assert permits(play.options(step["actor"]), move)
        play.act(step["actor"], move)
    assert play.outcome is not None
    assert (play.outcome.winner, play.outcome.reason) == (game["winner"], game["reason"])
    assert len(game["moves"]) == game["length"]


def test_another_program_is_another_study() -> None:
    setup = make_setup("avalon", 5)
    one, other = (
        Study(setup=setup, bots=("mine",), seed="tea", games=1, commands=(("mine", (word,)),)) for word in ("a", "b")
    )
    assert one.plan() != other.plan()
    assert not one.kernel.is_compiled
