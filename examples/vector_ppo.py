#!/usr/bin/env python3
"""PPO in one file, in the manner of CleanRL: the learner in seat 0 of many tables, careful bots in the other seats.

    pip install 'roundtable-games[lab]' torch
    python examples/vector_ppo.py --minutes 10

`gymnasium.make_vec` steps the tables; copy this file and change whatever you like.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn

TABLE = "roundtable.lab.environments:roundtable/Avalon-v0"
FORBIDDEN = -1e9  # the logit of a choice that the mask forbids


class Agent(nn.Module):
    """One body, and two heads: what to choose, and how likely a win is."""

    def __init__(self, numbers: int, choices: int, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(numbers, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.actor = nn.Linear(width, choices)
        self.critic = nn.Linear(width, 1)

    def forward(self, rows: torch.Tensor, masks: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        known = self.body(rows)
        logits = self.actor(known).masked_fill(masks == 0, FORBIDDEN)
        return torch.distributions.Categorical(logits=logits), self.critic(known).squeeze(-1)


def as_tensors(observation: dict[str, np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    rows = torch.as_tensor(observation["observation"], dtype=torch.float32)
    return rows, torch.as_tensor(observation["action_mask"])


def main() -> None:
    command = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    command.add_argument("--minutes", type=float, default=10)
    command.add_argument("--tables", type=int, default=16)
    command.add_argument("--steps", type=int, default=64, help="choices at each table before every update")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--processes", action="store_true", help="each table in a process of its own, for many cores")
    asked = command.parse_args()
    torch.manual_seed(asked.seed)

    # Where a game ends, the same step begins the next one, so that every step is a choice.
    envs = gymnasium.make_vec(
        TABLE,
        num_envs=asked.tables,
        vectorization_mode="async" if asked.processes else "sync",
        vector_kwargs={"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP},
        bots="careful",
    )
    observation, _ = envs.reset(seed=asked.seed)
    agent = Agent(observation["observation"].shape[1], int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
    ends, choices, next_line = time.monotonic() + 60 * asked.minutes, 0, time.monotonic()
    outcomes: list[float] = []
    while time.monotonic() < ends:
        batch = {name: [] for name in ("rows", "masks", "chosen", "logs", "values", "rewards", "ended")}
        for _ in range(asked.steps):
            rows, masks = as_tensors(observation)
            with torch.no_grad():
                policy, values = agent(rows, masks)
                chosen = policy.sample()
            observation, rewards, ended, cut, _ = envs.step(chosen.numpy())
            outcomes += [float(reward) for reward in rewards[ended]]
            for name, part in zip(
                batch,
                (
                    rows,
                    masks,
                    chosen,
                    policy.log_prob(chosen),
                    values,
                    torch.as_tensor(rewards),
                    torch.as_tensor(ended | cut),
                ),
                strict=True,
            ):
                batch[name].append(part)
        with torch.no_grad():
            last = agent(*as_tensors(observation))[1]
        improve(agent, optimizer, {name: torch.stack(parts) for name, parts in batch.items()}, last)
        choices += asked.tables * asked.steps
        if outcomes and time.monotonic() > next_line:
            next_line = time.monotonic() + 30
            won = np.mean([outcome > 0 for outcome in outcomes[-1000:]])
            print(f"{choices:>9,} choices, {len(outcomes):>7,} games, won {won:.1%} of the last 1,000", flush=True)
    won = np.mean([outcome > 0 for outcome in outcomes[:1000]]), np.mean([outcome > 0 for outcome in outcomes[-1000:]])
    print(f"{len(outcomes):,} games; won {won[0]:.1%} of the first 1,000 and {won[1]:.1%} of the last 1,000")
    envs.close()


def improve(agent: Agent, optimizer: torch.optim.Optimizer, batch: dict[str, torch.Tensor], last: torch.Tensor) -> None:
    """Generalised advantages, then four epochs of clipped updates."""
    steps = len(batch["rewards"])
    advantages, coming = torch.zeros_like(batch["values"]), torch.zeros_like(last)
    for step in reversed(range(steps)):
        goes_on = 1.0 - batch["ended"][step].float()
        after = last if step + 1 == steps else batch["values"][step + 1]
        surprise = batch["rewards"][step].float() + after * goes_on - batch["values"][step]
        coming = surprise + 0.95 * goes_on * coming
        advantages[step] = coming
    flat = {name: part.flatten(0, 1) for name, part in batch.items()}
    gains, targets = advantages.flatten(), (advantages + batch["values"]).flatten()
    for _ in range(4):
        for some in torch.randperm(len(gains)).split(256):
            policy, values = agent(flat["rows"][some], flat["masks"][some])
            ratio = (policy.log_prob(flat["chosen"][some]) - flat["logs"][some]).exp()
            gain = (gains[some] - gains[some].mean()) / (gains[some].std() + 1e-8)
            chosen_loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            value_loss = (values - targets[some]).pow(2).mean()
            loss = chosen_loss + 0.5 * value_loss - 0.01 * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


if __name__ == "__main__":
    main()
