"""Town of Saviom compiled: the phases of games/saviom/game.py over whole numbers, in bulk or a choice at a time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.core.actions import Action, Expire, Move
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect, Suspect
from roundtable.games.saviom.compiled.bots import bot_turn, play_on
from roundtable.games.saviom.compiled.choices import take, write_mask
from roundtable.games.saviom.compiled.observe import write_row
from roundtable.games.saviom.compiled.phases import REASONS, begin, deal, second_side, side_of, take_up
from roundtable.games.saviom.compiled.state import (
    ACCUSE,
    EXPIRE,
    HUNT,
    INSPECT,
    JUDGE,
    MOST_PHASES,
    NOBODY,
    POSITION,
    PROTECT,
    ROLES,
    RULES,
    SUSPECT,
    TABLE,
    TRACE,
    blank_trace,
    rules_of,
)
from roundtable.games.saviom.environment import PHASES
from roundtable.games.saviom.setup import Role, SaviomSetup, Side
from roundtable.games.saviom.state import SaviomState
from roundtable.kernels.compiling import entry
from roundtable.kernels.core import CompiledGame
from roundtable.kernels.positions import Positions
from roundtable.kernels.turns import advance, roll_out

AIMED: dict[int, type[Move]] = {ACCUSE: Accuse, HUNT: Hunt, PROTECT: Protect, INSPECT: Inspect, SUSPECT: Suspect}


@entry
def play(tables: Any, starts: Any, crew: Any, seed: np.uint64, first: int, batch: Any) -> None:
    roll_out(tables, starts, crew, seed, first, batch, deal, begin, take_up, play_on, side_of, second_side)


@entry
def step(frame: Any) -> int:
    return advance(
        frame, RULES, TABLE, TRACE,
        deal, begin, take_up, take, bot_turn, side_of, second_side, write_mask, write_row,
    )  # fmt: skip


@lru_cache(maxsize=1 << 16)
def action_of(phase: int, verb: int, target: int, second: int, third: int) -> Action:
    """The action that a step stands for."""
    if verb == EXPIRE:
        return Expire(phase=phase)
    if verb == JUDGE:
        return Judge(phase=phase, eliminate=bool(target))
    return AIMED[verb](phase=phase, target=target)  # type: ignore[call-arg]


# Positions


def read_deal(position: Any, setup: Setup) -> tuple[Role, ...]:
    return tuple([ROLES[role] for role in position["roles"][: setup.seats].tolist()])


def write_deals(positions: Positions, deals: Sequence[Sequence[Role]] | np.ndarray[Any, Any]) -> None:
    """By deal and seat: the role, or its index in `KERNEL.roles`."""
    if not isinstance(deals, np.ndarray):
        deals = np.array([[ROLES.index(role) for role in deal] for deal in deals])
    positions["roles"][:, : deals.shape[1]] = deals


def write_state(row: Any, state: SaviomState) -> None:
    """A position from the engine's state, or from one seat's view."""
    for seat, role in state.roles.items():
        row["roles"][seat] = ROLES.index(role)
    row["phase"], row["stage"] = state.phase.number, PHASES[state.phase.name]
    chosen: dict[str, Collection[Seat]] = {"day": state.accusations, "defense": state.verdicts}
    by_night = {**state.hunts, **state.protections, **state.inspections, **state.suspicions}
    row["asked"] = mask_of(state.phase.awaited - {*chosen.get(state.phase.name, ()), *by_night})
    row["alive"], row["quiet"] = mask_of(state.alive), state.quiet
    row["accused"] = row["last_trial"] = NOBODY if state.accused is None else state.accused
    row["eliminate"] = mask_of(seat for seat, eliminate in state.verdicts.items() if eliminate)
    row["save"] = mask_of(seat for seat, eliminate in state.verdicts.items() if not eliminate)
    row["ward"], row["ward_tonight"] = one_of(state.protected_last), one_of(state.protections)
    row["inspected"] = one_of(state.inspections)
    row["seen"] = mask_of(target for _, target, _ in state.visions)
    row["seen_wolves"] = mask_of(target for _, target, is_wolf in state.visions if is_wolf)
    for name, choices in (("accusations", state.accusations), ("hunts", state.hunts), ("suspicions", state.suspicions)):
        row[name] = NOBODY
        for seat, target in choices.items():
            row[name][seat] = target
    row["last_accusations"] = row["death"] = NOBODY
    write_order(row, state)


def write_order(row: Any, state: SaviomState) -> None:
    """What the accusations of today say about their accusers, in the order in which they were made."""
    first, apart = NOBODY, list[Seat]()
    for accuser, target in state.accusations.items():
        if first == NOBODY:
            first = target
        elif first not in (accuser, target) and target not in apart:
            apart.append(accuser)
    row["first"], row["apart"] = first, mask_of(apart)
    row["apart_in_turn"] = sum(seat << 4 * place for place, seat in enumerate(apart))


def mask_of(seats: Any) -> int:
    return sum(1 << seat for seat in seats)


def one_of(choices: dict[Seat, Seat]) -> int:
    """The one choice that there can be."""
    return next(iter(choices.values()), NOBODY)


KERNEL = CompiledGame(
    setup_type=SaviomSetup,
    sides=(Side.CITIZENS, Side.WOLVES),
    reasons=REASONS,
    roles=ROLES,
    position=POSITION,
    table=TABLE,
    rules_of=rules_of,
    action_of=action_of,
    read_deal=read_deal,
    write_deals=write_deals,
    write_state=write_state,
    play=play,
    step=step,
    blank_trace=blank_trace,
    most_phases=MOST_PHASES,
)
