"""The command as people type it: a real process, its output, its exit code."""

from __future__ import annotations

import subprocess
import sys

import pytest

from roundtable.games.registry import GAMES


def roundtable(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "roundtable", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", GAMES)
def test_watch_tells_a_whole_game(name: str) -> None:
    run = roundtable("watch", name, "--seats", "8", "--seed", "tea")
    assert run.returncode == 0
    assert f"8 players sit down to {name}" in run.stdout
    assert "The seals are broken." in run.stdout
    assert run.stderr == ""


def test_the_same_seed_tells_the_same_story_and_no_seed_another() -> None:  # C1
    said = [roundtable("watch", "avalon", "--seats", "5", "--seed", seed).stdout for seed in ("tea", "tea", "coffee")]
    assert said[0] == said[1] != said[2]
    assert roundtable("watch", "avalon", "--seats", "5").stdout not in said


def test_a_seed_of_64_hex_digits_is_used_as_it_is() -> None:  # C1
    seed = "0123456789abcdef" * 4
    assert seed in roundtable("watch", "saviom", "--seats", "6", "--seed", seed).stdout


@pytest.mark.parametrize("seats", ["6", "9"])
def test_six_and_nine_at_thavalon_come_with_a_word_of_warning(seats: str) -> None:  # T5
    run = roundtable("watch", "thavalon", "--seats", seats)
    assert run.returncode == 0
    assert "heavily imbalanced in favour of Good" in run.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess", "--seats", "5"], "There is no game called 'chess'; choose avalon, thavalon, saviom."),
        (["avalon", "--seats", "4"], "Avalon takes 5 to 10 players, not 4."),
        (["avalon", "--seats", "5", "--option", "lady"], "An option is written NAME=VALUE"),
        (["avalon", "--seats", "5", "--option", "lady=perhaps"], "it is yes or no."),
        (["avalon", "--seats", "5", "--option", "roles=Gandalf"], "Gandalf cannot be chosen"),
        (["saviom", "--seats", "6", "--option", "moon=full"], "saviom has no option 'moon'"),
        (["saviom", "--seats", "6", "--option", "night_seconds=0"], "a whole number from 1 to 86400"),
        (["saviom", "--seats", "6", "--option", "night_seconds=--5"], "cannot be '--5'"),
        (["saviom", "--seats", "6", "--option", "night_seconds=²"], "cannot be '²'"),
    ],
)
def test_bad_input_gets_one_clear_sentence(arguments: list[str], complaint: str) -> None:
    run = roundtable("watch", *arguments)
    assert run.returncode == 2
    assert complaint in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""


def test_any_bytes_make_a_seed() -> None:  # C1
    run = subprocess.run(
        [sys.executable.encode(), b"-m", b"roundtable", b"watch", b"saviom", b"--seats", b"6", b"--seed", b"\xff"],
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_reader_who_leaves_early_makes_no_fuss() -> None:
    command = f"{sys.executable} -m roundtable watch avalon --seats 10 | head -1"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert run.stderr == ""
