"""In which orders the roles of a side can lie on its seats, as arrays of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class RoleSet(NamedTuple):
    """Roles of one side that can be dealt together, and how likely they are to be."""

    roles: tuple[int, ...]
    chance: float


class ByRole(NamedTuple):
    """Arrangements by the role that sits at one rank."""

    order: Ints
    starts: Ints
    """Where in the order each role begins."""
    roles: Ints


def arrangements(sets: Sequence[RoleSet], first: int | None) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Every order of every set of roles, which set it is of, and the log-chance of each; with a given first role."""
    orders: list[tuple[int, ...]] = []
    numbers: list[int] = []
    logs: list[float] = []
    for number, (roles, chance) in enumerate(sets):
        every = sorted(set(permutations(roles)))
        orders += [order for order in every if first is None or order[0] == first]
        numbers += [number] * (len(orders) - len(numbers))
        logs += [np.log(chance / len(every))] * (len(orders) - len(logs))
    return np.array(orders, dtype=np.int64), np.array(numbers, dtype=np.int64), np.array(logs)


def by_role(orders: Ints) -> list[ByRole]:
    """For each rank."""
    found = [np.argsort(roles, kind="stable") for roles in orders.T]
    starts = [np.unique(roles[order], return_index=True) for roles, order in zip(orders.T, found, strict=True)]
    return [ByRole(order, first, roles) for order, (roles, first) in zip(found, starts, strict=True)]


def place_of(orders: Ints, roles: Sequence[int], missing: int) -> Ints:
    """[order, role]: at which place each role is."""
    found = [np.where((orders == role).any(axis=1), (orders == role).argmax(axis=1), missing) for role in roles]
    return np.stack(found, axis=1) if found else np.zeros((len(orders), 0), dtype=np.int64)


def bits(seats: Ints) -> Ints:
    return np.left_shift(np.int64(1), seats)


def different_rows(rows: Ints) -> tuple[Ints, Ints]:
    """The different rows, and for each row which of them it is."""
    if not rows.shape[1]:
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    found, index = np.unique(rows, axis=0, return_inverse=True)
    return found, index.reshape(-1)


def starts_of(ordered: Ints) -> tuple[Ints, Ints]:
    """Where each different number begins, and which of these each is, from 0."""
    _, starts, index = np.unique(ordered, return_index=True, return_inverse=True)
    return starts, index.reshape(-1)
