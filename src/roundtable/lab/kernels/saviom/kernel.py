"""Town of Saviom compiled: batches of games, and any one of them written down."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.core.actions import Action, Expire, Move
from roundtable.core.errors import Problem, SetupError, StudyError
from roundtable.core.setup import Setup
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, Protect, Suspect
from roundtable.games.saviom.setup import SaviomSetup, Side
from roundtable.lab.kernels.chance import seed_luck
from roundtable.lab.kernels.compiling import announced, entry
from roundtable.lab.kernels.contract import Batch, Crew, Script, check_numbers, crew_of
from roundtable.lab.kernels.pages import read_steps
from roundtable.lab.kernels.saviom.phases import REASONS, play
from roundtable.lab.kernels.saviom.table import (
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
    blank_pages,
    rules_of,
)

SIDES: tuple[str, ...] = (Side.CITIZENS, Side.WOLVES)
WINNER = (0, 1, -1)  # by reason
LONGEST = np.iinfo(np.int16).max


@entry
def play_batch(rules: Rules, crew: Crew, tables: Any, seed: np.uint64, first: int, all_pages: Any, batch: Any) -> None:
    """Play as many games as the batch has rows."""
    winner, reason, roles, won, length = batch
    now, pages = tables[0], all_pages[0]
    for row in range(len(reason)):
        seed_luck(now, seed, first + row)
        reason[row] = why = play(rules, crew, now, pages)
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

    def tables(self, setup: Setup) -> Rules:
        if not isinstance(setup, SaviomSetup):
            raise SetupError([Problem("setup/game", f"The kernel of saviom does not play {setup.game}.")])
        setup.require_ready()
        return rules_of(setup)

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> Batch:
        batch = Batch.blank(count, setup.seats)
        self._play(setup, bots, seed, first, blank_pages(are_kept=False), batch)
        return batch

    def actions(self, setup: Setup, bots: Sequence[str], seed: int, number: int) -> Script:
        batch = Batch.blank(1, setup.seats)
        phases = int(self._play(setup, bots, seed, number, blank_pages(are_kept=False), batch)["phase"])
        if phases > MOST_PHASES:
            long = f"Game {number} has {phases} days, defenses and nights; {MOST_PHASES} can be written down."
            raise StudyError("study/asked", long)
        pages = blank_pages(are_kept=True)
        table = self._play(setup, bots, seed, number, pages, batch)
        deal = tuple(ROLES[role] for role in table["roles"][: setup.seats].tolist())
        return Script(setup=setup, deal=deal, steps=read_steps(pages[0], int(table["careful"]), write))

    def _play(self, setup: Setup, bots: Sequence[str], seed: int, first: int, pages: Any, batch: Batch) -> Any:
        check_numbers(seed, first, len(batch.reason))
        tables = np.zeros(1, TABLE)
        rows = (batch.winner, batch.reason, batch.roles, batch.won, batch.length)
        with announced(self.game):
            play_batch(self.tables(setup), crew_of(bots, setup.seats), tables, np.uint64(seed), first, pages, rows)
        return tables[0]


AIMED: dict[int, type[Move]] = {ACCUSE: Accuse, HUNT: Hunt, PROTECT: Protect, INSPECT: Inspect, SUSPECT: Suspect}


@lru_cache(maxsize=1 << 16)
def write(phase: int, verb: int, target: int, second: int, third: int) -> Action:
    if verb == EXPIRE:
        return Expire(phase=phase)
    if verb == JUDGE:
        return Judge(phase=phase, eliminate=bool(target))
    return AIMED[verb](phase=phase, target=target)  # type: ignore[call-arg]
