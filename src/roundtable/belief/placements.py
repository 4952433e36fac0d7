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
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundtable.belief.orders import (
    ByRole,
    Ints,
    RoleSet,
    arrangements,
    bits,
    by_role,
    different_rows,
    place_of,
    starts_of,
)
from roundtable.core.seats import Seat

NOBODY = 0  # the viewpoint of a role that a deal lacks

# A viewpoint's key: seat, role and what was told in its lowest bits, then the seats shown, row by row
SEATS, ROLES, SAYINGS = 16, 32, 512
SIGHTS_FROM = 18

Local = tuple[int, int, tuple[int, ...], int]  # rank, role, ranks of the inner roles that it sees, set of inner roles
NO_LOCAL: Local = (-1, -1, (), -1)  # the role is coupled


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
    """A seat whose card is known."""

    seat: Seat
    role: int
    fits: Callable[[Sequence[int], Hashable], bool]
    """Whether the card shows these seats, a mask for each group that the role sees, and tells this."""


class Projection(NamedTuple):
    """Codes as far as some roles go: the different ones, and which each code is."""

    roles: tuple[int, ...]
    places: Ints  # [class, role] rank, or the number of inner seats where the role is missing
    of_code: Ints  # the class of each code


class RowKeys(NamedTuple):
    """The keys of a role beside outer arrangements, of which many are alike to it."""

    rows: Ints
    """The arrangements."""
    kinds: Ints
    """Which kind each of them is."""
    keys: Ints  # [mask, kind, class]


class Placements:
    def __init__(self, cast: Cast, own: Own | None = None) -> None:
        self.cast = cast
        self._own = own
        self._sayings: dict[Hashable, int] = {(): 0}
        self._lay_out_seats()
        self._find_couplings()
        self._find_locals()
        if own is not None:
            self._leave_out_other_cards(own)
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
        self._group_places, group_of = different_rows(np.concatenate(columns, axis=1))
        self._watched = watched
        order = np.argsort(group_of, kind="stable")
        self.outer, self.outer_set, self.outer_log = self.outer[order], self.outer_set[order], self.outer_log[order]
        self.group_starts, self.group_of = starts_of(group_of[order])

    def _told_varies(self, role: int, own: Sequence[RoleSet], others: Sequence[RoleSet]) -> bool:
        """Whether what a role is told depends on the roles of the other side."""
        cast = self.cast
        return any(
            len({cast.told(role, mine.roles + theirs.roles) for theirs in others}) > 1
            for mine in own
            if role in mine.roles
        )

    @property
    def groups(self) -> int:
        return len(self.group_starts)

    @property
    def rows_of_groups(self) -> list[slice]:
        ends = [*self.group_starts[1:].tolist(), len(self.outer)]
        return [slice(first, end) for first, end in zip(self.group_starts.tolist(), ends, strict=True)]

    @cached_property
    def outer_by_role(self) -> list[ByRole]:
        return by_role(self.outer)

    @cached_property
    def inner_by_role(self) -> list[ByRole]:
        return by_role(self.inner)

    # Viewpoints

    def _number_viewpoints(self) -> None:
        ranks = range(self.outer.shape[1])
        outer = [(rank, self._outer_keys(rank, role)) for rank in ranks for role in np.unique(self.outer[:, rank])]
        coupled = [self._coupled_keys(role, by) for role, by in zip(self.coupled, self.by_coupled, strict=True)]
        rest = np.stack([self._local_keys(local) for local in self._locals], axis=2)
        tables = [*(found.keys for _, found in outer), *(found.keys for found in coupled), rest]
        keys = np.unique(np.concatenate([np.unique(table) for table in tables]))
        keys = np.concatenate([[-1], keys[keys >= 0]])

        def numbered(table: Ints) -> NDArray[np.int32]:
            return np.searchsorted(keys, table).astype(np.int32)

        shape = (len(self.outer_seats), *self.outer.shape, len(self.by_outer.places))
        self.outer_ids = np.empty(shape, dtype=np.int32)
        for rank, found in outer:
            self.outer_ids[:, found.rows, rank] = numbered(found.keys)[:, found.kinds]
        self.coupled_ids = [numbered(found.keys)[:, found.kinds] for found in coupled]
        self.rest_ids = numbered(rest)
        self.seat, self.role, self.saying, self.sights = self._parts_of(keys)
        self.seat[NOBODY] = self.role[NOBODY] = -1
        self.shown = np.bitwise_or.reduce(self.sights, axis=1)
        self.sayings = list(self._sayings)

    def _parts_of(self, keys: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Seats, roles, sayings, and what is shown: [viewpoint, group]."""
        seats, rest = self.cast.seats, np.maximum(keys, 0)
        seat, rest = rest % SEATS, rest // SEATS
        role, rest = rest % ROLES, rest // ROLES
        saying, rest = rest % SAYINGS, rest // SAYINGS
        shown = np.stack([rest >> seats * row & (1 << seats) - 1 for row in range(self._rows)], axis=1)
        return seat, role, saying, shown

    def _leave_out_other_cards(self, own: Own) -> None:
        """Leave out where the seat would have been dealt another card."""
        everything = np.arange(len(self.outer))
        if own.role in self.coupled:
            found = self._coupled_keys(own.role, self.by_coupled[self.coupled.index(own.role)])
        elif own.role in self.outer[:, 0]:
            found = self._outer_keys(0, own.role)
        else:
            keys = [self._local_keys(local) for local in self._locals if local[:2] == (0, own.role)]
            found = RowKeys(everything, self.group_of, np.stack(keys, axis=2))
        possible = np.zeros((len(self.outer_seats), len(self.outer)), dtype=np.bool_)
        fits = np.asarray(self._fits(own, found.keys).any(axis=2))
        possible[:, found.rows] = fits[:, found.kinds]
        if possible.any():
            self._keep_layouts(np.asarray(possible.any(axis=1)), np.asarray(possible.any(axis=0)))

    def _fits(self, own: Own, keys: Ints) -> NDArray[np.bool_]:
        different, index = np.unique(keys, return_inverse=True)
        _, _, saying, shown = self._parts_of(different)
        said = list(self._sayings)
        fitting = [own.fits(masks, said[number]) for masks, number in zip(shown.tolist(), saying, strict=True)]
        return np.asarray((np.array(fitting) & (different >= 0))[index.reshape(keys.shape)])

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

    @cached_property
    def _inner_sets(self) -> list[Ints]:
        """The sets of inner roles in each class of `by_outer`."""
        classes = self.by_outer.of_code[self.code_of]
        return [np.unique(self.inner_set[classes == number]) for number in range(len(self.by_outer.places))]

    def _outer_keys(self, rank: int, role: int) -> RowKeys:
        """Of an outer role at a rank: [mask, kind, class of `by_outer`]."""
        rows = np.flatnonzero(self.outer[:, rank] == role)
        return self._row_keys(role, rows, self.by_outer, self._inner_sets, self.outer_seats[:, rank, None, None])

    def _coupled_keys(self, role: int, by: Projection) -> RowKeys:
        """Of a coupled role: [mask, kind, class of its projection]; -1 where the role is missing."""
        having = [number for number, (roles, _) in enumerate(self.cast.inner) if role in roles]
        rank = by.places[:, by.roles.index(role)]
        seat = self.inner_seats[:, np.minimum(rank, self.ranks - 1)][:, None, :]
        found = self._row_keys(role, np.arange(len(self.outer)), by, [having], seat)
        return found._replace(keys=np.where(rank < self.ranks, found.keys, -1))

    def _row_keys(self, role: int, rows: Ints, by: Projection, inner: Sequence[Iterable[int]], seat: Ints) -> RowKeys:
        """`inner`: the sets of inner roles that there may be beside it, for each class or for all."""
        sets, set_of = np.unique(self.outer_set[rows], return_inverse=True)
        said = np.array([[self._saying(role, outer, numbers) for numbers in inner] for outer in sets])
        groups, size = self.cast.sees(role), self.outer.shape[1]
        sees = [np.isin(self.outer[rows], list(group)) for group in groups]
        different, kinds = different_rows(np.concatenate([*sees, said[set_of]], axis=1))
        masks = [
            (bits(self.outer_seats) @ different[:, size * at : size * (at + 1)].T)[:, :, None]
            | self._inner_bits(group, by)[:, None, :]
            for at, group in enumerate(groups)
        ]
        keys = self._key(seat, role, different[:, size * len(groups) :], masks)
        return RowKeys(rows, kinds, np.broadcast_to(keys, (len(seat), len(different), len(by.places))))

    def _find_locals(self) -> None:
        """What each inner role outside the code goes by, at each rank: in `local_of`, a number of `_locals`."""
        inner = {role for roles, _ in self.cast.inner for role in roles}
        self._beside = {role: sorted(frozenset().union(*self.cast.sees(role)) & inner) for role in inner}
        self._locals: dict[Local, int] = {NO_LOCAL: 0}
        self.local_of = np.zeros(self.inner.shape, dtype=np.int64)
        for role in sorted(inner - set(self.coupled)):
            varies = self._told_varies(role, self.cast.outer, self.cast.inner) or self._told_by_own(role)
            inner_set = self.inner_set if varies else np.full(len(self.inner), -1)
            beside = place_of(self.inner, self._beside[role], self.ranks)
            for rank in range(self.ranks):
                rows = np.flatnonzero(self.inner[:, rank] == role)
                places, index = different_rows(np.column_stack([beside[rows], inner_set[rows]]))
                self.local_of[rows, rank] = len(self._locals) + index
                for *ranks, number in places.tolist():
                    self._locals[rank, role, tuple(ranks), number] = len(self._locals)

    def _told_by_own(self, role: int) -> bool:
        cast = self.cast
        return any(
            len({cast.told(role, theirs.roles + mine.roles) for mine in cast.inner if role in mine.roles}) > 1
            for theirs in cast.outer
        )

    def _local_keys(self, local: Local) -> Ints:
        """[mask, group of outer arrangements]; -1 where no viewpoint is meant."""
        if local == NO_LOCAL:
            return np.full((len(self.outer_seats), self.groups), -1)
        rank, role, beside, inner_set = local
        having = [number for number, (roles, _) in enumerate(self.cast.inner) if role in roles]
        sets = having if inner_set < 0 else [inner_set]
        said = np.array([self._saying(role, outer, sets) for outer in self.outer_set[self.group_starts]])[None, :]
        seats = np.concatenate([bits(self.inner_seats), np.zeros((len(self.inner_seats), 1), np.int64)], axis=1)
        masks = []
        for group in self.cast.sees(role):
            mask = np.zeros((len(self.outer_seats), self.groups), dtype=np.int64)
            for other, place in zip(self._beside[role], beside, strict=True):
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
    def of_seat(self) -> list[Ints]:
        """The viewpoints of each seat that any deal of this layout has."""
        used = np.zeros(len(self), dtype=bool)
        for table in (self.outer_ids, *self.coupled_ids, self.rest_ids):
            used[table.reshape(-1)] = True
        used[NOBODY] = False
        ids = np.flatnonzero(used)
        return [ids[self.seat[ids] == seat] for seat in range(self.cast.seats)]

    # Leaving out what is impossible

    def keep(self, masks: NDArray[np.bool_], outer: NDArray[np.bool_]) -> None:
        groups = np.unique(self.group_of[outer])
        self._keep_layouts(masks, outer)
        self.outer_ids = self.outer_ids[masks][:, outer]
        self.coupled_ids = [ids[masks][:, outer] for ids in self.coupled_ids]
        self.rest_ids = self.rest_ids[masks][:, groups]
        for made in ("outer_mask", "of_seat", "outer_by_role"):
            self.__dict__.pop(made, None)

    def _keep_layouts(self, masks: NDArray[np.bool_], outer: NDArray[np.bool_]) -> None:
        self.outer_seats, self.inner_seats = self.outer_seats[masks], self.inner_seats[masks]
        self.outer, self.outer_set, self.outer_log = self.outer[outer], self.outer_set[outer], self.outer_log[outer]
        self._group_places = self._group_places[np.unique(self.group_of[outer])]
        self.group_starts, self.group_of = starts_of(self.group_of[outer])
