#!/usr/bin/env python3
"""PPO in one file, in the manner of CleanRL: the learner in seat 0 of many tables, careful bots in the other seats.

    pip install 'roundtable-games[lab]' torch
    python examples/vector_ppo.py --minutes 10

The tables are stepped together in machine code, bots included; copy this file and change whatever you like.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import nn

from roundtable.games import make_setup
from roundtable.kernels.vector_env import Stepper
from roundtable.lab.vector_env import stepper

RECENT = 2_000  # games, by which wins are counted
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


def seen(games: Stepper) -> tuple[torch.Tensor, torch.Tensor]:
    """What the learners know and may choose: copies, since the next step writes over both."""
    return torch.tensor(games.rows, dtype=torch.float32), torch.tensor(games.masks)


def main() -> None:
    command = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    command.add_argument("--minutes", type=float, default=10)
    command.add_argument("--tables", type=int, default=64)
    command.add_argument("--steps", type=int, default=64, help="choices at each table before every update")
    command.add_argument("--seats", type=int, default=5)
    command.add_argument("--seed", type=int, default=1)
    asked = command.parse_args()
    torch.manual_seed(asked.seed)

    # Where a game ends, the same step begins the next one, so that every step is a choice. With relative rows the
    # learner is number 0 wherever it sits, so what it has learned can be used in any seat.
    careful = dict.fromkeys(range(1, asked.seats), "careful")
    games = stepper(make_setup("avalon", asked.seats), asked.tables, asked.seed, bots=careful, relative=True)
    agent = Agent(games.layout.size, len(games.actions))
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
    ends, choices, next_line = time.monotonic() + 60 * asked.minutes, 0, time.monotonic()
    outcomes: list[float] = []
    while time.monotonic() < ends:
        batch = play(agent, games, asked.steps)
        outcomes += batch["rewards"][batch["ended"]].tolist()
        with torch.no_grad():
            last = agent(*seen(games))[1]
        improve(agent, optimizer, batch, last)
        choices += asked.tables * asked.steps
        if outcomes and time.monotonic() > next_line:
            next_line = time.monotonic() + 30
            print(f"{choices:>9,} choices, {len(outcomes):>7,} games, won {share(outcomes[-RECENT:])}", flush=True)
    first, recent = share(outcomes[:RECENT]), share(outcomes[-RECENT:])
    print(f"{len(outcomes):,} games; won {first} at the start, {recent} at the end")


def play(agent: Agent, games: Stepper, steps: int) -> dict[str, torch.Tensor]:
    """So many choices at each table, and what came of them."""
    batch = {name: [] for name in ("rows", "masks", "chosen", "logs", "values", "rewards", "ended")}
    for _ in range(steps):
        rows, masks = seen(games)
        with torch.no_grad():
            policy, values = agent(rows, masks)
            chosen = policy.sample()
        games.step(chosen.numpy())
        rewards, ended = torch.tensor(games.rewards[:, 0]), torch.tensor(games.ended)
        happened = (rows, masks, chosen, policy.log_prob(chosen), values, rewards, ended)
        for name, part in zip(batch, happened, strict=True):
            batch[name].append(part)
    return {name: torch.stack(parts) for name, parts in batch.items()}


def share(outcomes: list[float]) -> str:
    """How many of these games were won, with a 95 % interval."""
    won = np.mean([outcome > 0 for outcome in outcomes])
    return f"{won:.1%} ± {1.96 * (won * (1 - won) / len(outcomes)) ** 0.5:.1%} of {len(outcomes):,}"


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
