"""One seat learns and the others are given bots: a Gymnasium environment."""

from __future__ import annotations

from typing import Any, SupportsInt

import gymnasium
import numpy as np
import numpy.typing as npt

from roundtable.bots import DEFAULT_BOT
from roundtable.bots.dice import Dice
from roundtable.core.errors import IllegalAction
from roundtable.core.seats import Seat
from roundtable.lab.environments.common import NumberedTable, Observation, shown
from roundtable.lab.environments.compiled_table import CompiledTable
from roundtable.lab.environments.dealing import require_known
from roundtable.lab.environments.opponents import BY_NAME, Opponents, are_compiled, opponents_by_seat, player_of


class Learner(NumberedTable, gymnasium.Env[Observation, SupportsInt]):
    """A step is the learner's choice and all that the others do until the learner is asked again.

    Who chooses what the mask forbids has lost: the episode ends with -1 and says so in its info.
    """

    def __init__(
        self,
        seats: int | None = None,
        *,
        seat: Seat = 0,
        role: str | None = None,
        bots: Opponents = DEFAULT_BOT,
        compiled: bool | None = None,
        **how: Any,
    ) -> None:
        if not are_compiled(bots):
            if compiled:
                raise ValueError(f"Machine code plays the bots {' and '.join(BY_NAME)}, given by name, and no others.")
            compiled = False
        super().__init__(seats, compiled=compiled, **how)
        self._usual = (seat, role)
        self._opponents = bots
        self._sit_down(seat)
        self.observation_space, self.action_space = self.spaces()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game. The options `seat` and `role` are the learner's in this game, instead of the usual ones."""
        seat, role = self._usual
        chosen = require_known(options, ("role", "seat"))
        gymnasium.Env.reset(self, seed=seed)
        self._sit_down(chosen.get("seat", seat))
        role = chosen.get("role", role)
        while True:  # in some games nothing is ever asked of the seat
            self.table.deal(self.np_random, {} if role is None else {self.seat: str(role)})
            self._dice = Dice(int.from_bytes(self.np_random.bytes(8), "big"))
            self._let_others_play()
            if not self.table.is_over:
                break
        return self.observation(self.seat), self.note(self.seat)

    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        try:
            move = self.table.chosen(self.seat, int(action))
        except IllegalAction as refusal:
            return self.observation(self.seat), -1.0, True, False, {**self.note(self.seat), "illegal": refusal.message}
        self.table.take_turn(move)
        self._let_others_play()
        reward = self.table.reward(self.seat)
        return self.observation(self.seat), reward, self.table.is_over, False, self.note(self.seat)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What the learner may choose, as `MaskablePPO` of sb3-contrib asks for it."""
        return self.mask(self.seat).astype(np.bool_)

    def _sit_down(self, seat: Seat) -> None:
        self.bots = opponents_by_seat(self._opponents, seat, self.table.setup.seats)
        self._players = {other: player_of(bot) for other, bot in self.bots.items()}
        if isinstance(self.table, CompiledTable):
            self.table.seat_careful(other for other, bot in self.bots.items() if bot == "careful")
        self.seat = seat

    def _let_others_play(self) -> None:
        """Until the learner is asked and has a choice other than to wait."""
        table, players, chance = self.table, self._players, self._dice
        while not table.is_over:
            seat = table.turn
            if not table.has_choice(seat):
                table.take_turn(None)
            elif seat == self.seat:
                return
            else:
                table.take_turn(players[seat](table, seat, chance))

    def acts(self, seat: Seat) -> bool:
        return not self.table.is_over and seat == self.table.turn

    def view(self) -> dict[str, Any]:
        """The learner's view as plain values."""
        return self.known(self.seat)

    def text(self) -> str:
        """Everything the learner knows and may choose, in words."""
        return self.seat_text(self.seat)

    def choice(self, answer: str) -> int:
        """The number of the choice that the learner answered with: a number, or a team as the text says."""
        return self.choice_of_seat(self.seat, answer)

    def render(self) -> Any:
        return shown(self.text(), self.render_mode)
