"""What a sage has to know of Saviom: how others play, which moves are worth a thought, and who hides how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roundtable.belief.contract import Belief, Model
from roundtable.belief.mixture import MixtureModel, OneByOne
from roundtable.belief.strategy import Choice, Disguise
from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.core.policy import Face, offered
from roundtable.core.seats import Seat
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect
from roundtable.games.saviom.events import HuntMarked, HuntWithdrawn, PackMet, RoleDealt
from roundtable.games.saviom.habits import SaviomHabits
from roundtable.games.saviom.sage.face import face_of
from roundtable.games.saviom.sage.foresight import foresee
from roundtable.games.saviom.sage.parameters import PARAMETERS
from roundtable.games.saviom.sage.players import Anyone, CarefulTown
from roundtable.games.saviom.setup import Role, SaviomSetup
from roundtable.games.saviom.state import SaviomState

PLAYED_ON, FORESEEN = 6, 10  # how many times as many deals as usual are drawn: a deal is small


class SaviomStrategy:
    def model(self, setup: SaviomSetup) -> Model:
        kinds: dict[str, Model] = {
            "careful": CarefulTown(PARAMETERS.slip),
            "habits": SaviomHabits(),
            "random": Anyone(),
        }
        return MixtureModel(OneByOne(kinds), PARAMETERS.kinds, (Accuse, Judge))

    def candidates(self, view: SaviomState, options: Options, belief: Belief) -> list[Choice]:
        (seat,) = view.roles
        match view.phase.name:
            case "day" if seat not in view.accusations:
                may_wait = view.roles[seat] is Role.WOLF and not view.setup.early_end
                return [*offered(options, Accuse), *([None] if may_wait else [])]
            case "defense" if seat not in view.verdicts:
                return list(offered(options, Judge))
            case "night" if not self._has_chosen(view, seat):
                prey = offered(options, Hunt)
                agreed = [move for move in prey if move.target in view.hunts.values()]
                return [*(agreed or prey), *offered(options, Protect), *offered(options, Inspect)]
        return []

    def _has_chosen(self, view: SaviomState, seat: Seat) -> bool:
        return any(seat in chosen for chosen in (view.hunts, view.protections, view.inspections))

    def plays_on(self, view: SaviomState) -> bool:
        (role,) = view.roles.values()
        return role is Role.WOLF

    def deals_for(self, view: SaviomState, deals: int) -> int:
        return deals * (PLAYED_ON if self.plays_on(view) else FORESEEN)

    def stakes(self, view: SaviomState) -> float:
        return PARAMETERS.ballot

    def decisive(self, view: SaviomState, seat: Seat, positions: Any, rng: np.random.Generator) -> None:
        """Accusations and verdicts change what others do afterwards, so they choose for themselves."""

    def scores(self, view: SaviomState, seat: Seat, belief: Belief) -> Mapping[str, float]:
        return {}

    def doubt(self, view: SaviomState, seat: Seat, belief: Belief) -> float:
        return 0.0

    def foresee(self, view: SaviomState, seat: Seat, moves: Sequence[Choice], deals: Sequence[Any]) -> Any:
        return foresee(view, seat, moves, deals)

    def needs_onlooker(self, setup: SaviomSetup) -> bool:
        return False

    def solve(self, view: SaviomState, seat: Seat, onlooker: Belief | None) -> dict[Choice, float]:
        return {}

    def disguise(self, view: SaviomState, seat: Seat, heard: Sequence[Event], belief: Belief) -> Disguise | None:
        share = PARAMETERS.hides.get(view.phase.name, 0.0)
        if view.roles[seat] is not Role.WOLF or not share:
            return None
        return Disguise(tuple(as_citizen(heard, seat)), share)

    def talks_by_belief(self, setup: SaviomSetup) -> bool:
        return True

    def face(self, seat: Seat, onlooker: Belief) -> Face | None:
        return face_of(seat, onlooker)


def as_citizen(heard: Sequence[Event], seat: Seat) -> list[Event]:
    """What the seat would have heard as a plain Citizen."""
    told = [event for event in heard if not isinstance(event, (PackMet, HuntMarked, HuntWithdrawn))]
    return [
        RoleDealt(audience=event.audience, seat=seat, role=Role.CITIZEN) if isinstance(event, RoleDealt) else event
        for event in told
    ]


STRATEGY = SaviomStrategy()
