"""The kernels follow the rules: the engine replays each of their games to the same end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import roundtable
from roundtable.core.errors import SetupError, StudyError
from roundtable.games import GAMES, make_setup
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.thavalon.setup import LOVERS, POOL_ROLES
from roundtable.kernels.cache import cache_folder, settings
from roundtable.kernels.compiling import entry
from roundtable.kernels.sources import source_stamp, sources_of
from roundtable.lab.engines import kernel
from support.kernel_tables import (
    COUNTS,
    QUEST_GAMES,
    RANDOM,
    SEED,
    TABLES,
    careful_seats,
    check_equal,
    every_table,
    setups,
)
from support.sizes import KERNEL_GAMES
from support.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("compiled_kernels")


@every_table
def test_the_engine_replays_kernel_games_to_the_same_outcome(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        check_equal(kernel(game), setup, RANDOM, place * 4, 4)


@pytest.mark.slow
@every_table
def test_the_engine_replays_many_kernel_games_of_each_kind(game: str, seats: int, no_gc: None) -> None:
    games = KERNEL_GAMES // TABLES
    for place, setup in enumerate(setups(game, seats)):
        check_equal(kernel(game), setup, RANDOM, place * games, games)


@pytest.mark.parametrize("seats", COUNTS)
def test_the_engine_replays_every_mixture_of_thavalons_changes(seats: int) -> None:  # T26
    of, without_lovers = kernel("thavalon"), [role for role in POOL_ROLES if role not in LOVERS]
    choices = {
        "pool": (None, POOL_ROLES, without_lovers),
        "proposals": ("limited", "five_rejections"),
        "reversal": (True, False),
        "declarations": (True, False),
        "targets": ("all", "merlin"),
        "no_target_call": (True, False),
    }
    for place, chosen in enumerate(product(*choices.values())):
        setup = make_setup("thavalon", seats, dict(zip(choices, chosen, strict=True)))
        check_equal(of, setup, RANDOM if place % 3 else careful_seats(seats, place // 3), place, 2)


@pytest.mark.parametrize("game", QUEST_GAMES)
def test_a_game_of_a_seed_is_the_same_in_every_batch(game: str) -> None:
    of, setup = kernel(game), make_setup(game, 7)
    whole = of.run(setup, RANDOM, SEED, 100, 50)
    for row in range(50):
        alone = of.run(setup, RANDOM, SEED, 100 + row, 1)
        for part in ("winner", "reason", "roles", "won", "length"):
            assert np.array_equal(getattr(alone, part)[0], getattr(whole, part)[row])
    other = of.run(setup, RANDOM, SEED + 1, 100, 50)
    assert not np.array_equal(other.roles, whole.roles)


def test_what_no_kernel_can_play_is_refused_in_a_sentence() -> None:
    of, setup = kernel("avalon"), make_setup("avalon", 5)
    with pytest.raises(SetupError, match="No bot called 'clever' plays in a kernel"):
        of.run(setup, ("clever",), SEED, 0, 1)
    with pytest.raises(SetupError, match="5 seats take one bot, two"):
        of.run(setup, ("random",) * 4, SEED, 0, 1)
    with pytest.raises(SetupError, match="A seed of the lab is a number from 0"):
        of.run(setup, RANDOM, -1, 0, 1)
    with pytest.raises(ValueError, match="-1 from 0 on are not"):
        of.run(setup, RANDOM, SEED, 0, -1)
    with pytest.raises(SetupError, match="Avalon takes 5 to 10 players"):
        of.run(AvalonSetup(seats=11), RANDOM, SEED, 0, 1)
    with pytest.raises(SetupError, match="does not play thavalon"):
        of.run(make_setup("thavalon", 5), RANDOM, SEED, 0, 1)


TINY = """
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.kernels.compiling import announced, entry

@entry
def double(number):
    return 2 * number

with announced("tiny"):
    print(double(21))
"""


@pytest.mark.slow
def test_a_kernel_says_that_it_compiles_and_does_so_again_when_a_rule_that_it_uses_has_changed(
    tmp_path: Path,
) -> None:
    house = tmp_path / "roundtable"
    copy_package(house)
    (tmp_path / "tiny.py").write_text(TINY)
    said = "Compiling the tiny kernel; this happens once, and may take half a minute.\n"
    assert [run_tiny(tmp_path), run_tiny(tmp_path)] == [said, ""]
    for changed, then in (("quests/bots/knowledge.py", said), ("quests/bots/shots.py", ""), ("avalon/game.py", "")):
        with (house / "games" / changed).open("a", encoding="utf-8") as source:
            source.write("# changed\n")
        assert run_tiny(tmp_path) == then


@pytest.mark.parametrize("game", GAMES)
def test_machine_code_of_a_game_is_made_from_what_its_modules_import(game: str) -> None:
    sources = sources_of(f"roundtable.games.{game}.compiled.kernel")
    folder = Path(roundtable.__file__).parent
    compiled = {path for path in folder.glob(f"games/{game}/compiled/*.py") if path.name != "__init__.py"}
    assert compiled <= set(sources.values())
    assert {"roundtable.kernels.chance", "roundtable.core.seats"} <= set(sources)
    other = set(GAMES) - {game}
    assert not [name for name in sources if any(f".{part}." in name for part in ("text", "people", "storage", *other))]


def test_numbers_reach_machine_code_through_other_modules_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = tmp_path / "some_game"
    sources = {
        "__init__": "",
        "kernel": "from some_game import bots\nfrom .rules import SIZE\n",
        "rules": "def read():\n    from roundtable.core.seats import CLOCK\n",
        "bots/__init__": "import numpy\nfrom some_game.bots.habits import HABIT\n",
        "bots/habits": "HABIT = 1\n",
        "bots/unused": "from some_game.kernel import anything\n",
    }
    (house / "bots").mkdir(parents=True)
    for name, text in sources.items():
        (house / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    import_module("some_game")
    found = [name for name in sources_of("some_game.kernel") if name.startswith("some_game")]
    assert found == [f"some_game.{name}" for name in ("bots", "bots.habits", "kernel", "rules")]
    assert "roundtable.core.seats" in sources_of("some_game.kernel")
    before = source_stamp.__wrapped__("some_game.kernel")
    (house / "bots" / "unused.py").write_text("OTHER = 2\n")
    assert source_stamp.__wrapped__("some_game.kernel") == before
    (house / "bots" / "habits.py").write_text("HABIT = 2\n")
    assert source_stamp.__wrapped__("some_game.kernel") != before


@pytest.mark.slow
def test_a_kernel_runs_where_no_cache_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    (tmp_path / "tiny.py").write_text(TINY)
    said = "Compiling the tiny kernel; this happens once, and may take half a minute.\n"
    assert [run_tiny(tmp_path), run_tiny(tmp_path)] == [said, said]


@pytest.mark.slow
def test_two_copies_of_the_same_sources_share_their_machine_code(tmp_path: Path) -> None:
    said = []
    for name in ("one", "other"):
        copy_package(tmp_path / name / "roundtable")
        (tmp_path / name / "tiny.py").write_text(TINY)
        said.append(run_tiny(tmp_path / name, tmp_path / "cache"))
    assert ["Compiling" in line for line in said] == [True, False]


def test_code_for_other_types_is_kept_beside_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "CACHE_DIR", str(tmp_path))
    first, other = (cast(Any, entry(twice)) for _ in range(2))  # as in two processes: neither has compiled anything
    assert (first(21), other(1.5), first(1.5), other(21)) == (42, 3.0, 3.0, 42)
    assert len(list(tmp_path.rglob("*.nbc"))) == 2
    again = cast(Any, entry(twice))
    assert (again(21), again(1.5)) == (42, 3.0)
    assert sum(again.stats.cache_hits.values()) == 2


def twice(number: Any) -> Any:
    return 2 * number


def test_machine_code_that_nothing_used_for_long_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "CACHE_DIR", str(tmp_path))
    unused, used, new = tmp_path / "roundtable" / "unused", cache_folder(__name__), tmp_path / "roundtable" / "new"
    for folder in (unused, used):
        folder.mkdir(parents=True)
        os.utime(folder, (0, 0))
    entry(twice)  # this uses its own folder
    monkeypatch.setattr("roundtable.kernels.cache.cache_folder", lambda module: new)
    entry(twice)  # the first use of a new folder deletes what is old
    assert [folder.exists() for folder in (unused, used, new)] == [False, True, True]


def copy_package(to: Path) -> None:
    """The sources alone: other tests may be writing into the other folders."""
    written_by_others = shutil.ignore_patterns("__pycache__", "web_app")
    shutil.copytree(Path(roundtable.__file__).parent, to, ignore=written_by_others)


def run_tiny(folder: Path, cache: Path | None = None) -> str:
    """What it says in a process of its own."""
    cached = str(cache or folder / "cache")
    paths = os.pathsep.join([str(folder), str(Path(roundtable.__file__).parent.parent)])
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": cached}
    ran = subprocess.run(
        [sys.executable, folder / "tiny.py"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert ran.stdout == "42\n"
    return ran.stderr


def test_without_the_extra_one_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundtable.lab.extras.find_spec", lambda name: None)
    with pytest.raises(StudyError, match=r"pip install 'roundtable-games\[lab\]'"):
        kernel("avalon")
