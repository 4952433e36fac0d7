"""What README, CONTRIBUTING.md and the documentation promise holds."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import roundtable
from roundtable.bots.dice import Dice
from roundtable.cli import build_parser
from roundtable.cli.completion import words_by_command
from roundtable.games import GAMES
from roundtable.kernels.environment import Environment
from roundtable.testing.generators import any_setup
from support import planted_dealer_leaks, planted_leaks, planted_server_leaks
from support.paths import ROOT

HOUSE = ROOT / "src" / "roundtable"


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("README.md", 6),
        ("docs/python.md", 12),
        ("docs/bots.md", 7),
        ("docs/belief.md", 12),
        pytest.param("docs/environments.md", 24, marks=pytest.mark.slow),
    ],
)
def test_the_examples_of_the_documents_run(page: str, least: int) -> None:
    failures, tried = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried >= least
    assert failures == 0


def test_architecture_shows_every_room_of_the_house() -> None:
    shown = (ROOT / "ARCHITECTURE.md").read_text()
    rooms = [room.name for room in HOUSE.iterdir() if room.is_dir() and (room / "__init__.py").exists()]
    modules = [module.name for room in ("core", "rooms") for module in (HOUSE / room).glob("[!_]*.py")]
    assert [name for name in (*(f"{room}/" for room in rooms), *modules) if name not in shown] == []


def test_readme_and_changelog_count_the_planted_leaks_right() -> None:
    leaks = [leak for where in (planted_leaks, planted_server_leaks, planted_dealer_leaks) for leak in where.LEAKS]
    assert f"{len(leaks)}\n  leaks planted" in (ROOT / "README.md").read_text()
    assert f"{len(leaks)} planted leaks" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("name", roundtable.__all__)
def test_everything_exported_is_there_and_explained(name: str) -> None:
    exported = getattr(roundtable, name)
    assert not callable(exported) or exported.__doc__


def test_every_module_opens_with_a_sentence() -> None:
    silent = [module for module in HOUSE.rglob("*.py") if not module.read_text().startswith('"""')]
    assert silent == []


@pytest.mark.skipif(shutil.which("git") is None, reason="Git is not installed")
def test_games_played_in_a_checkout_are_not_committed_and_those_of_tests_are(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    shutil.copy(ROOT / ".gitignore", tmp_path)
    asked = ["avalon-20260101-120000.jsonl", "games/w.jsonl", "tests/golden/game.jsonl", "tests/game.jsonl"]
    ignored = subprocess.run(["git", "-C", str(tmp_path), "check-ignore", *asked], capture_output=True, text=True)
    assert ignored.stdout.split() == asked[:2]


def test_the_page_on_records_names_every_command_that_writes_one() -> None:
    page = (ROOT / "docs" / "records.md").read_text()
    writing = [name for name, words in words_by_command(build_parser()).items() if "--record" in words]
    assert [name for name in writing if f"    roundtable {name} " not in page] == []


def test_every_make_target_that_the_documents_name_is_there() -> None:
    rules = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    named = {
        name for page in pages for name in re.findall(r"(?:^    |^|`)make ([a-z-]+)", page.read_text(), re.MULTILINE)
    }
    assert {"check", "test", "soak", "bench", "format", "run", "dist"} <= named
    assert named - set(rules) == set()


def test_every_harness_that_contributing_lists_is_there() -> None:
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("### The harnesses")[2].partition("\n### ")[0]
    rows = [row for row in section.splitlines() if row.startswith("| ") and ".py" in row]
    assert len(rows) >= 12
    for row in rows:
        folder = ROOT / "tests" / "support" / ("web" if "`web/`" in row else "")
        files = [(folder / name).read_text() for name in re.findall(r"`(\w+\.py)`", row)]
        named = re.findall(r"`(\w+)`", row)
        assert [name for name in named if not re.search(rf"(class|def) {name}\b", "".join(files))] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_an_environment_is_explained(name: str) -> None:
    page = (ROOT / "docs" / "environments.md").read_text()
    environment: Environment = GAMES[name].part("environment")
    for seed in range(20):
        setup = any_setup(GAMES[name].game, Dice(seed))
        parts = [part.name for part in environment.layout(setup).parts if not part.name.startswith("seen_as_")]
        kinds = {type(move).__name__ for move in environment.moves(setup)}
        assert [one for one in (*parts, *kinds) if f"`{one}`" not in page] == []
