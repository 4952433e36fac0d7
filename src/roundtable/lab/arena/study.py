"""An arena as a study: the bots, the contests and how many deals; its games are numbered deal by deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roundtable.core.errors import SetupError, StudyError
from roundtable.core.setup import Setup
from roundtable.games import game_named
from roundtable.lab.arena.engine import ArenaKernel
from roundtable.lab.arena.fixtures import CONTESTS, Fixture, fixtures_of
from roundtable.lab.own_bots import Commands, require_player
from roundtable.lab.refereed import SECONDS
from roundtable.lab.studies import Study

PLAIN_BATCH = 50  # games in a batch: bots may think for long, and an interruption loses the batches that were begun
COMPILED_BATCH = 5_000  # the same where all bots are machine code
MOST_GAMES = 10_000_000  # their results are kept in memory


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaStudy(Study):
    """`bots` are the entrants, and `games` are `deals` times the number of fixtures."""

    contests: tuple[str, ...] = CONTESTS
    seconds: float = SECONDS  # that a program has for an answer

    @property
    def fixtures(self) -> tuple[Fixture, ...]:
        return fixtures_of(self.bots, self.setup.seats, self.contests)

    @property
    def deals(self) -> int:
        return self.games // len(self.fixtures)

    @property
    def kernel(self) -> ArenaKernel:
        return ArenaKernel(self.setup.game, self.fixtures, self.commands, self.seconds)

    @property
    def batch(self) -> int:
        return COMPILED_BATCH if self.kernel.is_compiled else PLAIN_BATCH

    def plan(self) -> dict[str, Any]:
        programs = {"seconds": self.seconds} if self.commands else {}
        return {**Study.plan(self), "contests": list(self.contests), **programs}


def arena_of(
    setup: Setup,
    bots: tuple[str, ...],
    *,
    deals: int,
    seed: str,
    contests: tuple[str, ...] = CONTESTS,
    commands: Commands = (),
    seconds: float = SECONDS,
) -> ArenaStudy:
    """`SetupError`, `StudyError` or `PluginError` where it cannot be played."""
    if len(game_named(setup.game).sides) != 2:
        raise SetupError("setup/bot", "sides")
    if len(set(bots)) < max(2, len(bots)):
        raise StudyError("study/asked", "entrants")
    for name in bots:
        require_player(name, commands)
    setup.require_ready()
    each = len(fixtures_of(bots, setup.seats, contests))
    if deals * each > MOST_GAMES:
        raise StudyError("study/asked", "deals", each=each, most=f"{MOST_GAMES // each:,}", found=f"{deals:,}")
    return ArenaStudy(
        setup=setup, bots=bots, seed=seed, games=deals * each, commands=commands, contests=contests, seconds=seconds
    )
