"""A person at a real terminal: whole games through a pseudo-terminal, with a Ctrl-C and a resume in the middle."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from roundtable.record import read_record, verify_record
from roundtable.testing.scenes import Dice

CTRL_C = b"\x03"
PROMPT = re.compile(
    r"(Your choice:|choose again:|Name \d+ of: .*:|Which quest\?.*:|Who carries Excalibur\?|hides it again\)) $"
)


class Person:
    """Someone who reads the screen and types."""

    def __init__(self, *arguments: object, colour: bool = False) -> None:
        self.hand, screen = pty.openpty()
        environment = {**os.environ, "TERM": "xterm"} | ({} if colour else {"NO_COLOR": "1"})
        command = [sys.executable, "-m", "roundtable", "play", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdin=screen, stdout=screen, stderr=screen, env=environment, start_new_session=True,
            preexec_fn=_take_terminal,
        )  # fmt: skip
        os.close(screen)
        self.seen = ""

    def read(self) -> str:
        """What is new on the screen, up to the next question or the end."""
        new, deadline = "", time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([self.hand], [], [], 0.05)[0]:
                try:
                    chunk = os.read(self.hand, 65536)
                except OSError:  # the other side has gone
                    break
                new += chunk.decode(errors="replace").replace("\r\n", "\n")
            if PROMPT.search(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", new)):
                break
        self.seen += new
        return new

    def type(self, text: str) -> str:
        os.write(self.hand, text.encode() + b"\n")
        return self.read()

    def interrupt(self) -> str:
        time.sleep(0.3)  # nobody presses Ctrl-C in the instant in which a question appears
        os.write(self.hand, CTRL_C)
        return self.read()

    def leave(self) -> int:
        code = self.process.wait(timeout=60)
        os.close(self.hand)
        return code


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def answer(screen: str, dice: Dice) -> str:
    """A legal answer to what is asked."""
    question = screen.splitlines()[-1]
    if named := re.match(r"Name (\d+) of: (.*):", question):
        return " ".join(dice.sample(re.findall(r"(\d+) ", named[2]), int(named[1])))
    if "Which quest?" in question:
        return str(dice.choice(re.findall(r"(\d) \(", question)))
    if "Your choice:" in question:
        return str(dice.choice(re.findall(r"^  (\d+)  ", screen.rpartition("?\n")[2], re.MULTILINE)))
    return ""


def play_on(person: Person, dice: Dice, questions: int) -> bool:
    """Answer so many questions; whether the game is over."""
    screen = person.seen or person.read()
    for _ in range(questions):
        if "is in " in screen and "look at it again" in screen:
            return True
        screen = person.type(answer(screen, dice))
    return "look at it again" in screen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("avalon", ["--seats", 7, "--option", "lady=yes", "--option", "choose_quests=yes"]),
        ("thavalon", ["--seats", 8]),
        ("saviom", ["--seats", 8, "--option", "mode=advanced"]),
    ],
)
def test_a_whole_game_with_a_break_in_the_middle(game: str, options: list[object], tmp_path: Path) -> None:  # C3
    path, dice = tmp_path / "game.jsonl", Dice(3)
    person = Person(game, *options, "--seed", "evening", "--bots", "random", "--record", path)
    assert not play_on(person, dice, 3)
    kept = person.interrupt()
    assert f"roundtable play --resume {path}" in kept
    assert person.leave() == 0
    before = read_record(path)
    assert not before.is_closed
    back = Person("--resume", path, "--bots", "random")
    assert play_on(back, dice, 400)
    assert back.leave() == 0
    assert verify_record(path).game == game
    assert read_record(path).entries[: len(before.entries)] == before.entries
    assert "The seals are broken." in back.seen


def test_the_role_is_hidden_until_asked_for_and_taken_off_the_screen(tmp_path: Path) -> None:
    arguments = ("avalon", "--seat", 2, "--seed", "b", "--bots", "random", "--record", tmp_path / "game.jsonl")
    person = Person(*arguments, colour=True)
    screen = person.read()
    assert "Your role is hidden" in screen
    assert "You are Morgana" not in screen
    assert "You are Morgana [Evil]." in person.type("r")
    assert "\x1b[3A\x1b[J" in person.type("")  # two lines and the question are wiped off
    person.interrupt()
    assert person.leave() == 0


def test_looking_talking_and_slips_of_the_pen_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    person = Person("avalon", "--seat", 2, "--seed", "b", "--bots", "random", "--record", path)
    person.read()
    assert "quest" in person.type("h")
    assert "Robin: Xin chào!" in person.type("say Xin chào!")
    assert "your role, until you press Enter" in person.type("?")
    for slip in ("9", "-1", "approve?", "ü", "1 2"):
        assert "Type a number from 1 to 2" in person.type(slip)
    assert "game is kept" in person.type("q")
    assert person.leave() == 0
    assert any(b"Xin ch" in line for line in path.read_bytes().splitlines())


def roundtable_play(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "roundtable", "play", *map(str, arguments)]
    return subprocess.run(command, input="", capture_output=True, text=True, check=False)


def test_without_a_terminal_the_game_is_kept_and_plain(tmp_path: Path) -> None:
    run = roundtable_play("saviom", "--bots", "random", "--record", tmp_path / "game.jsonl")
    assert run.returncode == 0
    assert "game is kept" in run.stdout
    assert "\x1b" not in run.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess"], "no game called 'chess'"),
        (["avalon", "--seat", "5"], "Seats go from 0 to 4"),
        (["avalon", "--bots", "brilliant"], "no bot called 'brilliant'"),
        (["--resume", "nowhere.jsonl"], "No such file"),
    ],
)
def test_bad_input_gets_one_clear_sentence(arguments: list[str], complaint: str) -> None:
    run = roundtable_play(*arguments)
    assert run.returncode == 2
    assert complaint in run.stderr
    assert len(run.stderr.splitlines()) == 1
