"""Many games side by side: whose turn it is, what they may choose, what they know, and how games ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from roundtable.core.errors import IllegalAction, SetupError
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.kernels.actions import BEGIN, Actions
from roundtable.kernels.compiling import announced
from roundtable.kernels.contract import CREW, Crew, check_numbers, is_careful
from roundtable.kernels.core import NO_POSITIONS, CompiledGame
from roundtable.kernels.environment import Environment
from roundtable.kernels.frame import Arrays, Frame
from roundtable.kernels.positions import Positions, as_words, mark_of
from roundtable.kernels.relative import SeatRelative
from roundtable.kernels.turns import ALL_WENT_ON

ITS_TURN = -1  # in place of a seat: the one whose turn it is


class Stepper:
    """Games in a batch. Seats and choices have the numbers, and rows the layout, of `roundtable.lab.environments`.

    In a phase seats are asked one after the other, in seat order. Seats with `bots` are not asked. A game that ends
    begins anew at once; game number g is followed by g + games, and game number i of a seed always begins alike: from a
    deal, from a deal in which `seat` has `role`, or from one of the `positions` in turn.

    With `relative`, every seat is number 0 to itself and the others follow to its left, in rows, masks and choices.
    """

    def __init__(
        self,
        core: CompiledGame,
        environment: Environment,
        setup: Setup,
        games: int,
        seed: int = 0,
        *,
        bots: Mapping[Seat, str] | None = None,
        seat: Seat = 0,
        role: str | None = None,
        positions: Positions | None = None,
        relative: bool = False,
        last_rows: bool = False,
    ) -> None:
        check_numbers(seed, 0, games)
        if games < 1:
            raise ValueError(f"A stepper plays one game or more, not {games}.")
        self.setup, self.games, self.core = setup, games, core
        self.reasons, self.role_names = core.reasons, core.roles
        core.tables(setup)  # which refuses what cannot be played
        if positions is not None:
            core.require_positions(setup, positions)
        self.actions = Actions(environment.moves(setup))
        self.layout = environment.layout(setup)
        self._relative = SeatRelative(setup.seats, self.layout, self.actions) if relative else None
        self._crew = company(core, setup, bots or {}, seat, role)
        self.positions: Positions = np.zeros(games, core.position)  # where every game stands; secrets included
        self.positions["setup"] = mark_of(setup)
        self.turn: npt.NDArray[np.int8] = np.zeros(games, np.int8)
        self.masks: npt.NDArray[np.int8] = np.zeros((games, len(self.actions)), np.int8)
        self.rows: npt.NDArray[np.int8] = np.zeros((games, self.layout.size), np.int8)
        self.ended: npt.NDArray[np.bool_] = np.zeros(games, np.bool_)
        self.rewards: npt.NDArray[np.float32] = np.zeros((games, setup.seats), np.float32)
        self.reason: npt.NDArray[np.int8] = np.zeros(games, np.int8)
        self.roles: npt.NDArray[np.int8] = np.zeros((games, setup.seats), np.int8)
        kept = (games, setup.seats, self.layout.size) if last_rows else (0, 0, 0)
        self.last_rows: npt.NDArray[np.int8] = np.zeros(kept, np.int8)
        self._chosen = np.zeros(games, np.int64)
        self._starts, self._seed = NO_POSITIONS if positions is None else as_words(positions), seed
        self._frame = self._lay_out()
        with announced(setup.game):
            self._advance(np.full(games, BEGIN, np.int64))

    def __getstate__(self) -> dict[str, Any]:
        """Addresses are those of this object's own arrays; a copy has others."""
        return {name: part for name, part in self.__dict__.items() if name != "_frame"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._frame = self._lay_out()

    def _lay_out(self) -> Frame:
        its_turn = np.full(self.games, ITS_TURN, np.int64)
        rules, table, trace, words = self.core.table_of(self.core.tables(self.setup), self.core.blank_trace(False))
        arrays = Arrays(
            rules=rules,
            table=table,
            trace=trace,
            words=words,
            states=as_words(self.positions),
            starts=self._starts,
            crew=self._crew,
            seats=its_turn,
            choices=self._chosen,
            viewers=its_turn,
            turn=self.turn,
            asked=np.zeros(self.games, np.int64),
            masks=self.masks,
            rows=self.rows,
            ended=self.ended,
            rewards=self.rewards,
            reason=self.reason,
            roles=self.roles,
            last_rows=self.last_rows,
        )
        return Frame(arrays, self._seed)

    def step(self, choices: npt.ArrayLike) -> None:
        """One choice in each game, by the seat whose turn it is there; if one is not allowed, all are refused.

        Afterwards `turn`, `masks` and `rows` are those of the next choices. Where a game has `ended`, `rewards` says
        who won, `reason` why, `roles` who was who, and with `last_rows` these are what each seat knew at the end;
        elsewhere rewards are 0.
        """
        chosen = np.ascontiguousarray(choices, np.int64)
        if chosen.shape != (self.games,):
            raise ValueError(f"{self.games} games take {self.games} choices in a row, not {chosen.shape}.")
        self._check(chosen)
        if self._relative is not None:
            chosen = self._relative.absolute(self.turn, chosen)
        self._advance(chosen)

    def _check(self, chosen: npt.NDArray[np.int64]) -> None:
        known = np.clip(chosen, 0, len(self.actions) - 1)
        forbidden = (known != chosen) | (self.masks[np.arange(self.games), known] == 0)
        if forbidden.any():
            wrong = int(forbidden.argmax())
            raise IllegalAction(
                "action/not_allowed",
                "number_in_game",
                number=wrong,
                seat=int(self.turn[wrong]),
                found=int(chosen[wrong]),
                choices=np.flatnonzero(self.masks[wrong]).tolist(),
            )

    def _advance(self, chosen: npt.NDArray[np.int64]) -> None:
        self._chosen[:] = chosen
        stuck = self.core.step(self._frame.row)
        if stuck != ALL_WENT_ON:
            raise SetupError("setup/bot", "never_dealt", seat=int(self._crew["seat"][0]))
        if self._relative is not None:
            self._relative.turn_round(self.turn, self.rows, self.masks)
            if len(self.last_rows):
                self._relative.turn_all_round(self.last_rows, self.ended)

    def deal(self, game: int) -> Any:
        """The deal of a game that is being played, as the engine's `Play.deal` takes it. It is a secret."""
        return self.core.read_deal(self.positions[game], self.setup)


def company(core: CompiledGame, setup: Setup, bots: Mapping[Seat, str], seat: Seat, role: str | None) -> Crew:
    """Who plays, and who is dealt what."""
    crew = np.zeros(1, CREW)
    crew["goes_on"] = crew["remembers"] = True
    for place, name in bots.items():
        if not 0 <= place < setup.seats:
            raise SetupError("setup/bot", "seat", last=setup.seats - 1, found=place)
        crew["bots"] |= 1 << place
        crew["careful"] |= is_careful(name) << place
    if len(bots) == setup.seats:
        raise SetupError("setup/bot", "nobody_asked")
    if not 0 <= seat < setup.seats:
        raise SetupError("setup/bot", "learner", last=setup.seats - 1, found=seat)
    crew["seat"], crew["role"] = seat, -1
    if role is not None:
        if role not in core.roles:
            raise SetupError("setup/bot", "no_role", found=role, choices=list(core.roles))
        crew["role"] = core.roles.index(role)
    return crew
