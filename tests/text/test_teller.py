"""The teller: a game as sentences for one listener, with all that this listener heard and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.test_golden_games import STORIES
from roundtable.bots import RandomBot, play_out
from roundtable.cli import main
from roundtable.cli.arguments import seed_from
from roundtable.core.actions import (
    AskCallOff,
    AskCountdown,
    CallOff,
    Extend,
    Pause,
    Remark,
    Resume,
    Say,
    StartCountdown,
)
from roundtable.core.events import FloorGiven
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, HOST, SPECTATOR
from roundtable.games import GAMES, new_game
from roundtable.games.avalon.actions import ShootMerlin, UseExcalibur
from roundtable.games.quests.actions import CastVote
from roundtable.games.quests.roles import Card, Role
from roundtable.games.saviom.actions import Hunt, Inspect, Judge, Protect, Surrender, Suspect
from roundtable.games.saviom.setup import Role as TownRole
from roundtable.games.thavalon.actions import DeclareArthur
from roundtable.storage import write_record
from roundtable.text.names import Names, names_for
from roundtable.text.teller import teller_of
from support.scenes import SEED, avalon, do, propose, quest, saviom, thavalon, vote
from support.translations import LANGUAGE_CHOICES

KNIGHTS = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.ASSASSIN, Role.MORGANA)
TEN = (
    Role.MERLIN, Role.PERCIVAL, Role.TRISTAN, Role.ISEULT, Role.ARTHUR, Role.TITANIA,
    Role.MORDRED, Role.MORGANA, Role.AGRAVAINE, Role.COLGREVANCE,
)  # fmt: skip
TOWN = (TownRole.WOLF, TownRole.WOLF, *[TownRole.CITIZEN] * 4, TownRole.PROTECTOR, TownRole.SEER)


def told(play: Play[Any, Any], listener: int, lang: str = "en") -> str:
    story = teller_of(GAMES[play.game.name], names_for(play.state.setup.seats), lang)
    return "\n".join(sentence for line in play.heard(listener) if (sentence := story.tell(line.event)))


def replayed(play: Play[Any, Any], folder: Path, ears: object) -> str:
    write_record(folder / f"{ears}.jsonl", play)
    command = [
        sys.executable,
        "-m",
        "roundtable",
        "replay",
        str(folder / f"{ears}.jsonl"),
        "--as",
        str(ears),
        "--spoil",
    ]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


@pytest.mark.parametrize("story", STORIES)
def test_every_secret_that_a_listener_hears_is_told_to_them(story: str) -> None:  # C4
    name, seats, options = STORIES[story]
    play = new_game(name, seats, seed_from(story), **options)
    play_out(play, {seat: RandomBot() for seat in range(seats)}, play.chance("bots"))
    private = [event for event in play.events if event.audience is not EVERYONE]
    teller = teller_of(GAMES[name], names_for(seats))
    silent = {type(event) for event in private if teller.sentence(event) is None}
    assert silent <= {FloorGiven}


@pytest.mark.parametrize("ears", [1, "all"])
def test_merlin_is_told_whom_they_saw(ears: object, tmp_path: Path) -> None:  # A8
    assert "Alice: Merlin [Good].\n    Sees Dave and Eve as Evil." in replayed(avalon(KNIGHTS), tmp_path, ears)


def test_percival_is_told_whom_they_saw_and_nobody_else_is() -> None:  # A9
    play = avalon(KNIGHTS)
    assert "Bob: Percival [Good].\n    Sees Alice and Eve as Merlin or Morgana." in told(play, 1)
    assert all("as Merlin or" not in told(play, listener) for listener in (SPECTATOR, 0, 2, 3, 4))


def test_a_card_is_told_to_who_laid_it_and_to_all_when_it_is_over(tmp_path: Path) -> None:  # A18
    play = avalon(KNIGHTS)
    quest(play, [0, 3], {3: Card.FAIL})
    assert "  Dave plays Fail." in told(play, 3)
    assert "  Dave votes to approve." in told(play, 3)
    assert all(" plays " not in told(play, listener) for listener in (SPECTATOR, 1))
    assert "  Alice plays Success.\n  Dave plays Fail." in replayed(play, tmp_path, "all")
    play.act(HOST, CallOff())
    for listener in (SPECTATOR, 0, 1, 3):
        assert "Played on quest 1: Alice (Success), Dave (Fail)." in told(play, listener)


def test_who_turns_a_card_with_excalibur_is_told_what_it_was() -> None:  # A25
    play = avalon(KNIGHTS, excalibur="both")
    quest(play, [0, 3], {3: Card.FAIL}, excalibur=3)
    do(play, 3, UseExcalibur, target=0)
    assert "  Excalibur showed Dave that Alice’s card was Success." in told(play, 3)
    assert all("’s card was" not in told(play, listener) for listener in (SPECTATOR, 0, 1))


def test_what_thavalon_tells_with_the_roles_is_told() -> None:  # T11, T12
    play = thavalon(TEN)
    assert "Is told: Colgrevance is in the game too, but you can’t see them." in told(play, 6)
    assert "Is told: One of the players you see is Titania, who is Good." in told(play, 6)
    assert "Sees Grace as Mordred." in told(play, 9)
    assert "Knows that these are in the game: Merlin, Percival, Tristan, Iseult, Titania." in told(play, 4)


def test_votes_that_a_declaration_threw_away_are_told_when_it_is_over() -> None:  # T16
    play = thavalon(TEN)
    for _ in range(2):
        propose(play, [6, 7, 0] if not play.state.results else [6, 7, 0, 1])
        if play.phase.name == "vote":
            vote(play, range(10))
        for seat in sorted(play.phase.awaited):
            do(play, seat, type(next(iter(play.options(seat)[0]))), card=Card.FAIL if seat in (6, 7) else Card.SUCCESS)
    propose(play, [0, 1, 2, 3])
    do(play, 2, CastVote, approve=True)
    do(play, 6, CastVote, approve=False)
    do(play, 4, DeclareArthur)
    assert "never counted" not in told(play, SPECTATOR)
    play.act(HOST, CallOff())
    assert "Votes never counted: Charlie (approve), Grace (reject)." in told(play, SPECTATOR)


def town_by_night() -> Play[Any, Any]:
    play = saviom(TOWN, mode="advanced", begins_with="night")
    do(play, 0, Hunt, target=2)
    do(play, 6, Protect, target=2)
    do(play, 7, Inspect, target=0)
    do(play, 3, Suspect, target=0)
    play.expire()
    return play


def test_a_night_is_told_to_those_who_were_awake(tmp_path: Path) -> None:  # S4, S8, S10, S11
    play = town_by_night()
    assert "The Wolves are Alice and Bob." in told(play, 1)
    assert "Alice hunts Charlie." in told(play, 1)
    assert "Heidi inspects Alice.\n  Heidi learns that Alice is a Wolf." in told(play, 7)
    assert "Dave suspects Alice." in told(play, 3)
    everything = replayed(play, tmp_path, "all")
    for secret in ("The Wolves are", "hunts", "protects", "inspects", "suspects"):
        assert secret not in told(play, SPECTATOR)
        assert secret in everything


def test_when_it_is_over_the_nights_and_the_last_verdicts_are_told_to_everybody() -> None:  # S14
    play = town_by_night()
    for seat in range(1, 8):
        do(play, seat, type(next(iter(play.options(seat)[0]))), target=0)
    play.expire()
    do(play, 1, Judge, eliminate=False)
    do(play, 2, Judge, eliminate=True)
    assert "Bob votes to spare." in told(play, 1)
    do(play, 0, Surrender)
    play.act(HOST, CallOff())
    after = told(play, SPECTATOR).partition("Everything is revealed.")[2]
    assert "Night 1\n  Alice hunts Charlie.\n  Grace protects Charlie." in after
    assert "Heidi inspects Alice." in after
    assert "Dave suspects Alice." in after
    assert "Verdicts never counted: Bob (spare), Charlie (eliminate)." in after


def test_talk_says_who_could_hear_it() -> None:  # A21, S8
    play = saviom(TOWN, mode="advanced", begins_with="night")
    play.act(0, Say(channel="wolves", text="That one."))
    play.expire()
    play.act(0, Say(channel="table", text="Good morning."))
    assert "Alice (to the Wolves): That one." in told(play, 1)
    assert "Alice: Good morning." in told(play, 1)
    assert "That one." not in told(play, 2)


def test_what_people_do_about_the_table_is_told() -> None:  # C7
    play = avalon(KNIGHTS)
    play.act(2, AskCallOff())
    assert "Charlie wants to end the game." in told(play, SPECTATOR)


def test_a_story_is_told_in_vietnamese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "game.jsonl")
    assert main(["watch", "avalon", "--seats", "5", "--seed", "tea", "--record", path, "--lang", "vi"]) == 0
    watched = capsys.readouterr().out
    assert watched.startswith("5 người ngồi vào bàn chơi Avalon: Alice, Bob, Charlie, Dave và Eve.\n")
    assert " thắng! " in watched
    assert main(["replay", path, "--lang", "vi"]) == 0
    assert capsys.readouterr().out == watched
    assert main(["verify", path, "--lang", "vi"]) == 0
    assert " thắng! " in capsys.readouterr().out
    assert main(["replay", path]) == 0
    assert " wins! " in capsys.readouterr().out


@pytest.mark.parametrize("command", [["watch", "avalon", "--seats", "5"], ["replay", "x"], ["verify", "x"], ["play"]])
def test_a_language_that_is_not_there_is_refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--lang", "tlh"]) == 2
    assert capsys.readouterr().err == f"roundtable: There is no language called 'tlh'; choose {LANGUAGE_CHOICES}.\n"


def test_claims_and_remarks_are_told_in_words() -> None:
    play = avalon(KNIGHTS)
    play.act(0, Remark(channel="table", phrase="i_saw", about=3, word="Evil"))
    play.act(1, Remark(channel="table", phrase="why", about=0, word=None))
    assert "Alice: I saw Dave as Evil.\nBob: Why, Alice?" in told(play, SPECTATOR)
    assert "Alice: Tôi thấy Dave là Phe Đỏ.\nBob: Tại sao vậy, Alice?" in told(play, SPECTATOR, "vi")


def test_what_happens_to_the_clock_is_told() -> None:  # C6, C7
    play = avalon(KNIGHTS)
    play.act(1, AskCountdown(phase=play.phase.number))
    play.act(HOST, StartCountdown(phase=play.phase.number, seconds=1))
    play.act(HOST, Pause())
    play.act(HOST, Resume())
    play.act(HOST, Extend(phase=play.phase.number, seconds=30))
    clock = told(play, SPECTATOR).splitlines()[-5:]
    assert clock == [
        "Bob wants to start a timer.",
        "The timer starts: 1 second.",
        "The timer is paused.",
        "The timer is running again.",
        "30 more seconds on the timer.",
    ]


def test_the_end_is_told_in_sentences() -> None:  # A22, C7
    play = avalon(KNIGHTS)
    play.act(HOST, CallOff())
    assert "\n\nNo one wins. The game was ended early.\n\nEverything is revealed.\n" in told(play, SPECTATOR)
    play = avalon(KNIGHTS)
    for team in ([0, 1], [0, 1, 2], [0, 1]):
        quest(play, team)
    do(play, 3, ShootMerlin, target=1)
    after = told(play, SPECTATOR).partition("Evil is revealed: Dave and Eve. Dave holds the dagger.\n")[2]
    assert after.startswith(
        "Dave strikes at Bob!\n\n"
        "Good wins! Three quests succeeded, and Merlin survived. Well played, Alice, Bob and Charlie!\n"
    )


def test_a_listener_with_a_very_long_number_is_refused_in_one_sentence(tmp_path: Path) -> None:
    write_record(tmp_path / "game.jsonl", avalon(KNIGHTS))
    command = [sys.executable, "-m", "roundtable", "replay", str(tmp_path / "game.jsonl"), "--as", "1" * 5000]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "--as takes a seat from 1 to 5" in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert len(run.stderr) < 200


@pytest.mark.parametrize("spelling", [(), ("--json",)])
def test_a_terminal_that_lacks_a_letter_still_gets_the_story(spelling: tuple[str, ...], tmp_path: Path) -> None:
    names = Names(("Nguyễn", "Bình", "Chi", "Dũng", "😀"))
    play = avalon(KNIGHTS)
    play.act(0, Say(channel="table", text="Chào 😀"))
    write_record(tmp_path / "game.jsonl", play, names)
    command = [sys.executable, "-m", "roundtable", "replay", str(tmp_path / "game.jsonl"), *spelling]
    run = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=True)
    lines = run.stdout.decode("ascii").splitlines()
    if spelling:
        assert any(json.loads(line)["event"].get("text") == "Chào 😀" for line in lines)
    else:
        assert any("Nguy" in line and "Chi" in line for line in lines)


def test_the_same_seed_is_in_every_story() -> None:  # C1
    play = avalon(KNIGHTS)
    play.act(HOST, CallOff())
    assert all(f"Seed of the deal: {SEED.hex()}" in told(play, listener) for listener in (SPECTATOR, 0, 4))
