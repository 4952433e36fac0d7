"""Records on disk: they tell what happened, and `verify` finds every change of them."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from games.test_golden_games import STORIES
from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.cli import main
from roundtable.cli.arguments import seed_from
from roundtable.core.actions import Say
from roundtable.core.codec import encode
from roundtable.core.errors import BadRecord, IllegalAction
from roundtable.core.play import Play
from roundtable.games import GAMES, new_game
from roundtable.storage import Recorder, read_record, verify_record, write_record
from roundtable.storage.records import sealed_line
from support.scenes import SEED

pytestmark = pytest.mark.slow

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


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def roundtable(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process: to start one for each would take longer than all that these tests do."""

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [str(argument) for argument in arguments]
        return subprocess.CompletedProcess(command, main(command), *capsys.readouterr())

    return run


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
    """The record with one character replaced, removed or doubled."""
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


# A forger can compute new seals; the entries under them must still be a possible game


def resealed(path: Path, lines: list[dict[str, Any]]) -> None:
    seal, written = "", []
    for number, line in enumerate(lines, 1):
        said = {name: part for name, part in line.items() if name not in ("line", "seal")}
        seal, encoded = sealed_line(said, number, seal)
        written.append(encoded + b"\n")
    path.write_bytes(b"".join(written))


def parts_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside a JSON value: the container, and the key or index."""
    for place in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, place
        yield from parts_of(value[place])


OTHER_VALUES: list[Any] = [None, True, 0, 1, -1, 7, -5, 1.5, 10**30, "", "x", "everyone", "Merlin", [], [0], {}]


def forge(line: dict[str, Any], chance: Dice) -> None:
    """The record with one part of a line replaced, removed, doubled, or swapped for another part."""
    parts = list(parts_of(line))
    whole, place = chance.choice(parts)
    match chance.below(5):
        case 0:
            del whole[place]
        case 1 if isinstance(whole, list):
            whole.append(deepcopy(whole[place]))
        case 2:
            holder, spot = chance.choice(parts)
            whole[place] = deepcopy(holder[spot])
        case _:
            whole[place] = chance.choice(OTHER_VALUES)


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_forged_and_sealed_anew_is_a_game_or_a_bad_record(name: str, tmp_path: Path) -> None:  # C3
    path = recorded(tmp_path, name)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    bad = 0
    for seed in range(150):
        chance = Dice(seed)
        place = chance.below(6 if seed % 2 else len(lines))
        forged = deepcopy(lines[place])
        forge(forged, chance)
        resealed(path, [*lines[:place], forged, *lines[place + 1 : place + 1 + chance.below(9)]])
        try:
            record = read_record(path)
        except BadRecord:
            bad += 1
            with pytest.raises(BadRecord):
                verify_record(path)
        else:
            play = Play(GAMES[name].game, record.entries)
            assert len(record.names) in (0, play.state.setup.seats)
            assert [play.view(seat).setup.seats for seat in range(-1, 6)] == [6] * 7
    assert bad > 75


@pytest.mark.parametrize("names", [["Ánh"], list("ABCDEFG"), [1, 2, 3, 4, 5, 6], "ABCDEF", None])
def test_a_title_has_a_name_for_each_seat_or_none(names: Any, tmp_path: Path) -> None:  # C3
    path = recorded(tmp_path)
    title, *entries = [json.loads(line) for line in path.read_bytes().splitlines()]
    resealed(path, [{**title, "names": []}, *entries])
    assert verify_record(path).seats == 6
    resealed(path, [{**title, "names": names}, *entries])
    for look in (read_record, verify_record):
        with pytest.raises(BadRecord, match="Line 1: "):
            look(path)


@pytest.mark.parametrize("closing", [{"closed": 1}, {"closed": True, "more": 1}, {"entry": None}])
def test_only_a_closing_line_closes(closing: dict[str, Any], tmp_path: Path) -> None:  # C3
    path = recorded(tmp_path)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    resealed(path, [*lines[:-1], closing])
    with pytest.raises(BadRecord, match=f"Line {len(lines)}: "):
        verify_record(path)


def test_an_entry_has_nothing_beside_it(tmp_path: Path) -> None:  # C3
    path = recorded(tmp_path)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    resealed(path, [*lines[:2], {**lines[2], "note": "mine"}, *lines[3:]])
    with pytest.raises(BadRecord, match="Line 3: no table writes an entry this way"):
        verify_record(path)


def test_a_record_is_not_closed_before_the_game_is_over(tmp_path: Path) -> None:  # C3
    path = recorded(tmp_path)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    resealed(path, [*lines[:5], lines[-1]])
    with pytest.raises(BadRecord, match="Line 6: the record was closed here"):
        read_record(path)


def test_nothing_stands_behind_the_closing_line(tmp_path: Path, roundtable: Run) -> None:  # C3
    path = recorded(tmp_path)
    with path.open("ab") as file:
        file.write(b"garbage")
    run = roundtable("verify", path)
    last = len(path.read_bytes().splitlines())
    assert (run.returncode, run.stdout) == (1, "")
    assert f"Line {last}: the record was closed on the line before." in run.stderr
    assert roundtable("replay", path).returncode == 2


COMMANDS = [["replay"], ["replay", "--as", "all", "--spoil"], ["play", "--resume"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_record_of_a_title_alone_gets_a_sentence(command: list[str], tmp_path: Path, roundtable: Run) -> None:  # C3
    path = recorded(tmp_path)
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    run = roundtable(*command, path)
    said = "roundtable: Line 1: the record ends here, before the game was set up.\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", said)


def test_a_record_without_a_deal_is_told_and_cannot_be_taken_up(tmp_path: Path, roundtable: Run) -> None:  # C3
    path = recorded(tmp_path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert "6 players sit down" in roundtable("replay", path).stdout
    record = read_record(path)
    before = path.read_bytes()
    with pytest.raises(BadRecord, match="Line 2: the record ends here, before the deal"):
        Recorder.resume(path, Play(GAMES["avalon"].game, record.entries), record)
    assert path.read_bytes() == before


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
    with Recorder.resume(path, play, record) as recorder:
        for entry in whole.entries[20:]:
            play.act(entry.actor, entry.action, entry.id)
            recorder.catch_up()
    assert verify_record(path).outcome == whole.outcome
    assert encode(read_record(path).entries) == encode(tuple(whole.entries))


RUBBISH = [b"", b"\n", b"{}\n", b"[]\n", b"null\n", b"\xff\xfe\n", b"x" * 5000, b"[" * 99999, b'{"seal":"\\ud800"}\n']


@pytest.mark.parametrize("rubbish", [*RUBBISH, b'{"names":"\\ud800","seal":""}\n'])
def test_rubbish_is_no_record_and_nothing_worse(rubbish: bytes, tmp_path: Path, roundtable: Run) -> None:
    path = tmp_path / "rubbish"
    path.write_bytes(rubbish)
    with pytest.raises(BadRecord):
        read_record(path)
    run = roundtable("verify", path)
    assert (run.returncode, len(run.stderr.splitlines())) == (1, 1)


def test_watch_records_and_the_record_verifies_and_replays(tmp_path: Path, roundtable: Run) -> None:
    path = tmp_path / "game.jsonl"
    watched = roundtable("watch", "thavalon", "--seats", "8", "--seed", "tea", "--record", path)
    assert watched.returncode == 0
    assert "is valid: " in roundtable("verify", path).stdout
    assert roundtable("replay", path).stdout == watched.stdout
    lengths = [len(roundtable("replay", path, "--as", ears).stdout) for ears in ("spectator", "2", "all")]
    assert lengths == sorted(set(lengths))
    again = roundtable("watch", "thavalon", "--seats", "8", "--record", path)
    assert again.returncode == 2
    assert "File exists" in again.stderr


def test_a_program_is_told_whether_a_record_holds(tmp_path: Path, roundtable: Run) -> None:
    path = tmp_path / "game.jsonl"
    roundtable("watch", "avalon", "--seats", "5", "--seed", "tea", "--record", path)
    holds = roundtable("verify", path, "--json")
    assert (holds.returncode, json.loads(holds.stdout)["verified"], json.loads(holds.stdout)["seats"]) == (0, True, 5)
    path.write_text(path.read_text().replace('"approve":true', '"approve":false', 1))
    broken = roundtable("verify", path, "--json")
    assert (broken.returncode, json.loads(broken.stdout)["verified"]) == (1, False)
    assert json.loads(broken.stdout)["reason"]


@pytest.mark.parametrize("listener", ["1", "all"])
def test_secrets_of_a_game_that_is_not_over_need_a_word_more(
    listener: str, tmp_path: Path, roundtable: Run
) -> None:  # C4
    path = tmp_path / "game.jsonl"
    Recorder(path, new_game("avalon", 5, SEED)).close()
    refused = roundtable("replay", path, "--as", listener)
    assert refused.returncode == 2
    assert "isn’t over yet" in refused.stderr
    assert refused.stdout == ""
    secret = "  Alice: Assassin [Evil], with the dagger.\n"
    assert secret not in roundtable("replay", path).stdout
    assert secret in roundtable("replay", path, "--as", listener, "--spoil").stdout


@pytest.mark.parametrize("listener", ["0", "9", "-1", "x", ""])
def test_a_listener_who_was_not_there_is_refused(listener: str, tmp_path: Path, roundtable: Run) -> None:
    run = roundtable("replay", recorded(tmp_path), f"--as={listener}")
    assert (run.returncode, run.stdout) == (2, "")
    assert "a seat from 1 to 6" in run.stderr


def test_what_was_told_before_the_plug_was_pulled_is_in_the_record(tmp_path: Path, roundtable: Run) -> None:  # C3
    for attempt in range(6):
        path = tmp_path / f"game{attempt}.jsonl"
        command = [sys.executable, "-m", "roundtable", "watch", "saviom", "--seats", "12", "--record", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
            assert watching.stdout is not None
            told = [watching.stdout.readline() for _ in range(5 + 3 * attempt)]
            os.kill(watching.pid, signal.SIGKILL)
        replayed = roundtable("replay", path).stdout
        assert replayed.startswith("".join(told[:-1]))
