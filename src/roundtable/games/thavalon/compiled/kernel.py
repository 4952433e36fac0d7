"""THavalon compiled: the same phases as games/thavalon/game.py, over whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from roundtable.games.quests.compiled.kernel import Now, QuestKernel, enter, seat_bots
from roundtable.games.quests.compiled.words import EVIL, GOOD
from roundtable.games.quests.tables import TO_WIN
from roundtable.games.thavalon.compiled.deal import deal
from roundtable.games.thavalon.compiled.quests import call, go_on_quest
from roundtable.games.thavalon.compiled.rules import (
    FIVE_REJECTIONS,
    REASONS,
    TARGET_SURVIVED,
    THREE_FAILURES,
    Rules,
    rules_of,
)
from roundtable.games.thavalon.compiled.teams import agree_on_team
from roundtable.games.thavalon.compiled.words import action_of
from roundtable.games.thavalon.setup import ThavalonSetup
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
        now.quest = now.successes + now.failures + 1
        if not agree_on_team(rules, now, trace):
            return FIVE_REJECTIONS
        if now.failures < TO_WIN:
            go_on_quest(rules, now, trace)
        if now.failures == TO_WIN:
            return THREE_FAILURES
        if now.successes == TO_WIN:
            return call(rules, now, trace)
        now.leader = rules.left[now.leader]


@entry
def play_batch(tables: Any, careful_seats: CarefulSeats, seed: np.uint64, first: int, batch: Any) -> None:
    """Play as many games as the batch has rows."""
    rules, now, trace = tables[0][0], tables[1][0], tables[2][0]
    for row in range(len(batch[0])):
        seed_luck(now, seed, first + row)
        why = play(rules, careful_seats, now, trace)
        enter(rules, now, batch, row, why, GOOD if why == TARGET_SURVIVED else EVIL)


KERNEL = QuestKernel(
    game=ThavalonSetup.game, reasons=REASONS, rules_of=rules_of, action_of=action_of, play_batch=play_batch
)
