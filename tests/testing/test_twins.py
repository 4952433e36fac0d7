"""Nothing a listener receives depends on what they may not know."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest

from roundtable.bots.dice import Dice
from roundtable.core.actions import COMMON_ACTIONS, AskCountdown
from roundtable.core.seats import SPECTATOR
from roundtable.core.setup import Setup
from roundtable.games import GAMES
from roundtable.testing.check import secrecy_of
from roundtable.testing.generators import any_move, any_setup
from roundtable.testing.random_asks import COMMON, actions_of
from roundtable.testing.twins import Tally, TwinTest
from support.planted_leaks import LEAKS, Leak, leaky_game
from support.sizes import TWIN_PAIRS, size

BATCHES = size(4, soak=160)  # that the test runner can share out


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


def test_there_are_more_than_sixty_planted_leaks() -> None:
    assert len({leak.name for leak in LEAKS}) == len(LEAKS) > 60


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_asked_for(name: str) -> None:
    """A new action needs a row in `random_asks.COMMON`, or fields that `any_move` can draw."""
    game, chance = GAMES[name].game, Dice(0)
    assert set(COMMON) == set(COMMON_ACTIONS)
    setup = any_setup(game, chance)
    play = TwinTest(game, secrecy_of(name)).open(setup, game.deal(setup, chance))
    assert all(isinstance(draw(play, ["table"], chance), kind) for kind, draw in COMMON.items())
    moves = {type(any_move(game, setup, 1, chance)) for _ in range(40 * len(game.actions))}
    assert set(actions_of(game)) == {*COMMON, *moves}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_players_do_everything_that_can_be_done(name: str) -> None:
    """They talk in every channel, by lines and remarks; wish together; repeat ids, and take them for other actions."""
    twins, done = TwinTest(GAMES[name].game, secrecy_of(name)), Counter[str]()
    for seed in range(40):
        chance = Dice(seed)
        setup = any_setup(twins.game, chance)
        script = twins.write_script(setup, twins.game.deal(setup, chance), chance)
        for step in script.steps:
            granted = "granted" if step.refusal is None else "refused"
            done[f"{type(step.action).__name__} {getattr(step.action, 'channel', '')} {granted}"] += 1
            if step.is_repeat:
                is_same = script.first_under[step.actor, step.id].action == step.action
                done[f"repeat of {'the same' if is_same else 'another'} action {granted}"] += 1
        done["countdown by wishes"] += sum(
            isinstance(step.action, AskCountdown) and b"CountdownStarted" in b"".join(lines.get(SPECTATOR, ()))
            for step, lines in zip(script.steps, script.received, strict=True)
        )
    talk = {f"{kind} {channel} granted" for kind in ("Say", "Remark") for channel in ("table", *twins.secrecy.channels)}
    repeats = {"repeat of the same action granted", "repeat of another action refused"}
    expected = talk | repeats | ({"countdown by wishes"} if name != "saviom" else set())
    assert not {what for what in expected if not done[what]}
    assert {kind.__name__ for kind in actions_of(twins.game)} <= {what.split()[0] for what in done}


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
