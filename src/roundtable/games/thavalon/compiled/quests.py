"""Quests, and the call at the end (T17 to T24)."""

from __future__ import annotations

from roundtable.games.quests.compiled.kernel import Now, any_member, is_careful, quest_fails
from roundtable.games.quests.compiled.mind import remember_result
from roundtable.games.quests.compiled.words import FAIL, LAY, MERLIN, MOST_SEATS, REVERSE, SUCCESS
from roundtable.games.quests.tables import TO_WIN
from roundtable.games.thavalon.compiled.careful import choose_call, lay_card
from roundtable.games.thavalon.compiled.declaring import reckon
from roundtable.games.thavalon.compiled.rules import TARGET_ASSASSINATED, TARGET_SURVIVED, Rules
from roundtable.games.thavalon.compiled.words import (
    AGRAVAINE,
    CALL_LOVERS,
    CALL_MERLIN,
    CALL_NIMUE,
    CALL_NOBODY,
    ISEULT,
    LANCELOT,
    MAELAGANT,
    NIMUE,
    TRISTAN,
)
from roundtable.kernels.chance import below
from roundtable.kernels.compiling import compiled
from roundtable.kernels.trace import TraceRow, note


@compiled
def go_on_quest(rules: Rules, now: Now, trace: TraceRow) -> None:
    """T18 to T22."""
    now.phase += 1
    now.round_began = now.phase + 1
    now.length += rules.sizes[now.quest]
    fails, reverses = draw_cards(rules, now)
    if now.careful or trace.are_kept:
        fails, reverses = lay_cards(rules, now, trace, fails, reverses)
    if now.careful:
        remember_result(rules, now, fails.bit_count(), reverses.bit_count())
    if quest_fails(fails.bit_count(), reverses.bit_count(), rules.needed[now.quest]):
        now.failures += 1
        return
    now.successes += 1
    if rules.has_window and fails:
        now.window, now.window_team = now.quest, now.team
        if now.successes == TO_WIN:
            reckon(rules, now, trace)


@compiled
def draw_cards(rules: Rules, now: Now) -> tuple[int, int]:
    """T17, T26: the seats that lay a Fail, and those that lay a Reverse, at random."""
    coins = now.coins >> MOST_SEATS
    fails = (coins & now.evil | now.where[AGRAVAINE]) & now.team
    return add_reverses(now, coins, fails) if rules.reversal else (fails, 0)


@compiled
def add_reverses(now: Now, coins: int, fails: int) -> tuple[int, int]:
    reverses = coins & now.where[LANCELOT]
    if now.where[MAELAGANT] & now.team:
        card = below(now, 3)
        fails = fails | now.where[MAELAGANT] if card == FAIL else fails & ~now.where[MAELAGANT]
        reverses |= now.where[MAELAGANT] if card == REVERSE else 0
    return fails & now.team, reverses & now.team


@compiled
def lay_cards(rules: Rules, now: Now, trace: TraceRow, fails: int, reverses: int) -> tuple[int, int]:
    """The same with what careful members lay instead."""
    for seat in range(rules.seats):
        if now.team >> seat & 1:
            card = FAIL if fails >> seat & 1 else REVERSE if reverses >> seat & 1 else SUCCESS
            if is_careful(now, seat):
                card = lay_card(rules, now, trace, seat)
                fails = fails & ~(1 << seat) | (card == FAIL) << seat
                reverses = reverses & ~(1 << seat) | (card == REVERSE) << seat
            note(trace, seat, now.phase, LAY, card, 0, 0)
    return fails, reverses


# The call


@compiled
def call(rules: Rules, now: Now, trace: TraceRow) -> int:
    """T23, T24."""
    now.phase += 1
    now.length += 1
    if is_careful(now, now.assassin):
        verb, named = choose_call(rules, now, trace)
    else:
        verb, named = draw_call(rules, now)
    note(trace, now.assassin, now.phase, verb, named, 0, 0)
    return TARGET_ASSASSINATED if is_right(rules, now, verb, named) else TARGET_SURVIVED


@compiled
def draw_call(rules: Rules, now: Now) -> tuple[int, int]:
    """First a kind of call, then whom it names."""
    kind = below(now, 1 + rules.calls_lovers + rules.calls_nimue + rules.calls_nobody)
    if kind >= 1 and not rules.calls_lovers:
        kind += 1
    if kind >= 2 and not rules.calls_nimue:
        kind += 1
    verb = (CALL_MERLIN, CALL_LOVERS, CALL_NIMUE, CALL_NOBODY)[kind]
    others = rules.everyone & ~(1 << now.assassin)
    if verb == CALL_NOBODY:
        return verb, 0
    target = any_member(now, others)
    if verb == CALL_LOVERS:
        return verb, 1 << target | 1 << any_member(now, others & ~(1 << target))
    return verb, target


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
