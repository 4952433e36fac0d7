"""What a seat knows and may choose, in words, for players who read: people and language models.

The same knowledge gives the same text: the commitment to the sealed deal, which tells a player nothing, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import numpy as np

from roundtable.core.codec import plain
from roundtable.core.events import PhaseBegan, TableOpened
from roundtable.core.options import SeatsChoice
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat
from roundtable.core.setup import Setup
from roundtable.games import spec_named
from roundtable.kernels.actions import NO_PHASE
from roundtable.lab.environments.answers import form_of, is_long
from roundtable.lab.environments.table import Table
from roundtable.text.names import Names
from roundtable.text.teller import Teller, teller_of


def seat_text(table: Table, seat: Seat, names: Names, is_asked: bool) -> str:
    """Everything this seat knows, and what it may choose now, by number."""
    teller = teller_of(spec_named(table.setup.game), names)
    known = [*opening(table.setup, teller), *knows(table, seat, teller), *story_of(table, seat, teller)]
    return "\n".join([*known, *menu(table, seat, teller, is_asked)])


def public_text(table: Table, names: Names) -> str:
    """What all players may know."""
    teller = teller_of(spec_named(table.setup.game), names)
    return "\n".join([*opening(table.setup, teller), *story_of(table, SPECTATOR, teller)])


def opening(setup: Setup, teller: Teller) -> Iterator[str]:
    players = teller.seats(range(setup.seats))
    yield teller.text("observation.table", seats=setup.seats, game=teller.game_name, players=players)
    yield teller.board(setup)
    if rules := [f"{name} = {plain(chosen)}" for name, chosen in house_rules(setup)]:
        yield teller.text("observation.house_rules", rules=teller.text("list.separator").join(rules))


def house_rules(setup: Setup) -> Iterator[tuple[str, object]]:
    """The options in which the table differs from the usual rules."""
    usual = type(setup)(seats=setup.seats)
    for option in fields(setup):
        chosen = getattr(setup, option.name)
        if chosen != getattr(usual, option.name):
            yield option.name, chosen


def knows(table: Table, seat: Seat, teller: Teller) -> Iterator[str]:
    yield ""
    yield teller.text("observation.you", name=teller.names[seat])
    yield teller.secrets(line.event for line in table.play.heard(seat))


def story_of(table: Table, listener: int, teller: Teller) -> Iterator[str]:
    """What was heard, as sentences. The table and what was dealt to the seat are at the head of the text already."""
    yield ""
    yield teller.text("observation.so_far")
    is_dealing = True
    for line in table.play.heard(listener):
        is_dealing = is_dealing and not isinstance(line.event, PhaseBegan)
        is_told_before = isinstance(line.event, TableOpened) or (is_dealing and line.event.audience is not EVERYONE)
        sentence = teller.tell(line.event)
        if sentence is not None and not is_told_before:
            yield sentence


def menu(table: Table, seat: Seat, teller: Teller, is_asked: bool) -> Iterator[str]:
    """The numbers that may be chosen, and what each stands for; of a long list of teams only the form of an answer."""
    yield ""
    if table.is_over:
        yield teller.text("table.over")
        return
    if progress := teller.progress(table.view(seat)):
        yield progress
    phase = table.play.phase.name
    yield teller.text("observation.choose", phase=phase)
    mask = table.mask(seat, is_asked)
    for option in table.options(seat) if is_asked else ():
        if isinstance(option, SeatsChoice) and is_long(option):
            yield from form_of(option, len(option), phase, teller)
            mask[[table.actions.number(move) for move in option]] = 0
    for number in np.flatnonzero(mask):
        yield f"{number}: {called(table, int(number), teller)}"


def called(table: Table, number: int, teller: Teller) -> str:
    move = table.actions.move(number, NO_PHASE)
    return teller.text("observation.wait") if move is None else teller.move(move)
