"""The games of people, read from the file that ROUNDTABLE_HUMAN_GAMES names, and which of them only test."""

from __future__ import annotations

import gzip
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

TEST_ONE_IN = 3  # fixed before the first fit; see docs/people.md


def is_test(game_id: str) -> bool:
    """Whether a game is for testing alone: a third of all, by a hash of the id."""
    return int.from_bytes(sha256(game_id.encode()).digest()[:8], "big") % TEST_ONE_IN == 0


def fold_of(game_id: str, folds: int) -> int:
    """The part of a training game in a cross-validation; independent of the split."""
    return int.from_bytes(sha256(game_id.encode()).digest()[8:16], "big") % folds


def games_path() -> Path:
    """Where the games are; ends the program with a sentence where they are not."""
    named = os.environ.get("ROUNDTABLE_HUMAN_GAMES")
    if not named:
        raise SystemExit("Set ROUNDTABLE_HUMAN_GAMES to the file of human games (.jsonl.gz); it is not part of the project.")
    path = Path(named)
    if not path.is_file():
        raise SystemExit(f"ROUNDTABLE_HUMAN_GAMES names {named}, and there is no such file.")
    return path


def read_games(path: Path, *, test: bool) -> list[dict[str, Any]]:
    """The test games, or all others."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [game for line in lines if is_test((game := json.loads(line))["id"]) is test]
