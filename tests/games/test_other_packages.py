"""Games and bots of other packages: found by entry point, played, simulated and checked like the built-in ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from roundtable.bots import BOTS, BUILT_IN, Bot, CarefulBot, RandomBot, make_bot, play_out
from roundtable.bots.dice import Dice
from roundtable.cli import main
from roundtable.core.actions import Move
from roundtable.core.chance import Chance
from roundtable.core.errors import PluginError, SetupError
from roundtable.core.options import Options
from roundtable.games import GAMES, make_setup, new_game
from roundtable.lab import studies
from roundtable.lab.engines import kernel, kernel_for
from roundtable.lab.environments.table import Table
from roundtable.lab.parquet_store import ParquetStore
from roundtable.lab.plain import PlainKernel
from roundtable.lab.simulate import players_here, simulate
from roundtable.lab.studies import Study
from roundtable.lab.vector_env import stepper
from roundtable.protocol import rooms as ask
from roundtable.testing import check_game
from support.entry_points import install, write_package
from support.paths import TESTS
from support.room_harness import room_with_members, virtual_time_test
from support.scenes import SEED
from support.virtual_time import VirtualLoop
from support.waiting import PATIENCE

PLAIN = "support.plain_cuckoo:SPEC"
PACKAGE = {
    "roundtable.games": {
        "cuckoo": PLAIN,
        "avalon": PLAIN,
        "broken": "no_such_module:SPEC",
    },
    "roundtable.bots": {"first": f"{__name__}:FirstBot", "number": f"{__name__}:TESTS"},
}


class FirstBot:
    """Takes the first choice of the first option."""

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        return next(iter(options[0])) if options else None


@pytest.fixture(autouse=True)
def other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, tmp_path / "site", PACKAGE)


def cuckoo(games: int = 60, **other: Any) -> Study:
    chosen: dict[str, Any] = {"setup": make_setup("cuckoo", 5), "bots": ("random",), "seed": "tea"}
    return Study(**{**chosen, **other}, games=games)


# Names


def test_games_and_bots_of_other_packages_are_listed_after_the_built_in_ones() -> None:
    assert list(GAMES) == ["avalon", "thavalon", "saviom", "broken", "cuckoo"]
    assert list(BOTS) == [*BUILT_IN, "first", "number"]
    assert type(make_bot("first")) is FirstBot
    assert GAMES["avalon"].game.name == "avalon"


def test_an_entry_point_that_leads_nowhere_gets_one_sentence() -> None:
    with pytest.raises(PluginError, match="can’t be loaded: ModuleNotFoundError"):
        GAMES["broken"]
    with pytest.raises(PluginError, match="is not a Bot"):
        make_bot("number")
    with pytest.raises(SetupError, match="'fred'; choose careful, easy, fair, first, number, random, sage or strong"):
        make_bot("fred")


def test_the_laws_of_the_table_are_checked_by_name() -> None:
    assert check_game("cuckoo", games=10, pairs=20).games == 10
    assert check_game(GAMES["cuckoo"], games=10, pairs=20).twins.pairs >= 20


# Bots


def test_the_careful_bot_plays_a_game_without_a_policy_as_the_random_bot_does() -> None:
    play = new_game("cuckoo", 5, SEED)
    view, options = play.view(0), play.options(0)
    assert CarefulBot().probabilities(view, options) == RandomBot().probabilities(view, options)
    assert CarefulBot().probabilities(view, ()) == {None: Fraction(1)}
    plays = [new_game("cuckoo", 5, SEED) for _ in range(2)]
    bots: list[Bot] = [CarefulBot(), RandomBot()]
    for bot, one in zip(bots, plays, strict=True):
        play_out(one, dict.fromkeys(range(5), bot), Dice(3))
    assert plays[0].entries == plays[1].entries


@virtual_time_test
async def test_a_room_takes_an_installed_bot_and_refuses_another(loop: VirtualLoop) -> None:
    harness = await room_with_members(loop, 2)
    assert await harness.host.ask(ask.SeatBot(seat=3, bot="first")) == "done"
    assert await harness.host.ask(ask.SeatBot(seat=4, bot="fred")) == "setup/bot"
    assert await harness.host.ask(ask.SeatBot(bot="fred")) == "setup/bot"
    unknown = ask.ChangeSettings(settings=ask.SettingsChange(takeover_bot="fred"))
    assert await harness.host.ask(unknown) == "setup/bot"
    assert harness.host.shown["seats"][3]["bot"] == "first"


# The lab


def test_a_game_without_machine_code_is_simulated_by_the_plain_engine() -> None:
    of = cuckoo()
    assert not of.kernel.is_compiled
    tally = simulate(of, players_here(1))
    assert tally.games == 60
    assert set(tally.endings) == {("Nest", "cuckoo_found"), ("Intruder", "cuckoo_unseen")}
    assert tally.moves == 60 * 5
    assert tally == simulate(of, players_here(1)) != simulate(cuckoo(seed="coffee"), players_here(1))


def test_a_plain_game_of_a_seed_is_the_same_in_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(cuckoo(), players_here(1))
    monkeypatch.setattr(studies, "PLAIN_BATCH", 7)
    assert len(list(cuckoo().slices())) == 9
    assert simulate(cuckoo(), players_here(1)) == whole


def test_plain_games_are_kept_in_the_same_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "PLAIN_BATCH", 25)
    of, path = cuckoo(), tmp_path / "games.parquet"
    tally = simulate(of, players_here(1), ParquetStore(path, of))
    rows = pq.read_table(path).to_pylist()
    assert [row["game"] for row in rows] == [*range(60)]
    assert list(rows[0]) == ["game", "winner", "reason", "length", *(f"role_{seat}" for seat in range(5))]
    assert sum(row["winner"] == "Nest" for row in rows) == tally.wins("Nest").cases
    assert {row["role_0"] for row in rows} == {"Songbird", "Cuckoo"}


def test_a_bot_of_another_package_plays_any_game_in_the_plain_engine() -> None:
    assert kernel_for("avalon", ("careful", "random")).is_compiled
    of = Study(setup=make_setup("avalon", 5), bots=("first", "careful"), seed="tea", games=20)
    assert not of.kernel.is_compiled
    tally = simulate(of, players_here(1))
    assert tally.dealt["Merlin"] == 20
    assert tally.wins("Good").cases + tally.wins("Evil").cases == 20
    assert of.kernel.sides == ("Good", "Evil")


def test_the_plain_engine_wins_as_often_as_machine_code(compiled_kernels: None) -> None:
    setup, games = make_setup("avalon", 5), 400
    batches = [of.run(setup, ("random",), 1, 0, games) for of in (PlainKernel(GAMES["avalon"].game), kernel("avalon"))]
    plain, compiled = ((batch.winner == 0).mean() for batch in batches)
    assert abs(plain - compiled) < 0.1
    assert abs(batches[0].length.mean() / batches[1].length.mean() - 1) < 0.1


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (("random",) * 3, "5 seats take one bot, two .one for each side. or 5, not 3"),
        (("fred",), "There is no bot called 'fred'"),
    ],
)
def test_a_crew_that_does_not_fit_is_refused(bots: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        simulate(cuckoo(bots=bots), players_here(1))


def test_bots_by_side_need_two_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulate(cuckoo(bots=("random", "first")), players_here(1)).games == 60
    monkeypatch.setattr(type(GAMES["cuckoo"].game), "sides", ())
    with pytest.raises(SetupError, match="need a game with two sides"):
        simulate(cuckoo(bots=("random", "first")), players_here(1))


@pytest.mark.slow
def test_the_command_plays_it_on_several_cores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "cuckoo", "--seats", "4", "--games", "1200", "--seed", "tea", "--bots", "random", "--json"]
    assert main([*asked, "--jobs", "1"]) == 0
    here = json.loads(capsys.readouterr().out.splitlines()[-1])
    paths = [str(write_package(tmp_path / "other", PACKAGE)), str(TESTS), *sys.path]
    ran = subprocess.run(
        [sys.executable, "-m", "roundtable", *asked, "--jobs", "2"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert json.loads(ran.stdout.splitlines()[-1]) == here
    assert here["games"] == 1200


def test_what_a_game_lacks_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    setup = make_setup("cuckoo", 4)
    with pytest.raises(PluginError, match="cuckoo has no environment: its GameSpec names none"):
        Table(setup)
    with pytest.raises(PluginError, match="cuckoo has no kernel"):
        stepper(setup, 4)
    with pytest.raises(PluginError, match="cuckoo has no kernel"):
        kernel("cuckoo")
    assert main(["balance", "cuckoo"]) == 2
    assert capsys.readouterr().err == "roundtable: cuckoo has no balance: its GameSpec names none.\n"
