#!/usr/bin/env python3
"""One seat learns Avalon among bots, and how often it wins is printed by role, before and after.

MaskablePPO comes from sb3-contrib, which Round Table does not depend on:

    pip install 'roundtable-games[lab]' sb3-contrib
    python examples/train.py --minutes 10 --save among-careful.zip

Careful bots play in machine code. Strong ones are slow, so begin with what was learned among careful bots:

    python examples/train.py --bots strong --load among-careful.zip --minutes 60 --games 300
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

from roundtable.lab.tally import Share

TABLE = "roundtable.lab.environments:roundtable/Avalon-v0"


class Flat(gymnasium.ObservationWrapper):
    """The row of numbers alone: the policy gets the mask from `action_masks`."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]

    def observation(self, observation: dict[str, Any]) -> np.ndarray:
        return observation["observation"].astype(np.float32)

    def action_masks(self) -> np.ndarray:
        return self.env.get_wrapper_attr("action_masks")()


def seat(**how: Any) -> gymnasium.Env:
    """The learner's seat at a table of bots."""
    return Flat(gymnasium.make(TABLE, disable_env_checker=True, **how))


class UntilTime(BaseCallback):
    """Ends the training after some minutes, and says now and then how it goes."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.ends = time.monotonic() + 60 * minutes
        self.next = time.monotonic() + 60

    def _on_step(self) -> bool:
        if time.monotonic() > self.next:
            self.next += 60
            print(
                f"  {self.num_timesteps:,} choices, {(self.ends - time.monotonic()) / 60:.1f} minutes left", flush=True
            )
        return time.monotonic() < self.ends


def win_rates(model: MaskablePPO, games: int, seed: int, **how: Any) -> dict[str, tuple[int, int]]:
    """By the learner's role: games won, and games played. The deals are the same for every model."""
    env, won, played = seat(**how), Counter[str](), Counter[str]()
    for game in range(games):
        row, _ = env.reset(seed=seed + game)
        ended, reward, info = False, 0.0, {}
        while not ended:
            choice, _ = model.predict(row, action_masks=env.action_masks(), deterministic=False)
            row, reward, ended, _, info = env.step(int(choice))
        role = info["roles"][f"seat_{env.unwrapped.seat}"]
        played[role] += 1
        won[role] += reward > 0
    return {role: (won[role], played[role]) for role in sorted(played)}


def show(title: str, rates: dict[str, tuple[int, int]]) -> None:
    won, played = (sum(column) for column in zip(*rates.values(), strict=True))
    print(title)
    for role, (wins, games) in {**rates, "all": (won, played)}.items():
        share = Share(wins, games)
        low, high = share.interval
        print(f"  {role:<16} {share.rate:6.1%}  ({low:.1%} to {high:.1%}; {wins} of {games})", flush=True)


def main() -> None:
    command = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    command.add_argument("--minutes", type=float, default=10, help="how long to train; 10 by default")
    command.add_argument("--games", type=int, default=1000, help="games of each evaluation; 1000 by default")
    command.add_argument("--seats", type=int, default=5)
    command.add_argument("--bots", default="careful", help="who plays the other seats; careful by default")
    command.add_argument("--load", help="go on from this model")
    command.add_argument("--save", help="keep the model here")
    command.add_argument("--role", help="always this role, such as Assassin; any by default")
    command.add_argument("--tables", type=int, default=8, help="games side by side")
    command.add_argument("--processes", action="store_true", help="each game in a process of its own, for many cores")
    command.add_argument("--seed", type=int, default=1)
    asked = command.parse_args()

    how = {"seats": asked.seats, "bots": asked.bots, "role": asked.role}
    tables = SubprocVecEnv if asked.processes else DummyVecEnv
    envs = tables([lambda: seat(**how)] * asked.tables)
    if asked.load:
        model = MaskablePPO.load(asked.load, envs, device="cpu")
    else:
        model = MaskablePPO(
            "MlpPolicy",
            envs,
            n_steps=256,
            batch_size=256,
            gamma=1.0,
            gae_lambda=0.95,
            ent_coef=0.01,
            policy_kwargs={"net_arch": [128, 128]},
            seed=asked.seed,
            device="cpu",
        )
    show("Before training:", win_rates(model, asked.games, seed=1_000_000, **how))
    print(f"Training for {asked.minutes:g} minutes.", flush=True)
    model.learn(total_timesteps=10**9, callback=UntilTime(asked.minutes))
    print(f"{model.num_timesteps:,} choices.")
    if asked.save:
        model.save(asked.save)
    show("After training:", win_rates(model, asked.games, seed=1_000_000, **how))
    envs.close()


if __name__ == "__main__":
    main()
