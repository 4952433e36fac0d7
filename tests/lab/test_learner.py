"""The Gymnasium environment: one seat learns, and bots play the others."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from roundtable.bots import CarefulBot, RandomBot
from roundtable.core.errors import SetupError
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.kernels.actions import WAIT
from roundtable.lab import avalon_v0, saviom_v0, thavalon_v0

MODULES = {"Avalon": avalon_v0, "Thavalon": thavalon_v0, "Saviom": saviom_v0}
each_game = pytest.mark.parametrize("name", MODULES)


def episode(env: Any, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """A whole game with random choices; all that the learner was given, and the last info."""
    chance = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    given: list[Any] = [(observation, info)]
    terminated = False
    while not terminated:
        step = env.step(chance.choice(np.flatnonzero(info["action_mask"])))
        observation, _, terminated, _, info = step
        given.append(step)
    return given, info


@each_game
def test_gymnasiums_checker_is_content(name: str) -> None:
    env = gymnasium.make(f"roundtable/{name}-v0").unwrapped
    env.action_space.seed(1)  # the checker leaves its choices to chance
    check_env(env)


@each_game
def test_it_can_be_made_by_a_name_that_says_where_it_lives(name: str) -> None:
    env = gymnasium.make(f"roundtable.lab.{name.lower()}_v0:roundtable/{name}-v0", seats=8, bots="random")
    assert env.reset(seed=1)[0] in env.observation_space


@pytest.mark.parametrize("mode", ["sync", pytest.param("async", marks=pytest.mark.slow)])
@each_game
def test_many_learn_side_by_side(name: str, mode: str) -> None:
    envs = gymnasium.make_vec(f"roundtable/{name}-v0", num_envs=3, vectorization_mode=mode, bots="random")
    observations, infos = envs.reset(seed=1)
    ends = 0
    for _ in range(60):
        masks = observations["action_mask"]
        observations, rewards, ended, _, infos = envs.step(np.array([np.flatnonzero(mask)[-1] for mask in masks]))
        ends += int(ended.sum())
        assert (np.abs(rewards[ended]) <= 1).all()
        assert not rewards[~ended].any()
        assert (infos["action_mask"] == observations["action_mask"]).all()
    assert ends > 0
    envs.close()


@each_game
def test_the_same_seed_is_the_same_game_bots_and_all(name: str) -> None:
    one, other = MODULES[name].learner_env(), MODULES[name].learner_env()
    first, info = episode(one, 5)
    second, same = episode(other, 5)
    assert data_equivalence(first, second, exact=True)
    assert info["roles"] == same["roles"]
    assert one.table.play.events == other.table.play.events


@each_game
def test_the_learner_is_asked_only_where_it_has_a_choice_and_always_hears_the_end(name: str) -> None:
    for seed in range(12):
        env = MODULES[name].learner_env(seat=2)
        given, info = episode(env, seed)
        assert all("roles" not in step[-1] for step in given[:-1])
        assert info["roles"]["seat_2"] == str(env.table.play.state.roles[2])
        assert all((step[0]["action_mask"][WAIT + 1 :]).any() for step in given[:-1])
        outcome = env.table.play.outcome
        assert given[-1][1] == (0 if outcome.winner is None else 1 if 2 in outcome.seats else -1)


@each_game
def test_the_learner_has_the_role_and_the_seat_that_it_is_given(name: str) -> None:
    role = {"Avalon": "Merlin", "Thavalon": "Mordred", "Saviom": "Wolf"}[name]
    env = MODULES[name].learner_env(seats=8, seat=1, role=role)
    for seed in range(4):
        env.reset(seed=seed, options={"seat": 6})
        assert (env.seat, env.table.roles()[6]) == (6, role)
        assert sorted(env.bots) == [0, 1, 2, 3, 4, 5, 7]
        env.reset()
        assert (env.seat, env.table.roles()[1]) == (1, role)
    env.reset(seed=1, options={"role": None})
    _, info = episode(env, 1)
    assert info["roles"]["seat_1"] == role


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"lady": True}, "takes role and seat, not lady"),
        ({"role": "Wizard"}, "'Wizard' is no role of this table"),
        ({"seat": 5}, "a seat from 0 to 4, not 5"),
        ({"seat": "two"}, "a seat from 0 to 4, not two"),
        ({"seat": None}, "a seat from 0 to 4, not None"),
        ({"seat": True}, "a seat from 0 to 4, not True"),
        (["seat"], r"takes a dictionary, not \['seat'\]"),
        ({"seat": 1}, "Seats 0, 2, 3 and 4 each need a bot"),
    ],
)
def test_a_reset_that_asks_for_what_cannot_be_is_refused(options: dict[str, Any], sentence: str) -> None:
    env = avalon_v0.learner_env(bots=dict.fromkeys((1, 2, 3, 4), "random"))
    with pytest.raises((ValueError, SetupError), match=sentence):
        env.reset(seed=1, options=options)


@each_game
def test_masks_come_as_sb3_asks_for_them(name: str) -> None:
    env = gymnasium.make(f"roundtable/{name}-v0")
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert masks.tolist() == (info["action_mask"] == 1).tolist()


def test_to_choose_what_is_not_allowed_loses_the_game() -> None:
    env = avalon_v0.learner_env()
    _, info = env.reset(seed=1)
    forbidden = int(np.flatnonzero(info["action_mask"] == 0)[-1])
    observation, reward, terminated, truncated, info = env.step(forbidden)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert f"cannot choose {forbidden}" in info["illegal"]
    assert "roles" not in info
    assert observation in env.observation_space


class Contrary(RandomBot):
    """Votes against everything, and so the fifth rejection comes."""

    def choose(self, view: Any, options: Any, chance: Any) -> Any:
        return list(options[0])[-1] if view.phase.name == "vote" else super().choose(view, options, chance)


def test_bots_are_given_by_name_or_in_person_for_all_or_seat_by_seat() -> None:
    _, info = episode(avalon_v0.learner_env(bots=Contrary()), 1)
    assert info["reason"] == "five_rejections"
    mixed = avalon_v0.learner_env(seat=4, bots={0: "random", 1: CarefulBot(), 2: "careful", 3: RandomBot()})
    assert [type(bot) for _, bot in sorted(mixed.bots.items())] == [str, CarefulBot, str, RandomBot]
    episode(mixed, 1)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"bots": "clever"}, "There is no bot called 'clever'; choose careful, easy, fair, random, sage or strong."),
        ({"bots": 3}, "There is no bot called 3; choose careful, easy, fair, random, sage or strong."),
        ({"seat": 5}, "The learner sits at a seat from 0 to 4, not 5."),
        ({"bots": {1: "random"}}, "Seats 1, 2, 3 and 4 each need a bot."),
    ],
)
def test_company_that_cannot_sit_down_is_refused_in_a_sentence(how: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence.replace(".", r"\.")):
        avalon_v0.learner_env(**how)


def test_an_evil_learner_who_plays_with_care_wins_more_than_one_who_plays_at_random() -> None:
    wins = {True: 0, False: 0}
    for seed in range(60):
        for careful in (True, False):
            env = avalon_v0.learner_env()
            _, info = env.reset(seed=seed)
            chance, ended, reward = np.random.default_rng(seed), False, 0.0
            while not ended:
                legal = np.flatnonzero(info["action_mask"])
                bot = CarefulBot().leanings(env.table.view(0), env.table.options(0)) if careful else ()
                choice = env.moves.number(bot[0][0]) if bot else chance.choice(legal)
                _, reward, ended, _, info = env.step(choice)
            if Role(info["roles"]["seat_0"]) in EVIL_ROLES:
                wins[careful] += reward > 0
    assert wins[True] > wins[False]


@pytest.mark.parametrize("module", MODULES.values())
def test_the_learner_can_read(module: ModuleType) -> None:
    env = module.learner_env(render_mode="text")
    env.reset(seed=1)
    assert env.render() == env.text()
    assert "You are seat_0." in env.text()
    assert set(env.view()["roles"]) == {"0"}
