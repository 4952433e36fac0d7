"""Avalon compiled: the same phases as games/avalon/game.py, over whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.avalon.compiled.quests import examine, go_on_quest, shoot
from roundtable.games.avalon.compiled.rules import (
    EVIL_WINS_BY,
    FIVE_REJECTIONS,
    LADY_AFTER_BITS,
    REASONS,
    THREE_FAILURES,
    Rules,
    rules_of,
)
from roundtable.games.avalon.compiled.teams import agree_on_team
from roundtable.games.avalon.compiled.words import action_of
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.compiled.kernel import Now, QuestKernel, any_member, enter, right_of, seat_bots, seat_roles
from roundtable.games.quests.compiled.words import EVIL, GOOD
from roundtable.games.quests.tables import TO_WIN
from roundtable.kernels.chance import seed_luck
from roundtable.kernels.compiling import compiled, entry
from roundtable.kernels.contract import CarefulSeats
from roundtable.kernels.trace import TraceRow


@compiled
def play(rules: Rules, careful_seats: CarefulSeats, now: Now, trace: TraceRow) -> int:
    """A whole game; gives the reason why it ended."""
    deal(rules, now)
    seat_bots(rules, now, careful_seats)
    while True:
        if not agree_on_team(rules, now, trace):
            return FIVE_REJECTIONS
        go_on_quest(rules, now, trace)
        if now.failures == TO_WIN:
            return THREE_FAILURES
        if now.successes == TO_WIN:
            return shoot(rules, now, trace)
        if rules.lady and LADY_AFTER_BITS >> (now.successes + now.failures) & 1:
            examine(rules, now, trace)
        now.leader = rules.left[now.leader]


@compiled
def deal(rules: Rules, now: Now) -> None:
    """A5."""
    for seat in range(rules.seats):
        now.roles[seat] = rules.deck[seat]
    seat_roles(now, rules.seats)
    now.phase = now.length = 0
    now.successes = now.failures = now.played = 0
    now.assassin = -1
    if rules.assassins:
        able = 0
        for seat in range(rules.seats):
            able |= (rules.assassins >> now.roles[seat] & 1) << seat
        now.assassin = any_member(now, able)
    now.lady = right_of(now.leader, rules.seats)
    now.lady_has_been_with = 1 << now.lady


@entry
def play_batch(tables: Any, careful_seats: CarefulSeats, seed: np.uint64, first: int, batch: Any) -> None:
    """Play as many games as the batch has rows."""
    rules, now, trace = tables[0][0], tables[1][0], tables[2][0]
    for row in range(len(batch[0])):
        seed_luck(now, seed, first + row)
        why = play(rules, careful_seats, now, trace)
        enter(rules, now, batch, row, why, EVIL if why in EVIL_WINS_BY else GOOD)


KERNEL = QuestKernel(
    game=AvalonSetup.game, reasons=REASONS, rules_of=rules_of, action_of=action_of, play_batch=play_batch
)
