"""The balance page: every setup is on it, its figures are right, and it says whose games they are."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from roundtable.cli import main
from roundtable.games import GAMES, make_setup
from roundtable.games.avalon.setup import default_roles
from roundtable.lab.balance import BalanceText
from roundtable.lab.balance.findings import findings, nearest_to_even
from roundtable.lab.balance.measuring import TableResult
from roundtable.lab.balance.plots import plot
from roundtable.lab.balance.tables import ROLES, USUAL, VARIANT, balance_of, tables_of
from roundtable.lab.simulate import players_here, simulate
from roundtable.lab.studies import Study
from roundtable.lab.tally import Tally

pytestmark = pytest.mark.usefixtures("compiled_town")


def balance(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["balance", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def line(seats: int, good: int, label: str = "usual rules", kind: str = USUAL) -> TableResult:
    endings = Counter({("Good", "three_successes"): good, ("Evil", "three_failures"): 1_000 - good})
    return TableResult(seats=seats, kind=kind, label=label, options={}, tally=Tally(games=1_000, endings=endings))


# Which tables


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_players_is_there_with_its_usual_table(game: str) -> None:
    setup_type = GAMES[game].game.setup_type
    usual = [table.setup.seats for table in tables_of(game) if table.kind == USUAL]
    assert sorted(set(usual)) == [*range(setup_type.fewest, setup_type.most + 1)]


@pytest.mark.parametrize("game", GAMES)
def test_every_table_can_be_played_and_comes_once(game: str) -> None:
    tables = tables_of(game)
    assert all(table.setup.problems() == [] for table in tables)
    assert (
        len({table.setup for table in tables})
        == len({(*table[:2], table.setup.seats) for table in tables})
        == len(tables)
    )


@pytest.mark.parametrize(
    ("seats", "sets", "of_duty"), [(5, 8, 6), (6, 8, 6), (7, 14, 2), (8, 14, 2), (9, 14, 2), (10, 16, 0)]
)
def test_every_set_of_roles_that_fits_is_tried(seats: int, sets: int, of_duty: int) -> None:  # A4
    tried = [table for table in tables_of("avalon", (seats,)) if table.kind in (USUAL, ROLES)]
    assert Counter("duty" in table.label for table in tried) == Counter({False: sets, True: of_duty})
    assert all(("duty" in table.label) == bool(table.setup.has_duty) for table in tried)  # type: ignore[attr-defined]
    assert tried[0].label == ", ".join(sorted(default_roles(seats)))


def test_single_tables_can_be_chosen() -> None:  # A4
    tables = tables_of("avalon", (5, 6), ("Percival", "lady=yes"))
    assert [(table.setup.seats, table.label) for table in tables] == [
        (5, "Percival"), (5, "lady=yes"), (6, "Percival"), (6, "lady=yes"),
    ]  # fmt: skip


def test_the_tables_at_which_an_option_changes_nothing_are_left_out() -> None:  # A19, T1
    assert {table.setup.seats for table in tables_of("avalon") if "two_fails_from" in table.label} == {7}
    assert {table.setup.seats for table in tables_of("thavalon") if "nine_evil" in table.label} == {9}


# What they say


def test_the_claim_about_six_and_nine_players_is_answered() -> None:  # T5
    fair = [line(5, 300), line(6, 400), line(7, 310), line(8, 320), line(9, 600), line(10, 330)]
    said = " ".join(findings(balance_of("thavalon"), "Good", fair, BalanceText("thavalon")))
    assert "here Good won 40.0 % (37.0 to 43.1), more than at the counts that they do not name (30.0 to 33.0 %)" in said
    assert "more than at the counts that they do not name (30.0 to 33.0 %), and more often than not" in said
    other = [line(5, 700), line(6, 400), line(9, 300)]
    assert "less than at some of the counts" in " ".join(
        findings(balance_of("thavalon"), "Good", other, BalanceText("thavalon"))
    )


def test_the_set_nearest_to_even_is_named() -> None:  # A4
    lines = [line(5, 300), line(5, 520, "Percival", ROLES), line(5, 500, "lady=yes", VARIANT), line(6, 900)]
    assert {seats: best.label for seats, best in nearest_to_even("Good", lines).items()} == {
        5: "Percival",
        6: "usual rules",
    }


def test_people_are_put_beside_the_bots_where_their_games_were_written_down() -> None:
    people = balance_of("avalon").people
    assert people is not None
    assert sum(known.games for known in people.by_seats.values()) == 12_932  # one more does not replay
    assert balance_of("saviom").people is balance_of("thavalon").people is None
    said = findings(balance_of("avalon"), "Good", [line(10, 200)], BalanceText("avalon"))
    assert "People won 34.1 % of 616 games as Good with 10 players" in said[-1]


@pytest.mark.parametrize(
    ("game", "label", "said"),
    [
        ("avalon", "Mordred, Percival (assassin=duty)", "Mordred, Percival (assassin=duty)"),
        ("avalon", "no special roles", "không có vai đặc biệt"),
        ("avalon", "Minion of Mordred, lady=yes", "Tay Sai, lady=yes"),
        ("thavalon", "usual rules", "luật thường"),
        ("saviom", "classic, begins_with=night", "kiểu thường, begins_with=night"),
    ],
)
def test_a_table_is_named_in_the_language_of_the_reader(game: str, label: str, said: str) -> None:
    assert BalanceText(game, "vi").label(label) == said
    assert BalanceText(game, "en").label(label) == label


# The page


def test_a_plot_puts_every_rate_in_its_place() -> None:
    drawn = ElementTree.fromstring(
        plot(
            balance_of("avalon").people,
            "Good",
            [line(5, 0), line(5, 500, "<b>&"), line(5, 1_000, "Mordred")],
            BalanceText("avalon"),
        )
    )
    dots = [float(dot.get("cx", "")) for dot in drawn.iter("{http://www.w3.org/2000/svg}circle")]
    assert dots[1] == pytest.approx((dots[0] + dots[2]) / 2, abs=0.1)
    assert dots[0] < dots[3] < dots[4] < dots[1]  # people with Mordred, and with any roles
    assert "<b>&" in [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]


class Needs(HTMLParser):
    """What a page would load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href")] + [tag] * (tag == "script")


def test_one_page_has_every_figure_and_needs_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("saviom", "--seats", "7", "--games", "500", "--out", str(tmp_path))
    code, out, _ = balance(*asked, capsys=capsys)
    assert code == 0
    assert "The full results are in " in out
    assert "saviom.html, and in the .json and .csv files next to it." in out
    page = (tmp_path / "saviom.html").read_text()
    needs = Needs()
    needs.feed(page)
    assert needs.found == []
    assert "careful bots, 500 games at each table" in page
    rows = [*csv.DictReader((tmp_path / "saviom.csv").read_text().splitlines())]
    data: dict[str, Any] = json.loads((tmp_path / "saviom.json").read_text())
    assert data["asked"]["bots"] == ["careful"]
    assert len(data["lines"]) == len(tables_of("saviom", (7,))) == page.count("<td>usual") + page.count("<td>variant")
    study = Study(setup=make_setup("saviom", 7, {"mode": "advanced"}), bots=("careful",), seed="balance", games=500)
    wolves = simulate(study, players_here(1)).wins("Wolves")
    (row,) = [row for row in rows if (row["table"], row["side"]) == ("advanced", "Wolves")]
    assert (int(row["won"]), int(row["games"])) == wolves
    assert f"{100 * wolves.rate:.1f} %" in page


def test_the_page_is_in_the_language_of_the_reader_and_data_in_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("saviom", "--seats", "6", "--games", "100")
    for lang in ("en", "vi"):
        assert balance(*asked, "--out", str(tmp_path / lang), "--lang", lang, capsys=capsys)[0] == 0
    page = (tmp_path / "vi" / "saviom.html").read_text(encoding="utf-8")
    assert '<html lang="vi">' in page
    assert "<h2>Tất cả số liệu</h2>" in page
    for name in ("saviom.json", "saviom.csv"):
        assert (tmp_path / "vi" / name).read_bytes() == (tmp_path / "en" / name).read_bytes()


def test_a_second_run_plays_nothing_again_and_another_study_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("saviom", "--seats", "6", "--games", "300", "--out", str(tmp_path))
    first = balance(*asked, capsys=capsys)
    monkeypatch.setattr("roundtable.lab.balance.measuring.simulate", lambda *_: pytest.fail("played again"))
    assert balance(*asked, capsys=capsys)[:2] == first[:2]
    code, out, err = balance(*asked, "--bots", "random", capsys=capsys)
    assert (code, out) == (2, "")
    assert err == f"roundtable: {tmp_path / 'saviom.json'} holds something else; name another folder.\n"


OF_OURS = {"game": "saviom", "seats": [6], "bots": ["careful"], "seed": "balance", "games": 300}
ODD_LINES = json.dumps({"asked": OF_OURS, "lines": [{"seats": 6}]})


@pytest.mark.parametrize("written", ["my thesis", "[1]", '{"asked": 1}', ODD_LINES])
def test_figures_that_are_not_ours_are_left_alone(
    written: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "saviom.json"
    path.write_text(written)
    code, out, err = balance("saviom", "--seats", "6", "--games", "300", "--out", str(tmp_path), capsys=capsys)
    assert (code, out, err) == (2, "", f"roundtable: {path} holds something else; name another folder.\n")
    assert path.read_text() == written


def test_what_is_done_when_it_is_stopped_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("saviom", "--seats", "6", "--games", "300", "--out", str(tmp_path))
    looks = iter([False, False, False])
    monkeypatch.setattr("roundtable.cli.balance.stoppable", lambda: Stop(looks))
    code, _, err = balance(*asked, capsys=capsys)
    assert code == 130
    assert re.search(r"Stopped after 3 of 10 tables", err)
    assert len(json.loads((tmp_path / "saviom.json").read_text())["lines"]) == 3
    monkeypatch.undo()
    assert balance(*asked, capsys=capsys)[0] == 0
    assert len(json.loads((tmp_path / "saviom.json").read_text())["lines"]) == 10


class Stop:
    """Simulates Ctrl-C after a number of checks."""

    def __init__(self, looks: Any) -> None:
        self._looks = looks

    def __enter__(self) -> Any:
        return lambda: next(self._looks, True)

    def __exit__(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["chess"], "There is no game called 'chess'; choose avalon, thavalon or saviom."),
        (["saviom", "--seats", "5"], "Town of Saviom (Werewolf) takes 6 to 12 players, not 5."),
        (["saviom", "--games", "-3"], "--games takes a whole number from 1 to 1e12, not '-3'."),
        (
            ["thavalon", "--seats", "6", "--table", "Lady"],
            "There is no table 'Lady' here; choose from: usual rules; first_round=paired; no_target_call=yes.",
        ),
        (["saviom", "--bots", "random,careful"], "--bots takes one bot, or one for each side, not 2."),
    ],
)
def test_what_cannot_be_measured_gets_one_sentence(
    asked: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert balance(*asked, capsys=capsys) == (2, "", f"roundtable: {sentence}\n")
