"""The deals of a game with two sides, laid out so that a belief about millions of them takes milliseconds.

A deal is where the outer side sits (a mask), how its roles lie there, and how the inner side's roles lie on the other
seats. What a seat is shown is its viewpoint. Those of the outer side and of inner roles that see several outer ones
depend on the outer arrangement and on a few inner places, the *code*: for THavalon's Evil on Titania's seat, for
Merlin on his own and Lancelot's. The viewpoints of the other inner roles depend on the mask and at most on the places
of single outer roles (for Percival: Morgana's). So a weight is a product of two tables that meet in mask and code, and
sums over all deals are sums over these: at ten seats of THavalon 5 million and 4 million numbers for 90 million deals.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundtable.core.seats import Seat

Ints = NDArray[np.int64]

NOBODY = 0  # the viewpoint of a role that a deal lacks

# A viewpoint's key: seat, role and what was told in its lowest bits, then the seats shown, row by row
SEATS, ROLES, SAYINGS = 16, 32, 512
SIGHTS_FROM = 18


class RoleSet(NamedTuple):
    """Roles of one side that can be dealt together, and how likely they are to be."""

    roles: tuple[int, ...]
    chance: float


class Cast(NamedTuple):
    """Which deals there are, and who is shown what. Roles are numbers; the sides have their sets of roles."""

    seats: int
    outer: tuple[RoleSet, ...]
    inner: tuple[RoleSet, ...]
    sees: Callable[[int], Sequence[frozenset[int]]]
    """The groups of roles that a role is shown, each as one set of seats."""
    told: Callable[[int, tuple[int, ...]], Hashable]
    """What a role is told besides, of the roles in the game."""
    choosers: frozenset[int]
    """Inner roles whose secret choices matter, as those of the whole outer side do."""


class Own(NamedTuple):
    """A seat whose role is known."""

    seat: Seat
    role: int


class Projection(NamedTuple):
    """Codes as far as some roles go: the different ones, and which each code is."""

    roles: tuple[int, ...]
    places: Ints  # [class, role] rank, or the number of inner seats where the role is missing
    of_code: Ints  # the class of each code


class Placements:
    def __init__(self, cast: Cast, own: Own | None = None) -> None:
        self.cast = cast
        self._own = own
        self._lay_out_seats()
        self._find_couplings()
        self._number_viewpoints()

    # Seats and arrangements

    def _lay_out_seats(self) -> None:
        cast, own = self.cast, self._own
        outer_roles = {role for roles, _ in cast.outer for role in roles}
        size = len(cast.outer[0].roles)
        is_outer = own is not None and own.role in outer_roles
        first = [] if own is None else [own.seat]
        order = first + [seat for seat in range(cast.seats) if seat not in first]
        held = [set(picked) for picked in combinations(range(cast.seats), size)]
        if own is not None:
            held = [picked for picked in held if (own.seat in picked) is is_outer]
        self.outer_seats = np.array([[seat for seat in order if seat in picked] for picked in held], dtype=np.int64)
        self.inner_seats = np.array([[seat for seat in order if seat not in picked] for picked in held], dtype=np.int64)
        self.outer, self.outer_set, self.outer_log = arrangements(cast.outer, own.role if own and is_outer else None)
        self.inner, self.inner_set, self.inner_log = arrangements(
            cast.inner, own.role if own and not is_outer else None
        )

    @cached_property
    def outer_mask(self) -> Ints:
        return np.asarray(bits(self.outer_seats).sum(axis=1))

    @property
    def ranks(self) -> int:
        return int(self.inner_seats.shape[1])

    # What depends on what

    def _find_couplings(self) -> None:
        cast = self.cast
        outer = {role for roles, _ in cast.outer for role in roles}
        inner = {role for roles, _ in cast.inner for role in roles}
        seen = {role: frozenset().union(*cast.sees(role)) for role in outer | inner}
        self.coupled = tuple(sorted(role for role in inner if self._sees_several(seen[role] & outer)))
        shown = {other for role in outer for other in seen[role] & inner}
        beside = {other for role in self.coupled for other in (seen[role] & inner) | {role}}
        self.code_roles = tuple(sorted(shown | beside | (cast.choosers & inner)))
        places = place_of(self.inner, self.code_roles, self.ranks)
        self.codes, code_of = different_rows(places)
        order = np.argsort(code_of, kind="stable")
        self.inner, self.inner_set, self.inner_log = self.inner[order], self.inner_set[order], self.inner_log[order]
        self.code_of = code_of[order]
        self.code_starts = np.searchsorted(self.code_of, np.arange(len(self.codes)))
        self.by_outer = self.project(shown)
        self.by_joint = self.project(shown | (cast.choosers & inner))
        self.by_coupled = tuple(self.project((seen[role] & inner) | {role}) for role in self.coupled)
        self._group_outer(seen, outer, inner)

    def _sees_several(self, seen: frozenset[int]) -> bool:
        """Several roles, or one that several seats have."""
        return len(seen) > 1 or any(sum(role in seen for role in roles) > 1 for roles, _ in self.cast.outer)

    def project(self, roles: Iterable[int]) -> Projection:
        kept = tuple(sorted(roles))
        columns = [self.code_roles.index(role) for role in kept]
        places, index = different_rows(self.codes[:, columns])
        return Projection(kept, places, index)

    def _group_outer(self, seen: dict[int, frozenset[int]], outer: set[int], inner: set[int]) -> None:
        """Outer arrangements that are alike to the inner roles outside the code's own viewpoints."""
        rest = inner - set(self.coupled)
        watched = tuple(sorted({other for role in rest for other in seen[role] & outer}))
        columns = [place_of(self.outer, watched, self.outer_seats.shape[1])]
        if any(self._told_varies(role, self.cast.inner, self.cast.outer) for role in rest):
            columns.append(self.outer_set[:, None])
        groups, self.group_of = different_rows(np.concatenate(columns, axis=1))
        self.groups = len(groups)
        self._watched, self._group_places = watched, groups
        self._group_set = np.array([self.outer_set[self.group_of == group][0] for group in range(self.groups)])

    def _told_varies(self, role: int, own: Sequence[RoleSet], others: Sequence[RoleSet]) -> bool:
        """Whether what a role is told depends on the roles of the other side."""
        cast = self.cast
        return any(
            len({cast.told(role, mine.roles + theirs.roles) for theirs in others}) > 1
            for mine in own
            if role in mine.roles
        )

    # Viewpoints

    def _number_viewpoints(self) -> None:
        self._sayings: dict[Hashable, int] = {(): 0}
        outer = self._outer_keys()
        coupled = [self._coupled_keys(role, by) for role, by in zip(self.coupled, self.by_coupled, strict=True)]
        rest = self._rest_keys()
        tables = [outer, *coupled, rest]
        keys = np.unique(np.concatenate([np.unique(table) for table in tables]))
        keys = np.concatenate([[-1], keys[keys >= 0]])
        numbered = [np.searchsorted(keys, table).astype(np.int32) for table in tables]
        self.outer_ids, self.rest_ids = numbered[0], numbered[-1]
        self.coupled_ids = numbered[1:-1]
        seats, groups = self.cast.seats, np.maximum(keys, 0)
        self.seat, groups = groups % SEATS, groups // SEATS
        self.role, groups = groups % ROLES, groups // ROLES
        self.saying, groups = groups % SAYINGS, groups // SAYINGS
        self.seat[NOBODY] = self.role[NOBODY] = -1
        self.sights = np.stack([groups >> seats * row & (1 << seats) - 1 for row in range(self._rows)], axis=1)
        self.sayings = list(self._sayings)

    @cached_property
    def outer_of_joint(self) -> Ints:
        """For each class of `by_joint`, which has all roles of `by_outer`, the class of that."""
        found = np.empty(len(self.by_joint.places), dtype=np.int64)
        found[self.by_joint.of_code] = self.by_outer.of_code
        return found

    @cached_property
    def _rows(self) -> int:
        roles = {role for roles, _ in (*self.cast.outer, *self.cast.inner) for role in roles}
        return max(1, *(len(self.cast.sees(role)) for role in roles))

    def __len__(self) -> int:
        """How many viewpoints there are, with the one that stands for a missing role."""
        return len(self.seat)

    def _key(self, seat: Any, role: int, saying: Any, masks: Iterable[Any]) -> Any:
        key = seat + SEATS * (role + ROLES * saying)
        for row, mask in enumerate(masks):
            key = key + ((mask & ~(1 << seat)) << SIGHTS_FROM + self.cast.seats * row)
        return key

    def _saying(self, role: int, outer: int, inner: Iterable[int]) -> int:
        """What a role is told, where it is the same for all of these sets of inner roles."""
        roles = self.cast.outer[outer].roles
        said = {self.cast.told(role, roles + self.cast.inner[number].roles) for number in inner}
        if len(said) != 1:
            raise ValueError(f"Role {role} is told too much of the other side's roles for this layout.")
        return self._sayings.setdefault(said.pop(), len(self._sayings))

    def _outer_keys(self) -> Ints:
        """[mask, outer arrangement, rank, class of `by_outer`]"""
        by = self.by_outer
        inner_sets = [np.unique(self.inner_set[by.of_code[self.code_of] == cls]) for cls in range(len(by.places))]
        keys = np.empty((len(self.outer_seats), *self.outer.shape, len(by.places)), dtype=np.int64)
        for rank in range(self.outer.shape[1]):
            for role in np.unique(self.outer[:, rank]):
                rows = np.flatnonzero(self.outer[:, rank] == role)
                said = np.array(
                    [[self._saying(role, self.outer_set[row], sets) for sets in inner_sets] for row in rows]
                )
                masks = [
                    self._outer_bits(group, rows)[:, :, None] | self._inner_bits(group, by)[:, None, :]
                    for group in self.cast.sees(role)
                ]
                seat = self.outer_seats[:, rank, None, None]
                keys[:, rows, rank, :] = self._key(seat, role, said, masks)
        return keys

    def _coupled_keys(self, role: int, by: Projection) -> Ints:
        """[mask, outer arrangement, class of its projection]; -1 where the role is missing."""
        keys = np.full((len(self.outer_seats), len(self.outer), len(by.places)), -1, dtype=np.int64)
        rows = np.arange(len(self.outer))
        everything = range(len(self.cast.inner))
        having = [number for number in everything if role in self.cast.inner[number].roles]
        said = np.array([self._saying(role, self.outer_set[row], having) for row in rows])[:, None]
        masks = [
            self._outer_bits(group, rows)[:, :, None] | self._inner_bits(group, by)[:, None, :]
            for group in self.cast.sees(role)
        ]
        rank = by.places[:, by.roles.index(role)]
        there = rank < self.ranks
        seat = self.inner_seats[:, np.minimum(rank, self.ranks - 1)][:, None, :]
        keys[:, :, there] = self._key(seat, role, said, masks)[:, :, there]
        return keys

    def _rest_keys(self) -> Ints:
        """[mask, group of outer arrangements, local], and for each arrangement and rank the local it has."""
        locals_: dict[tuple[Any, ...], int] = {}
        self.local_of = np.empty(self.inner.shape, dtype=np.int64)
        inner_roles = {role for roles, _ in self.cast.inner for role in roles}
        seen = {role: sorted(frozenset().union(*self.cast.sees(role)) & inner_roles) for role in inner_roles}
        varies = {
            role: self._told_varies(role, self.cast.outer, self.cast.inner) or self._told_by_own(role)
            for role in inner_roles
        }
        for number, roles in enumerate(self.inner.tolist()):
            for rank, role in enumerate(roles):
                local: tuple[Any, ...] = (-1,)
                if role not in self.coupled:
                    beside = tuple(roles.index(other) if other in roles else self.ranks for other in seen[role])
                    local = (rank, role, beside, self.inner_set[number] if varies[role] else -1)
                self.local_of[number, rank] = locals_.setdefault(local, len(locals_))
        keys = np.full((len(self.outer_seats), self.groups, len(locals_)), -1, dtype=np.int64)
        for local, place in locals_.items():
            if local[0] >= 0:
                keys[:, :, place] = self._local_keys(local, seen[local[1]])
        self._locals = locals_
        return keys

    def _told_by_own(self, role: int) -> bool:
        cast = self.cast
        return any(
            len({cast.told(role, theirs.roles + mine.roles) for mine in cast.inner if role in mine.roles}) > 1
            for theirs in cast.outer
        )

    def _local_keys(self, local: tuple[Any, ...], seen: Sequence[int]) -> Ints:
        rank, role, beside, inner_set = local
        having = [number for number, (roles, _) in enumerate(self.cast.inner) if role in roles]
        sets = having if inner_set < 0 else [inner_set]
        said = np.array([self._saying(role, outer, sets) for outer in self._group_set])[None, :]
        seats = np.concatenate([bits(self.inner_seats), np.zeros((len(self.inner_seats), 1), np.int64)], axis=1)
        masks = []
        for group in self.cast.sees(role):
            mask = np.zeros((len(self.outer_seats), self.groups), dtype=np.int64)
            for other, place in zip(seen, beside, strict=True):
                if other in group:
                    mask |= seats[:, place][:, None]
            masks.append(mask | self._watched_bits(group))
        return np.asarray(self._key(self.inner_seats[:, rank, None], role, said, masks))

    def _watched_bits(self, group: frozenset[int]) -> Ints:
        """[mask, group of outer arrangements]"""
        seats = np.concatenate([bits(self.outer_seats), np.zeros((len(self.outer_seats), 1), np.int64)], axis=1)
        mask = np.zeros((len(self.outer_seats), self.groups), dtype=np.int64)
        for column, role in enumerate(self._watched):
            if role in group:
                mask |= seats[:, self._group_places[:, column]]
        return mask

    def _outer_bits(self, group: frozenset[int], rows: Ints) -> Ints:
        """[mask, row]: the outer seats with a role of this group."""
        has = np.isin(self.outer[rows], list(group)).astype(np.int64)
        return bits(self.outer_seats) @ has.T

    def _inner_bits(self, group: frozenset[int], by: Projection) -> Ints:
        """[mask, class]: the inner seats of those roles of this group that the projection has."""
        seats = np.concatenate([bits(self.inner_seats), np.zeros((len(self.inner_seats), 1), np.int64)], axis=1)
        mask = np.zeros((len(self.inner_seats), len(by.places)), dtype=np.int64)
        for column, role in enumerate(by.roles):
            if role in group:
                mask |= seats[:, by.places[:, column]]
        return mask

    def blind_ids(self, role: int) -> Ints:
        """[mask, rank]: the viewpoints of an inner role that is shown no one and told nothing."""
        found = [self.rest_ids[:, 0, self._locals.get((rank, role, (), -1), 0)] for rank in range(self.ranks)]
        return np.stack(found, axis=1)

    @cached_property
    def in_use(self) -> NDArray[np.bool_]:
        """Which viewpoints any deal of this layout has."""
        used = np.zeros(len(self), dtype=bool)
        for table in (self.outer_ids, *self.coupled_ids, self.rest_ids):
            used[table.reshape(-1)] = True
        used[NOBODY] = False
        return used

    # Leaving out what is impossible

    def keep(self, masks: NDArray[np.bool_], outer: NDArray[np.bool_]) -> None:
        self.outer_seats, self.inner_seats = self.outer_seats[masks], self.inner_seats[masks]
        self.outer, self.outer_set, self.outer_log = self.outer[outer], self.outer_set[outer], self.outer_log[outer]
        self.group_of = self.group_of[outer]
        self.outer_ids = self.outer_ids[masks][:, outer]
        self.coupled_ids = [ids[masks][:, outer] for ids in self.coupled_ids]
        self.rest_ids = self.rest_ids[masks]
        for made in ("outer_mask", "in_use"):
            self.__dict__.pop(made, None)


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
