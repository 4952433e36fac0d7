"""THavalon compiled: the same phases as games/thavalon/game.py over whole numbers, in bulk or a choice at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.compiled import positions
from roundtable.games.quests.compiled.common import second_side
from roundtable.games.quests.compiled.state import POSITION, TABLE
from roundtable.games.quests.compiled.words import ROLES, SIDES
from roundtable.games.quests.roles import Role
from roundtable.games.quests.state import Result
from roundtable.games.quests.tables import quest_fails
from roundtable.games.thavalon.actions import DeclareAgravaine, DeclareArthur
from roundtable.games.thavalon.compiled.bots import bot_turn, play_on
from roundtable.games.thavalon.compiled.choices import take, write_mask
from roundtable.games.thavalon.compiled.deal import deal
from roundtable.games.thavalon.compiled.observe import write_row
from roundtable.games.thavalon.compiled.phases import begin, side_of, take_up
from roundtable.games.thavalon.compiled.rules import REASONS, RULES, rules_of
from roundtable.games.thavalon.compiled.words import action_of
from roundtable.games.thavalon.environment import PHASES, awaited
from roundtable.games.thavalon.setup import ThavalonSetup
from roundtable.games.thavalon.state import ThavalonState
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


def write_state(row: Any, state: ThavalonState) -> None:
    """A position from the engine's state, or from one seat's view."""
    positions.write_state(row, state, PHASES, positions.still_asked(state, awaited(state) - state.went_on))
    row["arthur"] = -1 if state.arthur is None else state.arthur
    row["went_on"], row["round_began"] = mask_of(state.went_on), state.round_began
    row["news"] += state.arthur is not None
    if state.window is not None:
        row["window"], row["window_team"] = state.window, row["result_team"][state.window - 1]
    if state.first_of_pair is not None:
        row["has_pair"], row["first_team"] = True, mask_of(state.first_of_pair.team)
        row["leader_of_first"] = state.first_of_pair.leader
    elif state.is_paired and state.proposal is not None:
        row["leader_of_first"] = state.proposal.leader
    if any(was_turned(result, state.setup) for result in state.results):
        row["declared"] = mask_of(seat for seat, role in state.roles.items() if role is Role.AGRAVAINE)


def was_turned(result: Result, setup: ThavalonSetup) -> bool:
    """T21: whether the quest had succeeded by its cards."""
    return not result.succeeded and not quest_fails(result.fails, result.reverses, setup.fails_needed(result.quest))


KERNEL = CompiledGame(
    setup_type=ThavalonSetup,
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
    draws_after=(DeclareArthur, DeclareAgravaine),
    play=play,
    step=step,
)
