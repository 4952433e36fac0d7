"""What a seat may do in THavalon: propose, declare, go on, call."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from roundtable.core.actions import Move
from roundtable.core.options import Options, one_of
from roundtable.core.seats import Seat
from roundtable.games.quests.flow import others
from roundtable.games.quests.options import TeamChoice, ballot, hand
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import team_size
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.games.thavalon.state import ThavalonState


def options_of(state: ThavalonState, seat: Seat) -> Options:
    """All that this seat may do now, from what it may know."""
    phase = state.phase
    match phase.name:
        case "propose":
            team = team_options(state) if seat == state.leader else ()
            return team + arthur_options(state, seat) + agravaine_options(state, seat)
        case "stand":
            return go_on_options(state, seat) + arthur_options(state, seat) + agravaine_options(state, seat)
        case "reckoning":
            return go_on_options(state, seat) + agravaine_options(state, seat)
        case "vote":
            return ballot(phase.number) + arthur_options(state, seat)
        case "quest":
            may_play = seat in phase.awaited and seat not in state.cards
            return hand(phase.number, state.setup.cards_of(state.roles[seat])) if may_play else ()
        case _:
            return call_options(phase.number, seat, state.setup) if seat == state.assassin else ()


def team_options(state: ThavalonState) -> Options:
    return team_choice(state.phase.number, state.eligible(), team_size(state.setup.seats, state.quest))


@lru_cache(maxsize=4096)
def team_choice(phase: int, eligible: tuple[Seat, ...], size: int) -> Options:
    return (TeamChoice(phase=phase, eligible=eligible, sizes=((None, size),)),)


def arthur_options(state: ThavalonState, seat: Seat) -> Options:
    """T16."""
    if state.is_role(seat, Role.ARTHUR) and state.arthur_may_declare:
        return declaration(DeclareArthur, state)
    return ()


def agravaine_options(state: ThavalonState, seat: Seat) -> Options:
    """T21: he must have been on that quest."""
    if state.window is not None and state.is_role(seat, Role.AGRAVAINE) and state.was_on(state.window, seat):
        return declaration(DeclareAgravaine, state)
    return ()


def declaration(kind: type[Move], state: ThavalonState) -> Options:
    """A declaration holds for the round, not for a phase: of two made at once the second still counts (C5)."""
    return declared_since(kind, state.round_began, state.phase.number)


@lru_cache(maxsize=4096)
def declared_since(kind: type[Move], began: int, phase: int) -> Options:
    return one_of([kind(phase=number) for number in range(phase, began - 1, -1)])


def go_on_options(state: ThavalonState, seat: Seat) -> Options:
    """T21: where no clock ends the window, every seat is asked."""
    if state.setup.clock or seat in state.went_on:
        return ()
    return one_of([GoOn(phase=state.phase.number)])


@lru_cache(maxsize=1024)
def call_options(phase: int, seat: Seat, setup: ThavalonSetup) -> Options:
    """T23, T24, T26."""
    targets = others(seat, setup.seats)
    options = one_of([CallMerlin(phase=phase, target=target) for target in targets])
    if setup.calls_nimue:
        options += one_of([CallNimue(phase=phase, target=target) for target in targets])
    if setup.calls_lovers:
        options += one_of([CallLovers(phase=phase, targets=frozenset(pair)) for pair in combinations(targets, 2)])
    if setup.no_target_call:
        options += one_of([CallNobody(phase=phase)])
    return options
