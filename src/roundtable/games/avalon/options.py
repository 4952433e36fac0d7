"""What a seat may do in Avalon: propose, vote, play, turn, examine, shoot."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.options import Options, one_of
from roundtable.core.seats import Seat, all_seats
from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests.flow import others
from roundtable.games.quests.options import TeamChoice, ballot, hand
from roundtable.games.quests.tables import team_size


def options_of(state: AvalonState, seat: Seat) -> Options:
    """All that this seat may do now, from what it may know."""
    phase = state.phase
    if phase.name == "vote":
        return ballot(phase.number)
    if seat not in phase.awaited:
        return ()
    match phase.name:
        case "propose":
            return leader_options(state)
        case "quest":
            return () if seat in state.cards else hand(phase.number, state.setup.cards_of(state.roles[seat]))
        case "excalibur":
            assert state.proposal is not None
            return excalibur_options(phase.number, tuple(sorted(state.proposal.team - {seat})))
        case "lady":
            return lady_options(state)
        case _:
            return shot_options(phase.number, others(seat, state.setup.seats))


def leader_options(state: AvalonState) -> Options:
    setup = state.setup
    return team_choice(
        state.phase.number,
        setup.seats,
        state.open_quests(),
        setup.choose_quests,
        state.leader if setup.excalibur != "off" else None,
    )


@lru_cache(maxsize=4096)
def team_choice(phase: int, seats: int, quests: tuple[int, ...], named: bool, excalibur_not: Seat | None) -> Options:
    sizes = tuple((quest if named else None, team_size(seats, quest)) for quest in quests)
    return (TeamChoice(phase=phase, eligible=tuple(range(seats)), sizes=sizes, excalibur_not=excalibur_not),)


def excalibur_options(phase: int, targets: tuple[Seat, ...]) -> Options:
    turn = one_of([UseExcalibur(phase=phase, target=target) for target in targets])
    return turn + one_of([LeaveExcalibur(phase=phase)])


def lady_options(state: AvalonState) -> Options:
    """A23: a player who has never held the Lady; with `lady_may_pass` also none."""
    phase = state.phase.number
    unseen = sorted(all_seats(state.setup.seats) - state.lady_has_been_with)
    asks = one_of([ExamineLoyalty(phase=phase, target=target) for target in unseen])
    return asks + one_of([KeepLady(phase=phase)]) if state.setup.lady_may_pass else asks


@lru_cache(maxsize=4096)
def shot_options(phase: int, targets: tuple[Seat, ...]) -> Options:
    return one_of([ShootMerlin(phase=phase, target=target) for target in targets])
