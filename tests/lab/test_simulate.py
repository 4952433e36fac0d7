"""Studies of many games: the same numbers on any number of cores, and after an interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from roundtable.cli import main
from roundtable.cli.progress import Progress
from roundtable.games import make_setup
from roundtable.lab import batches, studies
from roundtable.lab.batches import on_this_machine
from roundtable.lab.parquet_store import ParquetStore
from roundtable.lab.simulate import players_here, simulate
from roundtable.lab.studies import Study
from roundtable.lab.tally import Share, Tally, tally_of
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.usefixtures("compiled_town")

GAMES = 2_500


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "BATCH", 500)


def study(games: int = GAMES, **other: Any) -> Study:
    chosen = {"setup": make_setup("saviom", 8, {"mode": "advanced"}), "bots": ("careful",), "seed": "tea"}
    return Study(**{**chosen, **other}, games=games)


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["simulate", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


# Figures


@pytest.mark.parametrize(
    ("cases", "out_of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 4, 0.0456, 0.6994), (500, 1000, 0.4691, 0.5309)],
)
def test_an_interval_is_wilsons(cases: int, out_of: int, low: float, high: float) -> None:
    assert Share(cases, out_of).interval == pytest.approx((low, high), abs=5e-5)


def test_a_tally_counts_what_the_games_came_to() -> None:
    of = study()
    batch = of.kernel.run(of.setup, of.bots, of.dice, 0, 300)
    tally = tally_of(batch)
    assert tally.games == 300
    assert tally.moves == sum(batch.length.tolist())
    winners = Counter(["Citizens", "Wolves", "nobody"][side] for side in batch.winner.tolist())
    assert {side: tally.wins(side).cases for side in winners} == winners
    assert tally.role("Wolf") == Share(winners["Wolves"], 300)
    assert tally.role("Seer") == tally.role("Citizen") == Share(winners["Citizens"], 300)
    assert Tally.read(json.loads(json.dumps(tally.plain()))) == tally


def test_tallies_add_up_in_any_order() -> None:
    of = study()
    parts = [batches.play(of, piece).tally for piece in of.slices()]
    assert len(parts) == 5
    assert sum(parts, Tally()) == sum(reversed(parts), Tally()) == simulate(of, players_here(1))


# Cores, files, interruptions


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_the_same_seed_gives_the_same_numbers_on_however_many_cores(jobs: int) -> None:
    assert simulate(study(), players_here(jobs)) == simulate(study(), players_here(3))
    assert simulate(study(seed="coffee"), players_here(jobs)) != simulate(study(), players_here(3))


def test_every_game_is_a_row(tmp_path: Path) -> None:
    of, path = study(games=1_200), tmp_path / "games.parquet"
    simulate(of, players_here(2), ParquetStore(path, of))
    batch = of.kernel.run(of.setup, of.bots, of.dice, 0, 1_200)
    rows = pq.read_table(path).to_pylist()
    assert [row["game"] for row in rows] == [*range(1_200)]
    for number in (0, 499, 500, 1_199):
        assert rows[number]["winner"] == (*of.kernel.sides, None)[batch.winner[number]]
        assert rows[number]["reason"] == batch.words.reasons[batch.reason[number]]
        assert rows[number]["length"] == batch.length[number]
        roles = [rows[number][f"role_{seat}"] for seat in range(8)]
        assert roles == [of.kernel.roles[role] for role in batch.roles[number]]
    assert [*tmp_path.iterdir()] == [path]


def test_what_is_finished_is_not_played_again(tmp_path: Path) -> None:
    of, path = study(), tmp_path / "games.parquet"
    looks = iter([False, False, True])

    def two_batches_only(of: Study, pieces: Any, stopped: Any) -> Any:
        return on_this_machine(of, pieces, 1, lambda: next(looks))

    assert simulate(of, two_batches_only, ParquetStore(path, of)).games == 1_000
    assert not path.exists()
    played = []

    def remember(of: Study, pieces: Any, stopped: Any) -> Any:
        for one in on_this_machine(of, pieces, 2, stopped):
            played.append(one.slice.number)
            yield one

    assert simulate(of, remember, ParquetStore(path, of)) == simulate(of, players_here(1))
    assert played == [2, 3, 4]
    again = simulate(of, lambda *_: pytest.fail("nothing is left to play"), ParquetStore(path, of))
    assert again == simulate(of, players_here(1))
    assert pq.read_table(path).num_rows == GAMES


def test_a_file_that_is_not_ours_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.parquet"
    path.write_text("my thesis")
    code, out, err = run("saviom", "--seats", "8", "--games", "100", "--out", str(path), capsys=capsys)
    assert (code, out) == (2, "")
    assert err == f"roundtable: {path} was not written by a study; name another file.\n"
    assert path.read_text() == "my thesis"


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.parquet"
    path.mkdir()
    code, out, err = run("saviom", "--seats", "8", "--games", "100", "--out", str(path), capsys=capsys)
    assert (code, out, err) == (2, "", f"roundtable: {path} is a folder; name a file.\n")


@pytest.mark.parametrize("seed", [(), ("--seed", "tea")])
@pytest.mark.parametrize("note", ["my thesis", "[1]"])
def test_batches_that_are_not_ours_are_left_alone(
    note: str, seed: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "games.parquet.parts" / "study.json"
    kept.parent.mkdir()
    kept.write_text(note)
    path = str(tmp_path / "games.parquet")
    code, out, err = run("saviom", "--seats", "8", "--games", "100", "--out", path, *seed, capsys=capsys)
    assert (code, out, err) == (2, "", f"roundtable: {kept} was not written by a study; name another file.\n")
    assert kept.read_text() == note


def test_a_file_of_another_study_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "games.parquet")
    asked = ("saviom", "--seats", "8", "--games", "100", "--out", path)
    assert run(*asked, capsys=capsys)[0] == 0
    before = Path(path).read_bytes()
    assert run(*asked, capsys=capsys)[0] == 0  # without a seed: the one of the file
    code, _, err = run(*asked, "--seed", "another", capsys=capsys)
    assert (code, err) == (2, f"roundtable: {path} holds something else; name another file.\n")
    assert Path(path).read_bytes() == before


@pytest.mark.slow
def test_ctrl_c_prints_what_there_is_and_the_same_command_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    asked = ["saviom", "--seats", "6", "--games", "1e10", "--bots", "random", "--out", str(path), "--json"]
    command = [sys.executable, "-m", "roundtable", "simulate", *asked]
    parts = Path(f"{path}.parts")

    def play_until_there_are(count: int) -> tuple[str, str]:
        """What the command prints when it is stopped after this number of parts."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: len([*parts.glob("0*.parquet")]) >= count or process.poll() is not None, "enough games")
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        return told

    out, err = play_until_there_are(3)
    partial = json.loads(out.splitlines()[-1])
    assert 3 * 50_000 <= partial["games"] == 50_000 * len([*parts.glob("0*.parquet")])
    assert not partial["is_complete"]
    assert "Stopped after" in err
    assert not path.exists()
    kept = {part: part.stat().st_mtime_ns for part in parts.glob("0*.parquet")}
    play_until_there_are(len(kept) + 1)
    assert {part: part.stat().st_mtime_ns for part in kept} == kept


# The command


@pytest.mark.parametrize("bots", ["random", "Citizens=careful,Wolves=random", "wolves=careful, citizens=random"])
def test_the_last_line_is_one_object(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("saviom", "--seats", "6", "--games", "1e3", "--bots", bots, "--seed", "tea", "--json")
    code, out, err = run(*asked, capsys=capsys)
    figures = json.loads(out.splitlines()[-1])
    assert (code, figures["games"], figures["seed"], figures["is_complete"]) == (0, 1_000, "tea", True)
    assert sum(side["count"] for side in figures["wins"].values()) == 1_000
    assert all(share["low"] <= share["rate"] <= share["high"] for share in figures["roles"].values())
    assert run(*asked, "--jobs", "1", capsys=capsys)[1] == out
    assert "1,000 of 1,000 games" in err


def test_a_study_is_told_in_the_language_of_the_reader(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("saviom", "--seats", "6", "--games", "100", "--seed", "tea", "--lang", "vi")
    code, out, err = run(*asked, "--bots", "wolves=careful,citizens=random", capsys=capsys)
    assert code == 0
    assert "bot random (Phe Dân Làng) đấu với bot careful (Phe Sói)" in out.splitlines()[0]
    assert "100 trên 100 ván" in err


def test_sides_and_seats_are_given_their_own_bots(capsys: pytest.CaptureFixture[str]) -> None:
    def wolves_win(bots: str) -> int:
        asked = ("saviom", "--seats", "6", "--games", "2000", "--seed", "tea", "--json", "--bots", bots)
        return int(json.loads(run(*asked, capsys=capsys)[1].splitlines()[-1])["wins"]["Wolves"]["count"])

    assert wolves_win("citizens=random,wolves=careful") > 1_950
    assert wolves_win("citizens=careful,wolves=random") < 1_200
    assert wolves_win("careful,careful,careful,careful,careful,careful") == wolves_win("careful")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["chess", "--seats", "8"], "There is no game called 'chess'; choose avalon, thavalon or saviom."),
        (["saviom", "--seats", "5"], "Town of Saviom (Werewolf) takes 6 to 12 players, not 5."),
        (["saviom", "--seats", "8", "--games", "0"], "--games takes a whole number from 1 to 1e12, not '0'."),
        (
            ["saviom", "--seats", "8", "--games", "1.5"],
            "--games takes a whole number from 1 to 1e12, not '1.5'.",
        ),
        (
            ["saviom", "--seats", "8", "--games", "1e99"],
            "--games takes a whole number from 1 to 1e12, not '1e99'.",
        ),
        (
            ["saviom", "--seats", "8", "--games", "inf"],
            "--games takes a whole number from 1 to 1e12, not 'inf'.",
        ),
        (["saviom", "--seats", "8", "--jobs", "0"], "--jobs takes a number from 1 to 1024, not 0."),
        (
            ["saviom", "--seats", "8", "--bots", "fred"],
            "There is no bot called 'fred'; choose careful, easy, fair, random, sage or strong.",
        ),
        (["saviom", "--seats", "8", "--bots", "random,random"], "--bots takes one bot, one for each side or 8, not 2."),
        (
            ["saviom", "--seats", "8", "--bots", "good=random"],
            "Name bots by side as in citizens=NAME,wolves=NAME, not 'good=random'.",
        ),
        (
            ["saviom", "--seats", "8", "--out", "/nowhere/g.parquet"],
            "/nowhere/g.parquet.parts: No such file or directory.",
        ),
        (
            ["saviom", "--seats", "8", "--out", "games.csv"],
            "--out takes a file that ends in .parquet, not 'games.csv'.",
        ),
    ],
)
def test_what_cannot_be_played_gets_one_sentence(
    asked: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*asked, capsys=capsys) == (2, "", f"roundtable: {sentence}\n")


def test_without_the_extra_it_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundtable.lab.extras.find_spec", lambda name: None)
    sentence = "roundtable: This needs numba, which is not installed: pip install 'roundtable-games[lab]'.\n"
    assert run("saviom", "--seats", "8", capsys=capsys) == (2, "", sentence)


def test_a_bar_is_drawn_on_a_terminal_only(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Progress(100, "en")
    for done in (0, 50, 100):
        plain.show(done)
    plain.end()
    assert [line.split(",")[0] for line in capsys.readouterr().err.splitlines()] == [
        "50 of 100 games",
        "100 of 100 games",
    ]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    bar = Progress(100, "en")
    bar.show(100)
    bar.end()
    assert capsys.readouterr().err.startswith("\r[##############################] 100 of 100 games")


def test_nothing_of_the_lab_is_imported_before_it_is_needed() -> None:
    asked = (
        "import sys, roundtable.cli as cli; cli.build_parser(); print({'numpy', 'numba', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, env={**os.environ})
    assert done.stdout == "set()\n"
