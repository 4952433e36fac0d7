"""Environments in machine code and with the engine: the same seed and the same choices give the same observations."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from roundtable.bots import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.core.errors import IllegalAction
from roundtable.core.setup import Setup
from roundtable.games import GAMES
from roundtable.lab import avalon_v0, saviom_v0, thavalon_v0
from roundtable.lab.environments.compiled_table import ENGINE, CompiledTable
from roundtable.lab.environments.table import Table
from roundtable.lab.studies import chosen_options
from roundtable.testing.generators import any_setup
from support.sizes import COMPILED_TABLES

pytestmark = pytest.mark.usefixtures("compiled_steppers")

MODULES = {"avalon": avalon_v0, "thavalon": thavalon_v0, "saviom": saviom_v0}
each_game = pytest.mark.parametrize("name", MODULES)


def both(kind: str, setup: Setup, **how: Any) -> tuple[Any, Any]:
    """An environment of this table in machine code, and one with the engine."""
    make = getattr(MODULES[setup.game], kind)
    of = {**chosen_options(setup), **how, "seats": setup.seats}
    return make(compiled=True, **of), make(compiled=False, **of)


def any_choice(mask: Any, chance: np.random.Generator, seed: int) -> int:
    """At random; or at times the first move, or the last, so that games come to every phase."""
    legal: list[int] = np.flatnonzero(mask).tolist()
    return legal[(0, -1, int(chance.integers(len(legal))), int(chance.integers(len(legal))))[seed % 4]]


@each_game
def test_seat_by_seat_every_seat_sees_the_same(name: str) -> None:
    dice = Dice(3)
    for seed in range(COMPILED_TABLES):
        ours, engines = both("raw_env", any_setup(GAMES[name].game, dice))
        chance = np.random.default_rng(seed)
        ours.reset(seed=seed)
        engines.reset(seed=seed)
        while True:
            assert ours.agent_selection == engines.agent_selection
            for agent in ours.possible_agents:
                assert data_equivalence(ours.observe(agent), engines.observe(agent), exact=True), agent
            assert data_equivalence(ours.infos, engines.infos, exact=True)
            assert (ours.rewards, ours.terminations) == (engines.rewards, engines.terminations)
            if any(ours.terminations.values()):
                break
            choice = any_choice(ours.infos[ours.agent_selection]["action_mask"], chance, seed)
            ours.step(choice)
            engines.step(choice)
        assert ours.table.play.events == engines.table.play.events
        assert ours.text("seat_1") == engines.text("seat_1")


@each_game
def test_chosen_roles_are_dealt_and_followed_alike(name: str) -> None:
    role = {"avalon": "Merlin", "thavalon": "Mordred", "saviom": "Wolf"}[name]
    ours, engines = both("raw_env", GAMES[name].game.setup_type(seats=7))
    for seed in range(3):
        options = {"roles": {f"seat_{seed}": role}}
        ours.reset(seed=seed, options=options)
        engines.reset(seed=seed, options=options)
        for _ in range(20):
            assert ours.agent_selection == engines.agent_selection
            choice = int(engines.infos[engines.agent_selection]["action_mask"].argmax())
            for env in (ours, engines):
                env.step(choice)
        assert ours.table.play.events == engines.table.play.events
        assert str(ours.table.play.state.roles[seed]) == role


@each_game
def test_all_at_once_every_seat_sees_the_same(name: str) -> None:
    dice = Dice(4)
    for seed in range(COMPILED_TABLES):
        ours, engines = both("parallel_env", any_setup(GAMES[name].game, dice))
        chance = np.random.default_rng(seed)
        given = ours.reset(seed=seed)
        assert data_equivalence(given, engines.reset(seed=seed), exact=True)
        known = given[0]
        while ours.agents:
            choices = {agent: any_choice(known[agent]["action_mask"], chance, seed) for agent in ours.agents}
            step = ours.step(choices)
            assert data_equivalence(step, engines.step(choices), exact=True)
            known = step[0]
        assert ours.table.play.events == engines.table.play.events


@each_game
def test_one_learner_sees_the_same_among_the_same_bots(name: str) -> None:
    dice = Dice(5)
    for seed in range(COMPILED_TABLES):
        setup = any_setup(GAMES[name].game, dice)
        learner, others = seed % setup.seats, [seat for seat in range(setup.seats) if seat != seed % setup.seats]
        mixed = {seat: ("random", "careful")[(seat + seed) % 2] for seat in others}
        ours, engines = both("learner_env", setup, seat=learner, bots=(mixed, "careful", "random")[seed % 3])
        assert type(ours.table) is CompiledTable
        chance = np.random.default_rng(seed)
        for number in range(2):
            given, expected = ours.reset(seed=seed + 2 * number), engines.reset(seed=seed + 2 * number)
            while True:
                assert data_equivalence(given, expected, exact=True)
                assert (ours.action_masks() == engines.action_masks()).all()
                if "roles" in given[-1]:
                    break
                choice = any_choice(given[0]["action_mask"], chance, seed + number)
                given, expected = ours.step(choice), engines.step(choice)
            assert ours.table.play.events == engines.table.play.events
        assert ours.text() == engines.text()


def test_a_learner_who_changes_seats_has_careful_company_there_too() -> None:
    how = {"bots": "careful", "role": "Merlin"}
    ours, engines = both("learner_env", GAMES["avalon"].game.setup_type(seats=6), **how)
    for seat in (3, 0, 5):
        options = {"seat": seat, "role": "Assassin"}
        given = ours.reset(seed=seat, options=options)
        assert data_equivalence(given, engines.reset(seed=seat, options=options), exact=True)
        assert ours.table.roles() == engines.table.roles()
        copied = copy.deepcopy(ours)
        choice = int(given[1]["action_mask"].argmax())
        step = engines.step(choice)
        assert data_equivalence(ours.step(choice), step, exact=True)
        assert data_equivalence(copied.step(choice), step, exact=True)


@each_game
def test_a_copy_goes_on_by_itself(name: str) -> None:
    env, _ = both("raw_env", GAMES[name].game.setup_type(seats=7))
    env.reset(seed=5)
    chance = np.random.default_rng(5)
    for _ in range(12):
        env.step(any_choice(env.infos[env.agent_selection]["action_mask"], chance, 2))
    copied, pickled = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for _ in range(9):
        choice = any_choice(env.infos[env.agent_selection]["action_mask"], chance, 2)
        for one in (env, copied):
            one.step(choice)
        assert data_equivalence(env.last(), copied.last(), exact=True)
    assert env.table.play.events == copied.table.play.events
    assert len(pickled.table.play.events) < len(env.table.play.events)


def test_what_the_mask_forbids_is_refused_and_changes_nothing() -> None:  # C2
    env, _ = both("raw_env", GAMES["avalon"].game.setup_type(seats=5))
    env.reset(seed=1)
    before = env.last()
    for wrong in (0, -1, 29, 10_000, None):
        with pytest.raises(IllegalAction, match=f"cannot choose {wrong}"):
            env.step(wrong)
    assert data_equivalence(before, env.last(), exact=True)


def test_machine_code_plays_where_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENGINE, raising=False)
    assert type(avalon_v0.raw_env().table) is CompiledTable
    assert type(saviom_v0.raw_env(rounds=2).table) is Table
    assert type(saviom_v0.raw_env(may_surrender=True).table) is Table
    assert type(avalon_v0.learner_env().table) is CompiledTable
    assert type(avalon_v0.learner_env(bots=CarefulBot()).table) is Table
    assert type(avalon_v0.learner_env(bots={1: "careful", 2: "sage", 3: "random", 4: "random"}).table) is Table
    with pytest.raises(ValueError, match="Machine code plays the bots random and careful, given by name"):
        avalon_v0.learner_env(bots="sage", compiled=True)
    with pytest.raises(ValueError, match="with rounds=1 and without may_surrender"):
        saviom_v0.raw_env(rounds=2, compiled=True)
    monkeypatch.setenv(ENGINE, "plain")
    assert type(avalon_v0.raw_env().table) is Table
    monkeypatch.delenv(ENGINE)
    monkeypatch.setattr("roundtable.lab.environments.compiled_table.find_spec", lambda name: None)
    assert type(avalon_v0.raw_env().table) is Table
