"""Belief equals what comes of going through all deals one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from roundtable.belief import belief_of
from roundtable.bots import CarefulBot, RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.core.events import GameEnded
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.core.setup import Setup
from roundtable.games import spec_named
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import Role
from roundtable.games.thavalon.setup import ThavalonSetup
from support.brute_belief import Brute, OddModel
from support.sizes import IS_SOAK

EVERYTHING = frozenset((Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON))
GOOD = (Role.MERLIN, Role.PERCIVAL, Role.LANCELOT, Role.NIMUE, Role.ARTHUR, Role.TITANIA)
EVIL = (Role.MORDRED, Role.MORGANA, Role.MAELAGANT, Role.AGRAVAINE, Role.COLGREVANCE)
POOL = frozenset((*GOOD, *EVIL))

EVERY = (SPECTATOR, *range(10))
TABLES: list[tuple[Setup, int, tuple[int, ...]]] = [  # setup, seed, who listens
    (AvalonSetup(seats=5), 1, EVERY),
    (AvalonSetup(seats=5, roles=frozenset((Role.MORDRED,)), excalibur="both"), 2, EVERY),
    (AvalonSetup(seats=6, merlin=False, excalibur="fail_only", lady=True), 3, (SPECTATOR, 0, 3, 5)),
    (AvalonSetup(seats=7, roles=EVERYTHING - {Role.MORDRED}, lady=True, choose_quests=True), 4, (SPECTATOR, 0, 2, 3)),
    (AvalonSetup(seats=7, roles=EVERYTHING - {Role.MORGANA}, assassin="duty", excalibur="both", lady=True), 5, (4, 5)),
    (AvalonSetup(seats=7, roles=frozenset((Role.MORDRED,)), assassin="duty"), 11, EVERY),  # Merlin sees two Minions
    (ThavalonSetup(seats=5), 6, EVERY),
    (ThavalonSetup(seats=5, pool=POOL), 7, (0, 2)),
    (ThavalonSetup(seats=6, first_round="paired", reversal=False), 8, (0, 2)),
    (ThavalonSetup(seats=6, proposals="five_rejections"), 9, (1, 4)),
    (ThavalonSetup(seats=7), 10, EVERY if IS_SOAK else (3,)),
]


def played(setup: Setup, seed: int) -> Play[Any, Any]:
    dice = Dice(seed)
    play = Play.open(spec_named(setup.game).game, setup, dice.randbytes(32))
    play.deal()
    bots = {seat: CarefulBot() if seed % 2 else RandomBot() for seat in range(setup.seats)}
    return play_out(play, bots, dice)


@pytest.mark.parametrize(("setup", "seed", "listeners"), TABLES, ids=lambda part: getattr(part, "game", str(part)))
def test_belief_equals_brute_force(setup: Setup, seed: int, listeners: tuple[int, ...]) -> None:
    play = played(setup, seed)
    for listener in [one for one in listeners if one < setup.seats]:
        has_model = listener % 3 != 1  # logic alone for some seats; its counts are compared for all
        belief = belief_of(spec_named(setup.game), setup, listener, OddModel() if has_model else None)
        own = None if listener < 0 else next(e for e in play.events_for(listener) if isinstance(e, RoleDealt))
        brute = Brute(setup, listener, has_model, own)
        for event in play.events_for(listener):
            if isinstance(event, GameEnded):
                break
            brute.hear(event, phase=0)
            belief.hear(event)
        roles = belief.roles
        assert belief.logic.deals == len(brute.deals)
        assert belief.logic.counts.tolist() == brute.counts(roles)
        np.testing.assert_allclose(belief.posterior, brute.posterior(list(roles)), rtol=1e-9, atol=1e-12)
        assert belief.entropy() == pytest.approx(brute.entropy(), abs=1e-9)
