"""Records on disk: they say what happened, hold when nobody touched them, and only then."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.cli.arguments import seed_from
from roundtable.games.registry import GAMES, new_game
from roundtable.record import Recorder, read_record, verify_record, write_record
from roundtable.table.actions import Say
from roundtable.table.codec import encode
from roundtable.table.errors import BadRecord, IllegalAction
from roundtable.table.play import Play
from roundtable.testing.scenes import SEED, Dice
from test_golden_games import STORIES

Lines = list[bytes]


def finished(name: str, seats: int = 6, seed: bytes = SEED, **options: Any) -> Play[Any, Any]:
    play = new_game(name, seats, seed, **options)
    with suppress(IllegalAction):  # where a game begins by night
        play.act(0, Say(channel="table", text="Chào cả nhà!"))
    play_out(play, {seat: RandomBot() for seat in range(seats)}, play.chance("bots"))
    play.act(1, Say(channel="table", text="Good game."))
    return play


def recorded(folder: Path, name: str = "avalon") -> Path:
    path = folder / "game.jsonl"
    write_record(path, finished(name), ["Ánh", "Bình", "Chi", "Dũng", "Én", "Phúc"])
    return path


def roundtable(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "roundtable", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("story", STORIES)
def test_every_golden_game_verifies(story: str, tmp_path: Path) -> None:  # C1, C3
    name, seats, options = STORIES[story]
    play = finished(name, seats, seed_from(story), **options)
    write_record(tmp_path / "game.jsonl", play)
    verdict = verify_record(tmp_path / "game.jsonl")
    assert (verdict.outcome, verdict.commitment) == (play.outcome, play.state.commitment)
    assert verdict.was_drawn
    assert [*read_record(tmp_path / "game.jsonl").entries] == play.entries


def test_a_record_is_its_owners_alone_and_never_written_over(tmp_path: Path) -> None:
    path = recorded(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        write_record(path, finished("avalon"))
    assert path.read_bytes() == before


def without(lines: Lines, chance: Dice) -> Lines:
    place = chance.below(len(lines))
    return lines[:place] + lines[place + 1 :]


def doubled(lines: Lines, chance: Dice) -> Lines:
    place = chance.below(len(lines))
    return lines[: place + 1] + lines[place:]


def swapped(lines: Lines, chance: Dice) -> Lines:
    one, other = chance.sample(range(len(lines)), 2)
    moved = list(lines)
    moved[one], moved[other] = moved[other], moved[one]
    return moved


def changed(lines: Lines, chance: Dice) -> Lines:
    """One character of one line is another, is gone, or is there twice."""
    place = chance.below(len(lines))
    spot = chance.below(len(lines[place]))
    line = lines[place]
    other = bytes([(line[spot] + 1 + chance.below(255)) % 256])
    ways = [other, b"", 2 * line[spot : spot + 1]]
    new = line[:spot] + chance.choice(ways) + line[spot + 1 :]
    return [*lines[:place], new, *lines[place + 1 :]]


@pytest.mark.parametrize("tamper", [without, doubled, swapped, changed])
@pytest.mark.parametrize("name", GAMES)
def test_a_record_that_was_tampered_with_does_not_hold(
    tamper: Callable[[Lines, Dice], Lines], name: str, tmp_path: Path
) -> None:  # C3
    path = recorded(tmp_path, name)
    lines = path.read_bytes().splitlines()
    for seed in range(60):
        spoiled = tamper(lines, Dice(seed))
        path.write_bytes(b"\n".join(spoiled) + b"\n")
        with pytest.raises(BadRecord, match=r"Line \d+:|no record"):
            verify_record(path)


def test_a_forger_who_makes_new_seals_is_found_by_playing_again(tmp_path: Path) -> None:  # C3
    play = finished("avalon")
    forged = Play(play.game, [entry for place, entry in enumerate(play.entries) if place != 5])
    write_record(tmp_path / "forged.jsonl", forged)
    with pytest.raises(BadRecord, match=r"Line \d+: this does not follow"):
        verify_record(tmp_path / "forged.jsonl")


def test_a_record_cut_off_in_the_middle_can_be_read_and_taken_up(tmp_path: Path) -> None:  # C3
    whole = finished("saviom")
    path = tmp_path / "game.jsonl"
    half = Play(whole.game, whole.entries[:20])
    Recorder(path, half).close()
    with path.open("ab") as file:
        file.write(b'{"entry":{"action":{"is":"Acc')
    record = read_record(path)
    assert [*record.entries] == half.entries
    with pytest.raises(BadRecord, match="before the game does"):
        verify_record(path)
    play = Play(whole.game, record.entries)
    with Recorder.take_up(path, play, record) as recorder:
        for entry in whole.entries[20:]:
            play.act(entry.actor, entry.action, entry.id)
            recorder.catch_up()
    assert verify_record(path).outcome == whole.outcome
    assert encode(read_record(path).entries) == encode(tuple(whole.entries))


@pytest.mark.parametrize("rubbish", [b"", b"\n", b"{}\n", b"[]\n", b"null\n", b"\xff\xfe\n", b"x" * 5000, b"[" * 99999])
def test_rubbish_is_no_record_and_nothing_worse(rubbish: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rubbish"
    path.write_bytes(rubbish)
    with pytest.raises(BadRecord):
        read_record(path)
    run = roundtable("verify", path)
    assert (run.returncode, len(run.stderr.splitlines())) == (1, 1)


def test_watch_records_and_the_record_verifies_and_replays(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    watched = roundtable("watch", "thavalon", "--seats", "8", "--seed", "tea", "--record", path)
    assert watched.returncode == 0
    assert "holds: " in roundtable("verify", path).stdout
    assert roundtable("replay", path).stdout == watched.stdout
    lengths = [len(roundtable("replay", path, "--as", ears).stdout) for ears in ("spectator", "2", "all")]
    assert lengths == sorted(set(lengths))
    again = roundtable("watch", "thavalon", "--seats", "8", "--record", path)
    assert again.returncode == 2
    assert "File exists" in again.stderr


@pytest.mark.parametrize("listener", ["0", "all"])
def test_secrets_of_a_game_that_is_not_over_need_a_word_more(listener: str, tmp_path: Path) -> None:  # C4
    path = tmp_path / "game.jsonl"
    Recorder(path, new_game("avalon", 5, SEED)).close()
    refused = roundtable("replay", path, "--as", listener)
    assert refused.returncode == 2
    assert "not over" in refused.stderr
    assert refused.stdout == ""
    assert " is " not in roundtable("replay", path).stdout
    assert " is " in roundtable("replay", path, "--as", listener, "--spoil").stdout


@pytest.mark.parametrize("listener", ["9", "-1", "x", ""])
def test_a_listener_who_was_not_there_is_refused(listener: str, tmp_path: Path) -> None:
    run = roundtable("replay", recorded(tmp_path), f"--as={listener}")
    assert (run.returncode, run.stdout) == (2, "")
    assert "a seat from 0 to 5" in run.stderr


@pytest.mark.slow
def test_what_was_told_before_the_plug_was_pulled_is_in_the_record(tmp_path: Path) -> None:  # C3
    for attempt in range(6):
        path = tmp_path / f"game{attempt}.jsonl"
        command = [sys.executable, "-m", "roundtable", "watch", "saviom", "--seats", "12", "--record", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
            assert watching.stdout is not None
            told = [watching.stdout.readline() for _ in range(5 + 3 * attempt)]
            time.sleep(0.01 * attempt)
            os.kill(watching.pid, signal.SIGKILL)
        replayed = roundtable("replay", path).stdout
        assert replayed.startswith("".join(told[:-1]))
