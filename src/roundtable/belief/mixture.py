"""Several kinds of players in mind: each seat may be any of them, and what it does tells which."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from roundtable.belief.contract import Floats, Model, Situation, Viewpoints, clipped
from roundtable.core.actions import Move
from roundtable.core.seats import Seat


class MixtureModel:
    """A seat is of one kind for the whole game. Which one is weighed for each of its viewpoints, so that the belief
    stays exact: the chance of a move is the mean over the kinds, by how well each explains what the seat did before.

    It learns from moves of the kinds in `seen`; of others, a belief asks only what they would be. So a mixture belongs
    to one belief.
    """

    def __init__(self, models: Mapping[str, Model], shares: Mapping[str, float], seen: tuple[type[Move], ...]) -> None:
        self.names = tuple(models)
        self._models = tuple(models.values())
        self._prior = np.log(np.array([shares[name] for name in models]) / sum(shares[name] for name in models))
        self._seen = seen
        self._logs: dict[Seat, Floats] = {}  # by kind and viewpoint: how well it explains the seat, with the prior

    def log_chances(self, situation: Situation, move: Move, viewpoints: Viewpoints) -> Floats:
        before = self._weights(situation.seat, viewpoints)
        now = np.stack([clipped(model.log_chances(situation, move, viewpoints)) for model in self._models])
        after = before + now
        if isinstance(move, self._seen):
            self._logs[situation.seat][:, viewpoints.ids] = after
        return np.asarray(np.logaddexp.reduce(after) - np.logaddexp.reduce(before))

    def _weights(self, seat: Seat, viewpoints: Viewpoints) -> Floats:
        needed = int(viewpoints.ids.max(initial=-1)) + 1
        logs = self._logs.get(seat, np.zeros((len(self._models), 0)))
        if logs.shape[1] < needed:
            fresh = np.repeat(self._prior[:, None], needed - logs.shape[1], axis=1)
            self._logs[seat] = logs = np.concatenate([logs, fresh], axis=1)
        return np.asarray(logs[:, viewpoints.ids])

    def shares(self, seat: Seat, viewpoints: Viewpoints, weights: Floats) -> dict[str, float]:
        """How likely a seat is to be of each kind, where its viewpoints have these weights."""
        logs = self._weights(seat, viewpoints)
        chances = np.exp(logs - np.logaddexp.reduce(logs)) @ weights / weights.sum()
        return {name: float(chance) for name, chance in zip(self.names, chances, strict=True)}
