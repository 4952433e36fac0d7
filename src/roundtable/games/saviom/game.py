"""How a game of Saviom goes: day, defense and night, until one side is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance, shuffled
from roundtable.core.events import Event
from roundtable.core.game import OPEN_TALK, Game, Transition
from roundtable.core.options import Options
from roundtable.core.phrases import Phrase
from roundtable.core.seats import EVERYONE, NOBODY, Seat, all_seats, only
from roundtable.core.setup import Setup
from roundtable.core.state import Absorbers
from roundtable.games.saviom.actions import (
    SAVIOM_ACTIONS,
    Accuse,
    Hunt,
    Inspect,
    Judge,
    LockIn,
    Protect,
    Surrender,
    Suspect,
    WithdrawAccusation,
)
from roundtable.games.saviom.events import (
    SAVIOM_EVENTS,
    AccusationMade,
    AccusationWithdrawn,
    DayEnded,
    FateRevealed,
    HuntMarked,
    HuntWithdrawn,
    InspectionChosen,
    InspectionShown,
    LockedIn,
    NightEnded,
    PackMet,
    PlayerDied,
    ProtectionChosen,
    PutOnTrial,
    RoleDealt,
    SurrenderPledged,
    SuspectNamed,
    VerdictMarked,
    VerdictsCounted,
)
from roundtable.games.saviom.formulas import is_at_parity, is_condemned
from roundtable.games.saviom.options import options_of
from roundtable.games.saviom.phrases import TOWN_PHRASES
from roundtable.games.saviom.setup import Role, SaviomSetup, Side, side_of
from roundtable.games.saviom.state import ABSORB_SAVIOM, SaviomState, most_named

Now = Transition[SaviomState]
Deal = tuple[Role, ...]


class Saviom(Game[SaviomState, Deal]):
    name: ClassVar[str] = "saviom"
    setup_type: ClassVar[type[Setup]] = SaviomSetup
    sides: ClassVar[tuple[str, ...]] = (Side.CITIZENS, Side.WOLVES)
    endings: ClassVar[tuple[tuple[str | None, str], ...]] = (
        (Side.CITIZENS, "no_wolf_left"),
        (Side.WOLVES, "wolves_at_parity"),
    )
    events: ClassVar[tuple[type[Event], ...]] = SAVIOM_EVENTS
    actions: ClassVar[tuple[type[Action], ...]] = SAVIOM_ACTIONS
    words: ClassVar[frozenset[str]] = frozenset((*Role, *Side))
    phrases: ClassVar[Mapping[str, Phrase]] = TOWN_PHRASES
    timed_phases: ClassVar[frozenset[str]] = frozenset(("day", "defense", "night"))
    absorb: ClassVar[Absorbers] = ABSORB_SAVIOM

    def blank(self, setup: Setup) -> SaviomState:
        assert isinstance(setup, SaviomSetup)
        return SaviomState(setup=setup, alive=all_seats(setup.seats))

    def deal(self, setup: Setup, chance: Chance) -> Deal:
        """S1: every seating of the roles is equally likely."""
        assert isinstance(setup, SaviomSetup)
        return tuple(shuffled(chance, setup.all_roles))

    def begin(self, now: Now, deal: Deal) -> None:
        for seat, role in enumerate(deal):
            now.emit(RoleDealt(audience=only(seat), seat=seat, role=role))
        wolves = tuple(seat for seat, role in enumerate(deal) if role is Role.WOLF)
        now.emit(PackMet(audience=frozenset(wolves), wolves=wolves))
        if now.state.setup.begins_with == "day":
            begin_day(now)
        else:
            begin_night(now)

    def read_deal(self, events: Sequence[Event]) -> Deal:
        dealt = {event.seat: event.role for event in events if isinstance(event, RoleDealt)}
        return tuple(dealt[seat] for seat in range(len(dealt)))

    def can_deal(self, setup: Setup, deal: Deal) -> bool:
        assert isinstance(setup, SaviomSetup)
        return sorted(deal) == sorted(setup.all_roles)

    def options(self, state: SaviomState, seat: Seat) -> Options:
        return options_of(state, seat)

    def decide(self, now: Now, seat: Seat, move: Move) -> None:
        match move:
            case Accuse(target=target):
                if now.state.accusations.get(seat) != target:
                    now.emit(AccusationMade(audience=EVERYONE, seat=seat, target=target))
            case WithdrawAccusation():
                now.emit(AccusationWithdrawn(audience=EVERYONE, seat=seat))
            case Judge(eliminate=eliminate):
                if now.state.verdicts.get(seat) is not eliminate:
                    now.emit(VerdictMarked(audience=only(seat), seat=seat, eliminate=eliminate))
            case LockIn():
                hearers = only(seat) if now.state.phase.name == "night" else EVERYONE  # S11
                now.emit(LockedIn(audience=hearers, seat=seat))
                end_early(now)
            case Hunt(target=target):
                if now.state.hunts.get(seat) != target:
                    now.emit(HuntMarked(audience=now.state.living_wolves, seat=seat, target=target))
            case Protect(target=target):
                if now.state.protections.get(seat) != target:
                    now.emit(ProtectionChosen(audience=only(seat), seat=seat, target=target))
            case Inspect(target=target):
                if now.state.inspections.get(seat) != target:
                    now.emit(InspectionChosen(audience=only(seat), seat=seat, target=target))
            case Suspect(target=target):
                if now.state.suspicions.get(seat) != target:
                    now.emit(SuspectNamed(audience=only(seat), seat=seat, target=target))
            case Surrender():
                surrender(now, seat)

    def expire(self, now: Now, chance: Chance) -> None:
        match now.state.phase.name:
            case "day":
                count_accusations(now)
            case "defense":
                count_verdicts(now)
            case "night":
                end_night(now)

    def seats_of(self, state: SaviomState, winner: str) -> tuple[Seat, ...]:
        """The dead win and lose with their side."""
        return tuple(seat for seat, role in sorted(state.roles.items()) if side_of(role) == winner)


# Day and defense


def begin_day(now: Now) -> None:
    if "wolves" in now.state.floors:
        now.give_floor("wolves", NOBODY, now.state.living_wolves)
    now.begin_phase("day", now.state.alive, now.state.setup.day_seconds)
    now.give_floor(OPEN_TALK, now.state.alive, EVERYONE)


def count_accusations(now: Now) -> None:
    """S6: more than half puts a player on trial; otherwise night falls."""
    state = now.state
    votes = state.accusations
    accused = most_named(votes.values(), len(state.alive if state.setup.trial_by == "living" else votes))
    if accused is None:
        end_day(now)
        return
    now.emit(PutOnTrial(audience=EVERYONE, seat=accused))
    now.begin_phase("defense", state.alive - only(accused), state.setup.defense_seconds)
    now.give_floor(OPEN_TALK, only(accused), EVERYONE)


def count_verdicts(now: Now) -> None:
    """S7: more eliminate than save eliminates; a tie or no vote saves."""
    state = now.state
    assert state.accused is not None
    accused = state.accused
    eliminate = tuple(seat for seat, verdict in sorted(state.verdicts.items()) if verdict)
    save = tuple(seat for seat, verdict in sorted(state.verdicts.items()) if not verdict)
    eliminated = is_condemned(len(eliminate), len(save))
    now.emit(VerdictsCounted(audience=EVERYONE, accused=accused, eliminate=eliminate, save=save, eliminated=eliminated))
    if eliminated:
        die(now, accused, "verdict")
    if not is_won(now):
        end_day(now)


def end_early(now: Now) -> None:
    """S5, S11: with `early_end`, a phase ends once every player who has a choice in it has locked it in."""
    state = now.state
    if state.setup.early_end and entitled(state) <= state.locked:
        match state.phase.name:
            case "day":
                count_accusations(now)
            case "defense":
                count_verdicts(now)
            case "night":
                end_night(now)


def entitled(state: SaviomState) -> frozenset[Seat]:
    """The living, without the accused, and without those who leave at dawn."""
    staying = state.alive - state.leaving
    return staying if state.accused is None else staying - only(state.accused)


def end_day(now: Now) -> None:
    quiet = 0 if now.state.somebody_died else now.state.quiet + 1
    now.emit(DayEnded(audience=EVERYONE, quiet=quiet))
    if quiet >= now.state.setup.quiet_limit:
        now.end(None, "quiet")
    else:
        begin_night(now)


# Night


def begin_night(now: Now) -> None:
    now.give_floor(OPEN_TALK, NOBODY, EVERYONE)
    now.begin_phase("night", now.state.alive, now.state.setup.night_seconds)
    now.give_floor("wolves", now.state.living_wolves, now.state.living_wolves)


def end_night(now: Now) -> None:
    """S8 to S12: everything chosen in the night happens at once, and is told at dawn."""
    state = now.state
    leaving = state.leaving
    for seer, target in sorted(state.inspections.items()):
        if seer not in leaving:
            is_wolf = state.roles[target] is Role.WOLF
            now.emit(InspectionShown(audience=only(seer), seat=seer, target=target, is_wolf=is_wolf))
    killed = night_victim(state)
    quiet = state.quiet + 1 if killed is None and not leaving else 0
    now.emit(NightEnded(audience=EVERYONE, killed=killed, quiet=quiet))
    if killed is not None:
        die(now, killed, "night")
    for seat in sorted(leaving - {killed}):
        die(now, seat, "surrender")
    if is_won(now):
        return
    if quiet >= state.setup.quiet_limit:
        now.end(None, "quiet")
    else:
        begin_day(now)


def night_victim(state: SaviomState) -> Seat | None:
    """S8, S9: the Wolves' choice, unless it is protected. Who leaves at dawn no longer counts (S12)."""
    hunters = state.living_wolves - state.leaving
    votes = [target for wolf, target in state.hunts.items() if wolf in hunters]
    victim = most_named(votes, len(votes) if state.setup.kill_by == "cast" else len(hunters))
    wards = {ward for protector, ward in state.protections.items() if protector not in state.leaving}
    return None if victim in wards else victim


# Death and victory


def surrender(now: Now, seat: Seat) -> None:
    """S12."""
    state = now.state
    if state.phase.name == "night":
        now.emit(SurrenderPledged(audience=only(seat), seat=seat))
        if seat in state.hunts:
            now.emit(HuntWithdrawn(audience=state.living_wolves, seat=seat))
        end_early(now)
        return
    was_accused = seat == state.accused
    die(now, seat, "surrender")
    if is_won(now):
        return
    if was_accused:
        end_day(now)
    else:
        end_early(now)


def die(now: Now, seat: Seat, cause: str) -> None:
    """S11, S12: the mouth is closed before anything is told; the dead talk among themselves."""
    state = now.state
    table = state.floors[OPEN_TALK].speakers
    now.give_floor(OPEN_TALK, table - only(seat), EVERYONE)
    now.emit(PlayerDied(audience=EVERYONE, seat=seat, cause=cause))
    if state.setup.reveal_on_death != "none":
        role = state.roles[seat]
        revealed = role if state.setup.reveal_on_death == "role" else side_of(role)
        now.emit(FateRevealed(audience=EVERYONE, seat=seat, revealed=revealed))
    dead = all_seats(state.setup.seats) - state.alive
    now.give_floor("dead", dead, dead)


def is_won(now: Now) -> bool:
    """S13."""
    state = now.state
    wolves = len(state.living_wolves)
    if wolves == 0:
        now.end(Side.CITIZENS, "no_wolf_left")
    elif is_at_parity(wolves, len(state.alive)):
        now.end(Side.WOLVES, "wolves_at_parity")
    return state.outcome is not None
