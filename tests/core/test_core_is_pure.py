"""The rules import the standard library alone, and use no clock, randomness or files of their own."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import roundtable

HOUSE = Path(roundtable.__file__).parent
RULES = {"__init__", "actions", "deal", "events", "flow", "formulas", "game", "options", "registry", "roles"}
RULES |= {"setup", "state", "tables"}
CORE = sorted(
    [
        *(
            module for module in (HOUSE / "core").rglob("*.py") if module.stem != "plugins"
        ),  # it logs what it cannot load
        *(
            module
            for where in ("*.py", "*/*.py")  # not a game's compiled code, in its own folder
            for module in (HOUSE / "games").glob(where)
            if module.stem in RULES
        ),
    ]
)
IMPURE = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "sys"}
IMPURE |= {"subprocess", "tempfile", "threading", "time", "uuid"}


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("module", CORE, ids=lambda path: str(path.relative_to(HOUSE)))
def test_the_core_imports_only_itself_and_the_standard_library(module: Path) -> None:
    for name in imported(module):
        top = name.partition(".")[0]
        is_own = name.startswith(("roundtable.core", "roundtable.games"))
        assert is_own or (top in sys.stdlib_module_names and top not in IMPURE), f"{name} in {module.name}"


@pytest.mark.parametrize("module", CORE, ids=lambda path: str(path.relative_to(HOUSE)))
def test_the_core_opens_no_file_and_prints_nothing(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input", "exec", "eval"}, f"{node.func.id} in {module.name}"


def test_the_core_knows_no_game() -> None:
    for module in (HOUSE / "core").rglob("*.py"):
        assert not [name for name in imported(module) if name.startswith("roundtable.games")]
