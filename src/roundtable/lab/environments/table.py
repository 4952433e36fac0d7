"""A game for learners: whose turn it is, what they may choose by number, and what they know as numbers.

In each phase every seat that the table waits for is asked once (or `rounds` times), in a random order; then time is up,
as in `roundtable.bots.play_out`. Who is asked follows from public facts alone: where one seat might have something to
declare, every seat is asked, and those who have nothing can only wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from roundtable.bots.careful import CarefulBot
from roundtable.bots.dice import Dice
from roundtable.bots.playing import time_is_up
from roundtable.bots.random import without_giving_up
from roundtable.core.actions import Move
from roundtable.core.chance import Chance, shuffled
from roundtable.core.errors import IllegalAction
from roundtable.core.options import Options, permits
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.core.state import TableState
from roundtable.games import spec_named
from roundtable.kernels.actions import Actions, Mask
from roundtable.kernels.environment import Environment, Notes
from roundtable.kernels.layout import Numbers
from roundtable.lab.environments.dealing import Roles, deal_with

ANY_ROLES: Roles = MappingProxyType({})

Choice = Move | int | None  # as `chosen` gives it; None is to wait


class Table:
    """One table at which game after game is played by number."""

    play: Play[Any, Any]

    def __init__(self, setup: Setup, rounds: int = 1, may_surrender: bool = False) -> None:
        setup.require_ready()
        spec = spec_named(setup.game)
        self.setup = setup
        self._game = spec.game
        self.environment: Environment = spec.part("environment")
        self.actions = Actions(self.environment.moves(setup))
        self.layout = self.environment.layout(setup)
        self._rounds = rounds
        self._may_surrender = may_surrender
        self._careful = CarefulBot()

    def deal(self, chance: np.random.Generator, roles: Roles = ANY_ROLES) -> None:
        """Begin a new game; everything about it follows from chance, the chosen roles, and what is chosen in it."""
        seed, order = chance.bytes(32), Dice(int.from_bytes(chance.bytes(8), "big"))
        drawn = deal_with(self._game, self.setup, roles, Dice(int.from_bytes(seed, "big"))) if roles else None
        self.begin(seed, order, drawn)

    def begin(self, seed: bytes, order: Chance, deal: Any = None) -> None:
        """Begin a game with a seed, the order in which seats are asked, and a deal if it was chosen."""
        self.play = Play.open(self._game, self.setup, seed)
        self.play.deal(deal)
        self._order = order
        self._notes: dict[Seat, Notes] = {}
        self._heard: dict[Seat, int] = {}
        self._masks: dict[tuple[Seat, bool], Mask] = {}
        self.cycle = 0  # how many times a round of seats has been asked
        self._begin_phase()

    # Whose turn it is

    @property
    def turn(self) -> Seat:
        """The next seat to be asked."""
        return self.asked[0]

    @property
    def is_over(self) -> bool:
        return self.play.is_over

    def _begin_phase(self) -> None:
        self._phase = self.play.phase.number
        self._round = 0
        self._ask()

    def _ask(self) -> None:
        self.asked = shuffled(self._order, sorted(self.environment.awaited(self.play.state)))
        self.cycle += bool(self.asked)

    def _go_on(self) -> None:
        """Turn to the next seat; if all have been asked, ask again or let time be up."""
        self._masks = {}
        while not self.is_over:
            if self.play.phase.number != self._phase:
                self._begin_phase()
            elif not self.asked and self._round + 1 < self._rounds:
                self._round += 1
                self._ask()
            if self.asked:
                return
            time_is_up(self.play)
        self.asked = []

    # What a seat may do, and does

    def options(self, seat: Seat) -> Options:
        offered = self.play.options(seat)
        return offered if self._may_surrender else without_giving_up(offered)

    def mask(self, seat: Seat, is_asked: bool) -> Mask:
        """A one for every number this seat may choose; who is not asked can only wait."""
        return self._mask(seat, is_asked).copy()

    def _mask(self, seat: Seat, is_asked: bool) -> Mask:
        mask = self._masks.get((seat, is_asked))
        if mask is None:
            mask = self.actions.mask(self.options(seat) if is_asked else (), self.may_wait(seat))
            self._masks[seat, is_asked] = mask
        return mask

    def has_choice(self, seat: Seat) -> bool:
        """Whether this seat, which is asked, may do anything but wait."""
        return bool(self.options(seat))

    def any_choice(self, seat: Seat, chance: Chance) -> Choice:
        """What the bot `random` does: a kind of move, and a number of it."""
        return self.chosen(seat, self.actions.any_in(self._mask(seat, True), chance))

    def careful_choice(self, seat: Seat, chance: Chance) -> Choice:
        """What the bot `careful` does."""
        return self._careful.choose(self.view(seat), self.options(seat), chance)

    def may_wait(self, seat: Seat) -> bool:
        return self.environment.may_idle or seat not in self.play.phase.awaited

    def chosen(self, seat: Seat, number: int | None, is_asked: bool = True) -> Choice:
        """The move of a number, or `IllegalAction` in a sentence where the mask has no one."""
        mask = self._mask(seat, is_asked)
        if number is None or not 0 <= number < len(mask) or not mask[number]:
            choices = np.flatnonzero(mask).tolist()
            raise IllegalAction("action/not_allowed", "number", seat=seat, found=str(number), choices=choices)
        return self.actions.move(int(number), self.play.phase.number)

    def choose(self, number: int | None) -> None:
        """The seat whose turn it is makes the move of a number; `IllegalAction` where it may not."""
        self.take_turn(self.chosen(self.turn, number))

    def take_turn(self, move: Choice) -> None:
        """The seat whose turn it is makes a move, or waits."""
        seat = self.asked.pop(0)
        if isinstance(move, Move):
            self.play.act(seat, move)
        self._go_on()

    def take_turns(self, moves: Mapping[Seat, Choice]) -> None:
        """Take the choices of all seats that were asked. A seat whose choice is no longer legal is asked again."""
        asked, self.asked = self.asked, []
        for seat in asked:
            move = moves[seat]
            if not isinstance(move, Move) or self.is_over:
                continue
            if permits(self.play.options(seat), move):
                self.play.act(seat, move)
            else:
                self.asked.append(seat)
        self._go_on()

    # What a seat knows

    def view(self, seat: Seat) -> TableState:
        view: TableState = self.play.view(seat)
        return view

    def row(self, seat: Seat) -> Numbers:
        """What this seat knows, as numbers in the order of the layout; a copy of its own."""
        notes = self._notes.get(seat) or self._notes.setdefault(seat, self._new_notes(seat))
        told = self.play.events_for(seat)
        heard, self._heard[seat] = told[self._heard.get(seat, 0) :], len(told)
        notes.write(self.play.view(seat), heard)
        return notes.sheet.row.copy()

    def _new_notes(self, seat: Seat) -> Notes:
        return self.environment.notes(self.setup, self.layout, seat)

    # How it ended

    def reward(self, seat: Seat) -> float:
        """1 for a seat that has won, -1 for one that has lost, 0 where there is no winner or the game goes on."""
        outcome = self.play.outcome
        if outcome is None or outcome.winner is None:
            return 0.0
        return 1.0 if seat in outcome.seats else -1.0

    def ending(self) -> tuple[str | None, str] | None:
        """The side that has won, if one has, and why; None while the game goes on."""
        outcome = self.play.outcome
        return None if outcome is None else (outcome.winner, outcome.reason)

    def roles(self) -> tuple[str, ...]:
        """Who is who: a secret until the game is over."""
        return tuple(str(self.play.state.roles[seat]) for seat in range(self.setup.seats))
