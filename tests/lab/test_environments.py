"""The games as PettingZoo environments: action numbers, seats, seeds, and observations without secrets."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from collections import Counter
from types import ModuleType
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence

from roundtable.bots.dice import Dice
from roundtable.core.errors import IllegalAction, Unreadable
from roundtable.core.game import fold
from roundtable.core.play import Play, replay
from roundtable.core.seats import SPECTATOR
from roundtable.core.secrecy import Script
from roundtable.core.setup import Setup
from roundtable.games import GAMES
from roundtable.games.saviom.setup import Role as TownRole
from roundtable.kernels.actions import WAIT, Actions
from roundtable.lab import avalon_v0, saviom_v0, thavalon_v0
from roundtable.lab.environments.table import Table
from roundtable.lab.environments.text import seat_text
from roundtable.testing.check import has_moved_on, secrecy_of
from roundtable.testing.generators import any_setup
from roundtable.testing.random_asks import round_of_asks
from roundtable.testing.twins import TwinTest, try_ask
from roundtable.text.names import Names
from support.scenes import SEED

with warnings.catch_warnings(action="ignore"):  # PettingZoo's tests are full of things that it warns of itself
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

# PettingZoo wonders at observations that are dictionaries, as those of its own card games are.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
)

TABLES: list[tuple[ModuleType, dict[str, Any]]] = [
    (avalon_v0, {}),
    (avalon_v0, {"seats": 10, "lady": True, "choose_quests": True, "excalibur": "both"}),
    (avalon_v0, {"seats": 7, "merlin": False, "hammer": "auto", "observations": "parts"}),
    (thavalon_v0, {}),
    (thavalon_v0, {"seats": 8, "first_round": "paired", "clock": False, "rounds": 2}),
    (thavalon_v0, {"seats": 10, "no_target_call": True}),
    (saviom_v0, {}),
    (saviom_v0, {"seats": 12, "mode": "advanced", "reveal_on_death": "role", "rounds": 2, "early_end": True}),
    (saviom_v0, {"seats": 8, "mode": "advanced", "begins_with": "night", "may_surrender": True}),
]
each_table = pytest.mark.parametrize(("module", "how"), TABLES)


def play_on(env: Any, until: Any = lambda env: False, seed: int | None = 1) -> Any:
    """Play to the end or until something is so, at random among what is allowed; without a seed, the first move."""
    chance = np.random.default_rng(seed)
    while env.agents and not any(env.terminations.values()) and not until(env):
        legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
        env.step(legal[legal > WAIT][0] if seed is None else chance.choice(legal))
    return env


def seeded(env: Any) -> Any:
    """The same choices and the same deals in every run, also where PettingZoo draws them."""
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    return env


# What PettingZoo asks of an environment


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_knows_the_environments_by_name(game: str) -> None:
    assert isinstance(pettingzoo.make("aec", f"roundtable/{game}_v0", seats=7), pettingzoo.AECEnv)
    assert isinstance(pettingzoo.make("parallel", f"roundtable/{game}_v0", seats=7), pettingzoo.ParallelEnv)


@pytest.mark.slow
def test_one_import_tells_both_libraries_the_names() -> None:
    told = subprocess.run([sys.executable, "-c", BY_NAME], capture_output=True, text=True, check=False)
    assert (told.stderr, told.stdout.split()) == ("", ["Merlin", "2", "AECEnv", "ParallelEnv"])


BY_NAME = """
import gymnasium, pettingzoo
env = gymnasium.make("roundtable.lab.environments:roundtable/Avalon-v0", role="Merlin")
env.reset(seed=1)
print(env.unwrapped.table.roles()[0])
print(gymnasium.make_vec("roundtable/Thavalon-v0", num_envs=2).num_envs)
print("AECEnv" if isinstance(pettingzoo.make("aec", "roundtable/saviom_v0").unwrapped, pettingzoo.AECEnv) else "")
print("ParallelEnv" if isinstance(pettingzoo.make("parallel", "roundtable/saviom_v0"), pettingzoo.ParallelEnv) else "")
"""


@each_table
def test_seat_by_seat_passes_pettingzoos_test(module: ModuleType, how: dict[str, Any]) -> None:
    api_test(seeded(module.env(**how)), num_cycles=60)


@each_table
def test_all_at_once_passes_pettingzoos_test(module: ModuleType, how: dict[str, Any]) -> None:
    parallel_api_test(seeded(module.parallel_env(**how)), num_cycles=60)


@pytest.mark.parametrize("module", [avalon_v0, thavalon_v0, saviom_v0])
def test_every_render_mode_does_what_pettingzoo_expects(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(
        lambda **how: seeded(module.env(**how)),
        {"text": lambda text: isinstance(text, str) and "You may choose:" in text},
    )
    assert "You may choose:" in capsys.readouterr().out


@each_table
def test_a_game_can_be_cut_off(module: ModuleType, how: dict[str, Any]) -> None:
    """A cycle is a step of `parallel_env`, and in `env` the turns that such a step takes together."""
    env = seeded(module.env(**how, max_cycles=2))
    asked = [env.table.asked[:]]
    turns = 0
    for agent in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        assert not terminated
        if not truncated and env.table.cycle > len(asked):
            asked.append(env.table.asked[:])
        env.step(None if truncated else env.action_space(agent).sample(info["action_mask"]))
        turns += not truncated
    assert (len(asked), turns) == (2, sum(map(len, asked)))
    together = module.parallel_env(**how, max_cycles=2)
    _, infos = together.reset(seed=1)
    for step in (1, 2):
        chosen = {agent: int(np.flatnonzero(infos[agent]["action_mask"])[0]) for agent in together.agents}
        _, _, ended, cut, infos = together.step(chosen)
        assert not any(ended.values())
        assert set(cut.values()) == {step == 2}
    assert together.agents == []


# Seeds


@each_table
@pytest.mark.slow
def test_the_same_seed_and_the_same_choices_are_the_same_game(module: ModuleType, how: dict[str, Any]) -> None:
    seed_test(lambda: module.env(**how), num_cycles=30)
    one, other, third = module.env(**how), module.env(**how), module.env(**how)
    for again in range(2):  # the second game follows from the seed as well
        one.reset(seed=None if again else 7)
        other.reset(seed=None if again else 7)
        chance = np.random.default_rng(again)
        steps = 0
        while not any(one.terminations.values()):
            assert one.agent_selection == other.agent_selection
            assert data_equivalence(one.last(), other.last(), exact=True)
            if steps % 10 == 0:
                assert one.text(one.agent_selection) == other.text(one.agent_selection)
            choice = chance.choice(np.flatnonzero(one.infos[one.agent_selection]["action_mask"]))
            one.step(choice)
            other.step(choice)
            steps += 1
        assert steps > 10
        assert data_equivalence(one.infos, other.infos, exact=True)
        assert data_equivalence(one.rewards, other.rewards, exact=True)
    third.reset(seed=8)
    assert third.table.play.events != one.table.play.events


@each_table
def test_all_at_once_the_same_seed_is_the_same_game(module: ModuleType, how: dict[str, Any]) -> None:
    """PettingZoo's own test of this stops after one step, and takes no heed of masks."""
    one, other = module.parallel_env(**how), module.parallel_env(**how)
    first, second = one.reset(seed=7), other.reset(seed=7)
    assert data_equivalence(first, second, exact=True)
    infos, chance, steps = first[1], np.random.default_rng(1), 0
    while one.agents:
        chosen = {agent: chance.choice(np.flatnonzero(infos[agent]["action_mask"])) for agent in one.agents}
        step, same = one.step(chosen), other.step(chosen)
        assert data_equivalence(step, same, exact=True)
        infos = step[4]
        steps += 1
    assert steps > 1
    assert other.agents == []


# Numbers and moves


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_of_every_table_has_a_number_of_its_own(name: str, seed: int) -> None:
    dice = Dice(seed)
    setup = any_setup(GAMES[name].game, dice)
    actions = Actions(GAMES[name].part("environment").moves(setup))
    assert len({actions.number(move) for move in actions.moves}) == len(actions)
    play = Play.open(GAMES[name].game, setup, dice.randbytes(32))
    play.deal()
    while not play.is_over:
        phase = play.phase
        for ask in round_of_asks(play, dice, secrecy_of(name).channels):
            for seat in range(setup.seats):
                for option in play.options(seat):
                    for move in option:
                        assert actions.move(actions.number(move), move.phase) == move
            try_ask(play, ask)
            if has_moved_on(play, phase):
                break


@each_table
def test_masks_are_the_options_and_never_empty(module: ModuleType, how: dict[str, Any]) -> None:
    env = module.env(**how)
    env.reset(seed=3)

    def is_right(env: Any) -> bool:
        table = env.unwrapped.table
        for seat, agent in enumerate(env.agents):
            mask = env.infos[agent]["action_mask"]
            assert (env.observe(agent)["action_mask"] == mask).all()
            if agent != env.agent_selection:
                assert list(np.flatnonzero(mask)) == [WAIT]
                continue
            offered = {table.actions.number(move) for option in table.options(seat) for move in option}
            assert set(np.flatnonzero(mask)) - {WAIT} == offered
            assert mask.any()
        return False

    play_on(env, is_right)


def test_nobody_gives_up_unless_the_table_lets_them() -> None:  # S12
    for may_surrender in (False, True):
        env = saviom_v0.env(may_surrender=may_surrender)
        env.reset(seed=1)
        assert ("Surrender" in env.text(env.agent_selection)) is may_surrender


@pytest.mark.parametrize("choice", [None, -1, WAIT, 21, 1_000])
def test_a_choice_that_is_not_allowed_is_refused_and_changes_nothing(choice: int | None) -> None:  # C2
    env = avalon_v0.env()
    env.reset(seed=1)
    before = env.last(), len(env.table.play.entries)
    with pytest.raises(IllegalAction, match=f"cannot choose {choice} now; it can choose 1, 2"):
        env.step(choice)
    assert data_equivalence((env.last(), len(env.table.play.entries)), before, exact=True)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"seats": 4}, "takes 5 to 10 players"),
        ({"lady": "perhaps"}, "takes yes or no"),
        ({"rounds": 0}, "once or more in a phase, not 0 times"),
        ({"observations": "tensor"}, "'row' or 'parts'"),
        ({"render_mode": "rgb_array"}, "no render mode"),
        ({"max_cycles": 0}, "after 1 or more cycles, not 0"),
        ({"max_cycles": 2.5}, r"max_cycles .* 2\.5"),
        ({"rounds": "a"}, "rounds .* 'a'"),
        ({"compiled": "yes"}, "compiled .* 'yes'"),
    ],
)
def test_a_table_that_cannot_be_laid_is_refused_in_a_sentence(how: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Exception, match=sentence):
        avalon_v0.env(**how)


def test_a_refusal_lists_some_of_many_choices() -> None:
    env = avalon_v0.env(10, lady=True, choose_quests=True, excalibur="both")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"it can choose 1, 2, .* or …") as refused:
        env.step(WAIT)
    assert len(refused.value.values["choices"]) > 1_000


def test_what_is_no_number_or_answer_is_refused_in_a_sentence() -> None:
    env = avalon_v0.env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="from 0 to 29; 1000000 is none"):
        env.describe(10**6)
    with pytest.raises(Unreadable, match=r"answer .* 5"):
        env.choice(env.agent_selection, 5)


# Roles that are chosen


@each_table
def test_a_reset_gives_agents_the_roles_that_they_are_to_have(module: ModuleType, how: dict[str, Any]) -> None:
    env = module.env(**how)
    env.reset(seed=1)
    one, other = env.table.roles()[:2]
    for seed in range(3):
        for each in (env, module.parallel_env(**how)):
            each.reset(seed=seed, options={"roles": {"seat_1": one, "seat_0": other}})
            assert each.table.roles()[:2] == (other, one)
            play = each.table.play
            assert replay(play.game, play.entries).events == play.events
    env.reset()
    assert env.table.cycle == 1


def test_chosen_roles_leave_the_other_seats_to_chance() -> None:  # A5
    env = avalon_v0.raw_env()
    env.reset(seed=1)
    drawn: Counter[tuple[tuple[str, ...], int]] = Counter()
    for _ in range(240):
        env.reset(options={"roles": {"seat_2": "Merlin"}})
        drawn[env.table.roles(), env.table.play.state.leader] += 1
    assert len({roles for roles, _ in drawn}) == 24
    assert {leader for _, leader in drawn} == set(range(5))
    assert max(Counter(roles for roles, _ in drawn.elements()).values()) < 25


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"lady": True}, r"takes roles, not lady\. The rules of a table are chosen when the environment is made"),
        ({"roles": {"seat_9": "Merlin"}}, "There is no 'seat_9' at this table"),
        ({"roles": {"seat_0": "Mordred"}}, "'Mordred' is no role of this table; there are Assassin, Loyal Servant"),
        ({"roles": {"seat_0": "Merlin", "seat_1": "Merlin"}}, "deals had Merlin in seat 0, Merlin in seat 1; choose"),
        ({"roles": "Merlin"}, "by names of agents such as seat_0, not 'Merlin'"),
        (7, "takes a dictionary, not 7"),
    ],
)
@pytest.mark.parametrize("kind", ["env", "parallel_env"])
def test_a_reset_that_asks_for_what_cannot_be_is_refused(kind: str, options: dict[str, Any], sentence: str) -> None:
    env = getattr(avalon_v0, kind)()
    with pytest.raises(ValueError, match=sentence):
        env.reset(seed=1, options=options)


# Answers in words


@each_table
def test_a_long_menu_is_the_form_of_an_answer_and_every_choice_can_be_answered(
    module: ModuleType, how: dict[str, Any]
) -> None:
    env = module.env(**how)
    env.reset(seed=3)

    def is_right(env: Any) -> bool:
        agent, table = env.agent_selection, env.table
        if table.play.phase.name != "propose" and len(table.play.entries) % 7:
            return False
        menu = env.text(agent).partition("You may choose:\n")[2].splitlines()
        listed = [int(line.partition(":")[0]) for line in menu if line[0].isdigit()]
        legal = np.flatnonzero(env.infos[agent]["action_mask"]).tolist()
        teams = [option for option in table.options(table.turn) if len(option) > 32]
        assert len(menu) <= 40
        assert len(legal) == len(listed) + sum(map(len, teams))
        assert [env.choice(agent, f" {number} ") for number in listed] == listed
        for line in menu:
            if "Example: " in line:
                number = env.choice(agent, line.partition("Example: ")[2])
                assert number in set(legal) - set(listed)
                assert env.describe(number) == env.describe(table.actions.move(number, 1))
        return False

    play_on(env, is_right)


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        (
            "propose_team 0 1 2 5 for 2 with 5",
            "seat_0, seat_1, seat_2 and seat_5 for quest 2; seat_5 carries Excalibur",
        ),
        ("Propose_Team seat_5, 2,1, 0 for 2 with seat_0", "seat_1, seat_2 and seat_5 for quest 2; seat_0 carries"),
        ("propose_team 0 1 2 5 for 2", None),
        ("propose_team 0 1 2 5 for 1 with 5", None),
        ("propose_team 0 1 2 for 1 with 5", None),
        ("propose_team 0 0 1 2 for 2 with 1", None),
        ("propose_team 0 1 2 77 for 2 with 1", None),
        ("cast_vote 1", None),
        ("", None),
        ("0", None),
        ("9" * 5_000, None),
        ("propose_team " + "1 " * 5_000, None),
    ],
)
def test_an_answer_is_a_choice_or_is_refused_in_a_sentence(answer: str, chosen: str | None) -> None:
    env = avalon_v0.env(seats=10, choose_quests=True, excalibur="both")
    env.reset(seed=1)
    agent = env.agent_selection
    if chosen:
        assert chosen in env.describe(env.choice(agent, answer))
        return
    with pytest.raises(ValueError, match="Answer with propose_team SEATS for NUMBER with BEARER") as refused:
        env.choice(agent, answer)
    assert len(str(refused.value)) < 400
    other = next(name for name in env.agents if name != agent)
    with pytest.raises(ValueError, match=r"Answer with one of the numbers 0\."):
        env.choice(other, "propose_team 0 1 2 5 for 2 with 5")


# What a seat knows


@each_table
def test_a_seats_numbers_and_words_follow_from_what_it_heard(module: ModuleType, how: dict[str, Any]) -> None:  # C4
    env = module.env(**how)
    env.reset(seed=5)
    raw = env.unwrapped

    def is_right(env: Any) -> bool:
        table: Table = env.table
        seat = table.turn
        heard = [line.event for line in table.play.heard(seat)]
        view = fold(table.play.game, heard)
        notes = table.environment.notes(table.setup, table.layout, seat)
        notes.write(view, heard)
        assert (notes.sheet.row == table.row(seat)).all()
        assert table.play.game.options(view, seat) == table.play.options(seat)
        assert raw.observe(env.agent_selection) in raw.observation_space(env.agent_selection)
        return False

    play_on(env, is_right)
    agent = env.agents[0]
    assert data_equivalence(raw.layout.split(raw.table.row(0)), raw.layout.split(raw.table.row(0)))
    assert raw.view(agent)["phase"]["name"] == raw.table.play.phase.name


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_deals_that_a_seat_cannot_tell_apart_begin_alike_for_it(name: str) -> None:  # C4
    """What the environment adds to the game, turns and masks and texts, tells no more than the game does."""
    dice, pairs = Dice(1), 0
    twins = TwinTest(GAMES[name].game, secrecy_of(name))
    while pairs < 60:
        setup = any_setup(GAMES[name].game, dice)
        script = Script(setup, GAMES[name].game.deal(setup, dice))
        focus = dice.below(setup.seats)
        other = twins.find_twin(script, focus, dice)
        if other is not None:
            assert given(setup, script.deal, focus) == given(setup, other, focus)
            pairs += 1


def given(setup: Setup, deal: Any, seat: int) -> tuple[Any, ...]:
    """Whose turns come, and all that a seat is given before the first of them."""
    table = Table(setup)
    table.begin(SEED, Dice(1), deal)
    mask = table.mask(seat, seat in table.asked).tolist()
    text = seat_text(table, seat, Names(f"seat_{one}" for one in range(setup.seats)), seat in table.asked)
    return table.asked, mask, table.row(seat).tolist(), text


@each_table
def test_who_is_asked_follows_from_what_everybody_knows(module: ModuleType, how: dict[str, Any]) -> None:  # C8
    for seed in range(5):
        env = module.env(**how)
        env.reset(seed=seed)

        def is_public(env: Any) -> bool:
            play = env.table.play
            awaited = env.table.environment.awaited
            assert awaited(play.view(SPECTATOR)) == awaited(play.state)
            return False

        play_on(env, is_public, seed)


@pytest.mark.parametrize(
    ("module", "how", "phase"),
    [
        (avalon_v0, {}, "vote"),
        (avalon_v0, {}, "quest"),
        (thavalon_v0, {"seats": 8}, "quest"),
        (saviom_v0, {"seats": 9}, "defense"),
        (saviom_v0, {"mode": "advanced", "seats": 9}, "night"),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_nobody_learns_what_those_before_them_chose_in_secret(
    module: ModuleType, how: dict[str, Any], phase: str, seed: int
) -> None:  # C4
    env = module.env(**how)
    env.reset(seed=seed)

    def can_keep_a_secret(env: Any) -> bool:
        table = env.table
        is_wolf = table.play.state.roles[table.turn] is TownRole.WOLF
        choices = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
        return table.play.phase.name == phase and len(choices) > 1 and len(table.asked) > 1 and not is_wolf

    play_on(env, can_keep_a_secret, seed=None if phase == "defense" else seed)  # all accuse the first they may
    assert not any(env.terminations.values())
    chooser = env.agent_selection
    worlds = []
    for choice in np.flatnonzero(env.infos[chooser]["action_mask"])[-2:]:
        world = copy.deepcopy(env)
        world.step(choice)
        others = [agent for agent in world.agents if agent != chooser]
        seen = {agent: (world.observe(agent), world.text(agent), world.view(agent)) for agent in others}
        worlds.append((world.agent_selection, seen, {agent: world.infos[agent] for agent in others}))
        assert world.observe(chooser)["observation"].tolist() != env.observe(chooser)["observation"].tolist()
    assert data_equivalence(worlds[0], worlds[1], exact=True)


@each_table
def test_roles_are_told_at_the_end_and_not_before(module: ModuleType, how: dict[str, Any]) -> None:
    env = module.env(**how)
    env.reset(seed=2)
    play_on(env, lambda env: any("roles" in info for info in env.infos.values()))
    assert all(env.terminations.values())
    dealt = {agent: str(env.table.play.state.roles[seat]) for seat, agent in enumerate(env.agents)}
    outcome = env.table.play.outcome
    for seat, agent in enumerate(env.agents):
        assert env.infos[agent]["roles"] == dealt
        assert env.infos[agent]["reason"] == outcome.reason
        assert env.rewards[agent] == (0 if outcome.winner is None else 1 if seat in outcome.seats else -1)


# Every game is a game of the engine


@each_table
def test_a_game_played_by_number_replays_from_its_record(module: ModuleType, how: dict[str, Any]) -> None:  # C3
    env = module.env(**how)
    env.reset(seed=4)
    play_on(env)
    play = env.table.play
    assert replay(play.game, play.entries).outcome == play.outcome


@each_table
def test_a_game_can_be_copied_and_put_away(module: ModuleType, how: dict[str, Any]) -> None:
    env = module.env(**how)
    env.reset(seed=6)
    play_on(env, lambda env: len(env.table.play.entries) > 20)
    twins = copy.deepcopy(env), pickle.loads(pickle.dumps(env.unwrapped))
    ends = [play_on(one) for one in (env, *twins)]
    for end in ends:
        assert end.table.play.events == env.table.play.events
        assert data_equivalence(end.observe(env.agents[0]), env.observe(env.agents[0]), exact=True)


@pytest.mark.slow
def test_without_the_extra_one_sentence_says_what_to_install() -> None:
    block = "import sys; sys.modules['pettingzoo'] = None; import roundtable.lab.avalon_v0"
    told = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=False).stderr
    assert told.splitlines()[-1] == (
        "ModuleNotFoundError: Environments need pettingzoo, which is not installed: "
        "pip install 'roundtable-games[lab]'."
    )
