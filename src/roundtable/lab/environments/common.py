"""What the environments have in common: one table, its spaces, and what a seat is given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from gymnasium import spaces

from roundtable.core.actions import Move
from roundtable.core.arguments import require
from roundtable.core.codec import plain
from roundtable.core.seats import Seat
from roundtable.games import game_named, make_setup, spec_named
from roundtable.kernels.actions import Mask
from roundtable.kernels.layout import HIGHEST, LOWEST, Layout
from roundtable.lab.environments.answers import choice_in
from roundtable.lab.environments.compiled_table import table_for
from roundtable.lab.environments.dealing import require_known
from roundtable.lab.environments.text import called, public_text, seat_text
from roundtable.text.names import Names
from roundtable.text.teller import teller_of

RENDER_MODES = ["human", "text", "ansi"]

Form = Literal["row", "parts"]
Observation = dict[str, Any]


class NumberedTable(ABC):
    """A table of a game, seen by number. Options of the game are given by name, as everywhere."""

    game: ClassVar[str]

    def __init__(
        self,
        seats: int | None = None,
        *,
        observations: Form = "row",
        rounds: int = 1,
        may_surrender: bool = False,
        compiled: bool | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        seats = game_named(self.game).setup_type.fewest if seats is None else seats
        if observations not in ("row", "parts"):
            raise ValueError(f"Observations come as 'row' or 'parts', not {observations!r}.")
        require("rounds", int, rounds)
        require("compiled", bool | None, compiled)
        if rounds < 1:
            raise ValueError(f"Every seat is asked once or more in a phase, not {rounds!r} times.")
        self.table = table_for(make_setup(self.game, seats, options), rounds, may_surrender, compiled)
        self.layout = self.table.layout
        self.moves = self.table.actions
        self.names = Names(f"seat_{seat}" for seat in range(seats))
        self._seats = {name: seat for seat, name in enumerate(self.names)}
        self.render_mode = check_mode(render_mode)
        self._form = observations

    def spaces(self) -> tuple[spaces.Dict, spaces.Discrete]:
        """What a seat is given, and what it gives back."""
        known = row_space(self.layout) if self._form == "row" else parts_space(self.layout)
        mask = spaces.Box(0, 1, (len(self.moves),), np.int8)
        return spaces.Dict({"observation": known, "action_mask": mask}), spaces.Discrete(len(self.moves))

    def seat_of(self, agent: str) -> Seat:
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(f"There is no {agent!r} at this table; there are {', '.join(self.names)}.")
        return seat

    def observation(self, seat: Seat) -> Observation:
        row = self.table.row(seat)
        mask = self.table.mask(seat, self.acts(seat))
        return {"observation": row if self._form == "row" else self.layout.split(row), "action_mask": mask}

    def known(self, seat: Seat) -> dict[str, Any]:
        """The seat's view as plain values: numbers, text, lists and dictionaries."""
        facts: dict[str, Any] = plain(self.table.view(seat).facts())
        return facts

    @abstractmethod
    def acts(self, seat: Seat) -> bool:
        """Whether this seat is asked now."""

    def mask(self, seat: Seat) -> Mask:
        return self.table.mask(seat, self.acts(seat))

    def seat_text(self, seat: Seat) -> str:
        return seat_text(self.table, seat, self.names, self.acts(seat))

    def choice_of_seat(self, seat: Seat, answer: str) -> int:
        require("answer", str, answer)
        return choice_in(self.table, seat, self.names, self.acts(seat), answer)

    def describe(self, choice: int | Move | None) -> str:
        """What a number or a move stands for, in words."""
        number = self.moves.number(choice) if choice is None or isinstance(choice, Move) else int(choice)
        if not 0 <= number < len(self.moves):
            raise ValueError(f"Choices have numbers from 0 to {len(self.moves) - 1}; {number} is none.")
        return called(self.table, number, teller_of(spec_named(self.game), self.names))

    def public_text(self) -> str:
        return public_text(self.table, self.names)

    def note(self, seat: Seat) -> dict[str, Any]:
        """What goes with an observation: the mask, and when the game is over who was who, who won and why."""
        note: dict[str, Any] = {"action_mask": self.table.mask(seat, self.acts(seat))}
        if ending := self.table.ending():
            winner, reason = ending
            roles = dict(zip(self.names, self.table.roles(), strict=True))
            note |= {"roles": roles, "winner": winner or "nobody", "reason": reason}
        return note


class PettingZooEnv(NumberedTable):
    """What both kinds of PettingZoo environment have: agents by name, each with its spaces."""

    metadata: ClassVar[dict[str, Any]]

    def __init__(self, seats: int | None = None, *, max_cycles: int | None = None, **how: Any) -> None:
        super().__init__(seats, **how)
        require("max_cycles", int | None, max_cycles)
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"A game is cut off after 1 or more cycles, not {max_cycles!r}.")
        self.max_cycles = max_cycles
        self.possible_agents = list(self.names)
        self.agents: list[str] = []
        known, choice = self.spaces()
        self._known = dict.fromkeys(self.possible_agents, known)
        self._choices = {agent: spaces.Discrete(int(choice.n)) for agent in self.possible_agents}
        self._chance = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._known[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._choices[agent]

    def deal(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Begin a game; the options may give agents their roles: `{"roles": {"seat_0": "Merlin"}}`."""
        roles = require_known(options, ("roles",)).get("roles", {})
        if not isinstance(roles, Mapping):
            raise ValueError(
                f"The option roles is a dictionary, roles by names of agents such as seat_0, not {roles!r}."
            )
        by_seat = {self.seat_of(agent): str(role) for agent, role in roles.items()}
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.table.deal(self._chance, by_seat)
        self.agents = list(self.possible_agents)

    def view(self, agent: str) -> dict[str, Any]:
        """The agent's view as plain values."""
        return self.known(self.seat_of(agent))

    def text(self, agent: str) -> str:
        """Everything the agent knows and may choose, in words."""
        return self.seat_text(self.seat_of(agent))

    def choice(self, agent: str, answer: str) -> int:
        """The number of the choice that an agent answered with: a number, or a team as the text says."""
        return self.choice_of_seat(self.seat_of(agent), answer)

    def close(self) -> None:
        """There is nothing to close."""


def row_space(layout: Layout) -> spaces.Box:
    return spaces.Box(LOWEST, HIGHEST, (layout.size,), np.int8)


def parts_space(layout: Layout) -> spaces.Dict:
    return spaces.Dict({part.name: spaces.Box(LOWEST, HIGHEST, part.shape, np.int8) for part in layout.parts})


def shown(text: str, mode: str | None) -> str | None:
    """A text as the render mode wants it: printed, or given back."""
    if mode == "human":
        print(text)
        return None
    return text


def check_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"There is no render mode {mode!r}; there are {', '.join(RENDER_MODES)}.")
    return mode
