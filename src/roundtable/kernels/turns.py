"""Whose turn it is: one seat of a phase after the other, in seat order; and a turn in each of many games."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.core import seats as seats_of_tables
from roundtable.kernels.compiling import compiled, pattern
from roundtable.kernels.contract import NOT_OVER

Now = Any  # a row of a game's state

EVERYTHING_ALLOWED = -1

left_of = compiled(seats_of_tables.left_of)


@compiled
def ask_all(now: Now, stage: int, seats: int) -> None:
    """A new phase, in which these seats are asked."""
    now.stage = stage
    now.asked = seats
    ask_next(now)


@compiled
def ask_next(now: Now) -> None:
    """The lowest seat that is still to be asked."""
    now.turn = ((now.asked & -now.asked) - 1).bit_count()


@compiled
def first_forbidden(masks: Any, choices: Any) -> int:
    """The first game in which the choice is not allowed, where there is one."""
    for game in range(len(choices)):
        choice = choices[game]
        if choice < 0 or choice >= masks.shape[1] or not masks[game, choice]:
            return game
    return EVERYTHING_ALLOWED


# All games at once


@pattern
def begin_each(tables: Any, states: Any, seed: np.uint64, begin_game: Any) -> None:
    for game in range(len(states)):
        begin_game(tables[0], states[game], seed, game)


@pattern
def step_each(
    tables: Any, states: Any, seed: np.uint64, choices: Any, endings: Any, take: Any, reward: Any, begin_game: Any
) -> int:
    """A choice in every game, unless one of them is not allowed: then the number of that game."""
    rules = tables[0]
    masks, ended, rewards, reason, roles = endings
    forbidden = first_forbidden(masks, choices)
    if forbidden != EVERYTHING_ALLOWED:
        return forbidden
    for game in range(len(states)):
        now = states[game]
        why = take(rules, now, choices[game])
        ended[game] = why != NOT_OVER
        rewards[game] = 0
        if why == NOT_OVER:
            continue
        reason[game] = why
        for seat in range(rules.seats):
            roles[game, seat] = now.roles[seat]
            rewards[game, seat] = reward(now, seat, why)
        begin_game(rules, now, seed, now.number + len(states))
    return EVERYTHING_ALLOWED


@pattern
def observe_each(tables: Any, states: Any, seen: Any, write_mask: Any, write_row: Any) -> None:
    turn, masks, rows = seen
    for game in range(len(states)):
        now = states[game]
        turn[game] = now.turn
        write_mask(tables[0], now, masks[game])
        write_row(tables[0], now, rows[game])
