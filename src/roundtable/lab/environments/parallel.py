"""A game all at once, as PettingZoo's Parallel environments are: every agent chooses, and then all of it happens."""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from roundtable.core.seats import Seat
from roundtable.lab.environments.common import PettingZooEnv, shown

ByAgent = dict[str, Any]


class AllAtOnce(PettingZooEnv, ParallelEnv):  # type: ignore[misc]
    """Every agent stays to the end and chooses in every step; an agent that is not asked can only wait."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[ByAgent, ByAgent]:
        self.deal(seed, options)
        self._steps = 0
        return self._given()

    def step(self, actions: dict[str, int]) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        agents, choose = self.agents, self.table.chosen
        moves = {seat: choose(seat, actions.get(agent), self.acts(seat)) for seat, agent in enumerate(agents)}
        self.table.take_turns(moves)
        self._steps += 1
        is_cut = not self.table.is_over and self._steps == self.max_cycles
        known, infos = self._given()
        rewards = {agent: self.table.reward(seat) for seat, agent in enumerate(agents)}
        if self.table.is_over or is_cut:
            self.agents = []
        return known, rewards, dict.fromkeys(agents, self.table.is_over), dict.fromkeys(agents, is_cut), infos

    def _given(self) -> tuple[ByAgent, ByAgent]:
        """What every agent is given: what it knows, and its mask once more."""
        known = {agent: self.observation(seat) for seat, agent in enumerate(self.agents)}
        return known, {agent: self.note(seat) for seat, agent in enumerate(self.agents)}

    def acts(self, seat: Seat) -> bool:
        return seat in self.table.asked

    def render(self) -> str | None:
        """What everyone may know, since all choose at once."""
        return shown(self.public_text(), self.render_mode)
