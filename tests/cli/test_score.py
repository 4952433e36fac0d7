"""`roundtable score`: wins by side and by person over the records of an evening, also of games that were only dealt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.cli import main
from roundtable.core.actions import AnnounceOutcome
from roundtable.core.seats import HOST
from roundtable.games import new_game
from roundtable.storage import write_record

NAMES = ("Ann", "Bảo", "Chi", "Dan", "Eve")


def deal_only(path: Path, seed: int, winner: str | None, reason: str) -> tuple[int, ...]:
    """Write the record of a game that was dealt and played face to face; the seats that have won."""
    play = new_game("avalon", 5, bytes([seed]) * 32)
    play.act(HOST, AnnounceOutcome(winner=winner, reason=reason))
    write_record(path, play, NAMES)
    assert play.outcome
    return play.outcome.seats


def score(*paths: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["score", *map(str, paths), "--json"]) == 0
    counted: dict[str, object] = json.loads(capsys.readouterr().out)
    return counted


def test_records_without_moves_count_for_their_sides_and_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # C7
    won = [
        *deal_only(tmp_path / "1.jsonl", 1, "Evil", "merlin_assassinated"),
        *deal_only(tmp_path / "2.jsonl", 2, "Good", "told"),
    ]
    deal_only(tmp_path / "3.jsonl", 3, None, "untold")
    (tmp_path / "copy.jsonl").write_bytes((tmp_path / "1.jsonl").read_bytes())
    counted = score(tmp_path, tmp_path / "2.jsonl", capsys=capsys)
    assert (counted["games"], counted["without_winner"], counted["unfinished"]) == (2, 1, 0)
    assert counted["sides"] == [
        {"game": "avalon", "side": "Evil", "wins": 1},
        {"game": "avalon", "side": "Good", "wins": 1},
    ]
    people = {person["name"]: (person["games"], person["wins"]) for person in counted["people"]}  # type: ignore[attr-defined]
    assert people == {name: (2, won.count(seat)) for seat, name in enumerate(NAMES)}

    assert main(["score", str(tmp_path), "--lang", "vi"]) == 0
    told = capsys.readouterr().out
    assert "2 ván có phe thắng." in told
    assert "1 ván không có phe thắng" in told
    assert f"  Ann: thắng {won.count(0)}/2 ván" in told


def test_played_games_count_too_and_a_changed_record_counts_for_no_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # C3
    play = new_game("saviom", 6, bytes(32))
    write_record(tmp_path / "running.jsonl", play)
    play_out(play, {seat: RandomBot() for seat in range(6)}, Dice(3))
    (tmp_path / "over").mkdir()
    write_record(tmp_path / "over" / "game.jsonl", play)
    assert play.outcome
    counted = score(tmp_path / "over", capsys=capsys)
    assert counted["sides"] == [{"game": "saviom", "side": play.outcome.winner, "wins": 1}]
    assert score(tmp_path, capsys=capsys)["unfinished"] == 1

    deal_only(tmp_path / "forged.jsonl", 1, "Good", "told")
    record = (tmp_path / "forged.jsonl").read_text()
    (tmp_path / "forged.jsonl").write_text(record.replace('"winner":"Good"', '"winner":"Evil"'))
    assert main(["score", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("0 games with a winner.")
    assert "forged.jsonl is not valid." in said.err
