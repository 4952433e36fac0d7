"""The free parameters of the sage in the quest games, as `tools/tune_sage.py` has found them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

FILE = "parameters.json"

ByFailures = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Parameters:
    kinds: dict[str, float]
    """How likely another player is to be of each kind, before anything was seen."""
    merlin_leads: ByFailures
    """How often Merlin leads as a player would who knows no one, by how many quests have failed."""
    merlin_votes: ByFailures
    evil_votes: ByFailures
    """How often Evil votes so."""
    evil_wants_fellows: float
    """How many points of suspicion a team may have more for each Fail that it can play."""
    ballot: float
    """How often one ballot decides, as far as temperature goes."""
    fails: float
    """How often a team with enough Evil on it fails."""
    passes: tuple[float, float]
    """How often a team is approved that a servant finds unfair, and fair."""
    waiting: float
    """What each rejected team costs Good."""
    hit: float
    """How often Merlin is found at the end."""
    wins: tuple[float, ...]
    """How often Good wins with so many quests won (0 to 2) and lost (0 to 2): nine numbers."""

    def hiding(self, is_merlin: bool, phase: str) -> ByFailures | None:
        if phase == "propose":
            return self.merlin_leads if is_merlin else None
        if phase == "vote":
            return self.merlin_votes if is_merlin else self.evil_votes
        return None


def read() -> Parameters:
    found: dict[str, Any] = json.loads((files(__package__) / FILE).read_text("utf-8"))
    parts: dict[str, Any] = {name: tuple(part) if isinstance(part, list) else part for name, part in found.items()}
    return Parameters(**parts)


PARAMETERS = read()
