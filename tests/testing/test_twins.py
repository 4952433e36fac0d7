"""Nothing a listener receives depends on what they may not know."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from roundtable.core.setup import Setup
from roundtable.games import GAMES
from roundtable.testing.check import secrecy_of
from roundtable.testing.dice import Dice
from roundtable.testing.generators import any_setup
from roundtable.testing.twins import Tally, TwinTest
from support.planted_leaks import LEAKS, Leak, leaky_game
from support.sizes import TWIN_PAIRS, size

BATCHES = size(8, soak=160)  # that the test runner can share out


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", TWIN_PAIRS)
def test_games_that_a_listener_cannot_tell_apart_sound_the_same(name: str, batch: int) -> None:  # C4
    pairs = TWIN_PAIRS[name] // BATCHES
    tally = TwinTest(GAMES[name].game, secrecy_of(name)).run(Dice(batch), pairs)
    assert tally.leak is None
    assert tally.pairs >= pairs
    assert tally.whole_pairs > pairs / 10


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_the_twin_test_catches_planted_leaks(leak: Leak) -> None:  # C4
    tally = Tally()
    twins = TwinTest(leaky_game(leak.game), secrecy_of(leak.game), leak.table)
    for seed in range(400):
        tally.add(twins.run(Dice(seed), 10, setup=setup_for(leak, seed)))
        if tally.leak:
            return
    pytest.fail(f"{leak.name} stayed unseen in {tally.pairs} pairs")


def test_there_are_more_than_twenty_planted_leaks() -> None:
    assert len({leak.name for leak in LEAKS}) == len(LEAKS) >= 20


def setup_for(leak: Leak, seed: int) -> Setup:
    """Any table of the game, but with the options under which the leak can show."""
    options, dice = dict(leak.options), Dice(seed)
    seats = options.pop("seats", None)
    while True:
        setup = any_setup(GAMES[leak.game].game, dice, seats)
        assert set(options) <= {option.name for option in fields(setup)}
        fitting = replace(setup, **options)
        if not fitting.problems():
            return fitting
