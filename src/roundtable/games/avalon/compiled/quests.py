"""Quests, the Lady of the Lake, and the shot at the end (A17 to A25)."""

from __future__ import annotations

from roundtable.games.avalon.compiled.careful import (
    choose_card_to_turn,
    choose_whom_to_examine,
    choose_whom_to_shoot,
    lay_card,
)
from roundtable.games.avalon.compiled.rules import MERLIN_ASSASSINATED, MERLIN_SURVIVED, THREE_SUCCESSES, Rules
from roundtable.games.avalon.compiled.words import EXAMINE, KEEP_LADY, LEAVE_EXCALIBUR, SHOOT, USE_EXCALIBUR
from roundtable.games.quests.compiled.kernel import Now, any_member, is_careful, quest_fails
from roundtable.games.quests.compiled.mind import remember_result
from roundtable.games.quests.compiled.words import FAIL, LAY, MERLIN, MOST_SEATS, SUCCESS
from roundtable.kernels.chance import below
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import TraceRow, note


@compiled
def go_on_quest(rules: Rules, now: Now, trace: TraceRow) -> None:
    """A18 to A20."""
    now.phase += 1
    now.length += rules.sizes[now.quest]
    fails = lay_cards(rules, now, trace)
    if rules.excalibur:
        fails = turn_card(rules, now, trace, fails)
    if now.careful:
        remember_result(rules, now, fails.bit_count(), 0)
    now.played |= 1 << now.quest
    if quest_fails(fails.bit_count(), 0, rules.needed[now.quest]):
        now.failures += 1
    else:
        now.successes += 1


@compiled
def lay_cards(rules: Rules, now: Now, trace: TraceRow) -> int:
    """A17: the seats that lay a Fail."""
    fails = now.coins >> MOST_SEATS & now.evil & now.team
    if now.careful == 0 and not trace.are_kept:
        return fails
    for seat in range(rules.seats):
        if now.team >> seat & 1:
            if is_careful(now, seat):
                card = lay_card(rules, now, trace, seat)
                fails = fails & ~(1 << seat) | (card == FAIL) << seat
            note(trace, seat, now.phase, LAY, FAIL if fails >> seat & 1 else SUCCESS, 0, 0)
    return fails


@compiled
def turn_card(rules: Rules, now: Now, trace: TraceRow, fails: int) -> int:
    """A25: the Fails that lie on the table after Excalibur."""
    now.phase += 1
    now.length += 1
    if is_careful(now, now.holder):
        target = choose_card_to_turn(rules, now, trace)
    else:
        target = -1 if below(now, 2) else any_member(now, now.team & ~(1 << now.holder))
    if target < 0:
        note(trace, now.holder, now.phase, LEAVE_EXCALIBUR, 0, 0, 0)
        return fails
    note(trace, now.holder, now.phase, USE_EXCALIBUR, target, 0, 0)
    now.learned_evil[now.holder] |= fails & 1 << target
    return fails ^ 1 << target if rules.turns_success else fails & ~(1 << target)


@compiled
def examine(rules: Rules, now: Now, trace: TraceRow) -> None:
    """A23: the holder alone learns the side, or keeps the Lady where the table plays so."""
    now.phase += 1
    now.length += 1
    unseen = rules.everyone & ~now.lady_has_been_with
    if is_careful(now, now.lady):
        target = choose_whom_to_examine(rules, now, trace, unseen)
    else:
        target = -1 if rules.lady_may_pass and below(now, 2) else any_member(now, unseen)
    if target < 0:
        note(trace, now.lady, now.phase, KEEP_LADY, 0, 0, 0)
        return
    note(trace, now.lady, now.phase, EXAMINE, target, 0, 0)
    now.learned_evil[now.lady] |= now.evil & 1 << target
    now.learned_good[now.lady] |= ~now.evil & 1 << target
    now.news += 1
    now.lady = target
    now.lady_has_been_with |= 1 << target


@compiled
def shoot(rules: Rules, now: Now, trace: TraceRow) -> int:
    """A21, A22; without Merlin there is no shot (A27)."""
    if now.assassin < 0:
        return THREE_SUCCESSES
    now.phase += 1
    now.length += 1
    if is_careful(now, now.assassin):
        target = choose_whom_to_shoot(rules, now, trace)
    else:
        target = any_member(now, rules.everyone & ~(1 << now.assassin))
    note(trace, now.assassin, now.phase, SHOOT, target, 0, 0)
    return MERLIN_ASSASSINATED if now.roles[target] == MERLIN else MERLIN_SURVIVED
