"""Avalon compiled: the same phases as games/avalon/game.py, over whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.tables import TO_WIN
from roundtable.lab.kernels.avalon.quests import examine, go_on_quest, shoot
from roundtable.lab.kernels.avalon.table import (
    EVIL_WINS_BY,
    FIVE_REJECTIONS,
    LADY_AFTER_BITS,
    REASONS,
    THREE_FAILURES,
    Rules,
    rules_of,
)
from roundtable.lab.kernels.avalon.teams import agree_on_team
from roundtable.lab.kernels.chance import seed_luck
from roundtable.lab.kernels.compiling import compiled, entry
from roundtable.lab.kernels.contract import Crew
from roundtable.lab.kernels.pages import Pages
from roundtable.lab.kernels.quests import Now, QuestKernel, any_member, enter, right_of, seat_bots, seat_roles
from roundtable.lab.kernels.words import EVIL, GOOD


@compiled
def play(rules: Rules, crew: Crew, now: Now, pages: Pages) -> int:
    """A whole game; gives the reason why it ended."""
    deal(rules, now)
    seat_bots(rules, now, crew)
    while True:
        if not agree_on_team(rules, now, pages):
            return FIVE_REJECTIONS
        go_on_quest(rules, now, pages)
        if now.failures == TO_WIN:
            return THREE_FAILURES
        if now.successes == TO_WIN:
            return shoot(rules, now, pages)
        if rules.lady and LADY_AFTER_BITS >> (now.successes + now.failures) & 1:
            examine(rules, now, pages)
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
def play_batch(tables: Any, crew: Crew, seed: np.uint64, first: int, batch: Any) -> None:
    """Play as many games as the batch has rows."""
    rules, now, pages = tables[0][0], tables[1][0], tables[2][0]
    for row in range(len(batch[0])):
        seed_luck(now, seed, first + row)
        why = play(rules, crew, now, pages)
        enter(rules, now, batch, row, why, EVIL if why in EVIL_WINS_BY else GOOD)


KERNEL = QuestKernel(game=AvalonSetup.game, reasons=REASONS, rules_of=rules_of, play_batch=play_batch)
