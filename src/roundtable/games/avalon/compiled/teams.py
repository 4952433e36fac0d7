"""Teams are proposed and voted on, until one is sent or the fifth was rejected (A11 to A15)."""

from __future__ import annotations

import numpy as np

from roundtable.games.avalon.compiled.careful import lead
from roundtable.games.avalon.compiled.careful import vote as careful_vote
from roundtable.games.avalon.compiled.rules import Rules
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.quests.compiled.kernel import Now, any_member, has_majority, is_careful
from roundtable.games.quests.compiled.mind import remember_poll
from roundtable.games.quests.compiled.words import PROPOSE, VOTE
from roundtable.games.quests.tables import QUESTS
from roundtable.kernels.chance import next_word, signed
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import TraceRow, note


@compiled
def agree_on_team(rules: Rules, now: Now, trace: TraceRow) -> bool:
    """A11 to A15: whether a team was found before the fifth rejection."""
    for attempt in range(1, LAST_ATTEMPT + 1):
        propose(rules, now, trace)
        is_last = attempt == LAST_ATTEMPT
        if is_last and rules.hammer:
            return True
        vote(rules, now, trace, is_last)
        if has_majority(now.ballots.bit_count(), rules.seats):
            return True
        if not is_last:
            now.leader = rules.left[now.leader]
    return False


@compiled
def propose(rules: Rules, now: Now, trace: TraceRow) -> None:
    """One word of chance has the team, and a coin for each ballot and each card."""
    now.phase += 1
    now.length += 1
    word = next_word(now)
    now.coins = signed(word & np.uint64((1 << 20) - 1))
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
    note(trace, now.leader, now.phase, PROPOSE, now.team, now.quest if rules.choose_quests else 0, now.holder)


@compiled
def open_quests(rules: Rules, now: Now) -> int:
    """As bits. A24: those that were not played; the fifth only after two successes."""
    if not rules.choose_quests:
        return 2 << (now.successes + now.failures)
    unplayed = ((2 << QUESTS) - 2) & ~now.played
    return unplayed if now.successes >= 2 else unplayed & ~(1 << QUESTS)


@compiled
def vote(rules: Rules, now: Now, trace: TraceRow, is_last: bool) -> None:
    """A12."""
    now.phase += 1
    now.length += rules.seats
    now.ballots = now.coins & rules.everyone
    if now.careful == 0 and not trace.are_kept:
        return
    for seat in range(rules.seats):
        if is_careful(now, seat):
            approves = careful_vote(rules, now, trace, seat, is_last)
            now.ballots = now.ballots & ~(1 << seat) | approves << seat
        note(trace, seat, now.phase, VOTE, now.ballots >> seat & 1, 0, 0)
    if now.careful:
        remember_poll(rules, now, now.team, now.leader)
