"""The kernels play by the engine's rules: whatever they play, the engine plays again to the same end."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from roundtable.games.avalon.setup import OPTIONAL_ROLES, AvalonSetup
from roundtable.games.registry import GAMES
from roundtable.lab.kernels import Batch, Kernel, kernel, replay
from roundtable.table.chance import Chance
from roundtable.table.setup import Setup
from roundtable.testing.generators import any_setup
from roundtable.testing.scenes import Dice

GAMES_OF_QUESTS = ("avalon", "thavalon")
COUNTS = range(5, 11)
SEED = 2026
TABLES = 50  # different setups for each game and number of players

every_table = pytest.mark.parametrize(
    ("game", "seats"), [(game, seats) for game in GAMES_OF_QUESTS for seats in COUNTS]
)


@lru_cache(maxsize=64)
def setups(game: str, seats: int) -> tuple[Setup, ...]:
    """The usual table, and others with every option drawn."""
    dice = Dice(seats)
    return (GAMES[game].setup_type(seats=seats), *[varied(game, seats, dice) for _ in range(TABLES - 1)])


def varied(game: str, seats: int, chance: Chance) -> Setup:
    setup = any_setup(GAMES[game], chance, seats)
    if not isinstance(setup, AvalonSetup):
        return setup
    while True:
        chosen = frozenset(role for role in sorted(OPTIONAL_ROLES) if chance.below(2))
        other = replace(setup, roles=chosen, two_fails_from=5 + chance.below(7))
        if not other.problems():
            return other


def check_equal(of: Kernel, setup: Setup, bots: list[str], first: int, count: int) -> None:
    batch = of.run(setup, bots, SEED, first, count)
    for row in range(count):
        script = of.actions(setup, bots, SEED, first + row)
        now = replay(script)
        assert now.state.outcome is not None
        assert outcome_of(of, batch, row) == now.state.outcome
        assert tuple(of.roles[role] for role in batch.roles[row]) == script.deal.roles
        assert batch.length[row] == sum(step.action is not None for step in script.steps)


def outcome_of(of: Kernel, batch: Batch, row: int) -> Any:
    from roundtable.table.events import Outcome

    seats = tuple(seat for seat, has_won in enumerate(batch.won[row].tolist()) if has_won)
    return Outcome(winner=of.sides[batch.winner[row]], seats=seats, reason=of.reasons[batch.reason[row]])


@every_table
def test_the_engine_replays_every_kernel_game_to_the_same_outcome(game: str, seats: int) -> None:
    for place, setup in enumerate(setups(game, seats)):
        check_equal(kernel(game), setup, ["random"], place * 10, 10)
