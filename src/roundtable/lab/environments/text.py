"""What a seat knows and may choose, in words, for players who read: people and language models.

The same knowledge gives the same text: the commitment to the sealed deal, which tells a player nothing, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import numpy as np

from roundtable.core.codec import plain
from roundtable.core.events import TableOpened
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.setup import Setup
from roundtable.core.state import TableState
from roundtable.games.quests import events as quests
from roundtable.games.quests.state import QuestState
from roundtable.games.saviom import events as town
from roundtable.lab.environments.actions import UNSAID
from roundtable.lab.environments.table import Table
from roundtable.story import Names, Story
from roundtable.story.board import board
from roundtable.story.moves import phrase, secrets_of

# Events that stand at the head of the text already.
TOLD_BEFORE = (TableOpened, quests.RoleDealt, town.RoleDealt, town.PackMet)


def seat_text(table: Table, seat: Seat, names: Names, is_asked: bool) -> str:
    """Everything this seat knows, and what it may choose now, by number."""
    known = [*opening(table.setup, names), *knows(table, seat, names), *story_of(table, seat, names)]
    return "\n".join([*known, *menu(table, seat, names, is_asked)])


def public_text(table: Table, names: Names) -> str:
    """What everybody may know."""
    return "\n".join([*opening(table.setup, names), *story_of(table, SPECTATOR, names)])


def opening(setup: Setup, names: Names) -> Iterator[str]:
    yield f"{setup.seats} players play {setup.game}: {names.list(range(setup.seats))}."
    yield board(setup)
    if rules := [f"{name} = {plain(chosen)}" for name, chosen in house_rules(setup)]:
        yield f"House rules: {', '.join(rules)}."


def house_rules(setup: Setup) -> Iterator[tuple[str, object]]:
    """Where the table plays by another rule than the usual one."""
    usual = type(setup)(seats=setup.seats)
    for option in fields(setup):
        chosen = getattr(setup, option.name)
        if chosen != getattr(usual, option.name):
            yield option.name, chosen


def knows(table: Table, seat: Seat, names: Names) -> Iterator[str]:
    yield ""
    yield f"You are {names[seat]}."
    yield secrets_of(table.view(seat), seat, names)


def story_of(table: Table, listener: int, names: Names) -> Iterator[str]:
    """What was heard, as sentences."""
    yield ""
    yield "What has happened:"
    story = Story(table.setup.game, names)
    for line in table.play.heard(listener):
        sentence = story.tell(line.event)
        if sentence is not None and not isinstance(line.event, TOLD_BEFORE):
            yield sentence


def menu(table: Table, seat: Seat, names: Names, is_asked: bool) -> Iterator[str]:
    """The numbers that may be chosen, and what each stands for."""
    yield ""
    if table.is_over:
        yield "The game is over."
        return
    yield f"It is the {table.play.phase.name} phase{has_voted(table.view(seat), names)}. You may choose:"
    for number in np.flatnonzero(table.mask(seat, is_asked)):
        yield f"{number}: {called(table, int(number), names)}"


def has_voted(view: TableState, names: Names) -> str:
    """Who has voted is public; how they did is not yet (A12)."""
    return f" ({names.list(view.voted)} voted)" if isinstance(view, QuestState) and view.phase.name == "vote" else ""


def called(table: Table, number: int, names: Names) -> str:
    move = table.actions.move(number, UNSAID)
    return "wait" if move is None else phrase(move, names)
