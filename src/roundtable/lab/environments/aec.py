"""A game seat by seat, as PettingZoo's AEC environments are: one agent chooses, then the next."""

from __future__ import annotations

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
        self._only_wait = self.moves.mask((), may_wait=True)
        self._turn_to_next()
        self._renew_infos()

    def step(self, action: int | None) -> None:
        agent, table = self.agent_selection, self.table
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table.choose(action)
        self._cumulative_rewards[agent] = 0.0
        if table.is_over:
            self._end()
            return
        if self.max_cycles is not None and table.cycle > self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self.infos[agent] = {"action_mask": self._only_wait.copy()}
        self._turn_to_next()

    def _end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = {agent: self.table.reward(self.seat_of(agent)) for agent in self.agents}
        self._accumulate_rewards()
        self._renew_infos()

    def _turn_to_next(self) -> None:
        seat = self.table.asked[0]
        self.agent_selection = agent = self.possible_agents[seat]
        self._mask_now = self.table.mask(seat, True)
        self.infos[agent] = {"action_mask": self._mask_now}

    def _renew_infos(self) -> None:
        self.infos = {agent: self.note(seat) for seat, agent in enumerate(self.possible_agents)}

    def acts(self, seat: Seat) -> bool:
        asked = self.table.asked
        return bool(asked) and seat == asked[0]

    def observe(self, agent: str) -> Observation:
        if agent == self.agent_selection and self._form == "row" and self.table.asked:  # the usual case, in fewer calls
            return {"observation": self.table.row(self._seats[agent]), "action_mask": self._mask_now}
        return self.observation(self.seat_of(agent))

    def render(self) -> str | None:
        """The text of the agent who is to act."""
        return shown(self.text(self.agent_selection), self.render_mode)
