"""Avalon as numbers: its moves, and what a seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.events import ExcaliburUsed, LoyaltyExamined
from roundtable.games.avalon.setup import LAST_ATTEMPT, AvalonSetup
from roundtable.games.avalon.state import AvalonState
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
from roundtable.games.quests.roles import Card, Role, Side
from roundtable.games.quests.tables import QUESTS
from roundtable.kernels.actions import NO_PHASE, aimed
from roundtable.kernels.environment import Environment
from roundtable.kernels.layout import BySeat, Layout, Part, maybe, sign

PHASES = ("propose", "vote", "quest", "excalibur", "lady", "assassination")
MOST_POLLS = QUESTS * LAST_ATTEMPT  # A15


def moves(setup: AvalonSetup) -> Iterator[Move]:
    seats = range(setup.seats)
    yield from proposals(setup.seats, setup.choose_quests, setup.excalibur != "off")
    yield from votes_and_cards((Card.SUCCESS, Card.FAIL))
    if setup.excalibur != "off":
        yield from aimed(UseExcalibur, seats)
        yield LeaveExcalibur(phase=NO_PHASE)
    if setup.lady:
        yield from aimed(ExamineLoyalty, seats)
        if setup.lady_may_pass:
            yield KeepLady(phase=NO_PHASE)
    if setup.merlin:
        yield from aimed(ShootMerlin, seats)


@lru_cache(maxsize=64)
def roles_of(setup: AvalonSetup) -> tuple[Role, ...]:
    """The roles that can be dealt, each once."""
    return tuple(dict.fromkeys(setup.all_roles))


def layout(setup: AvalonSetup) -> Layout:
    seats, roles = BySeat(setup.seats), roles_of(setup)
    return Layout(
        [
            *role_parts(seats, roles, sights_among(SIGHTS, roles)),
            *choice_parts(),
            *table_parts(seats, PHASES, LAST_ATTEMPT),
            *history_parts(seats, MOST_POLLS),
            *variant_parts(setup, seats),
        ]
    )


def variant_parts(setup: AvalonSetup, seats: BySeat) -> Iterator[Part]:
    """What only some tables have."""
    if setup.lady:
        yield Part("lady", (seats,), "who holds the Lady of the Lake")
        yield Part("lady_has_been_with", (seats,), "who holds or has held her")
        yield Part("examined", (seats, seats), "by holder: whom they examined")
        yield Part("loyalties", (seats,), "what she has shown this seat: 1 Good, -1 Evil")
    if setup.excalibur != "off":
        yield Part("excalibur", (seats,), "who carries Excalibur")
        yield Part("turned", (QUESTS, seats), "by quest: whose card was turned")
        yield Part("turned_was", (QUESTS, seats), "the same, where this seat saw the card: 1 Success, -1 Fail")


class AvalonNotes(QuestNotes[AvalonState]):
    """The same, with the Lady and Excalibur."""

    def _own_rules(self, view: AvalonState) -> None:
        sheet = self.sheet
        if "lady" in sheet:
            sheet.flag("lady", maybe(view.lady))
            sheet.flag("lady_has_been_with", view.lady_has_been_with)
            for _, target, side in view.loyalties:
                sheet["loyalties"][target] = sign(side is Side.GOOD)
        for quest, target, card in view.excalibur_shown:
            sheet["turned_was"][quest - 1, target] = sign(card is Card.SUCCESS)

    def _hear(self, event: Event) -> None:
        match event:
            case LoyaltyExamined():
                self.sheet["examined"][event.holder, event.target] = 1
            case ExcaliburUsed():
                self.sheet["turned"][self._quest - 1, event.target] = 1
            case _:
                super()._hear(event)


def notes(setup: AvalonSetup, layout: Layout, seat: Seat) -> AvalonNotes:
    return AvalonNotes(layout, seat, PHASES, roles_of(setup))


ENVIRONMENT = Environment(moves=moves, layout=layout, notes=notes)
