"""A table of Saviom in whole numbers: its rules, who lives, who was seen, and what was said today."""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect, Suspect
from roundtable.games.saviom.environment import layout, moves
from roundtable.games.saviom.setup import Role, SaviomSetup
from roundtable.kernels.actions import NO_PHASE, Actions
from roundtable.kernels.chance import LUCK, below, signed
from roundtable.kernels.compiling import compiled
from roundtable.kernels.positions import TURN, padded
from roundtable.kernels.trace import TraceRow, lean

Now = Any  # how a table stands: a row of TABLE

ROLES = tuple(Role)
WOLF, CITIZEN, PROTECTOR, SEER = range(len(ROLES))
MOST_SEATS = SaviomSetup.most
NOBODY = -1

SEAT = (np.int16, MOST_SEATS)
NUMBERS = (
    "wolves",  # a mask of seats, like every other set of them; dead ones too
    *("protector", "seer", "careful", "length"),
    "alive",
    "quiet",  # days and nights in a row without a death (S15)
    "first",  # whom the day's first accusation names
    "apart",  # who stood apart from it
    "apart_in_turn",  # the same in the order in which they did, four bits for each
    *("accused", "last_trial"),
    *("eliminate", "save"),  # verdicts of the last trial
    *("ward_tonight", "inspected"),
    "ward",  # whom the Protector chose last night
    *("seen", "seen_wolves"),  # whom the Seer has inspected
)
POSITION = padded(
    [
        *LUCK,
        *TURN,
        *[(name, np.int64) for name in NUMBERS],
        ("roles", *SEAT),
        ("accusations", *SEAT),  # by seat: the target, or NOBODY
        ("last_accusations", *SEAT),
        ("hunts", *SEAT),
        ("suspicions", *SEAT),
        ("death", *SEAT),  # its cause
    ]
)
TABLE = np.dtype([*POSITION.descr, ("living", np.int64, MOST_SEATS)])  # who lives, in seat order

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


PARTS = (
    *("seat", "role", "pack", "own_verdict", "hunts", "protects", "protected_last", "inspects", "visions", "suspects"),
    *("phase", "phase_number", "quiet", "alive", "accusations", "accused"),
    *("last_accusations", "last_trial", "last_verdicts", "deaths", "fates"),
)
AT: Any = namedtuple("AT", PARTS)(*range(len(PARTS)))
AIMED = {"accuse": Accuse, "hunt": Hunt, "protect": Protect, "inspect": Inspect, "suspect": Suspect}

# Numba takes the rules as an argument, so that one kernel plays every setup.
Rules = Any  # a row of RULES
RULES = np.dtype(
    [
        ("seats", np.int64),
        ("wolves", np.int64),
        ("protectors", np.int64),
        ("seers", np.int64),
        ("begins_by_night", np.bool_),
        ("trial_by_cast", np.bool_),
        ("kill_by_cast", np.bool_),
        ("protect_self", np.bool_),
        ("protect_twice", np.bool_),
        ("reveals_wolves", np.bool_),
        ("no_one_abstains", np.bool_),
        ("spare", np.bool_),
        ("quiet_limit", np.int64),
        ("fates", np.int64),  # how many there are to tell apart: none, two sides, four roles
        ("place", np.int64, len(PARTS)),  # where each part of the row begins
        ("judge", np.int64),  # the number of eliminating; to save is the next
        *[(name, np.int64) for name in AIMED],  # the number of each kind of move at the first seat, or -1
    ]
)


@lru_cache(maxsize=256)
def rules_of(setup: SaviomSetup) -> Any:
    """With `early_end` no bot abstains; a seat that is asked once locks nothing in."""
    table, roles = np.zeros(1, RULES), setup.all_roles
    rules = table[0]
    rules["seats"] = setup.seats
    rules["wolves"], rules["protectors"], rules["seers"] = map(roles.count, (Role.WOLF, Role.PROTECTOR, Role.SEER))
    rules["begins_by_night"] = setup.begins_with == "night"
    rules["trial_by_cast"] = setup.trial_by == "cast"
    rules["kill_by_cast"] = setup.kill_by == "cast"
    rules["protect_self"], rules["protect_twice"] = setup.protect_self, setup.protect_twice
    rules["reveals_wolves"] = setup.reveal_on_death != "none"
    rules["no_one_abstains"] = setup.early_end
    rules["quiet_limit"] = setup.quiet_limit
    rules["fates"] = {"none": 0, "side": 2, "role": len(ROLES)}[setup.reveal_on_death]
    number_moves(rules, setup, Actions(moves(setup)))
    return table


def number_moves(rules: Any, setup: SaviomSetup, actions: Actions) -> None:
    """The numbers of choices and the places of a row, as environments have them."""
    first = {part.name: place for part, place, _ in layout(setup).places()}
    rules["place"] = [first.get(name, -1) for name in PARTS]
    rules["judge"] = actions.number(Judge(phase=NO_PHASE, eliminate=True))
    for name, kind in AIMED.items():
        move = kind(phase=NO_PHASE, target=0)
        rules[name] = actions.number(move) if move in actions.moves else -1


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
