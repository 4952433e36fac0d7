"""Several kinds of players in mind: each seat may be any of them, and what it does tells which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np

from roundtable.belief.contract import LEAST, Floats, Model, Situation, Viewpoints
from roundtable.core.actions import Move
from roundtable.core.seats import Seat


class Kinds(Protocol):
    """The kinds of players that there may be."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Floats:
        """As `Model.log_chances`, but the chances themselves: [kind, viewpoint]."""
        ...


class OneByOne(NamedTuple):
    """Kinds that have a model each."""

    models: Mapping[str, Model]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.models)

    def chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Floats:
        return np.exp([model.log_chances(situation, move, viewpoints) for model in self.models.values()])


class MixtureModel:
    """A seat is of one kind for the whole game. Which one is weighed for each of its viewpoints, so that the belief
    stays exact: the chance of a move is the mean over the kinds, by how well each explains what the seat did before.

    It learns from moves of the types in `seen`; of others, a belief asks only what they would be. So a mixture belongs
    to one belief.
    """

    def __init__(self, kinds: Kinds, prior: Mapping[str, float], seen: tuple[type[Move], ...]) -> None:
        self._kinds = kinds
        self._prior = np.array([prior[name] for name in kinds.names]) / sum(prior[name] for name in kinds.names)
        self._seen = seen
        self._shares: dict[Seat, Floats] = {}  # by kind and viewpoint: how likely the seat is of that kind

    def log_chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Floats:
        likely = np.fmax(self._kinds.chances(situation, move, viewpoints), np.exp(LEAST))
        joint = self._shares_of(situation.seat, viewpoints) * likely
        chances = joint.sum(axis=0)
        if isinstance(move, self._seen):
            self._shares[situation.seat][:, viewpoints.ids] = joint / chances
        return np.asarray(np.log(chances))

    def _shares_of(self, seat: Seat, viewpoints: Viewpoints) -> Floats:
        needed = int(viewpoints.ids.max(initial=-1)) + 1
        shares = self._shares.get(seat, np.zeros((len(self._prior), 0)))
        if shares.shape[1] < needed:
            fresh = np.repeat(self._prior[:, None], needed - shares.shape[1], axis=1)
            self._shares[seat] = shares = np.concatenate([shares, fresh], axis=1)
        return shares.take(viewpoints.ids, axis=1)

    def shares(self, seat: Seat, viewpoints: Viewpoints, weights: Floats) -> dict[str, float]:
        """How likely a seat is to be of each kind, where its viewpoints have these weights."""
        found = (self._shares_of(seat, viewpoints) * weights).sum(axis=1) / weights.sum()
        return dict(zip(self._kinds.names, found.tolist(), strict=True))
