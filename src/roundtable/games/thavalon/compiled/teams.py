"""Teams are proposed and voted on, until one is sent (T14 to T16)."""

from __future__ import annotations

import numpy as np

from roundtable.core.seats import CLOCK
from roundtable.games.quests.compiled.kernel import Now, has_majority, is_careful
from roundtable.games.quests.compiled.mind import remember_poll
from roundtable.games.quests.compiled.words import EXPIRE, PROPOSE, VOTE
from roundtable.games.quests.tables import QUESTS, TO_WIN
from roundtable.games.thavalon.compiled.careful import declares, lead, with_gap
from roundtable.games.thavalon.compiled.careful import vote as careful_vote
from roundtable.games.thavalon.compiled.declaring import (
    arthur_may_declare,
    declare,
    may_anyone_declare,
    may_declare,
    may_declare_as_arthur,
    shuffle_order,
    stand,
)
from roundtable.games.thavalon.compiled.rules import Rules
from roundtable.games.thavalon.compiled.words import ARTHUR
from roundtable.kernels.chance import below, next_word, signed
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import WAIT, TraceRow, note


@compiled
def agree_on_team(rules: Rules, now: Now, trace: TraceRow) -> bool:
    """T14 to T16, T21: until a team is sent, or a declaration ends the game. False after a fifth rejection (T26)."""
    now.attempt = 1
    is_paired = rules.is_paired and now.quest == 1
    while now.failures < TO_WIN:
        is_last = now.attempt == rules.allowed[now.quest]
        if not ask_for_team(rules, now, trace, is_last or is_paired):
            pass_lead(rules, now)
        elif is_paired and not is_last:
            now.first_team, now.leader_of_first = now.team, now.leader
            pass_lead(rules, now)
        elif now.window and not stand(rules, now, trace):
            continue  # after a declaration the same leader proposes again
        elif is_last and not is_paired and not rules.has_vote_track:
            now.window = 0
            return True
        elif vote(rules, now, trace, is_paired):
            goes_through = count_votes(rules, now, is_paired)
            if is_paired and goes_through:
                now.team = now.first_team
            if is_paired or goes_through:
                return True
            if is_last:
                return False
            pass_lead(rules, now)
    return True


@compiled
def pass_lead(rules: Rules, now: Now) -> None:
    now.leader = rules.left[now.leader]
    now.attempt += 1


@compiled
def eligible(rules: Rules, now: Now) -> int:
    """T16: a declared Arthur stays at home until the fifth quest."""
    return rules.everyone if now.arthur < 0 or now.quest == QUESTS else rules.everyone & ~(1 << now.arthur)


# Proposals


@compiled
def ask_for_team(rules: Rules, now: Now, trace: TraceRow, must_be: bool) -> bool:
    """Whether a team is on the table; without one the leader has missed the turn, or the game is over."""
    now.phase += 1
    if not may_anyone_declare(rules, now):
        propose(rules, now, trace)
        return True
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if seat == now.leader:
            if not (may_declare(rules, now, seat) and not is_careful(now, seat) and below(now, 2)):
                propose(rules, now, trace)
                return True
            declare(now, trace, seat)
        elif may_declare(rules, now, seat):
            if not is_careful(now, seat) or declares(rules, now, seat, False):
                declare(now, trace, seat)
            else:
                note(trace, seat, now.phase, WAIT, 0, 0, 0)
        if now.failures == TO_WIN:
            return False
    return draw_for_the_absent(rules, now, trace, must_be)


@compiled
def draw_for_the_absent(rules: Rules, now: Now, trace: TraceRow, must_be: bool) -> bool:
    """C5: a missed proposal counts as rejected; the last one is drawn."""
    now.length += 1
    if not must_be:
        note(trace, CLOCK, now.phase, EXPIRE, 0, 0, 0)
        return False
    note(trace, CLOCK, now.phase, EXPIRE, draw_team(rules, now), 1, 0)
    return True


@compiled
def propose(rules: Rules, now: Now, trace: TraceRow) -> None:
    draw_team(rules, now)
    if is_careful(now, now.leader):
        lead(rules, now, trace, eligible(rules, now))
    now.length += 1
    note(trace, now.leader, now.phase, PROPOSE, now.team, 0, -1)


@compiled
def draw_team(rules: Rules, now: Now) -> int:
    """One word of chance has the team, and a coin for each ballot and each card. Gives the team's place in the list."""
    word = next_word(now)
    now.coins = signed(word & np.uint64((1 << 20) - 1))
    size, part = rules.sizes[now.quest], signed(word >> np.uint64(20))
    if eligible(rules, now) == rules.everyone:
        place = part * rules.team_counts[size] >> 44
        now.team = rules.teams[size, place]
    else:
        place = part * rules.team_counts_without[size] >> 44
        now.team = with_gap(rules.teams_without[size, place], now.arthur)
    return place


# Votes


@compiled
def vote(rules: Rules, now: Now, trace: TraceRow, is_paired: bool) -> bool:
    """A12: whether all votes came in; Arthur's declaration discards them (T16). Agravaine's window is closed."""
    now.phase += 1
    now.window = 0
    now.ballots = now.coins & rules.everyone
    if now.where[ARTHUR] and arthur_may_declare(rules, now):
        return vote_with_arthur(rules, now, trace)
    now.length += rules.seats
    if now.careful or trace.are_kept:
        for seat in range(rules.seats):
            mark_ballot(rules, now, trace, seat, is_paired)
    return True


@compiled
def vote_with_arthur(rules: Rules, now: Now, trace: TraceRow) -> bool:
    shuffle_order(rules, now)
    for place in range(rules.seats):
        seat = now.order[place]
        if may_declare_as_arthur(rules, now, seat):
            if declares(rules, now, seat, True) if is_careful(now, seat) else below(now, 2) == 0:
                declare(now, trace, seat)
                return False
        now.length += 1
        mark_ballot(rules, now, trace, seat, False)
    return True


@compiled
def mark_ballot(rules: Rules, now: Now, trace: TraceRow, seat: int, is_paired: bool) -> None:
    if is_careful(now, seat):
        approves = careful_vote(rules, now, trace, seat, is_paired, eligible(rules, now))
        now.ballots = now.ballots & ~(1 << seat) | approves << seat
    note(trace, seat, now.phase, VOTE, now.ballots >> seat & 1, 0, 0)


@compiled
def count_votes(rules: Rules, now: Now, is_paired: bool) -> bool:
    """Everyone remembers the poll, in which a pair is counted as a vote on its first team (T14)."""
    if now.careful and is_paired:
        remember_poll(rules, now, now.first_team, now.leader_of_first)
    elif now.careful:
        remember_poll(rules, now, now.team, now.leader)
    return is_approved(rules, now)


@compiled
def is_approved(rules: Rules, now: Now) -> bool:
    """A13; a declared Arthur counts twice (T16)."""
    approvals, votes = now.ballots.bit_count(), rules.seats
    if now.arthur >= 0:
        approvals += now.ballots >> now.arthur & 1
        votes += 1
    return has_majority(approvals, votes)
