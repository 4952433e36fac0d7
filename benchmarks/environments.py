"""Steps a second of the environments on one core, beside PettingZoo's own loop and games of other libraries.

    python -m benchmarks.environments [WORD]     part of `make bench`

With a word only PettingZoo's bare loop and the rows that contain it are measured. All agents choose uniformly among the
actions that the mask allows. The report names libraries that are not installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np
import pettingzoo
from gymnasium import spaces
from pettingzoo import AECEnv

from benchmarks.engine import play_events
from benchmarks.rounds import in_turn
from roundtable.bots.dice import Dice
from roundtable.games import make_setup
from roundtable.lab import avalon_v0, saviom_v0, thavalon_v0
from roundtable.lab.vector_env import stepper

ROUNDS = 8
SLICE = 0.5  # seconds of CPU time for each kind of play in a round

Game = Callable[[np.random.Generator], tuple[int, int]]  # plays, and returns the number of steps and of finished games
SIDE_BY_SIDE = 512


class Nothing(AECEnv):  # type: ignore[misc]
    """Five agents that choose in turn, 55 times in all, without a game: the cost of PettingZoo's loop alone."""

    metadata = {"name": "nothing_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self) -> None:
        self.possible_agents = [f"seat_{seat}" for seat in range(5)]
        self._choice = spaces.Discrete(30)

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._choice

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": np.ones(30, np.int8)} for agent in self.agents}
        self._steps = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        return {"observation": np.zeros(611, np.int8), "action_mask": np.ones(30, np.int8)}

    def step(self, action: int) -> None:
        self._steps += 1
        self.agent_selection = self.agents[self._steps % 5]
        self.terminations = dict.fromkeys(self.agents, self._steps == 55)


def seat_by_seat(env: Any, observe: bool = True) -> Game:
    """A game through PettingZoo's AEC interface, with or without reading the observations."""

    def game(chance: np.random.Generator) -> tuple[int, int]:
        env.reset()
        steps = 0
        while True:
            observation, _, terminated, truncated, note = env.last(observe)
            if terminated or truncated:
                return steps, 1
            mask = observation["action_mask"] if observe else note["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(legal[chance.integers(len(legal))])
            steps += 1

    return game


def all_at_once(env: Any) -> Game:
    def game(chance: np.random.Generator) -> tuple[int, int]:
        known, _ = env.reset()
        steps = 0
        while env.agents:
            chosen = {}
            for agent in env.agents:
                legal = np.flatnonzero(known[agent]["action_mask"])
                chosen[agent] = legal[chance.integers(len(legal))]
            known, *_ = env.step(chosen)
            steps += 1
        return steps, 1

    return game


def one_learner(env: Any) -> Game:
    def game(chance: np.random.Generator) -> tuple[int, int]:
        _, note = env.reset()
        steps, ended = 0, False
        while not ended:
            legal = np.flatnonzero(note["action_mask"])
            _, _, ended, _, note = env.step(legal[chance.integers(len(legal))])
            steps += 1
        return steps, 1

    return game


def spiel(name: str, observe: bool) -> Game:
    """A game through OpenSpiel's Python interface."""
    pyspiel = import_module("pyspiel")
    import_module("open_spiel.python.games")
    rules = pyspiel.load_game(name)

    def game(chance: np.random.Generator) -> tuple[int, int]:
        state = rules.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(outcomes[chance.choice(len(outcomes), p=weights)])
            elif state.is_simultaneous_node():
                state.apply_actions([_any_of(state, seat, chance, observe) for seat in range(rules.num_players())])
                steps += rules.num_players()
            else:
                state.apply_action(_any_of(state, state.current_player(), chance, observe))
                steps += 1
        return steps, 1

    return game


def _any_of(state: Any, seat: int, chance: np.random.Generator, observe: bool) -> int:
    if observe:
        state.observation_tensor(seat)
    legal = state.legal_actions(seat)
    return int(legal[chance.integers(len(legal))]) if legal else 0


def engine(chance: np.random.Generator) -> tuple[int, int]:
    """A game without an environment; each move is sampled from the acting seat's view."""
    return len(play_events(Dice(int(chance.integers(1 << 32))), acting_view=True).entries) - 2, 1


def side_by_side(name: str, seats: int) -> Game:
    """Many games in machine code, including rows, masks and NumPy's random choices."""
    games = stepper(make_setup(name, seats), SIDE_BY_SIDE)

    def steps(chance: np.random.Generator) -> tuple[int, int]:
        ended = 0
        for _ in range(20):
            choices = (chance.random(games.masks.shape, dtype=np.float32) * games.masks).argmax(axis=1)
            games.step(choices)
            ended += int(games.ended.sum())
        return 20 * SIDE_BY_SIDE, ended

    return steps


def kinds() -> Iterator[tuple[str, Callable[[], Game]]]:
    """Everything that is measured, each created before its first round."""
    yield "PettingZoo, five agents and no game", lambda: seat_by_seat(Nothing())
    yield "Avalon 5, the engine by itself, a view a move", lambda: engine
    for name, module, seats in (("Avalon", avalon_v0, 5), ("THavalon", thavalon_v0, 10), ("Saviom", saviom_v0, 12)):
        yield f"{name} {seats}, seat by seat", lambda m=module, n=seats: seat_by_seat(m.env(n))  # type: ignore[misc]
    yield "Avalon 5, seat by seat, with the engine", lambda: seat_by_seat(avalon_v0.env(5, compiled=False))
    yield "Avalon 5, seat by seat, raw_env", lambda: seat_by_seat(avalon_v0.raw_env(5))
    yield "Avalon 5, seat by seat, masks only", lambda: seat_by_seat(avalon_v0.env(5), observe=False)
    yield "Avalon 5, all at once (a step is all seats)", lambda: all_at_once(avalon_v0.parallel_env(5))
    for bots in ("random", "careful"):
        title = f"Avalon 5, one learner among {bots} bots"
        yield title, lambda b=bots: one_learner(avalon_v0.learner_env(5, bots=b))  # type: ignore[misc]
        yield (
            f"{title}, with the engine",
            lambda b=bots: one_learner(avalon_v0.learner_env(5, bots=b, compiled=False)),  # type: ignore[misc]
        )
    for name, setup, seats in (("Avalon", "avalon", 5), ("THavalon", "thavalon", 10), ("Saviom", "saviom", 12)):
        title = f"{name} {seats}, {SIDE_BY_SIDE} side by side, compiled"
        yield title, lambda g=setup, n=seats: side_by_side(g, n)  # type: ignore[misc]
    for name in ("classic/tictactoe_v3", "classic/connect_four_v3", "classic/leduc_holdem_v4"):
        yield f"PettingZoo {name}", lambda n=name: seat_by_seat(pettingzoo.make("aec", n))  # type: ignore[misc]
    yield "OpenSpiel social_deduction 5 (C++), no tensors", lambda: spiel("social_deduction(players=5)", observe=False)
    yield (
        "OpenSpiel goofspiel 5 x 11 (C++)",
        lambda: spiel("goofspiel(players=5,num_cards=11,imp_info=true)", observe=True),
    )
    yield "OpenSpiel python_team_dominoes (Python)", lambda: spiel("python_team_dominoes", observe=True)


def pace(game: Game, chance: np.random.Generator) -> tuple[float, float]:
    """Steps and games a second of CPU time."""
    games = steps = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SLICE:
        played = game(chance)
        steps, games = steps + played[0], games + played[1]
    return steps / spent, games / spent


def main() -> None:
    chance = np.random.default_rng(1)
    games: dict[str, Game] = {}
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    for name, make in kinds():
        if games and word not in name:
            continue
        try:
            games[name] = make()
        except (ImportError, pettingzoo.env_registry.exceptions.FailedToImport) as missing:
            print(f"{name} is left out: {missing}.")
    report(in_turn({name: partial(pace, game, chance) for name, game in games.items()}, ROUNDS))


def report(seen: dict[str, list[tuple[float, float]]]) -> None:
    base = median(steps for steps, _ in next(iter(seen.values())))
    print(f"Environments, random choices, one core, CPU time, median of {ROUNDS}")
    print(f"{'':58}{'steps/s':>10}{'games/s':>10}{'steps/game':>12}{'of the loop':>13}")
    for name, rates in seen.items():
        steps, games = median(step for step, _ in rates), median(game for _, game in rates)
        print(f"{name:58}{steps:10,.0f}{games:10,.0f}{steps / games:12.1f}{steps / base:13.3f}")


if __name__ == "__main__":
    main()
