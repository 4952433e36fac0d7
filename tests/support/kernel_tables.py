"""Setups for the tests of the compiled games, and statistical checks of their counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import sqrt

import pytest

from roundtable.bots.dice import Dice
from roundtable.core.chance import Chance
from roundtable.core.events import Outcome
from roundtable.core.setup import Setup
from roundtable.games import GAMES
from roundtable.games.avalon.setup import OPTIONAL_ROLES, AvalonSetup
from roundtable.kernels.contract import Batch
from roundtable.kernels.core import CompiledGame
from roundtable.lab.replaying import replay
from roundtable.testing.generators import any_setup

QUEST_GAMES = ("avalon", "thavalon")
COUNTS = range(5, 11)
SEED = 2026
TABLES = 50  # different setups for each game and number of players
RANDOM = ("random",)

every_table = pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in QUEST_GAMES for seats in COUNTS])


@lru_cache(maxsize=64)
def setups(game: str, seats: int) -> tuple[Setup, ...]:
    """The default setup, and others with random options."""
    dice = Dice(seats)
    return (GAMES[game].game.setup_type(seats=seats), *[varied(game, seats, dice) for _ in range(TABLES - 1)])


def varied(game: str, seats: int, chance: Chance) -> Setup:
    setup = any_setup(GAMES[game].game, chance, seats)
    while isinstance(setup, AvalonSetup):
        chosen = frozenset(role for role in sorted(OPTIONAL_ROLES) if chance.below(2))
        other = replace(setup, roles=chosen, two_fails_from=5 + chance.below(7))
        if not other.problems():
            return other
    return setup


def check_equal(of: CompiledGame, setup: Setup, bots: Sequence[str], first: int, count: int) -> None:
    """The engine plays each of these games to the end that the kernel came to, and to no other."""
    batch = of.run(setup, bots, SEED, first, count)
    rows = zip(batch.roles.tolist(), batch.length.tolist(), outcomes_of(of, batch), strict=True)
    for number, (roles, length, outcome) in enumerate(rows, first):
        script = of.actions(setup, bots, SEED, number)
        assert replay(script).outcome == outcome
        assert tuple([of.roles[role] for role in roles]) == getattr(script.deal, "roles", script.deal)
        assert length == len([step for step in script.steps if step.action is not None])


def outcomes_of(of: CompiledGame, batch: Batch) -> Iterator[Outcome]:
    for winner, won, reason in zip(batch.winner.tolist(), batch.won.tolist(), batch.reason.tolist(), strict=True):
        seats = tuple([seat for seat, has_won in enumerate(won) if has_won])
        yield Outcome(winner=None if winner < 0 else str(of.sides[winner]), seats=seats, reason=of.reasons[reason])


CREWS = (("careful",), ("careful", "random"), ("random", "careful"))


def careful_seats(seats: int, place: int) -> tuple[str, ...]:
    """All careful, one side careful, or every other seat."""
    return (*CREWS, tuple(["careful" if seat % 2 else "random" for seat in range(seats)]))[place % 4]


def is_as_expected(seen: Iterable[float], expected: Iterable[float]) -> bool:
    """Chi-square, by Wilson and Hilferty's approximation; a fair game is called unfair once in 30,000 times."""
    pairs = [(count, chance) for count, chance in zip(seen, expected, strict=True) if chance > 0]
    freedom = len(pairs) - 1
    square = sum((count - chance) ** 2 / chance for count, chance in pairs)
    spread = 2 / (9 * freedom)
    return bool((square / freedom) ** (1 / 3) < 1 - spread + 4 * sqrt(spread))


def is_spread_evenly(places: list[float]) -> bool:
    """Whether numbers from 0 to 1 can be uniform ones."""
    tenths = Counter(int(10 * place) for place in places)
    return is_as_expected([tenths[tenth] for tenth in range(10)], [len(places) / 10] * 10)
