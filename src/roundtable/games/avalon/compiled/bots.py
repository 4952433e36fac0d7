"""Bots at a table of Avalon: all choices of a phase in bulk, to the end of the game; or the turn of one seat."""

from __future__ import annotations

import numpy as np

from roundtable.games.avalon.compiled.careful import (
    choose_card_to_turn,
    choose_whom_to_examine,
    choose_whom_to_shoot,
    lead,
)
from roundtable.games.avalon.compiled.careful import lay_card as careful_card
from roundtable.games.avalon.compiled.careful import vote as careful_vote
from roundtable.games.avalon.compiled.phases import (
    EXCALIBUR,
    LADY,
    PROPOSE,
    QUEST,
    SHOT,
    VOTE,
    cards_are_in,
    count_votes,
    examine,
    open_quests,
    put_on_table,
    shoot,
    turn_card,
)
from roundtable.games.avalon.compiled.rules import Rules
from roundtable.games.avalon.compiled.words import EXAMINE, KEEP_LADY, LEAVE_EXCALIBUR, SHOOT, USE_EXCALIBUR
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.quests.compiled import words
from roundtable.games.quests.compiled.choices import lay_card, mark_ballot
from roundtable.games.quests.compiled.common import COINS, any_member, is_careful
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import FAIL, LAY, MOST_SEATS, SUCCESS
from roundtable.kernels.chance import below, next_word, signed
from roundtable.kernels.compiling import compiled, hot
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.trace import TraceRow, note

NAME_TEAM, CAST = words.PROPOSE, words.VOTE


@compiled
def play_on(rules: Rules, now: Now, trace: TraceRow) -> int:
    """To the end of the game; gives the reason. Phases come in this order, so most tests follow from the one before."""
    why = NOT_OVER
    while why == NOT_OVER:
        if now.stage == PROPOSE:
            why = propose(rules, now, trace)
        if now.stage == VOTE:
            why = vote(rules, now, trace)
        if now.stage == QUEST:
            why = lay_cards(rules, now, trace)
        if now.stage == EXCALIBUR:
            why = use_excalibur(rules, now, trace)
        if now.stage == LADY:
            why = use_lady(rules, now, trace)
        if now.stage == SHOT:
            why = take_shot(rules, now, trace)
    return why


@compiled
def bot_turn(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    """The choice of one seat, and what follows. What it found before may have been at another table."""
    now.known_since[seat] = -1
    if now.stage == VOTE:
        is_last = now.attempt == LAST_ATTEMPT
        approves = careful_vote(rules, now, trace, seat, is_last) if is_careful(now, seat) else below(now, 2)
        mark_ballot(now, seat, approves == 1)
        return NOT_OVER if now.asked else count_votes(rules, now)
    if now.stage == QUEST:
        lay_card(now, seat, card_of_bot(rules, now, trace, seat))
        return NOT_OVER if now.asked else cards_are_in(rules, now)
    if now.stage == PROPOSE:
        return propose(rules, now, trace)
    if now.stage == EXCALIBUR:
        return use_excalibur(rules, now, trace)
    if now.stage == LADY:
        return use_lady(rules, now, trace)
    return take_shot(rules, now, trace)


@compiled
def card_of_bot(rules: Rules, now: Now, trace: TraceRow, seat: int) -> int:
    if is_careful(now, seat):
        return careful_card(rules, now, trace, seat)
    return FAIL if now.evil >> seat & 1 and below(now, 2) else SUCCESS


# Teams and votes


@hot
def propose(rules: Rules, now: Now, trace: TraceRow) -> int:
    """One word of chance has the team, and a coin for each ballot and each card."""
    now.length += 1
    word = next_word(now)
    now.coins = signed(word & COINS)
    now.holder = -1
    if is_careful(now, now.leader):
        lead(rules, now, trace, open_quests(rules, now))
    else:
        now.quest = now.successes + now.failures + 1
        if rules.choose_quests:
            now.quest = any_member(now, open_quests(rules, now))
        size = rules.sizes[now.quest]
        now.team = rules.teams[size, signed(word >> np.uint64(20)) * rules.team_counts[size] >> 44]
        if rules.excalibur:
            now.holder = any_member(now, now.team & ~(1 << now.leader))
    note(trace, now.leader, now.phase, NAME_TEAM, now.team, now.quest if rules.choose_quests else 0, now.holder)
    return put_on_table(rules, now)


@hot
def vote(rules: Rules, now: Now, trace: TraceRow) -> int:
    """A12: all who have not voted yet."""
    asked = now.asked
    now.length += asked.bit_count()
    now.ballots = now.ballots & ~asked | now.coins & asked
    if now.careful or trace.are_kept:
        for seat in range(rules.seats):
            if asked >> seat & 1:
                if is_careful(now, seat):
                    approves = careful_vote(rules, now, trace, seat, now.attempt == LAST_ATTEMPT)
                    now.ballots = now.ballots & ~(1 << seat) | approves << seat
                note(trace, seat, now.phase, CAST, now.ballots >> seat & 1, 0, 0)
    return count_votes(rules, now)


# Quests


@hot
def lay_cards(rules: Rules, now: Now, trace: TraceRow) -> int:
    """A17: all who have not laid a card yet."""
    asked = now.asked
    now.length += asked.bit_count()
    now.fails = now.fails & ~asked | now.coins >> MOST_SEATS & now.evil & asked
    if now.careful or trace.are_kept:
        for seat in range(rules.seats):
            if asked >> seat & 1:
                if is_careful(now, seat):
                    card = careful_card(rules, now, trace, seat)
                    now.fails = now.fails & ~(1 << seat) | (card == FAIL) << seat
                note(trace, seat, now.phase, LAY, FAIL if now.fails >> seat & 1 else SUCCESS, 0, 0)
    return cards_are_in(rules, now)


@compiled
def use_excalibur(rules: Rules, now: Now, trace: TraceRow) -> int:
    now.length += 1
    if is_careful(now, now.holder):
        target = choose_card_to_turn(rules, now, trace)
    else:
        target = -1 if below(now, 2) else any_member(now, now.team & ~(1 << now.holder))
    note(trace, now.holder, now.phase, LEAVE_EXCALIBUR if target < 0 else USE_EXCALIBUR, target, 0, 0)
    return turn_card(rules, now, target)


# The Lady and the shot


@compiled
def use_lady(rules: Rules, now: Now, trace: TraceRow) -> int:
    now.length += 1
    unseen = rules.everyone & ~now.lady_has_been_with
    if is_careful(now, now.lady):
        target = choose_whom_to_examine(rules, now, trace, unseen)
    else:
        target = -1 if rules.lady_may_pass and below(now, 2) else any_member(now, unseen)
    note(trace, now.lady, now.phase, KEEP_LADY if target < 0 else EXAMINE, target, 0, 0)
    return examine(rules, now, target)


@compiled
def take_shot(rules: Rules, now: Now, trace: TraceRow) -> int:
    now.length += 1
    if is_careful(now, now.assassin):
        target = choose_whom_to_shoot(rules, now, trace)
    else:
        target = any_member(now, rules.everyone & ~(1 << now.assassin))
    note(trace, now.assassin, now.phase, SHOOT, target, 0, 0)
    return shoot(rules, now, target)
