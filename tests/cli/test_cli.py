"""The `roundtable` command as a process: its output and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from roundtable.cli import main
from roundtable.cli.typed import sentence_for
from roundtable.games import GAMES

pytestmark = pytest.mark.slow


def roundtable(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "roundtable", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", GAMES)
def test_watch_tells_a_whole_game(name: str) -> None:
    run = roundtable("watch", name, "--seats", "8", "--seed", "tea")
    assert run.returncode == 0
    assert "8 players sit down to play " in run.stdout
    assert "Everything is revealed." in run.stdout
    assert run.stderr == ""


def test_the_same_seed_tells_the_same_story_and_no_seed_another() -> None:  # C1
    said = [roundtable("watch", "avalon", "--seats", "5", "--seed", seed).stdout for seed in ("tea", "tea", "coffee")]
    assert said[0] == said[1] != said[2]
    assert roundtable("watch", "avalon", "--seats", "5").stdout not in said


def test_a_seed_of_64_hex_digits_is_used_as_it_is() -> None:  # C1
    seed = "0123456789abcdef" * 4
    assert seed in roundtable("watch", "saviom", "--seats", "6", "--seed", seed).stdout


def test_careful_bots_can_be_watched_too() -> None:
    names = ("random", "careful", "easy", "strong")
    said = {roundtable("watch", "avalon", "--seats", "5", "--seed", "tea", "--bots", name).stdout for name in names}
    assert len(said) == len(names)
    assert roundtable("watch", "avalon", "--seats", "5", "--seed", "tea").stdout in said


def test_a_bot_that_is_not_there_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    run = roundtable("watch", "avalon", "--seats", "5", "--bots", "fred", "--record", str(tmp_path / "game.jsonl"))
    assert (run.returncode, run.stdout) == (2, "")
    assert (
        run.stderr == "roundtable: There is no bot called 'fred'; choose careful, easy, fair, random, sage or strong.\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", GAMES)
def test_watch_gives_programs_the_events_that_replay_gives(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / "game.jsonl")
    watched = roundtable(
        "watch", name, "--seats", "6", "--seed", "tea", "--bots", "careful", "--json", "--record", path
    )
    assert watched.returncode == 0
    lines = [json.loads(line) for line in watched.stdout.splitlines()]
    assert [line["number"] for line in lines] == [*range(1, len(lines) + 1)]
    assert {"TableOpened", "PhaseBegan", "GameEnded"} <= {line["event"]["is"] for line in lines}
    assert {line["event"]["audience"] for line in lines} == {"everyone"}
    assert roundtable("replay", path, "--json").stdout == watched.stdout
    assert roundtable("verify", path).returncode == 0


@pytest.mark.parametrize("seats", ["6", "9"])
def test_six_and_nine_at_thavalon_come_with_a_word_of_warning(seats: str) -> None:  # T5
    run = roundtable("watch", "thavalon", "--seats", seats)
    assert run.returncode == 0
    assert "heavily imbalanced in favor of Good" in run.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["deal", "thavalon", "An"], "THavalon dành cho 5 đến 10 người chơi, không phải 1."),
        (
            ["watch", "chess", "--seats", "5"],
            "Không có trò chơi nào tên 'chess'; hãy chọn avalon, thavalon hoặc saviom.",
        ),
        (
            ["play", "--bots", "fred"],
            "Không có bot nào tên 'fred'; hãy chọn careful, easy, fair, random, sage hoặc strong.",
        ),
        (["play", "--name", ""], "Tên '' không nhìn thấy được; tên cần có ít nhất một chữ nhìn thấy được."),
    ],
)
def test_a_refusal_is_in_the_language_of_the_command(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--lang", "vi"]) == 2
    assert capsys.readouterr().err == f"roundtable: {said}\n"


def test_the_warning_comes_in_the_language_of_what_is_read_out(capsys: pytest.CaptureFixture[str]) -> None:  # T5
    assert main(["narrate", "thavalon", "--seats", "9", "--lang", "vi"]) == 0
    assert capsys.readouterr().err.startswith("Lưu ý: Chính các tác giả của THavalon cho rằng ván 9 người")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess", "--seats", "5"], "There is no game called 'chess'; choose avalon, thavalon or saviom."),
        (["avalon", "--seats", "4"], "Avalon takes 5 to 10 players, not 4."),
        (["avalon", "--seats", "5", "--option", "lady"], "Write an option as NAME=VALUE"),
        (["avalon", "--seats", "5", "--option", "lady=perhaps"], "takes yes or no, not 'perhaps'."),
        (["avalon", "--seats", "5", "--option", "roles=Gandalf"], "Gandalf can’t be chosen"),
        (["saviom", "--seats", "6", "--option", "moon=full"], "Town of Saviom (Werewolf) has no option 'moon'"),
        (["saviom", "--seats", "6", "--option", "night_seconds=0"], "a whole number from 1 to 86400"),
        (["saviom", "--seats", "6", "--option", "night_seconds=--5"], "not '--5'"),
        (["saviom", "--seats", "6", "--option", "night_seconds=²"], "not '²'"),
    ],
)
def test_bad_input_gets_one_clear_sentence(arguments: list[str], complaint: str) -> None:
    run = roundtable("watch", *arguments)
    assert run.returncode == 2
    assert complaint in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""


USAGE: list[tuple[list[str], str]] = [
    ([], "roundtable: COMMAND is missing; roundtable --help says more."),
    (["foo"], "roundtable: COMMAND is one of 'deal', 'play', "),
    (["rules"], "roundtable rules: GAME is missing; roundtable rules --help says more."),
    (["watch", "avalon"], "roundtable watch: --seats is missing; roundtable watch --help says more."),
    (["watch", "avalon", "--seats"], "roundtable watch: --seats is followed by a value, and there is none."),
    (["watch", "avalon", "--seats", "x"], "roundtable watch: --seats takes a whole number, not 'x'."),
    (["watch", "avalon", "--seats", "9" * 5000], "roundtable watch: --seats takes a whole number, not '99999"),
    (["watch", "avalon", "--se", "5"], "roundtable watch: --se could be one of --seats, --seed; write it out."),
    (["watch", "avalon", "--seats", "5", "--b\nd"], "roundtable watch: '--b\\nd' is unknown; "),
    (["referee", "avalon", "--seats", "5", "--seconds", "x"], "roundtable referee: --seconds takes a number, not 'x'"),
    (["verify", "--json=3", "x"], "roundtable verify: --json takes no value; leave out '3'."),
    (
        ["verify", "one", "two"],
        "roundtable verify: 'two' is unknown; roundtable verify --help lists what is accepted.",
    ),
    (["completion", "csh"], "roundtable completion: shell is one of 'bash', 'zsh', 'fish', not 'csh'."),
    (["deal"], "roundtable deal: GAME is missing; roundtable deal --help says more."),
    (["deal", "avalon"], "roundtable: Avalon takes 5 to 10 players, not 0."),
    (["deal", "avalon", "A", "--seeds", "x"], "roundtable deal: '--seeds' is unknown; "),
    (["serve", "--most-rooms", "0"], "roundtable serve: --most-rooms takes a whole number of at least 1, not '0'."),
    (["watch", "avalon", "--lang", "vi"], "roundtable watch: Còn thiếu --seats; xem thêm ở roundtable watch --help."),
    (["rules", "--lang=vi-VN"], "roundtable rules: Còn thiếu GAME; xem thêm ở roundtable rules --help."),
]


@pytest.mark.parametrize(("arguments", "complaint"), USAGE)
def test_whatever_is_typed_wrong_gets_one_sentence(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        sys.exit(main(arguments))
    printed = capsys.readouterr()
    assert (left.value.code, printed.out) == (2, "")
    assert printed.err.startswith(complaint)
    assert (len(printed.err.splitlines()), printed.err[-2:]) == (1, ".\n")
    assert len(printed.err) < 300


def test_a_complaint_we_have_no_words_for_is_still_one_sentence() -> None:
    said = sentence_for("roundtable watch", "argument --seats: not allowed with argument --json")
    assert said == "Argument --seats: not allowed with argument --json; roundtable watch --help lists what is accepted."


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


PRINTING = [["rules", "avalon"], ["narrate", "saviom", "--seats", "6"], ["watch", "avalon", "--seats", "5"]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
@pytest.mark.parametrize("end", ["| true", "> /dev/full", ">&-"])
def test_an_output_that_cannot_be_written_is_no_catastrophe(arguments: list[str], end: str) -> None:
    command = f"{sys.executable} -m roundtable {' '.join(arguments)} {end}"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    is_full = end == "> /dev/full"
    assert run.stderr == ("roundtable: No space left on device.\n" if is_full else "")
    assert run.returncode == (2 if is_full else 0)
