"""The free parameters of the sage in the quest games. They are set by hand; `benchmarks.sage.tune` tunes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

FILE = "parameters.json"


@dataclass(frozen=True, kw_only=True)
class Parameters:
    kinds: dict[str, float]
    """How likely another player is to be of each kind, before anything was seen."""
    careful: float
    """Above which chance that Evil plays as careful bots do, or by logic alone, no one hides from them."""
    doubt: float
    """How far Good goes by what is foreseen where Evil is not careful, and not by games that careful bots play on."""
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


def read() -> Parameters:
    found: dict[str, Any] = json.loads((files(__package__) / FILE).read_text("utf-8"))
    parts: dict[str, Any] = {name: tuple(part) if isinstance(part, list) else part for name, part in found.items()}
    return Parameters(**parts)


PARAMETERS = read()
