"""How other players act, as models of a belief: those who play as `careful` does, and those who do anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.contract import Floats, Situation
from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.games.saviom.actions import Accuse, Hunt, Judge, Protect
from roundtable.games.saviom.belief import SaviomViewpoints
from roundtable.games.saviom.bots.careful import looks_like_a_wolf, opened_against, stood_apart
from roundtable.games.saviom.habits import mask_of
from roundtable.games.saviom.setup import Role
from roundtable.games.saviom.state import SaviomState

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class CarefulTown:
    """The chances of bots/careful.py, for all viewpoints of a seat at once.

    A Seer has seen each of the others with the same chance, so that a Seer who goes against a Wolf gives both away.
    """

    slip: float

    def log_chances(self, situation: Situation, move: Move, viewpoints: Any) -> Floats:
        state, points = situation.state, viewpoints
        match move:
            case Accuse(target=target):
                meant, choices = accuses(state, points, target), len(state.alive) - 1
            case Judge(eliminate=eliminate):
                likely = condemns(state, points)
                meant, choices = likely if eliminate else 1 - likely, 2
            case Hunt(target=target):
                prey = mask_of(state.alive) & ~points.packs
                meant = points.have(Role.WOLF) * (prey >> target & 1) / np.maximum(np.bitwise_count(prey), 1)
                choices = len(state.alive)
            case Protect():
                choices = max(1, len(state.alive) - 1)
                meant = points.have(Role.PROTECTOR) / choices
            case _:
                return np.zeros(len(points))
        return np.asarray(np.log(np.maximum((1 - self.slip) * meant + self.slip / choices, 1e-300)))


def seen_share(state: SaviomState) -> float:
    """How likely a Seer is to have seen any one other player."""
    nights = state.phase.number // 3 if state.setup.begins_with == "day" else (state.phase.number + 2) // 3
    return min(1.0, nights / (state.setup.seats - 1))


def accuses(state: SaviomState, points: SaviomViewpoints, target: Seat) -> Floats:
    """How likely each viewpoint is to accuse the target, as `wanted_on_trial` has it."""
    seat, first = points.seat, opened_against(state)
    named = [other for other in (*stood_apart(state), first) if other is not None and other != seat]
    others = mask_of(state.alive - {seat})
    opens = np.where(others >> target & 1, 1.0, 0.0)
    if not named:
        return np.where(
            points.have(Role.SEER), seer_opens(state, points, others, target), opened(opens, points, others, target)
        )
    joins = np.full(len(points), float(named[0] == target))
    fair = [~(points.packs >> other & 1).astype(bool) for other in named]
    wolf_joins = np.select(fair, [np.full(len(points), float(other == target)) for other in named], joins)
    town = np.where(points.have(Role.WOLF), wolf_joins, joins)
    return np.where(points.have(Role.SEER), seer_joins(state, points, named, target), town)


def opened(opens: Any, points: SaviomViewpoints, others: int, target: Seat) -> Floats:
    """An opening against anyone, but for a Wolf against no Wolf."""
    free = others & ~points.packs
    return np.asarray(opens * (free >> target & 1) / np.maximum(np.bitwise_count(free), 1))


def seer_opens(state: SaviomState, points: SaviomViewpoints, others: int, target: Seat) -> Floats:
    share = seen_share(state)
    wolves = np.bitwise_count(points.wolves & others)
    knows = 1 - (1 - share) ** wolves
    is_wolf = points.wolves >> target & 1
    against_wolf = is_wolf * knows / np.maximum(wolves, 1)
    return np.asarray(against_wolf + (1 - knows) / max(1, others.bit_count()))


def seer_joins(state: SaviomState, points: SaviomViewpoints, named: list[Seat], target: Seat) -> Floats:
    """First a known Wolf of those named; or else the first of them who is not known to be none."""
    share = seen_share(state)
    left, found = np.ones(len(points)), np.zeros(len(points))
    for other in named:
        known = left * share * (points.wolves >> other & 1)
        found, left = found + known * (other == target), left - known
    for other in named:
        fair = left * np.where(points.wolves >> other & 1, 1.0, 1 - share)
        found, left = found + fair * (other == target), left - fair
    return found


def condemns(state: SaviomState, points: SaviomViewpoints) -> Floats:
    """How likely each viewpoint is to eliminate the accused, as `wants_gone` has it."""
    assert state.accused is not None
    looks = float(looks_like_a_wolf(state))
    is_wolf = (points.wolves >> state.accused & 1).astype(bool)
    share = seen_share(state)
    seer = share * is_wolf + (1 - share) * looks
    town = np.where(points.have(Role.SEER), seer, looks)
    return np.where(points.have(Role.WOLF), ~is_wolf, town)


@dataclass(frozen=True)
class Anyone:
    """Players who do anything."""

    def log_chances(self, situation: Situation, move: Move, viewpoints: Any) -> Floats:
        choices = 2 if isinstance(move, Judge) else max(1, len(situation.state.alive) - 1)
        return np.full(len(viewpoints), -np.log(choices))
