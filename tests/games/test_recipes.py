"""The recipes in the documentation work: a test follows each of them, step by step."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT
from support.recipes import apply_change, blocks_of, files_of
from support.waiting import PATIENCE

CUCKOO = ROOT / "tests" / "packages" / "cuckoo"


def run(path: Path, code: str) -> str:
    """Run Python code with the packages of a folder first."""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.slow
def test_a_role_is_added_as_the_page_says(tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("web_app", "__pycache__"))
    blocks = [block for block in blocks_of(ROOT / "docs" / "adding-a-role.md") if block.language == "diff"]
    for block in blocks:
        apply_change(tmp_path, block)
    assert len(blocks) >= 8
    checked = run(source, "from roundtable.testing import check_game; print(check_game('thavalon', pairs=200).games)")
    assert checked == "40\n"
    dealt = run(
        source,
        """
from roundtable.games import GAMES, new_game
from roundtable.text.cards import cards_of
for number in range(60):
    play = new_game("thavalon", 5, bytes([number]) * 32)
    for seat in range(5):
        if play.view(seat).roles[seat] == "Guinevere":
            heard = [line.event for line in play.heard(seat)]
            for lang in ("en", "vi"):
                cards = cards_of(GAMES["thavalon"], play.state.setup, list("abcde"), lang)
                print(cards.card(seat, play.view(seat), heard))
""",
    )
    assert "You are Guinevere [Good]" in dealt
    assert " is Lancelot or Maelagant." in dealt
    assert "không phân biệt được ai là ai" in dealt
    tables = deal_tables(tmp_path)
    assert all("Guinevere" in tables["good"][str(seats)] for seats in range(5, 11))


def deal_tables(checkout: Path) -> dict[str, Any]:
    """What the web app of a checkout repeats a deal of THavalon from, written by the standard library alone."""
    shutil.copytree(ROOT / "tools", checkout / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "-I", "-S", checkout / "tools" / "deal_tables.py"], check=True)
    written = checkout / "web" / "src" / "games" / "generated" / "thavalon.json"
    found: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
    return found


def test_the_files_of_the_page_on_games_are_those_of_the_package() -> None:
    """The page shows the package that tests/games/test_installed_game.py installs, file by file."""
    files = files_of(ROOT / "docs" / "adding-a-game.md")
    for path, text in files.items():
        assert text == (CUCKOO / path).read_text(encoding="utf-8"), path
    shown = {path for path in files if path.endswith((".py", ".json", ".toml"))}
    there = {
        file.relative_to(CUCKOO).as_posix()
        for file in CUCKOO.rglob("*")
        if file.suffix in (".py", ".json", ".toml") and "__pycache__" not in file.parts
    }
    assert there - shown <= {"cuckoo/text/vi.json", "cuckoo/text/__init__.py"}


@pytest.mark.slow
def test_a_game_is_added_as_the_page_says(tmp_path: Path) -> None:
    """Written down from the page alone, the game keeps the laws of the table."""
    for path, text in files_of(ROOT / "docs" / "adding-a-game.md").items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "cuckoo" / "text" / "__init__.py").touch()
    code = "from cuckoo import SPEC; from roundtable.testing import check_game; print(check_game(SPEC).games)"
    assert run(tmp_path, code) == "40\n"
