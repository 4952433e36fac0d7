"""Avalon compiled: the same phases as games/avalon/game.py over whole numbers, in bulk or a choice at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.avalon.compiled.bots import bot_turn, play_on
from roundtable.games.avalon.compiled.choices import take, write_mask
from roundtable.games.avalon.compiled.observe import write_row
from roundtable.games.avalon.compiled.phases import begin, deal, side_of, take_up
from roundtable.games.avalon.compiled.rules import REASONS, RULES, rules_of
from roundtable.games.avalon.compiled.words import action_of
from roundtable.games.avalon.environment import PHASES
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.compiled import positions
from roundtable.games.quests.compiled.common import second_side
from roundtable.games.quests.compiled.state import POSITION, TABLE
from roundtable.games.quests.compiled.words import ROLES, SIDES
from roundtable.games.quests.roles import Card
from roundtable.kernels.compiling import entry
from roundtable.kernels.core import CompiledGame
from roundtable.kernels.trace import TRACE
from roundtable.kernels.turns import advance, roll_out


@entry
def play(tables: Any, starts: Any, crew: Any, seed: np.uint64, first: int, batch: Any) -> None:
    roll_out(tables, starts, crew, seed, first, batch, deal, begin, take_up, play_on, side_of, second_side)


@entry
def step(frame: Any) -> int:
    return advance(
        frame, RULES, TABLE, TRACE,
        deal, begin, take_up, take, bot_turn, side_of, second_side, write_mask, write_row,
    )  # fmt: skip


def write_state(row: Any, state: AvalonState) -> None:
    """A position from the engine's state, or from one seat's view."""
    positions.write_state(row, state, PHASES, positions.still_asked(state, state.phase.awaited))
    row["lady"] = -1 if state.lady is None else state.lady
    row["lady_has_been_with"] = mask_of(state.lady_has_been_with)
    row["examined"] = -1
    for holder, target, _ in state.loyalties:
        row["examined"][holder] = target
    bearers = {poll.proposal.quest: poll.proposal.excalibur for poll in state.polls if poll.approved}
    for quest, target, card in state.excalibur_shown:
        at = [result.quest for result in state.results].index(quest)
        bearer = bearers.get(quest)
        row["turned"][at], row["turned_fail"][at] = target, card is Card.FAIL
        row["turner"][at] = -1 if bearer is None else bearer  # a fifth team without a vote tells only who is on it


KERNEL = CompiledGame(
    setup_type=AvalonSetup,
    sides=SIDES,
    reasons=REASONS,
    roles=ROLES,
    position=POSITION,
    table=TABLE,
    rules_of=rules_of,
    action_of=action_of,
    read_deal=positions.read_deal,
    write_deals=positions.write_deals,
    write_state=write_state,
    play=play,
    step=step,
)
