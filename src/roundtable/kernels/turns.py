"""Many games at one table: played out in bulk, or a choice in each. A position is copied onto the table, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.kernels.actions import BEGIN, WEIGH
from roundtable.kernels.chance import seed_luck
from roundtable.kernels.compiling import compiled, hot, pattern
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.frame import chosen_at, ends_at, games_at, seen_at, tables_at
from roundtable.kernels.positions import copy_words

Now = Any  # a row of a game's table

ALL_WENT_ON = -1
MOST_TRIES = 1 << 20  # deals, until one is as it was asked for
LONGEST = np.iinfo(np.int16).max


@hot
def open_phase(now: Now, stage: int, asked: int) -> None:
    """A new phase, in which these seats choose."""
    now.phase += 1
    now.stage = stage
    now.asked = asked


@compiled
def lowest(seats: int) -> int:
    return ((seats & -seats) - 1).bit_count()


# Whole games


@pattern
def roll_out(
    tables: Any,
    positions: Any,
    crew: Any,
    seed: np.uint64,
    first: int,
    batch: Any,
    deal: Any,
    begin: Any,
    take_up: Any,
    play_on: Any,
    side_of: Any,
    second_side: Any,
) -> None:
    """Play as many games as the batch has rows: new ones, or equally many from each position."""
    rules, now, trace, words, seats = tables[0][0], tables[1][0], tables[2][0], tables[3][0], crew[0]
    winner, reason, roles, won, length = batch
    games, starts = len(winner), len(positions)
    for row in range(games):
        if starts == 0:
            seed_luck(now, seed, first + row)
            deal(rules, now)
            begin(rules, now, seats)
        else:
            copy_words(positions[row * starts // games], words, positions.shape[1])
            seed_luck(now, seed, first + row)
            take_up(rules, now, seats)
        why = play_on(rules, now, trace)
        side = side_of(why)
        winner[row], reason[row], length[row] = side, why, min(now.length, LONGEST)
        second = second_side(now)
        for seat in range(rules.seats):
            roles[row, seat] = now.roles[seat]
            won[row, seat] = (second >> seat & 1) == side


# A choice at a time


@pattern
def let_bots_play(rules: Any, now: Now, trace: Any, crew: Any, bot_turn: Any) -> int:
    """Until another seat is to choose, or the game is over."""
    why = NOT_OVER
    while why == NOT_OVER and crew.bots >> lowest(now.asked) & 1:
        why = bot_turn(rules, now, trace, lowest(now.asked))
    return why


@pattern
def begin_game(
    tables: Any, starts: Any, crew: Any, seed: np.uint64, number: int, deal: Any, begin: Any, take_up: Any
) -> bool:
    """Whether there is a game as it was asked for: from a position, or with a seat's role."""
    rules, now, words = tables[0][0], tables[1][0], tables[3][0]
    if len(starts):
        copy_words(starts[number % len(starts)], words, starts.shape[1])
        seed_luck(now, seed, number)
        take_up(rules, now, crew)
        return True
    seed_luck(now, seed, number)
    deal(rules, now)
    tries = 0
    while crew.role >= 0 and now.roles[crew.seat] != crew.role and tries < MOST_TRIES:
        deal(rules, now)
        tries += 1
    begin(rules, now, crew)
    return tries < MOST_TRIES


@pattern
def write_end(rules: Any, now: Now, game: int, ends: Any, side: int, second: int, write_row: Any) -> None:
    ended, rewards, reason, roles, last_rows = ends
    now.asked = 0
    ended[game] = True
    reason[game] = now.why
    for seat in range(rules.seats):
        roles[game, seat] = now.roles[seat]
        rewards[game, seat] = 0 if side < 0 else 1 if (second >> seat & 1) == side else -1
        if len(last_rows):
            write_row(rules, now, seat, last_rows[game, seat])


@pattern
def advance(
    row: Any,
    of_rules: Any,
    of_table: Any,
    of_trace: Any,
    deal: Any,
    begin: Any,
    take_up: Any,
    take: Any,
    bot_turn: Any,
    side_of: Any,
    second_side: Any,
    write_mask: Any,
    write_row: Any,
) -> int:
    """A choice in every game, by the seat named or by the one whose turn it is, and what a seat then sees: the viewer
    named, or the next to choose. With WEIGH nothing is chosen, and the trace has what the seat's bot leans to.

    Gives ALL_WENT_ON, or the number of a game that could not be begun as it was asked for.
    """
    frame = row[0]
    seed, tables = frame.seed, tables_at(frame, of_rules, of_table, of_trace)
    rules, now, trace, words = tables[0][0], tables[1][0], tables[2][0], tables[3][0]
    states, starts, crew = games_at(frame)
    seats, choices, viewers = chosen_at(frame)
    turn, asked, masks, rows = seen_at(frame)
    bots, ends = crew[0], ends_at(frame)
    for game in range(len(states)):
        choice, viewer = choices[game], viewers[game]
        copy_words(states[game], words, states.shape[1])
        number, is_new = game, choice == BEGIN
        if choice >= BEGIN:
            ends[0][game] = False
            ends[1][game] = 0
        elif choice == WEIGH:
            trace.step_count = trace.leaning_count = 0
            bot_turn(rules, now, trace, seats[game])
            copy_words(states[game], words, states.shape[1])
        if choice >= 0:
            number = now.number + len(states)
            now.why = take(rules, now, now.turn if seats[game] < 0 else seats[game], choice)
            if now.why == NOT_OVER and bots.bots:
                now.why = let_bots_play(rules, now, trace, bots, bot_turn)
            if now.why != NOT_OVER:
                write_end(rules, now, game, ends, side_of(now.why), second_side(now), write_row)
                is_new = bots.goes_on
        while is_new:
            if not begin_game(tables, starts, bots, seed, number, deal, begin, take_up):
                return game
            now.number = number
            now.why = let_bots_play(rules, now, trace, bots, bot_turn) if bots.bots else NOT_OVER
            is_new = now.why != NOT_OVER  # nothing was asked of any other seat
            number += len(states)
        if choice >= BEGIN:
            now.turn = lowest(now.asked) if now.asked else 0
            copy_words(words, states[game], states.shape[1])
        viewer = now.turn if viewer < 0 else viewer
        turn[game], asked[game] = now.turn, now.asked
        write_mask(rules, now, viewer, masks[game])
        write_row(rules, now, viewer, rows[game])
    return ALL_WENT_ON
