"""Rules of thumb for how people accuse, judge, hunt and protect: a model with a few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from roundtable.belief.contract import Floats, Situation
from roundtable.core.actions import Move
from roundtable.games.saviom.actions import Accuse, Hunt, Judge, Protect
from roundtable.games.saviom.setup import Role

if TYPE_CHECKING:
    from roundtable.games.saviom.belief import SaviomViewpoints


@dataclass(frozen=True, kw_only=True)
class SaviomHabits:
    """Wolves spare one another. The numbers are rules of thumb, not measurements."""

    accuse_fellow: float = 0.35  # how much likelier a Wolf accuses another Wolf than any other player
    eliminate: float = 0.55  # a verdict
    eliminate_fellow: float = 0.15  # a Wolf's on a Wolf
    eliminate_as_wolf: float = 0.7  # a Wolf's on any other player
    agree: float = 0.9  # how often Wolves agree on a player by night

    def log_chances(self, situation: Situation, move: Move, viewpoints: object) -> Floats:
        points: SaviomViewpoints = viewpoints  # type: ignore[assignment]
        living, is_wolf = len(situation.state.alive), points.packs > 0
        match move:
            case Accuse(target=target):
                fellows = np.bitwise_count(points.packs & mask_of(situation.state.alive - {situation.seat}))
                liking = np.where(points.packs >> target & 1, self.accuse_fellow, 1.0)
                return np.asarray(np.log(liking / (living - 1 - fellows + self.accuse_fellow * fellows)))
            case Judge(eliminate=eliminate):
                on_fellow = (points.packs >> situation.state.accused & 1).astype(bool)
                as_wolf = np.where(on_fellow, self.eliminate_fellow, self.eliminate_as_wolf)
                likely = np.where(is_wolf, as_wolf, self.eliminate)
                return np.log(likely if eliminate else 1 - likely)
            case Hunt(target=target):
                prey = living - np.bitwise_count(points.packs & mask_of(situation.state.alive))
                may = is_wolf & ~(points.packs >> target & 1).astype(bool)
                return np.log(np.where(may, self.agree / np.maximum(prey, 1), 1e-9))
            case Protect():
                protector = np.array([role == Role.PROTECTOR for role in points.names])[points.roles]
                return np.log(np.where(protector, 1 / max(1, living - 1), 1e-9))
        return np.zeros(len(points))


class Claims(NamedTuple):
    """How likely a remark of a player is to be a claim to be the Seer, or to have seen something as the Seer."""

    seer: float
    """The Seer's, where it is true."""
    wolf: float
    other: float
    """Anyone else's, and what a Seer says that is false."""


CLAIMS = Claims(seer=0.5, wolf=0.1, other=0.005)


def mask_of(seats: frozenset[int]) -> int:
    return sum(1 << seat for seat in seats)
