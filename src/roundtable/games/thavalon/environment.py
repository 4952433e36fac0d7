"""THavalon as numbers: its moves, and what a seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.seats import Seat, all_seats
from roundtable.games.quests.environment import (
    QuestNotes,
    choice_parts,
    history_parts,
    proposals,
    role_parts,
    sights_among,
    table_parts,
    votes_and_cards,
)
from roundtable.games.quests.roles import Card, Role
from roundtable.games.quests.tables import QUESTS
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.deal import COLGREVANCE_IS_HIDDEN, SIGHTS, TITANIA_IS_AMONG_THEM
from roundtable.games.thavalon.events import AgravaineDeclared
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.games.thavalon.state import ThavalonState
from roundtable.kernels.actions import NO_PHASE, aimed
from roundtable.kernels.environment import Environment
from roundtable.kernels.layout import BySeat, Layout, Part, maybe

PHASES = ("propose", "stand", "vote", "quest", "reckoning", "assassination")
NOTICES = (COLGREVANCE_IS_HIDDEN, TITANIA_IS_AMONG_THEM)


def moves(setup: ThavalonSetup) -> Iterator[Move]:
    seats = range(setup.seats)
    yield from proposals(setup.seats, named=False, with_excalibur=False)
    yield from votes_and_cards(card for card in Card if setup.reversal or card is not Card.REVERSE)
    if setup.has_arthur:
        yield DeclareArthur(phase=NO_PHASE)
    if setup.has_agravaine:
        yield DeclareAgravaine(phase=NO_PHASE)
    if setup.has_agravaine and not setup.clock:
        yield GoOn(phase=NO_PHASE)
    yield from aimed(CallMerlin, seats)
    if setup.calls_nimue:
        yield from aimed(CallNimue, seats)
    if setup.calls_lovers:
        yield from (CallLovers(phase=NO_PHASE, targets=frozenset(pair)) for pair in combinations(seats, 2))
    if setup.no_target_call:
        yield CallNobody(phase=NO_PHASE)


@lru_cache(maxsize=64)
def roles_of(setup: ThavalonSetup) -> tuple[Role, ...]:
    """The roles that can be dealt, each once."""
    return setup.good_pool + setup.evil_pool


def most_attempts(setup: ThavalonSetup) -> int:
    """How many proposals a quest can take (T14, T26)."""
    return max(setup.proposals_allowed(quest) for quest in range(1, QUESTS + 1))


def most_polls(setup: ThavalonSetup) -> int:
    """How many votes a game can have. The last proposal of a round is not voted on (T15), but on a vote track (T26)."""
    unvoted = 0 if setup.has_vote_track else 1
    return sum(setup.proposals_allowed(quest) - unvoted for quest in range(1, QUESTS + 1))


def layout(setup: ThavalonSetup) -> Layout:
    seats, roles = BySeat(setup.seats), roles_of(setup)
    return Layout(
        [
            *role_parts(seats, roles, sights_among(SIGHTS, roles)),
            Part("told_roles", (len(roles),), "roles that it was told are in the game, in the order of `role`"),
            Part("notices", (len(NOTICES),), f"what it was told besides: {', '.join(NOTICES)}"),
            *choice_parts(),
            *table_parts(seats, PHASES, most_attempts(setup)),
            *history_parts(seats, most_polls(setup)),
            Part("first_team", (seats,), "the first team of a pair (T14)"),
            Part("arthur", (seats,), "who has declared as Arthur"),
            Part("agravaine", (seats,), "who has declared as Agravaine"),
            Part("window", (QUESTS,), "the quest that could still be declared failed"),
            Part("went_on", (1,), "whether this seat has gone on"),
        ]
    )


class ThavalonNotes(QuestNotes[ThavalonState]):
    """The same, with declarations, windows and pairs of teams."""

    def _own_role(self, view: ThavalonState) -> None:
        super()._own_role(view)
        card = view.dealt[self._seat]
        self.sheet.flag("told_roles", [self._roles[role] for role in card.roles_in_game])
        self.sheet.flag("notices", [NOTICES.index(notice) for notice in card.notices])

    def _own_rules(self, view: ThavalonState) -> None:
        sheet = self.sheet
        sheet.flag("first_team", () if view.first_of_pair is None else view.first_of_pair.team)
        sheet.flag("arthur", maybe(view.arthur))
        sheet.flag("window", () if view.window is None else (view.window - 1,))
        sheet.note("went_on", self._seat in view.went_on)

    def _hear(self, event: Event) -> None:
        if isinstance(event, AgravaineDeclared):
            self.sheet["agravaine"][event.seat] = 1
        else:
            super()._hear(event)


def notes(setup: ThavalonSetup, layout: Layout, seat: Seat) -> ThavalonNotes:
    return ThavalonNotes(layout, seat, PHASES, roles_of(setup))


def awaited(state: ThavalonState) -> frozenset[Seat]:
    """Where one seat might have something to declare, every seat is asked (C8)."""
    return all_seats(state.setup.seats) if a_seat_may_declare(state) else state.phase.awaited


def a_seat_may_declare(state: ThavalonState) -> bool:
    """From public facts alone (T16, T21)."""
    if state.phase.name in ("quest", "assassination"):
        return False
    return state.window is not None or (state.arthur_may_declare and state.setup.has_arthur)


ENVIRONMENT = Environment(moves=moves, layout=layout, notes=notes, awaited=awaited)
