"""Town of Saviom compiled: batches of games, and any one of them written down."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from roundtable.core.actions import Action, Expire, Move
from roundtable.core.errors import SetupError, StudyError
from roundtable.core.setup import Setup
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect, Suspect
from roundtable.games.saviom.compiled.phases import REASONS, play
from roundtable.games.saviom.compiled.state import (
    ACCUSE,
    EXPIRE,
    HUNT,
    INSPECT,
    JUDGE,
    MOST_PHASES,
    PROTECT,
    ROLES,
    SUSPECT,
    TABLE,
    Rules,
    blank_trace,
    rules_of,
)
from roundtable.games.saviom.setup import SaviomSetup, Side
from roundtable.kernels.chance import seed_luck
from roundtable.kernels.compiling import announced, entry
from roundtable.kernels.contract import Batch, CarefulSeats, GameTrace, Words, check_numbers, crew_of
from roundtable.kernels.trace import read_steps

SIDES: tuple[str, ...] = (Side.CITIZENS, Side.WOLVES)
WORDS = Words(SIDES, REASONS, ROLES)
WINNER = (0, 1, -1)  # by reason
LONGEST = np.iinfo(np.int16).max


@entry
def play_batch(
    rules: Rules, careful_seats: CarefulSeats, tables: Any, seed: np.uint64, first: int, traces: Any, batch: Any
) -> None:
    """Play as many games as the batch has rows."""
    winner, reason, roles, won, length = batch
    now, trace = tables[0], traces[0]
    for row in range(len(reason)):
        seed_luck(now, seed, first + row)
        reason[row] = why = play(rules, careful_seats, now, trace)
        winner[row] = side = WINNER[why]
        length[row] = min(now.length, LONGEST)
        for seat in range(rules.seats):
            roles[row, seat] = now.roles[seat]
            won[row, seat] = (now.wolves >> seat & 1) == side


class SaviomKernel:
    game = "saviom"
    sides = SIDES
    reasons = REASONS
    roles: tuple[str, ...] = ROLES
    is_compiled: ClassVar[bool] = True

    def tables(self, setup: Setup) -> Rules:
        if not isinstance(setup, SaviomSetup):
            raise SetupError("setup/game", "kernel", name=self.game, found=setup.game)
        setup.require_ready()
        return rules_of(setup)

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> Batch:
        batch = Batch.blank(count, setup.seats, WORDS)
        self._play(setup, bots, seed, first, blank_trace(are_kept=False), batch)
        return batch

    def actions(self, setup: Setup, bots: Sequence[str], seed: int, number: int) -> GameTrace:
        batch = Batch.blank(1, setup.seats, WORDS)
        phases = int(self._play(setup, bots, seed, number, blank_trace(are_kept=False), batch)["phase"])
        if phases > MOST_PHASES:
            raise StudyError("study/asked", "too_long", number=number, phases=phases, most=MOST_PHASES)
        trace = blank_trace(are_kept=True)
        table = self._play(setup, bots, seed, number, trace, batch)
        deal = tuple(ROLES[role] for role in table["roles"][: setup.seats].tolist())
        return GameTrace(setup=setup, deal=deal, steps=read_steps(trace[0], int(table["careful"]), write))

    def _play(self, setup: Setup, bots: Sequence[str], seed: int, first: int, trace: Any, batch: Batch) -> Any:
        check_numbers(seed, first, len(batch.reason))
        tables = np.zeros(1, TABLE)
        rows = (batch.winner, batch.reason, batch.roles, batch.won, batch.length)
        with announced(self.game):
            play_batch(self.tables(setup), crew_of(bots, setup.seats), tables, np.uint64(seed), first, trace, rows)
        return tables[0]


AIMED: dict[int, type[Move]] = {ACCUSE: Accuse, HUNT: Hunt, PROTECT: Protect, INSPECT: Inspect, SUSPECT: Suspect}


@lru_cache(maxsize=1 << 16)
def write(phase: int, verb: int, target: int, second: int, third: int) -> Action:
    if verb == EXPIRE:
        return Expire(phase=phase)
    if verb == JUDGE:
        return Judge(phase=phase, eliminate=bool(target))
    return AIMED[verb](phase=phase, target=target)  # type: ignore[call-arg]


KERNEL = SaviomKernel()
