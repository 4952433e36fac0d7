"""What the documents promise."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import roundtable
from planted_leaks import LEAKS

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "src" / "roundtable"


def test_the_readme_runs() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 10
    assert failures == 0


def test_architecture_shows_every_room_of_the_house() -> None:
    shown = (ROOT / "ARCHITECTURE.md").read_text()
    rooms = [room.name for room in HOUSE.iterdir() if room.is_dir() and (room / "__init__.py").exists()]
    modules = [module.name for module in (HOUSE / "table").glob("*.py") if module.name != "__init__.py"]
    assert [name for name in (*(f"{room}/" for room in rooms), *modules) if name not in shown] == []


def test_readme_and_changelog_count_the_planted_leaks_right() -> None:
    assert f"{len(LEAKS)}\n  leaks planted" in (ROOT / "README.md").read_text()
    assert f"{len(LEAKS)} planted leaks" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("name", roundtable.__all__)
def test_everything_exported_is_there_and_explained(name: str) -> None:
    exported = getattr(roundtable, name)
    assert not callable(exported) or exported.__doc__


def test_every_module_opens_with_a_sentence() -> None:
    silent = [module for module in HOUSE.rglob("*.py") if not module.read_text().startswith('"""')]
    assert silent == []
