"""Everything about a game is in its folder: no other code asks which game it is."""

from __future__ import annotations

import re

from roundtable.games.registry import BUILT_IN
from support.paths import ROOT

NAMED = re.compile(rf"[\"']({'|'.join(BUILT_IN)})[\"']")
SOURCE = ROOT / "src" / "roundtable"
# Modules that are about one game by their purpose: what researchers import, and the dealer that comes as one file.
ABOUT_ONE_GAME = {"lab/avalon_v0.py", "lab/thavalon_v0.py", "lab/saviom_v0.py", "cli/deal.py"}


def test_no_code_outside_a_games_folder_names_a_game() -> None:
    found = set()
    for module in SOURCE.rglob("*.py"):
        path = module.relative_to(SOURCE).as_posix()
        if not path.startswith("games/") and NAMED.search(without_docstring(module.read_text(encoding="utf-8"))):
            found.add(path)
    assert found == ABOUT_ONE_GAME


def without_docstring(source: str) -> str:
    return source.split('"""', 2)[2]
