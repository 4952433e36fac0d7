"""`roundtable play` in a pseudo-terminal: whole games, with Ctrl-C and a resume in the middle."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from roundtable.bots.dice import Dice
from roundtable.core.actions import Expire
from roundtable.core.seats import CLOCK
from roundtable.games.quests.events import VotesCounted
from roundtable.games.saviom.actions import Surrender
from roundtable.storage import read_record, verify_record
from roundtable.terminal import people
from roundtable.terminal.voice import rows_used
from support.terminal_session import Screen, TerminalSession, legal_answer

pytestmark = pytest.mark.slow  # each starts programs of its own


def play_on(person: TerminalSession, dice: Dice, questions: int) -> bool:
    """Answer this number of questions. Returns whether the game is over."""
    screen = person.seen or person.read()
    for _ in range(questions):
        if "is in " in screen and "See it again" in screen:
            return True
        screen = person.type(legal_answer(screen, dice))
    return "See it again" in screen


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
    person = TerminalSession(game, *options, "--seed", "evening", "--bots", "random", "--record", path)
    assert not play_on(person, dice, 3)
    kept = person.interrupt()
    assert f"roundtable play --resume {path}" in kept
    assert person.leave() == 0
    before = read_record(path)
    assert not before.is_closed
    back = TerminalSession("--resume", path)
    assert play_on(back, dice, 400)
    assert back.leave() == 0
    assert verify_record(path).game == game
    assert read_record(path).entries[: len(before.entries)] == before.entries
    assert "Everything is revealed." in back.seen


ROLES = {
    "avalon": r"Merlin|Percival|Servant|Assassin|Morgana",
    "thavalon": r"Merlin|Percival|Tristan|Iseult|Lancelot|Nimue|Mordred|Morgana|Maelagant",
    "saviom": r"Wolf|Wolves|Citizen",
}
OPEN_TO_ALL = re.compile(
    r"^(Good|Evil|Wolves|Citizens) \(\d\).*$|Day: the town is looking for the Wolves\.", re.MULTILINE
)


@pytest.mark.parametrize("game", ROLES)
@pytest.mark.parametrize("seat", [1, 2])
def test_no_role_is_on_the_screen_before_it_is_asked_for(game: str, seat: int, tmp_path: Path) -> None:  # C4
    path = tmp_path / "game.jsonl"
    person = TerminalSession(game, "--seat", seat, "--seed", "b", "--bots", "random", "--record", path)
    person.read()
    assert "Your role is hidden" in person.screen
    secrets = re.compile(rf"{ROLES[game]}|\bis Good|\bis Evil|\[Good\]|\[Evil\]|[Ss]ees? .* as ")
    assert not secrets.search(OPEN_TO_ALL.sub("", person.screen))
    assert secrets.search(person.type("r"))
    person.type("")
    assert not secrets.search(OPEN_TO_ALL.sub("", person.screen))
    person.interrupt()
    assert person.leave() == 0
    back = TerminalSession("--resume", path)
    back.read()
    assert not secrets.search(OPEN_TO_ALL.sub("", back.screen))
    back.interrupt()
    assert back.leave() == 0


MORGANA = ("avalon", "--seat", 3, "--seed", "b", "--bots", "random", "--name", "Nguyễn 王", "--record")


@pytest.mark.parametrize("columns", [80, 20, 11])
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("ending", ["", "some words that nobody asked for", "Ctrl-C"])
def test_a_role_that_was_shown_is_taken_off_the_screen(
    columns: int, colour: bool, ending: str, tmp_path: Path
) -> None:  # C4
    person = TerminalSession(*MORGANA, tmp_path / "game.jsonl", colour=colour, columns=columns)
    person.read()
    before = person.screen
    person.type("r")
    assert "You are Morgana [Evil]." in person.screen.replace("\n", "")
    if ending == "Ctrl-C":
        after = person.interrupt()
        assert "The game is saved." in after
    else:
        after = person.type(ending)
        person.interrupt()
    assert person.leave() == 0
    assert "You are Morgana" not in person.screen.replace("\n", "")
    assert "to hide it" not in person.screen.replace("\n", "")
    assert person.screen.startswith(before.rstrip() + " r\n")
    assert colour == ("\x1b[1m" in person.seen)


@pytest.mark.parametrize(("term", "rows"), [("dumb", 24), ("xterm", 2)])
def test_a_terminal_that_cannot_erase_gets_no_promise_to_erase(term: str, rows: int, tmp_path: Path) -> None:
    person = TerminalSession(*MORGANA, tmp_path / "game.jsonl", term=term, rows=rows)
    person.read()
    shown = person.type("r")
    assert "You are Morgana [Evil]." in shown
    assert "this stays on the screen; press Enter to continue" in shown
    assert "to hide" not in shown
    person.type("")
    person.interrupt()
    assert person.leave() == 0
    assert "\x1b" not in person.seen
    assert ("until you press Enter" in person.seen) == (term != "dumb")


@pytest.mark.parametrize(
    "line", ["", "short", "x" * 10, "x" * 11, "Nguyễn", "e\u0302\u0303" * 10, "王" * 5, "a" + "王" * 5]
)
def test_rows_are_counted_as_a_terminal_fills_them(line: str) -> None:
    assert rows_used([line], 10) == len(Screen(10).show(line).split("\n"))


def test_looking_talking_and_slips_of_the_pen_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    person = TerminalSession("avalon", "--seat", 3, "--seed", "b", "--bots", "random", "--record", path)
    person.read()
    assert "Robin: Xin chào!" in person.type("say Xin chào!")
    assert "no one to whisper to" in person.type("whisper Xin chào!")
    assert "see your role, until you press Enter" in person.type("?")
    for slip in ("9", "-1", "approve?", "ü", "1 2"):
        assert "Type a number from 1 to 2" in person.type(slip)
    assert "game is saved" in person.type("q")
    assert person.leave() == 0
    assert any(b"Xin ch" in line for line in path.read_bytes().splitlines())


def test_a_person_without_an_answer_is_overtaken_by_the_clock(tmp_path: Path) -> None:  # S5, S7, C5
    path = tmp_path / "game.jsonl"
    times = [f"--option={phase}_seconds=1" for phase in ("day", "defense", "night")]
    person = TerminalSession("saviom", "--seats", 6, *times, "--seed", "slow", "--bots", "random", "--record", path)
    while "See it again" not in person.seen:
        person.read()
    assert person.leave() == 0
    assert "Time is up." in person.seen
    assert verify_record(path).was_drawn
    entries = read_record(path).entries
    assert any(isinstance(entry.action, Expire) and entry.actor == CLOCK for entry in entries)
    (seat,) = people(read_record(path).names)
    assert seat not in {entry.actor for entry in entries}


def begin_an_answer(folder: Path, day_seconds: int) -> TerminalSession | None:
    """A person who types half an answer by day; none if the machine was so slow that night came first."""
    times = [f"--option=day_seconds={day_seconds}", "--option=night_seconds=86400", "--option=begins_with=day"]
    record = folder / f"game-{day_seconds}.jsonl"
    person = TerminalSession("saviom", "--seats", 6, *times, "--seed", "slow", "--record", record)
    if "Time is up." in person.read():
        person.interrupt()
        person.leave()
        return None
    os.write(person.hand, b"1")
    return person


def test_an_answer_that_was_begun_too_late_does_not_answer_the_next_question(tmp_path: Path) -> None:  # S5
    person = next(filter(None, (begin_an_answer(tmp_path, day_seconds) for day_seconds in (1, 8, 64))))
    assert "Time is up." in person.read()
    assert "You are" in person.type("r")
    person.type("")
    assert "saved" in person.interrupt()
    assert person.leave() == 0


def test_a_person_can_surrender_where_the_rules_say_so(tmp_path: Path) -> None:  # S12
    path = tmp_path / "game.jsonl"
    person = TerminalSession("saviom", "--seats", 6, "--seed", "white flag", "--bots", "random", "--record", path)
    (choice,) = re.findall(r"^  (\d+)  Surrender$", person.read(), re.MULTILINE)
    assert "This means leaving the game." in person.type(choice)
    person.type("no")
    person.type(choice)
    person.type("yes")
    while "See it again" not in person.seen:
        person.read()
    assert person.leave() == 0
    (seat,) = people(read_record(path).names)
    assert [entry.action for entry in read_record(path).entries if entry.actor == seat] == [Surrender(phase=1)]


def test_looking_back_shows_every_vote_by_name(tmp_path: Path) -> None:  # A12, A18
    path, dice = tmp_path / "game.jsonl", Dice(5)
    person = TerminalSession("avalon", "--seat", 3, "--seed", "b", "--bots", "random", "--record", path)
    assert not play_on(person, dice, 6)
    looked = person.type("h")
    person.interrupt()
    assert person.leave() == 0
    events = [event for entry in read_record(path).entries for event in entry.events]
    counts = [event.ballots for event in events if isinstance(event, VotesCounted)]
    assert len(counts) >= 3
    for seat, name in enumerate(("Alice", "Bob", "Robin", "Charlie", "Dave")):
        votes = "".join(" + " if ballots[seat] else " - " for ballots in counts)
        assert re.search(rf"^ *{name} {re.escape(votes)}$", looked, re.MULTILINE)
