"""The arena: the same deals for every pair of bots, guests in every role, figures that are right, and forfeits."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections import Counter
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from roundtable.cli import main
from roundtable.core.setup import Setup
from roundtable.games import game_named, make_setup
from roundtable.lab.arena import ArenaStudy, Results, Summary, arena_of, summarise
from roundtable.lab.arena import study as arena_study
from roundtable.lab.arena.bootstrap import Statistic, resample
from roundtable.lab.arena.fixtures import CONTESTS, GUESTS, TEAMS, Fixture, fixtures_of
from roundtable.lab.arena.forfeits import Fault
from roundtable.lab.arena.page import page
from roundtable.lab.arena.printed import printed
from roundtable.lab.arena.scores import team_won
from roundtable.lab.arena.sections import ArenaText
from roundtable.lab.arena.strengths import fit
from roundtable.lab.batches import on_this_machine, play
from roundtable.lab.plain import dealt_game
from roundtable.lab.simulate import players_here, simulate
from roundtable.lab.tally import Share
from support.entry_points import install
from support.paths import ROOT

EXAMPLE = f"{shlex.quote(sys.executable)} {ROOT / 'examples' / 'random_bot.py'} 7"
BOTS = '''
from roundtable.bots import RandomBot
from roundtable.games.quests.actions import CastVote

class Plain(RandomBot):
    """Has no machine code."""

class Copy(RandomBot):
    pass

class Contrary(RandomBot):
    """Rejects every team."""
    def choose(self, view, options, chance):
        return list(options[0])[-1] if view.phase.name == "vote" else super().choose(view, options, chance)

class Raises(RandomBot):
    def choose(self, view, options, chance):
        raise ValueError("no idea")

class Exits(RandomBot):
    def __init__(self):
        raise SystemExit(3)

class Cheats(RandomBot):
    def choose(self, view, options, chance):
        return CastVote(phase=view.phase.number + 1, approve=True)

class Babbles(RandomBot):
    def choose(self, view, options, chance):
        return [["approve"]]
'''


@pytest.fixture(autouse=True)
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module in the folder that the command is typed in."""
    (tmp_path / "entrants.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    sys.modules.pop("entrants", None)


def setup_of(game: str = "avalon", seats: int = 5) -> Setup:
    return make_setup(game, seats)


def arena(*bots: str, deals: int = 4, **other: Any) -> ArenaStudy:
    setup = other.pop("setup", None) or setup_of()
    return arena_of(setup, bots, deals=deals, seed="tea", **other)


def results_of(study: ArenaStudy) -> Results:
    results = Results(study)
    simulate(study, players_here(1), results)
    return results


def summary_of(*bots: str, **other: Any) -> Summary:
    return summarise(results_of(arena(*bots, **other)))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["arena", "avalon", "--seats", "5", "--seed", "tea", "--jobs", "1", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


# Which games


def test_every_ordered_pair_plays_as_teams_and_as_guest_and_hosts() -> None:
    fixtures = fixtures_of(("a", "b", "c"), 5, CONTESTS)
    assert Counter(fixture.guest is None for fixture in fixtures) == {True: 9, False: 6 * 5}
    assert len(set(fixtures)) == len(fixtures)
    assert fixtures_of(("a", "b"), 5, (TEAMS,)) == tuple(Fixture(one, other) for one, other in product("ab", repeat=2))
    guests = fixtures_of(("a", "b"), 5, (GUESTS,))
    assert {fixture.bots for fixture in guests if fixture.guest is None} == {frozenset("a"), frozenset("b")}


def test_a_team_has_all_seats_of_its_side_and_a_guest_has_one() -> None:
    assert Fixture("a", "b").seated([0, 1, 0, 1, 0]) == ("a", "b", "a", "b", "a")
    assert Fixture("a", "b", 3).seated([0, 1, 0, 1, 0]) == ("b", "b", "b", "a", "b")


@pytest.mark.parametrize("game", ["avalon", "thavalon", "saviom"])
def test_a_guest_sits_in_every_role_of_every_deal_equally_often(game: str) -> None:
    study = arena("entrants:Copy", "entrants:Plain", deals=2, setup=setup_of(game, 7), contests=(GUESTS,))
    batch = study.kernel.run(study.setup, study.bots, study.dice, 0, study.games)
    for deal in range(2):
        [roles] = {tuple(row) for row in batch.roles.reshape(2, -1, 7)[deal].tolist()}
        guest_roles = Counter(
            (fixture.bot, roles[fixture.guest]) for fixture in study.fixtures if fixture.guest is not None
        )
        dealt = Counter(roles)
        assert guest_roles == {(bot, role): dealt[role] for bot in study.bots for role in dealt}


def assert_same_deals(study: ArenaStudy) -> None:
    """Every fixture has the deals of the plain engine, in their order."""
    batch = study.kernel.run(study.setup, study.bots, study.dice, 0, study.games)
    rules = game_named(study.setup.game)
    for deal, rows in enumerate(batch.roles.reshape(study.deals, -1, study.setup.seats)):
        truth = dealt_game(rules, study.setup, study.dice, deal).state
        roles = [str(truth.roles[seat]) for seat in range(study.setup.seats)]
        assert [[batch.words.roles[role] for role in row] for row in rows] == [roles] * len(study.fixtures)
        first = rules.seats_of(truth, rules.sides[0])
        sides = batch.sides.reshape(study.deals, -1, study.setup.seats)[deal]
        assert (sides == [0 if seat in first else 1 for seat in range(study.setup.seats)]).all()


def test_every_pair_of_bots_plays_the_same_deals() -> None:
    assert_same_deals(arena("entrants:Plain", "entrants:Contrary", deals=3))


@pytest.mark.usefixtures("compiled_kernels", "compiled_town")
@pytest.mark.parametrize(("game", "seats"), [("avalon", 6), ("thavalon", 8), ("saviom", 7)])
def test_machine_code_plays_the_same_deals_as_classes_do(game: str, seats: int) -> None:
    study = arena("careful", "random", "entrants:Plain", deals=3, setup=setup_of(game, seats))
    assert not study.kernel.is_compiled
    assert_same_deals(study)
    compiled = arena("careful", "random", deals=3, setup=setup_of(game, seats))
    assert compiled.kernel.is_compiled
    assert_same_deals(compiled)


@pytest.mark.usefixtures("compiled_kernels")
def test_machine_code_gives_the_figures_that_simulate_gives() -> None:
    """The figures of docs/bots.md, of 100,000 games each; 1,000 deals have a standard error of 1.6 %."""
    teams = summary_of("careful", "random", deals=1_000, contests=(TEAMS,)).teams
    bots = ("careful", "random")
    measured = {(one, other): teams[one, other, 0].value for one, other in product(bots, repeat=2)}
    assert measured == pytest.approx(
        {
            ("careful", "careful"): 0.475,
            ("careful", "random"): 0.744,
            ("random", "careful"): 0.001,
            ("random", "random"): 0.375,
        },
        abs=0.05,
    )


def test_a_game_of_another_package_without_machine_code_has_an_arena_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, {"roundtable.games": {"cuckoo": "cuckoo:SPEC"}})
    asked = ("cuckoo", "--seats", "4", "careful", "random", "--deals", "5", "--seed", "tea", "--jobs", "1", "--json")
    assert main(["arena", *asked]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figures["deals"], figures["games"]) == (5, 5 * (4 + 2 * 4))
    assert [found["forfeits"] for found in figures["faults"]] == [0, 0]
    assert set(figures["sides"]) < set(figures["teams"][0])


def test_batches_play_the_same_games_in_any_order_and_size() -> None:
    study = arena("entrants:Plain", "entrants:Contrary", deals=2)
    whole = study.kernel.run(study.setup, study.bots, study.dice, 0, study.games)
    parts = [study.kernel.run(study.setup, study.bots, study.dice, first, 7) for first in (7, 0)]
    assert [*parts[1].length, *parts[0].length] == [*whole.length[:14]]
    assert summarise(results_of(study)).plain() == summary_of("entrants:Plain", "entrants:Contrary", deals=2).plain()


# Figures


def test_an_interval_is_that_of_resampled_deals() -> None:
    """Two deals, one of them won: a resample wins 0, 1 or 2 of 2 in 25, 50 and 25 % of cases."""
    found = resample({"half": Statistic(np.array([0.0, 1.0]), np.ones(2))}, 2, seed=1)["half"]
    assert found.estimate == (0.5, 0.0, 1.0)
    shares = Counter(found.draws.tolist())
    assert {share: shares[share] / 1_000 for share in (0.0, 0.5, 1.0)} == pytest.approx(
        {0.0: 0.25, 0.5: 0.5, 1.0: 0.25}, abs=0.05
    )


def test_an_interval_has_the_quantiles_of_the_binomial_distribution() -> None:
    """Resampling 36 of 100 deals won is drawing from it: 27 and 45 are its quantiles of 2.5 and 97.5 %."""
    won = np.zeros(100)
    won[:36] = 1
    value, low, high = resample({"share": Statistic(won, np.ones(100))}, 100, seed=2)["share"].estimate
    assert value == 0.36
    assert (low, high) == pytest.approx((0.27, 0.45), abs=0.011)


def test_games_of_one_deal_are_resampled_together() -> None:
    """Ten seats that always win together tell no more than one."""
    won = np.tile([0.0, 1.0], 50)
    statistics = {"one": Statistic(won, np.ones(100)), "ten": Statistic(10 * won, np.full(100, 10.0))}
    found = resample(statistics, 100, seed=3)
    assert found["ten"].estimate == pytest.approx(found["one"].estimate)


def test_a_difference_by_deal_is_surer_than_two_shares() -> None:
    luck = np.tile([0.0, 1.0], 50)
    better = luck.copy()
    better[0] = 1.0
    paired = resample({"gain": Statistic(better - luck, np.ones(100), is_difference=True)}, 100, seed=4)["gain"]
    assert paired.estimate.value == pytest.approx(0.01)
    assert paired.estimate.high - paired.estimate.low <= 0.04  # two shares of 50 % apart would have 0.28


def test_a_share_without_any_spread_has_wilsons_interval() -> None:
    found = resample({"all": Statistic(np.ones(20), np.ones(20))}, 20, seed=5)["all"]
    assert found.estimate == (1.0, *Share(20, 20).interval)
    none = resample({"no change": Statistic(np.zeros(20), np.ones(20), is_difference=True)}, 20, seed=5)
    assert none["no change"].estimate == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("won", "lost"), [(30.0, 10.0), (1.0, 99.0), (7.0, 7.0)])
def test_the_strengths_of_two_teams_are_their_log_odds(won: float, lost: float) -> None:
    strengths = fit(np.array([[won]]), np.array([[lost]]), prior=0)
    assert strengths[0, 0] - strengths[1, 0] == pytest.approx(math.log(won / lost))
    assert strengths.sum() == pytest.approx(0)
    smoothed = fit(np.array([[won]]), np.array([[lost]]))
    assert smoothed[0, 0] - smoothed[1, 0] == pytest.approx(math.log((won + 0.5) / (lost + 0.5)))


def test_strengths_are_the_most_likely_ones() -> None:
    won, lost = np.array([[12.0, 3.0], [19.0, 8.0]]), np.array([[8.0, 17.0], [1.0, 12.0]])
    best = searched(won + 0.5, lost + 0.5)
    assert fit(won, lost).ravel() == pytest.approx(best, abs=1e-4)


def searched(won: Any, lost: Any) -> Any:
    """The maximum of the likelihood by trying finer and finer steps along every strength."""
    best, step = np.zeros(4), 1.0

    def likelihood(strengths: Any) -> float:
        odds = strengths[:2, None] - strengths[None, 2:]
        return float((-won * np.log1p(np.exp(-odds)) - lost * np.log1p(np.exp(odds))).sum())

    while step > 1e-7:
        tried = [best + step * np.array(way) for way in product((-1, 0, 1), repeat=4)]
        better = max(tried, key=likelihood)
        step, best = (step / 2, best) if likelihood(better) <= likelihood(best) + 1e-12 else (step, better)
    return best - best.mean()


def test_strengths_of_many_resamples_are_fitted_at_once() -> None:
    dice = np.random.default_rng(6)
    won = dice.integers(1, 50, size=(7, 3, 3)).astype(float)
    many = fit(won, 50 - won)
    assert many.shape == (7, 2, 3)
    assert many[4] == pytest.approx(fit(won[4], 50 - won[4]), abs=1e-6)


def test_a_bot_that_always_wins_has_a_finite_strength() -> None:
    strengths = fit(np.array([[5.0, 9.0], [1.0, 5.0]]), np.array([[5.0, 0.0], [9.0, 5.0]]))
    assert np.isfinite(strengths).all()
    assert strengths[0, 0] > strengths[0, 1]


def test_a_copy_of_a_bot_gains_nothing() -> None:
    """Two classes that play alike win the same games, since they play the same deals with the same dice."""
    found = summary_of("entrants:Plain", "entrants:Copy", deals=3)
    assert {*found.differences.values(), *found.gains.values()} == {(0.0, 0.0, 0.0)}
    assert found.strengths["entrants:Plain", 0].value == pytest.approx(found.strengths["entrants:Copy", 0].value)


# Forfeits


@pytest.mark.parametrize(
    ("winner", "faults", "first", "second"),
    [
        (0, [0, 0, 0], True, False),
        (1, [0, 0, 0], False, True),
        (-1, [0, 0, 0], False, False),
        (0, [1, 0, 0], False, True),
        (1, [0, 0, 4], True, False),
        (0, [2, 0, 3], False, False),
    ],
)
def test_a_team_that_forfeits_has_lost(winner: int, faults: list[int], first: bool, second: bool) -> None:
    game = np.array([winner]), np.array([[0, 0, 1]]), np.array([faults])
    assert [bool(team_won(*game, side)[0]) for side in (0, 1)] == [first, second]


@pytest.mark.parametrize(
    ("bot", "fault"), [("Raises", "raised"), ("Exits", "raised"), ("Cheats", "illegal"), ("Babbles", "illegal")]
)
def test_a_class_that_fails_forfeits_and_is_counted(bot: str, fault: str) -> None:
    name = f"entrants:{bot}"
    summary = summary_of("entrants:Plain", name, deals=2)
    found = summary.faults[name]
    assert found.seats == 2 * (
        5 + 5 + 5 + 5 * 4
    )  # of each deal: against itself, once on each side, as a guest, and as hosts
    assert 0 < found.forfeits == found.by_fault[fault] <= found.seats
    assert summary.faults["entrants:Plain"].forfeits == 0
    assert summary.teams["entrants:Plain", name, 0].value == summary.teams[name, "entrants:Plain", 1].value == 1.0
    assert summary.guests[name, "entrants:Plain", None].value == 0.0


def program(script: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (("mine", ("sh", "-c", script)),)


def test_a_program_plays_many_games_in_a_process(tmp_path: Path) -> None:
    log = tmp_path / "starts"
    study = arena("mine", "entrants:Plain", deals=1, commands=program(f"echo started >> {log}; exec {EXAMPLE}"))
    summary = summarise(results_of(study))
    assert summary.faults["mine"].forfeits == 0
    assert log.read_text().split() == ["started"] * 5  # one for each seat, in the only batch
    assert summary.plain() == summarise(results_of(study)).plain()


@pytest.mark.parametrize(
    ("script", "seconds", "fault"),
    [
        ("exit 1", 60.0, "died"),
        ("echo '{}'; cat > /dev/null", 60.0, "illegal"),
        ("cat > /dev/null", 0.001, "late"),
    ],
)
def test_a_program_that_fails_forfeits_and_is_counted(script: str, seconds: float, fault: str) -> None:
    summary = summary_of(
        "mine", "entrants:Plain", deals=1, contests=(TEAMS,), commands=program(script), seconds=seconds
    )
    found = summary.faults["mine"]
    assert found.seats == 10
    assert found.by_fault == {**dict.fromkeys(("raised", "illegal", "late", "died"), 0), fault: 10}
    assert summary.teams["mine", "entrants:Plain", 0].value == summary.teams["entrants:Plain", "mine", 1].value == 0.0


def test_a_program_that_ended_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    log = tmp_path / "starts"
    commands = program(f"echo started >> {log}; exit 0")
    summary_of("mine", "entrants:Plain", deals=2, contests=(TEAMS,), commands=commands)
    assert len(log.read_text().split()) == 20


# Files and interruptions


def test_a_stopped_arena_goes_on_and_plays_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_study, "PLAIN_BATCH", 10)
    study, path = arena("entrants:Plain", "entrants:Raises", deals=4), tmp_path / "arena.parquet"
    expected = summarise(results_of(study))
    batches: list[int] = []

    def recording(study: Any, pieces: Any, stopped: Any) -> Any:
        for played in on_this_machine(study, pieces, 1, stopped):
            batches.append(played.slice.number)
            yield played

    stopped_after_three = Results(study, path)
    simulate(study, recording, stopped_after_three, stopped=lambda: len(batches) >= 2)
    assert summarise(stopped_after_three).deals == 2  # of 14 games each; batches cut through deals
    assert not path.exists()
    before, again = [*batches], Results(study, path)
    simulate(study, recording, again)
    assert sorted(batches) == [0, 1, 2, 3, 4, 5]
    assert batches[: len(before)] == before
    assert summarise(again).plain() == expected.plain()
    from_file = Results(study, path)
    simulate(study, recording, from_file)
    assert len(batches) == 6
    assert summarise(from_file).plain() == expected.plain()


def test_two_processes_play_what_one_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_study, "PLAIN_BATCH", 10)
    study, results = arena("entrants:Plain", "entrants:Contrary", deals=2), []
    for jobs in (1, 2):
        results.append(Results(study))
        simulate(study, players_here(jobs), results[-1])
    assert summarise(results[0]).plain() == summarise(results[1]).plain()


def test_the_file_has_a_row_for_each_game_with_its_line_up(tmp_path: Path) -> None:
    study, path = arena("entrants:Plain", "entrants:Cheats", deals=2), tmp_path / "arena.parquet"
    simulate(study, players_here(1), Results(study, path))
    rows = pq.read_table(path).to_pylist()
    assert [(row["game"], row["deal"]) for row in rows] == [(number, number // 14) for number in range(28)]
    for row in rows:
        fixture = study.fixtures[row["game"] % 14]
        seats = range(5)
        assert row["guest"] == fixture.guest
        assert tuple(row[f"bot_{seat}"] for seat in seats) == fixture.seated([row[f"side_{seat}"] for seat in seats])
        assert {row[f"bot_{seat}"] for seat in seats if row[f"fault_{seat}"] == Fault.ILLEGAL} <= {"entrants:Cheats"}
        assert all(row[f"won_{seat}"] == (row["winner"] == ("Good", "Evil")[row[f"side_{seat}"]]) for seat in seats)


def test_another_arena_is_never_mixed_in(tmp_path: Path) -> None:
    plans = [
        arena("entrants:Copy", "entrants:Plain", deals=1).plan(),
        arena("entrants:Copy", "entrants:Plain", deals=1, contests=(TEAMS,)).plan(),
        arena("entrants:Plain", "entrants:Copy", deals=1).plan(),
        arena("entrants:Copy", "entrants:Plain", deals=2).plan(),
    ]
    assert len({json.dumps(plan) for plan in plans}) == len(plans)


def test_a_slice_is_played_as_every_study_is() -> None:
    study = arena("entrants:Copy", "entrants:Plain", deals=1)
    played = play(study, next(study.slices()))
    assert played.tally.games == study.games == 14


# What is said

FIGURE = {"value": float, "low": float, "high": float}
BY_SIDE = {"both": FIGURE, "Good": FIGURE, "Evil": FIGURE}
SHAPE: Mapping[str, Any] = {
    "game": str,
    "seats": int,
    "options": {},
    "sides": [str],
    "bots": [str],
    "programs": {"mine": [str]},
    "contests": [str],
    "seed": str,
    "asked": int,
    "deals": int,
    "games": int,
    "is_complete": bool,
    "teams": [{"first": str, "second": str, "Good": FIGURE, "Evil": FIGURE}],
    "strengths": [{"bot": str, "Good": FIGURE, "Evil": FIGURE}],
    "differences": [{"bot": str, "other": str, **BY_SIDE}],
    "guests": [{"guest": str, "hosts": str, **BY_SIDE}],
    "gains": [{"guest": str, "hosts": str, **BY_SIDE}],
    "faults": [{"bot": str, "seats": int, "forfeits": int, "raised": int, "illegal": int, "late": int, "died": int}],
}


def shape_of(value: Any) -> Any:
    """Names and kinds; all members of a list have the same shape."""
    if isinstance(value, dict):
        return {name: shape_of(part) for name, part in value.items()}
    if isinstance(value, list):
        shapes = [shape_of(member) for member in value]
        assert all(shape == shapes[0] for shape in shapes)
        return shapes[:1]
    return type(value)


def test_the_command_prints_tables_json_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("entrants:Plain", "mine", "--program", f"mine={EXAMPLE}", "--deals", "3", "--json", "--page", "a.html")
    code, out, _ = run(capsys, *asked, "--out", "a.parquet")
    assert code == 0
    *lines, last = out.splitlines()
    assert shape_of(json.loads(last)) == SHAPE
    assert "Teams: how often Good won" in lines
    rows = [line.split()[0] for line in lines if line.startswith("  ")]
    assert rows.count("mine") == 4  # in every table, except for the one difference
    assert (tmp_path / "a.html").exists()
    assert run(capsys, *asked, "--out", "a.parquet")[1].splitlines()[-1] == last


def test_one_contest_alone_says_nothing_about_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    for contest, missing in ((TEAMS, ("guests", "gains")), (GUESTS, ("teams", "strengths", "differences"))):
        figures = json.loads(
            run(capsys, "entrants:Copy", "entrants:Plain", "--contest", contest, "--deals", "1", "--json")[
                1
            ].splitlines()[-1]
        )
        assert figures["contests"] == [contest]
        assert {name for name in figures if figures[name] == []} == {*missing}


class Cells(HTMLParser):
    """The cells of the heat maps, and every tag that is still open."""

    def __init__(self) -> None:
        super().__init__()
        self.heats: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        if "heat" in (dict(attributes).get("class") or ""):
            self.heats.append(dict(attributes)["style"] or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_the_page_has_a_warm_cell_for_every_rate(lang: str) -> None:
    summary = summary_of("entrants:Plain", "entrants:Contrary", deals=2)
    html = page(summary, ArenaText("avalon", lang))
    cells = Cells()
    cells.feed(html)
    assert cells.open == []
    assert len(cells.heats) == 4 + 3 + 2 * 4
    assert f'<html lang="{lang}">' in html
    assert "{{" not in html


def test_what_a_page_quotes_is_escaped() -> None:
    study = arena_of(setup_of(), ("entrants:Copy", "entrants:Plain"), deals=1, seed="<b>tea", contests=(TEAMS,))
    html = page(summarise(results_of(study)), ArenaText("avalon"))
    assert "&lt;b&gt;tea" in html
    assert "<b>" not in html


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "An arena needs two or more different bots."),
        (("careful",), "An arena needs two or more different bots."),
        (("careful", "random", "careful"), "An arena needs two or more different bots."),
        (("careful", "nobody"), "There is no bot called 'nobody'"),
        (("careful", "no_such_module:Bot"), "can’t be loaded: ModuleNotFoundError"),
        (("careful", "random", "--deals", "many"), "--deals takes a whole number"),
        (("careful", "random", "--deals", "1e9"), "--deals takes at most 714,285, not 1,000,000,000."),
        (("careful", "random", "--out", "a.csv"), "--out takes a file that ends in .parquet, not 'a.csv'."),
        (("careful", "random", "--page", "a.txt"), "--page takes a file that ends in .html, not 'a.txt'."),
        (("careful", "random", "--page", "nowhere/a.html"), "nowhere: No such file or directory."),
        (("careful", "random", "--seconds", "0"), "--seconds takes a number"),
        (("careful", "random", "--jobs", "0"), "--jobs takes a number"),
        (("careful", "mine", "--program", "mine"), "--program takes NAME=COMMAND"),
        (("entrants:Plain", "mine", "--program", "mine=/no/such/bot"), "/no/such/bot: No such file or directory."),
        (("careful", "random", "--option", "colour=blue"), "colour"),
    ],
)
def test_what_cannot_be_played_gets_one_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, told = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert sentence in told
    assert told.count("roundtable: ") == 1
    assert "Traceback" not in told


def test_without_the_extra_it_says_how_to_install_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundtable.lab.extras.find_spec", lambda package: None)
    code, out, told = run(capsys, "careful", "random")
    assert (code, out) == (2, "")
    assert "pip install 'roundtable-games[lab]'" in told


def test_an_arena_that_is_stopped_at_once_has_no_figures() -> None:
    summary = summarise(Results(arena("entrants:Copy", "entrants:Plain")))
    assert (summary.deals, summary.plain()["is_complete"], summary.plain()["teams"]) == (0, False, [])
    assert [*printed(summary, ArenaText("avalon"))][1:] == ["No deal is finished yet, so there are no figures."]


def test_an_unknown_contest_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(capsys, "careful", "random", "--contest", "duels")
    assert left.value.code == 2
    assert "duels" in capsys.readouterr().err
