"""A table of Saviom in whole numbers: who lives, who was seen, and what was said today."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from roundtable.games.saviom.setup import Role, SaviomSetup
from roundtable.kernels.chance import LUCK, below, signed
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import TraceRow, lean

Now = Any  # how a table stands: a row of TABLE

ROLES = tuple(Role)
WOLF, CITIZEN, PROTECTOR, SEER = range(len(ROLES))
MOST_SEATS = SaviomSetup.most
NOBODY = -1

TABLE = np.dtype(
    [
        *LUCK,
        ("roles", np.int64, MOST_SEATS),
        ("wolves", np.int64),  # a mask of seats, like every other set of them; dead ones too
        ("protector", np.int64),
        ("seer", np.int64),
        ("careful", np.int64),
        ("phase", np.int64),
        ("length", np.int64),
        ("alive", np.int64),
        ("living", np.int64, MOST_SEATS),  # the same in seat order
        ("quiet", np.int64),  # days and nights in a row without a death (S15)
        ("first", np.int64),  # whom the day's first accusation names
        ("apart", np.int64),  # who stood apart from it
        ("apart_in_turn", np.int64),  # the same in the order in which they did, four bits for each
        ("ward", np.int64),  # whom the Protector chose last night
        ("seen", np.int64),  # whom the Seer has inspected
        ("seen_wolves", np.int64),
    ]
)

# As in trace.py, with room for the long games of those who do nothing; in small numbers, since NumPy takes four
# megabytes and more in huge trace, which are wiped at the first touch.
MOST_PHASES = 500
TRACE = np.dtype(
    [
        ("are_kept", np.bool_),
        ("step_count", np.int64),
        ("leaning_count", np.int64),
        ("steps", np.int32, (MOST_PHASES * (MOST_SEATS + 1), 6)),
        ("leanings", np.int32, (MOST_PHASES * MOST_SEATS * MOST_SEATS, 7)),
    ]
)

ACCUSE, JUDGE, HUNT, PROTECT, INSPECT, SUSPECT, EXPIRE = range(1, 8)


class Rules(NamedTuple):
    """One table's rules. Numba takes them as arguments, so that one kernel plays every setup."""

    seats: int
    wolves: int
    protectors: int
    seers: int
    begins_by_night: bool
    trial_by_cast: bool
    protect_self: bool
    protect_twice: bool
    reveals_wolves: bool
    quiet_limit: int
    no_one_abstains: bool


def rules_of(setup: SaviomSetup) -> Rules:
    """`kill_by` is left out: every living Wolf hunts, so the votes cast are those of the living. With `early_end`
    no one abstains; a seat that is asked once locks nothing in."""
    roles = setup.all_roles
    return Rules(
        seats=setup.seats,
        wolves=roles.count(Role.WOLF),
        protectors=roles.count(Role.PROTECTOR),
        seers=roles.count(Role.SEER),
        begins_by_night=setup.begins_with == "night",
        trial_by_cast=setup.trial_by == "cast",
        protect_self=setup.protect_self,
        protect_twice=setup.protect_twice,
        reveals_wolves=setup.reveal_on_death != "none",
        quiet_limit=setup.quiet_limit,
        no_one_abstains=setup.early_end,
    )


def blank_trace(are_kept: bool) -> Any:
    trace = np.empty(1, TRACE)
    trace["are_kept"], trace["step_count"], trace["leaning_count"] = are_kept, 0, 0
    return trace


def members_of_sets() -> Any:
    """The first, second, third ... member of every set of seats."""
    members = np.zeros((1 << MOST_SEATS, MOST_SEATS), np.int8)
    for seats in range(1 << MOST_SEATS):
        of = [seat for seat in range(MOST_SEATS) if seats >> seat & 1]
        members[seats, : len(of)] = of
    return members


MEMBERS = members_of_sets()  # Numba puts it into the machine code


@compiled
def any_of(now: Now, seats: int) -> int:
    """One of these, each equally likely."""
    return signed(MEMBERS[seats, below(now, seats.bit_count())])


@compiled
def first_of(seats: int) -> int:
    return signed(MEMBERS[seats, 0])


@compiled
def without(seats: int, seat: int) -> int:
    """These seats but for one."""
    return seats & ~(1 << seat)


@compiled
def has(seats: int, seat: int) -> bool:
    return seats >> seat & 1 == 1


@compiled
def votes_for(tally: int, seat: int) -> int:
    """A tally is one number with four bits for each seat."""
    return tally >> (4 * seat) & 15


@compiled
def named_most(tally: int, most: int) -> int:
    """The lowest seat with so many votes."""
    seat = 0
    while votes_for(tally, seat) != most:
        seat += 1
    return seat


@compiled
def lean_to(trace: TraceRow, phase: int, verb: int, seats: int) -> None:
    """Write down that each of these choices is as likely as the others."""
    for seat in range(MOST_SEATS):
        if has(seats, seat):
            lean(trace, phase, verb, seat, 0, 0, 1)
