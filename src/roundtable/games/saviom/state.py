"""How a game of Saviom stands: the truth, or what one listener knows of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from roundtable.core.events import PhaseBegan, SecretsRevealed
from roundtable.core.seats import NOBODY, Seat, only
from roundtable.core.state import ABSORB_COMMON, Absorbers, TableState, no_change
from roundtable.games.saviom import events as happened
from roundtable.games.saviom.events import RoleDealt
from roundtable.games.saviom.formulas import is_majority
from roundtable.games.saviom.setup import Role, SaviomSetup

Choices = dict[Seat, Seat]


@dataclass(kw_only=True, eq=False, repr=False)
class SaviomState(TableState):
    """Roles, verdicts and night choices hold what this fold was told: all of it, or one seat's own."""

    setup: SaviomSetup
    alive: frozenset[Seat] = NOBODY
    roles: dict[Seat, Role] = field(default_factory=dict)
    pack: frozenset[Seat] = NOBODY  # the Wolves, dead ones included; empty for those who do not know
    accusations: Choices = field(default_factory=dict)
    locked: frozenset[Seat] = NOBODY
    accused: Seat | None = None
    verdicts: dict[Seat, bool] = field(default_factory=dict)
    hunts: Choices = field(default_factory=dict)
    protections: Choices = field(default_factory=dict)
    protected_last: Choices = field(default_factory=dict)
    inspections: Choices = field(default_factory=dict)
    suspicions: Choices = field(default_factory=dict)
    visions: tuple[tuple[Seat, Seat, bool], ...] = ()  # (Seer, inspected, is a Wolf)
    fates: dict[Seat, str] = field(default_factory=dict)
    leaving: frozenset[Seat] = NOBODY  # pledged to surrender at dawn
    somebody_died: bool = False  # since the last dawn or dusk
    quiet: int = 0

    @property
    def living_wolves(self) -> frozenset[Seat]:
        return self.pack & self.alive


def most_named(choices: Iterable[Seat], out_of: int) -> Seat | None:
    """The seat named by more than half, if there is one."""
    named = list(choices)
    return next((seat for seat in set(named) if is_majority(named.count(seat), out_of)), None)


def _without(choices: Choices, gone: Seat) -> Choices:
    return {seat: target for seat, target in choices.items() if gone not in (seat, target)}


def _role_dealt(state: SaviomState, event: happened.RoleDealt) -> None:
    state.roles = {**state.roles, event.seat: event.role}


def _pack_met(state: SaviomState, event: happened.PackMet) -> None:
    state.pack = frozenset(event.wolves)


def _phase_began(state: SaviomState, event: PhaseBegan) -> None:
    ABSORB_COMMON[PhaseBegan](state, event)
    state.locked = NOBODY


def _accusation_made(state: SaviomState, event: happened.AccusationMade) -> None:
    state.accusations = {**state.accusations, event.seat: event.target}


def _accusation_withdrawn(state: SaviomState, event: happened.AccusationWithdrawn) -> None:
    state.accusations = {seat: target for seat, target in state.accusations.items() if seat != event.seat}


def _locked_in(state: SaviomState, event: happened.LockedIn) -> None:
    state.locked |= only(event.seat)


def _put_on_trial(state: SaviomState, event: happened.PutOnTrial) -> None:
    state.accused = event.seat


def _verdict_marked(state: SaviomState, event: happened.VerdictMarked) -> None:
    state.verdicts = {**state.verdicts, event.seat: event.eliminate}


def _day_ended(state: SaviomState, event: happened.DayEnded) -> None:
    state.accusations = {}
    state.verdicts = {}
    state.accused = None
    state.somebody_died = False
    state.quiet = event.quiet


def _hunt_marked(state: SaviomState, event: happened.HuntMarked) -> None:
    state.hunts = {**state.hunts, event.seat: event.target}


def _hunt_withdrawn(state: SaviomState, event: happened.HuntWithdrawn) -> None:
    state.hunts = {seat: target for seat, target in state.hunts.items() if seat != event.seat}


def _protection_chosen(state: SaviomState, event: happened.ProtectionChosen) -> None:
    state.protections = {**state.protections, event.seat: event.target}


def _inspection_chosen(state: SaviomState, event: happened.InspectionChosen) -> None:
    state.inspections = {**state.inspections, event.seat: event.target}


def _suspect_named(state: SaviomState, event: happened.SuspectNamed) -> None:
    state.suspicions = {**state.suspicions, event.seat: event.target}


def _inspection_shown(state: SaviomState, event: happened.InspectionShown) -> None:
    state.visions += ((event.seat, event.target, event.is_wolf),)


def _night_ended(state: SaviomState, event: happened.NightEnded) -> None:
    state.protected_last = state.protections
    state.hunts = {}
    state.protections = {}
    state.inspections = {}
    state.suspicions = {}
    state.leaving = NOBODY
    state.somebody_died = False
    state.quiet = event.quiet


def _player_died(state: SaviomState, event: happened.PlayerDied) -> None:
    gone = event.seat
    state.alive -= only(gone)
    state.phase = state.phase._replace(awaited=state.phase.awaited - only(gone))
    state.accusations = _without(state.accusations, gone)
    state.verdicts = {seat: verdict for seat, verdict in state.verdicts.items() if seat != gone}
    if state.phase.name == "day":  # whose vote vanished is free to vote again
        state.locked &= frozenset(state.accusations)
    state.locked -= only(gone)
    state.somebody_died = state.phase.name != "night"  # who dies at dawn has died in the night that is over
    state.quiet = 0


def _fate_revealed(state: SaviomState, event: happened.FateRevealed) -> None:
    state.fates = {**state.fates, event.seat: event.revealed}


def _surrender_pledged(state: SaviomState, event: happened.SurrenderPledged) -> None:
    state.leaving |= only(event.seat)


def _secrets_revealed(state: SaviomState, event: SecretsRevealed) -> None:
    for _, secret in event.secret_facts:
        if isinstance(secret, RoleDealt):
            _role_dealt(state, secret)
        if isinstance(secret, happened.PackMet):
            _pack_met(state, secret)


ABSORB_SAVIOM: Absorbers = {
    **ABSORB_COMMON,
    PhaseBegan: _phase_began,
    happened.RoleDealt: _role_dealt,
    happened.PackMet: _pack_met,
    happened.AccusationMade: _accusation_made,
    happened.AccusationWithdrawn: _accusation_withdrawn,
    happened.LockedIn: _locked_in,
    happened.PutOnTrial: _put_on_trial,
    happened.VerdictMarked: _verdict_marked,
    happened.VerdictsCounted: no_change,
    happened.DayEnded: _day_ended,
    happened.HuntMarked: _hunt_marked,
    happened.HuntWithdrawn: _hunt_withdrawn,
    happened.ProtectionChosen: _protection_chosen,
    happened.InspectionChosen: _inspection_chosen,
    happened.SuspectNamed: _suspect_named,
    happened.InspectionShown: _inspection_shown,
    happened.NightEnded: _night_ended,
    happened.PlayerDied: _player_died,
    happened.FateRevealed: _fate_revealed,
    happened.SurrenderPledged: _surrender_pledged,
    SecretsRevealed: _secrets_revealed,
}
