"""What each role sees of a deal, as arrays: a row for each seat and each thing that the seat may have been shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roundtable.games.avalon.people.history import Flags, Floats, History, Ints, evil_sets
from roundtable.games.quests.roles import Role

# The order matters to the fitted trees: Good first, and from MINION on Evil.
ROLES = (Role.SERVANT, Role.PERCIVAL, Role.MERLIN, Role.MINION, Role.MORDRED, Role.MORGANA, Role.OBERON)
CODES = {role: code for code, role in enumerate(ROLES)} | {Role.ASSASSIN: 3}
SERVANT, PERCIVAL, MERLIN, MINION, MORDRED, MORGANA, OBERON = range(7)


def codes_of(roles: Sequence[Role]) -> Ints:
    """Roles by number; the Assassin plays like a Minion until the shot."""
    return np.array([CODES[role] for role in roles], int)


@dataclass(frozen=True, eq=False)
class Views:
    """Rows of knowledge: whose, which role, whom it was shown as Evil, and whom as Merlin or Morgana."""

    seat: Ints
    role: Ints
    seen: Floats  # row, seat
    pair: Floats  # row, seat

    def __len__(self) -> int:
        return len(self.seat)

    def __getitem__(self, rows: Ints | Flags | slice) -> Views:
        return Views(self.seat[rows], self.role[rows], self.seen[rows], self.pair[rows])

    @property
    def is_evil(self) -> Flags:
        return self.role >= MINION


def views_of(deals: Ints, seat: int) -> Views:
    """What a seat knows in each of these deals (deal, seat -> number of the role), repetitions included."""
    role = deals[:, seat]
    minded = (deals >= MINION) & (deals != OBERON)
    by_evil = (role >= MINION) & (role != OBERON)
    by_merlin = role == MERLIN
    seen = (minded & by_evil[:, None]) | ((deals >= MINION) & (deals != MORDRED) & by_merlin[:, None])
    seen[:, seat] = False
    pair = ((deals == MERLIN) | (deals == MORGANA)) & (role == PERCIVAL)[:, None]
    return Views(np.full(len(deals), seat), role, seen.astype(float), pair.astype(float))


def views_in(deal: Ints) -> Views:
    """What every seat knows in one deal, a row for each seat."""
    return joined([views_of(deal[None], seat) for seat in range(len(deal))])


def joined(parts: Sequence[Views]) -> Views:
    return Views(
        np.concatenate([part.seat for part in parts]),
        np.concatenate([part.role for part in parts]),
        np.concatenate([part.seen for part in parts]),
        np.concatenate([part.pair for part in parts]),
    )


def distinct(views: Views) -> tuple[Views, Ints]:
    """The different rows, and for each row its place among them."""
    bits = 1 << np.arange(views.seen.shape[1])
    keys = (
        ((views.seat * 8 + views.role) << 20) + (views.seen @ bits).astype(int) * 1024 + (views.pair @ bits).astype(int)
    )
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return views[first], place


def possible_sets(history: History, views: Views) -> Flags:
    """By row and set of Evil seats: whether the set agrees with what the row was shown."""
    sets = evil_sets(history.seats)
    own = sets[:, views.seat].T > 0
    known = views.seen @ sets.T == views.seen.sum(axis=1)[:, None]
    fits = (own == views.is_evil[:, None]) & known
    pairs = views.pair @ sets.T
    size = views.pair.sum(axis=1)[:, None]
    single = (
        0 if Role.MERLIN in history.setup.special_roles else 1
    )  # A9, A27: without Merlin, Percival sees Morgana alone
    fits &= np.where(size == 2, pairs == 1, pairs == np.where(size == 1, single, 0))
    return np.asarray(fits)


def own_weights(history: History, views: Views) -> Floats:
    """By row and set of Evil seats: the chance of the set, from what the row was shown and the Fails so far."""
    possible = possible_sets(history, views)
    weights = possible * history.weights
    total = weights.sum(axis=1, keepdims=True)
    even = possible / np.maximum(possible.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.where(total > 1e-12, weights / np.maximum(total, 1e-12), even))
