"""What a record or a server says cannot colour the terminal, move its cursor or forge a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.cli import main
from roundtable.core.errors import RoomRefused, problem
from roundtable.core.names import is_unprintable, printable
from roundtable.games import new_game
from roundtable.storage import read_record, write_record
from support.scenes import SEED

HOSTILE = ("\x1b[31mAnn", "Bob\nGood wins!", "C\x9b2J", "D\u202eeva", "E\u2028ve")


@pytest.fixture
def hostile_record(tmp_path: Path) -> Path:
    """A finished game with a valid seal, whose players have hostile names."""
    play = play_out(new_game("avalon", 5, SEED), {seat: RandomBot() for seat in range(5)}, Dice(1))
    path = tmp_path / "game.jsonl"
    write_record(path, play, HOSTILE)
    assert read_record(path).names == HOSTILE
    return path


def shown_by(capsys: pytest.CaptureFixture[str], *arguments: Any) -> list[str]:
    assert main(list(map(str, arguments))) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("listener", ["spectator", "all", "1"])
def test_names_of_a_record_are_told_escaped(
    listener: str, hostile_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # C3
    lines = shown_by(capsys, "replay", hostile_record, "--as", listener)
    assert not [line for line in lines if any(map(is_unprintable, line))]
    assert not [line for line in lines if line.startswith("Good wins!") and "Bob" in line]
    assert any("Bob\\nGood wins!" in line for line in lines)


def test_a_program_gets_the_same_names_as_json(hostile_record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown_by(capsys, "replay", hostile_record, "--as", "all", "--json")
    assert all(json.loads(line)["number"] == number for number, line in enumerate(lines, 1))
    assert not [line for line in lines if any(map(is_unprintable, line))]


def test_what_a_server_says_is_printed_escaped() -> None:
    said = RoomRefused.of([problem("room/full")._replace(said="\x1b]0;owned\x07full\n")])
    assert said.message == "\\x1b]0;owned\\x07full\\n"


@pytest.mark.parametrize("name", ["Bình", "Ōkami", "愛", "O'Neil", "😀", "José María"])
def test_names_of_people_are_printed_as_they_are(name: str) -> None:
    assert printable(name) == name
