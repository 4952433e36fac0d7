"""`roundtable play` as a command: arguments that it refuses in one sentence, records, and resuming."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from roundtable.games import new_game
from roundtable.storage import Recorder, read_record
from roundtable.text.names import names_for
from support.paths import ROOT
from support.scenes import SEED

pytestmark = pytest.mark.slow  # each starts programs of its own


def roundtable_play(*arguments: object, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "roundtable", "play", *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run(command, input="", capture_output=True, encoding=encoding, env=environment, check=False)


def test_without_a_terminal_the_game_is_kept_and_plain(tmp_path: Path) -> None:
    run = roundtable_play("saviom", "--bots", "random", "--record", tmp_path / "game.jsonl")
    assert run.returncode == 0
    assert "game is saved" in run.stdout
    assert "\x1b" not in run.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess"], "no game called 'chess'"),
        (["avalon", "--seat", "6"], "Seats go from 1 to 5"),
        (["avalon", "--bots", "brilliant"], "no bot called 'brilliant'"),
        (["--resume", "nowhere.jsonl"], "No such file"),
    ],
)
def test_bad_input_gets_one_clear_sentence(arguments: list[str], complaint: str) -> None:
    run = roundtable_play(*arguments)
    assert run.returncode == 2
    assert complaint in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_game_is_taken_up_with_the_bots_it_had_and_as_it_was(tmp_path: Path) -> None:  # C3
    path = tmp_path / "game.jsonl"
    run = roundtable_play("saviom", "--seats", 8, "--seed", "q", "--seat", 1, "--bots", "random", "--record", path)
    assert run.returncode == 0
    kept = read_record(path)
    assert kept.names == ("Robin", *(f"{name} (random bot)" for name in names_for(7)))
    for _ in range(3):
        assert roundtable_play("--resume", path).returncode == 0
        assert read_record(path) == kept
    other = roundtable_play("--resume", path, "--bots", "careful")
    assert other.returncode == 2
    assert other.stderr == "roundtable: The game in game.jsonl keeps its random bots; leave out --bots.\n"
    assert roundtable_play("--resume", path, "--bots", "random").returncode == 0
    assert read_record(path) == kept


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        (["saviom", "--seats", "9", "--seed", "zzz"], "GAME, --seats and --seed"),
        (["--seat", "1"], "--seat"),
        (["--name", "Eve"], "--name"),
        (["--option", "lady=yes"], "--option"),
        (["--record", "elsewhere.jsonl"], "--record"),
    ],
)
def test_what_would_lay_another_table_is_refused_with_resume(extra: list[str], named: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    roundtable_play("avalon", "--record", path)
    run = roundtable_play(*extra, "--resume", path)
    assert run.returncode == 2
    assert run.stderr == f"roundtable: --resume continues a game as it was; leave out {named}.\n"


def test_a_game_that_was_not_played_at_a_terminal_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "watched.jsonl"
    play = new_game("avalon", 5, SEED)
    Recorder(path, play, names_for(5)).close()
    run = roundtable_play("--resume", path)
    assert run.returncode == 2
    assert run.stderr == "roundtable: The game in watched.jsonl was not played at a terminal.\n"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "can’t be seen"),
        ("  ", "can’t be seen"),
        ("\udcff", "can’t be printed"),
        ("Eve\x1b[2J", "can’t be printed"),
        ("Eve\nBob", "can’t be printed"),
        ("x" * 201, "too long"),
        ("X (bot)", "is for bots"),
        ("X (random bot)", "is for bots"),
    ],
)
def test_a_name_that_would_not_show_as_itself_is_refused(name: str, complaint: str, tmp_path: Path) -> None:
    run = roundtable_play("avalon", "--seat", 3, "--name", name, "--record", tmp_path / "game.jsonl")
    assert run.returncode == 2
    assert complaint in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not (tmp_path / "game.jsonl").exists()


def test_a_terminal_that_lacks_a_letter_still_has_its_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    run = roundtable_play("avalon", "--name", "Nguyễn", "--record", path, encoding="ascii")
    assert run.returncode == 0
    assert "You are Nguy\\u1ec5n, in seat" in run.stdout
    assert "Nguyễn" in read_record(path).names


@pytest.mark.parametrize("typed", [b"\xff\n", b"say \xff\n", b"whisper \xff\n", b"1" * 5000 + b"\n", b"\x00\n"])
def test_nothing_that_is_typed_stops_a_game(typed: bytes, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "roundtable", "play", "avalon", "--record", str(tmp_path / "game.jsonl")]
    run = subprocess.run(command, input=typed * 3, capture_output=True, check=False)
    assert run.returncode == 0
    assert run.stderr == b""
    assert b"The game is saved." in run.stdout


@pytest.mark.parametrize("is_on_path", [True, False])
def test_the_command_that_goes_on_with_a_game_works_as_it_is_printed(is_on_path: bool, tmp_path: Path) -> None:
    home = tmp_path / "a b"
    home.mkdir()
    command = home / "roundtable"
    command.write_text(f"#!{sys.executable}\nimport sys\nfrom roundtable.cli import main\nsys.exit(main())\n")
    command.chmod(0o755)
    bare = {"PATH": os.defpath}
    environment = {"PATH": f"{home}{os.pathsep}{os.defpath}"} if is_on_path else bare
    called = "roundtable" if is_on_path else str(command)
    arguments = [called, "play", "avalon", "--record", "my game.jsonl"]
    first = shell(shlex.join(arguments), tmp_path, environment)
    printed = first.partition("Continue it with: ")[2].strip()
    assert printed == f"{shlex.quote(called)} play --resume 'my game.jsonl'"
    assert "The game is saved." in shell(printed, tmp_path, environment)


def shell(line: str, folder: Path, environment: dict[str, str]) -> str:
    command = ["/bin/sh", "-c", line]
    run = subprocess.run(command, input="", capture_output=True, text=True, check=True, cwd=folder, env=environment)
    return run.stdout


def test_kept_games_do_not_show_up_as_changes_to_the_project() -> None:
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert "*.jsonl" in ignored
