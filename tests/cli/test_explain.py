"""`roundtable explain`: what a seat could conclude, event by event, of finished games alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roundtable.bots import CarefulBot, play_out
from roundtable.bots.dice import Dice
from roundtable.cli import main
from roundtable.core.catalogue import catalogue
from roundtable.games import GAMES, new_game
from roundtable.storage import write_record

NAMES = ("Ann", "Bảo", "Chi", "Dan", "Eve", "Fay", "Gus")


def recorded(path: Path, name: str, seed: int, is_over: bool = True) -> Path:
    dice = Dice(seed)
    play = new_game(name, 7, dice.randbytes(32))
    if is_over:
        play_out(play, {seat: CarefulBot() for seat in range(7)}, dice)
    write_record(path / f"{name}.jsonl", play, NAMES)
    return path / f"{name}.jsonl"


@pytest.mark.parametrize("name", GAMES)
def test_deals_become_fewer_and_chances_stay_chances(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(recorded(tmp_path, name, 2)), "--as", "3", "--json"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(steps) > 1
    deals = [step["deals"] for step in steps]
    assert deals == sorted(deals, reverse=True)
    for step in steps:
        by_seat = [sum(chances) for chances in zip(*step["chances"].values(), strict=True)]
        assert by_seat == pytest.approx([1.0] * 7, abs=0.01)


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_the_story_names_what_is_certain_and_what_turned_it(
    lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(tmp_path, "avalon", 2)
    assert main(["explain", str(path), "--as", "2", "--model", "habits", "--lang", lang]) == 0
    told = capsys.readouterr().out
    words = catalogue(lang)
    assert words.text("explain.who", name="Bảo") in told
    assert words.text("explain.turns") in told
    assert words.text("explain.left") in told
    assert "  → " in told
    assert " %" in told


def test_a_game_that_is_still_played_is_not_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seat in ("spectator", "1"):
        path = tmp_path / seat
        path.mkdir()
        file = str(recorded(path, "thavalon", 1, is_over=False))
        assert main(["explain", file, "--as", seat]) == main(["explain", file, "--as", seat, "--bot", "easy"]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert "isn’t over yet" in shown.err


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("--as", "all"), "--as takes a seat from 1 to 7 or spectator, not 'all'."),
        (("--as", "8"), "--as takes a seat from 1 to 7 or spectator, not '8'."),
        (("--as", "8", "--bot", "strong"), "--as takes a seat from 1 to 7 with --bot, not '8'."),
        (("--bot", "strong"), "--as takes a seat from 1 to 7 with --bot, not 'spectator'."),
        (("--as", "2", "--bot", "careful"), "'careful' can’t say why it moves; choose easy, fair, sage or strong."),
        (("--model", "wise"), "--model takes one of logic, habits and careful, not 'wise'."),
    ],
)
def test_what_cannot_be_asked_for_is_refused_in_a_sentence(
    option: tuple[str, str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(recorded(tmp_path, "saviom", 1)), *option]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert sentence in shown.err


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_weighs_each_decision_of_a_seat(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path, name, 2)
    assert main(["explain", str(path), "--as", "3", "--bot", "easy", "--json"]) == 0
    reasons = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(reason["weighed"] for reason in reasons) == bool(GAMES[name].sage)
    for reason in reasons:
        assert reason["done"]["is"]
        chances = [option["chance"] for option in reason["weighed"]]
        assert chances == sorted(chances, reverse=True)
        if chances:
            assert sum(chances) == pytest.approx(1, abs=0.01)
            assert len(reason["suspicion"]) == 7
            assert all(0 <= option["value"] <= 1 for option in reason["weighed"])


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_a_bot_says_why_in_words(lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path, "avalon", 2)
    assert main(["explain", str(path), "--as", "2", "--bot", "easy", "--lang", lang]) == 0
    told, words = capsys.readouterr().out, catalogue(lang)
    assert words.text("why.who", name="Bảo") in told
    assert words.text("why.weighed") in told
    assert "  → " in told
