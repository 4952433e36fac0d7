"""Where a game of Saviom stands, and the numbers of its choices."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from roundtable.core.setup import Setup
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect, Suspect
from roundtable.games.saviom.compiled.state import MOST_SEATS, ROLES, TABLE, rules_of
from roundtable.games.saviom.environment import CAUSES
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.kernels.actions import NO_PHASE, Actions
from roundtable.kernels.contract import CarefulSeats
from roundtable.kernels.layout import Layout

DAY, DEFENSE, NIGHT = range(3)  # in the order of the row's phases
VERDICT, BY_NIGHT = CAUSES.index("verdict"), CAUSES.index("night")
NO_CREW = CarefulSeats(0, False, False)  # every seat is a learner's

Rules = Any  # a row of STEP_RULES
Now = Any  # a row of STATE

PARTS = (
    *("seat", "role", "pack", "hunts", "protected_last", "visions"),
    *("phase", "phase_number", "quiet", "alive", "accusations", "accused"),
    *("last_accusations", "last_trial", "last_verdicts", "deaths", "fates"),
)
AT: Any = namedtuple("AT", PARTS)(*range(len(PARTS)))

STEP_RULES = np.dtype(
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
        ("quiet_limit", np.int64),
        ("fates", np.int64),  # how many there are to tell apart: none, two sides, four roles
        ("place", np.int64, len(PARTS)),
        ("accuse", np.int64),  # the number of each kind of move at the first seat; -1 where it is never made
        ("judge", np.int64),  # to eliminate; to save is the next
        ("hunt", np.int64),
        ("protect", np.int64),
        ("inspect", np.int64),
        ("suspect", np.int64),
    ]
)
STATE = np.dtype(
    [
        *TABLE.descr,
        ("number", np.int64),  # of the game
        ("stage", np.int64),
        ("turn", np.int64),
        ("asked", np.int64),  # who is still to be asked in this phase; a mask, like every set of seats
        ("accused", np.int64),
        ("accusations", np.int64, MOST_SEATS),  # by seat: the target, or NOBODY
        ("hunts", np.int64, MOST_SEATS),
        ("ward_tonight", np.int64),
        ("inspected", np.int64),
        ("last_accusations", np.int64, MOST_SEATS),
        ("last_trial", np.int64),
        ("eliminate", np.int64),  # verdicts of the last trial
        ("save", np.int64),
        ("death", np.int64, MOST_SEATS),  # its cause
    ]
)


def step_rules_of(setup: SaviomSetup, actions: Actions, layout: Layout) -> Any:
    table = np.zeros(1, STEP_RULES)
    rules = table[0]
    for name, chosen in rules_of(setup)._asdict().items():
        if name in (STEP_RULES.names or ()):
            rules[name] = chosen
    rules["kill_by_cast"] = setup.kill_by == "cast"
    rules["fates"] = {"none": 0, "side": 2, "role": len(ROLES)}[setup.reveal_on_death]
    first = {part.name: place for part, place, _ in layout.places()}
    rules["place"] = [first.get(name, -1) for name in PARTS]
    rules["judge"] = actions.number(Judge(phase=NO_PHASE, eliminate=True))
    aimed = {"accuse": Accuse, "hunt": Hunt, "protect": Protect, "inspect": Inspect, "suspect": Suspect}
    for name, kind in aimed.items():
        move = kind(phase=NO_PHASE, target=0)
        rules[name] = actions.number(move) if move in actions.moves else -1
    return table


def deal_of(state: Any, setup: Setup) -> Any:
    return tuple([ROLES[role] for role in state["roles"][: setup.seats].tolist()])
