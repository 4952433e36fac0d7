"""The free parameters of the sage in Saviom."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

FILE = "parameters.json"


@dataclass(frozen=True, kw_only=True)
class Parameters:
    kinds: dict[str, float]
    """How likely another player is to be of each kind, before anything was seen."""
    slip: float
    """How often a careful player does anything at all."""
    insight: float
    """How much likelier than a random player the one whom the town condemns is to be a Wolf."""
    follows: float
    """How many of those who have not accused yet join any one accusation."""
    ballot: float
    """How often one accusation or verdict decides, as far as temperature goes."""
    hides: dict[str, float]
    """How often a Wolf does, in each phase, as a Citizen would."""


def read() -> Parameters:
    return Parameters(**json.loads((files(__package__) / FILE).read_text("utf-8")))


PARAMETERS = read()
