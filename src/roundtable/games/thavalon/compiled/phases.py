"""The phases of THavalon: what follows from a team, votes, cards, declarations and a call (T14 to T24).

The same as in games/thavalon/game.py, over whole numbers. Functions that can end the game give the reason, or NOT_OVER.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.quests.compiled.common import (
    COINS,
    clear,
    draw_coins,
    has_majority,
    quest_fails,
    read_deal,
    seat_bots,
    send_team,
)
from roundtable.games.quests.compiled.mind import recall, remember_poll, remember_result
from roundtable.games.quests.compiled.state import Now
from roundtable.games.quests.compiled.words import EVIL, GOOD, MERLIN
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.games.thavalon.compiled.declaring import arthur_may_declare, with_gap
from roundtable.games.thavalon.compiled.rules import (
    FIVE_REJECTIONS,
    TARGET_ASSASSINATED,
    TARGET_SURVIVED,
    THREE_FAILURES,
    Rules,
)
from roundtable.games.thavalon.compiled.words import CALL_LOVERS, CALL_MERLIN, CALL_NIMUE, ISEULT, NIMUE, TRISTAN
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS
from roundtable.kernels.chance import next_word, signed
from roundtable.kernels.compiling import compiled, hot
from roundtable.kernels.contract import NOT_OVER
from roundtable.kernels.positions import DEALT
from roundtable.kernels.turns import open_phase

PROPOSE, STAND, VOTE, QUEST, RECKONING, CALL = range(6)  # in the order of the row's phases


# The start


@compiled
def begin(rules: Rules, now: Now, crew: Any) -> None:
    """The first phase after the deal."""
    seat_bots(rules, now, crew)
    clear(rules, now)
    now.round_began = 1
    now.window = now.went_on = now.declared = now.has_pair = 0
    now.arthur = -1
    now.leader = now.first_leader
    next_round(rules, now)


@compiled
def take_up(rules: Rules, now: Now, crew: Any) -> None:
    """Go on from a position."""
    read_deal(rules, now)
    if now.stage == DEALT:
        begin(rules, now, crew)
        return
    now.length = 0
    seat_bots(rules, now, crew)
    if now.careful:
        recall(rules, now)
    draw_coins(now)


# Teams


@hot
def next_round(rules: Rules, now: Now) -> None:
    now.quest = now.successes + now.failures + 1
    now.attempt = 1
    ask_for_team(rules, now)


@hot
def ask_for_team(rules: Rules, now: Now) -> None:
    """The leader, and every seat where one might declare."""
    open_phase(now, PROPOSE, rules.everyone if a_seat_may_declare(rules, now) else 1 << now.leader)


@compiled
def a_seat_may_declare(rules: Rules, now: Now) -> bool:
    """From what everyone knows (T16, T21)."""
    return now.window != 0 or (rules.has_arthur and arthur_may_declare(rules, now))


@compiled
def is_paired(rules: Rules, now: Now) -> bool:
    """T14."""
    return rules.is_paired and now.quest == 1


@compiled
def is_last(rules: Rules, now: Now) -> bool:
    return now.attempt == rules.allowed[now.quest]


@compiled
def eligible(rules: Rules, now: Now) -> int:
    """T16: a declared Arthur stays at home until the fifth quest."""
    return rules.everyone if now.arthur < 0 or now.quest == QUESTS else rules.everyone & ~(1 << now.arthur)


@compiled
def draw_team(rules: Rules, now: Now) -> int:
    """The place of a team in the list of options. The word of chance has a coin for each ballot and card as well."""
    word = next_word(now)
    now.coins = signed(word & COINS)
    size, part = rules.sizes[now.quest], signed(word >> np.uint64(20))
    counts = rules.team_counts if eligible(rules, now) == rules.everyone else rules.team_counts_without
    return part * counts[size] >> 44


@compiled
def team_at(rules: Rules, now: Now, place: int) -> int:
    """The team at this place of the list."""
    size = rules.sizes[now.quest]
    if eligible(rules, now) == rules.everyone:
        return rules.teams[size, place]
    return with_gap(rules.teams_without[size, place], now.arthur)


@hot
def put_on_table(rules: Rules, now: Now, team: int) -> int:
    """T14, T15, T21."""
    if now.remembers:
        now.voted = 0
    if is_paired(rules, now):
        if now.attempt < FIRST_ROUND_PROPOSALS:
            now.team, now.leader_of_first = team, now.leader
            pass_lead(rules, now)
            return NOT_OVER
        now.first_team, now.has_pair = now.team, True
    now.team = team
    if now.window:
        open_phase(now, STAND, rules.everyone)
    else:
        open_vote_or_send(rules, now)
    return NOT_OVER


@hot
def pass_lead(rules: Rules, now: Now) -> None:
    now.leader = rules.left[now.leader]
    now.attempt += 1
    ask_for_team(rules, now)


@hot
def open_vote_or_send(rules: Rules, now: Now) -> None:
    """T15: the last proposal is not voted on. Either way Agravaine's window closes (T21)."""
    close_window(now)
    if not rules.has_vote_track and is_last(rules, now) and not is_paired(rules, now):
        send_team(now, QUEST)
    else:
        open_phase(now, VOTE, rules.everyone)


@hot
def close_window(now: Now) -> None:
    now.window = now.went_on = 0


@compiled
def propose_again(rules: Rules, now: Now) -> None:
    """T16, T21: the same leader, and no proposal is used up."""
    now.voted = now.went_on = 0
    ask_for_team(rules, now)


@compiled
def miss_proposal(rules: Rules, now: Now) -> int:
    """C5: a missed proposal counts as rejected; the last one, and either of a pair, is drawn."""
    if not is_last(rules, now) and not is_paired(rules, now):
        pass_lead(rules, now)
        return NOT_OVER
    now.drawn = draw_team(rules, now)
    return put_on_table(rules, now, team_at(rules, now, now.drawn))


@hot
def count_votes(rules: Rules, now: Now) -> int:
    """A13, T14, T16, T26. A pair is counted as a vote on its first team."""
    now.voted = rules.everyone
    approved = is_approved(rules, now)
    if now.has_pair:
        if now.remembers:
            remember_poll(rules, now, now.first_team, now.leader_of_first)
        now.team = now.first_team if approved else now.team
        now.has_pair = False
        send_team(now, QUEST)
        return NOT_OVER
    if now.remembers:
        remember_poll(rules, now, now.team, now.leader)
    if approved:
        send_team(now, QUEST)
        return NOT_OVER
    if is_last(rules, now):
        return FIVE_REJECTIONS
    pass_lead(rules, now)
    return NOT_OVER


@compiled
def is_approved(rules: Rules, now: Now) -> bool:
    """A13; a declared Arthur counts twice (T16)."""
    approvals, votes = now.ballots.bit_count(), rules.seats
    if now.arthur >= 0:
        approvals += now.ballots >> now.arthur & 1
        votes += 1
    return has_majority(approvals, votes)


# Declarations


@compiled
def declare_arthur(rules: Rules, now: Now, seat: int) -> int:
    """T16."""
    now.arthur = seat
    now.news += 1
    if now.stage != PROPOSE:
        propose_again(rules, now)
    return NOT_OVER


@compiled
def declare_agravaine(rules: Rules, now: Now, seat: int) -> int:
    """T21, T22: the quest fails instead."""
    now.declared |= 1 << seat
    if now.remembers:
        now.result_failed[now.window - 1] = 1
    now.successes -= 1
    now.failures += 1
    close_window(now)
    if now.failures == TO_WIN or now.stage == RECKONING:
        return reckon(rules, now)
    if now.stage == STAND:
        propose_again(rules, now)
    return NOT_OVER


@compiled
def all_went_on(rules: Rules, now: Now) -> int:
    """No seat has declared: the next phase after STAND or RECKONING."""
    if now.stage == STAND:
        open_vote_or_send(rules, now)
    else:
        close_window(now)
        open_phase(now, CALL, 1 << now.assassin)
    return NOT_OVER


# Quests and the call


@hot
def resolve(rules: Rules, now: Now) -> int:
    """T18 to T21."""
    fails, reverses = now.fails.bit_count(), now.reverses.bit_count()
    has_failed = quest_fails(fails, reverses, rules.needed[now.quest])
    if now.remembers:
        remember_result(rules, now, fails, reverses, has_failed)
    now.round_began = now.phase + 1
    if has_failed:
        now.failures += 1
        return reckon(rules, now)
    now.successes += 1
    if rules.has_window and fails:
        now.window, now.window_team, now.went_on = now.quest, now.team, 0
        if now.successes == TO_WIN:
            open_phase(now, RECKONING, rules.everyone)
            return NOT_OVER
    return reckon(rules, now)


@hot
def reckon(rules: Rules, now: Now) -> int:
    """T22."""
    if now.failures == TO_WIN:
        return THREE_FAILURES
    if now.successes == TO_WIN:
        open_phase(now, CALL, 1 << now.assassin)
    else:
        now.leader = rules.left[now.leader]
        next_round(rules, now)
    return NOT_OVER


@compiled
def call(rules: Rules, now: Now, verb: int, named: int) -> int:
    """T23, T24."""
    return TARGET_ASSASSINATED if is_right(rules, now, verb, named) else TARGET_SURVIVED


@compiled
def is_right(rules: Rules, now: Now, verb: int, named: int) -> bool:
    if verb == CALL_LOVERS:
        return named == now.where[TRISTAN] | now.where[ISEULT]
    if verb == CALL_MERLIN:
        return now.where[MERLIN] == 1 << named
    if verb == CALL_NIMUE:
        return now.where[NIMUE] == 1 << named
    return not has_target(rules, now)


@compiled
def has_target(rules: Rules, now: Now) -> bool:
    """T23: whether a role was dealt that the Assassin can win by."""
    targets = 0
    for seat in range(rules.seats):
        targets |= rules.targets >> now.roles[seat] & 1
    return targets == 1


@compiled
def side_of(why: int) -> int:
    """The side that wins by this."""
    return GOOD if why == TARGET_SURVIVED else EVIL
