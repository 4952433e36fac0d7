"""A game seat by seat, as PettingZoo's AEC environments are: one agent chooses, then the next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pettingzoo import AECEnv

from roundtable.core.seats import Seat
from roundtable.lab.environments.common import Observation, PettingZooEnv, shown


class SeatBySeat(PettingZooEnv, AECEnv):  # type: ignore[misc]
    """Seats are asked in a random order; none learns what another has chosen but by the rules of the game."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deal(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        self._skip_agent_selection = None
        self._turn_to_next(self.agents)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.table.take_turn(self.table.chosen(self.table.turn, action))
        self._cumulative_rewards[agent] = 0.0
        if self.table.is_over:
            self._end()
        elif self.max_cycles is not None and self.table.cycle > self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn_to_next(self.agents if self.table.is_over else [agent])

    def _end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = {agent: self.table.reward(self.seat_of(agent)) for agent in self.agents}
        self._accumulate_rewards()

    def _turn_to_next(self, changed: Iterable[str]) -> None:
        """The next agent gets a new info, and so do those whose info no longer holds."""
        if self.table.asked:
            self.agent_selection = self.possible_agents[self.table.turn]
        for agent in {*changed, self.agent_selection}:
            self.infos[agent] = self.note(self.seat_of(agent))

    def acts(self, seat: Seat) -> bool:
        return bool(self.table.asked) and seat == self.table.turn

    def observe(self, agent: str) -> Observation:
        return self.observation(self.seat_of(agent))

    def render(self) -> str | None:
        """The text of the agent who is to act."""
        return shown(self.text(self.agent_selection), self.render_mode)
