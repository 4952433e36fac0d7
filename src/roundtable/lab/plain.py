"""Games by the plain engine, for games and bots that have no machine code: slower, and with the same figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

import numpy as np

from roundtable.bots import Bot, make_bot, play_out
from roundtable.core.actions import Expire, Move
from roundtable.core.errors import SetupError
from roundtable.core.events import Outcome
from roundtable.core.game import Game
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.kernels.contract import Batch, Words, check_numbers
from roundtable.testing.dice import Dice

LONGEST = np.iinfo(np.int16).max
NONE = -1  # no winner, or no role


class Played(NamedTuple):
    """What a batch keeps of one game."""

    outcome: Outcome
    roles: tuple[str | None, ...]  # by seat; None in games whose state has no `roles`
    length: int


class PlainKernel:
    """A `Kernel` over `Play` and any installed bots."""

    is_compiled: ClassVar[bool] = False
    roles: ClassVar[tuple[str, ...]] = ()

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game

    @property
    def game(self) -> str:
        return self._game.name

    @cached_property
    def sides(self) -> tuple[str, ...]:
        return tuple(map(str, self._game.sides))

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> Batch:
        check_numbers(seed, first, count)
        setup.require_ready()
        check_crew(bots, setup.seats, self.sides)
        return batch_of([self._play(setup, bots, seed, first + row) for row in range(count)], setup.seats, self.sides)

    def _play(self, setup: Setup, bots: Sequence[str], seed: int, number: int) -> Played:
        start = sha256(f"{seed}/{number}".encode()).digest()
        play = Play.open(self._game, setup, start)
        play.deal()
        dice = Dice(int.from_bytes(sha256(start).digest()[:8], "big"))
        play_out(play, self._crew(play, bots), dice)
        assert play.outcome is not None
        roles = getattr(play.state, "roles", {})
        return Played(
            outcome=play.outcome,
            roles=tuple([str(roles[seat]) if seat in roles else None for seat in range(setup.seats)]),
            length=sum(isinstance(entry.action, (Move, Expire)) for entry in play.entries),
        )

    def _crew(self, play: Play[Any, Any], bots: Sequence[str]) -> dict[Seat, Bot]:
        seats = range(play.state.setup.seats)
        if len(bots) == 2:
            first_side = self._game.seats_of(play.state, self._game.sides[0])
            return {seat: make_bot(bots[0] if seat in first_side else bots[1]) for seat in seats}
        return {seat: make_bot(bots[seat % len(bots)]) for seat in seats}


def check_crew(bots: Sequence[str], seats: int, sides: tuple[str, ...]) -> None:
    if len(bots) == 2 and len(sides) != 2:
        raise SetupError("setup/bot", "sides")
    if len(bots) not in (1, 2, seats):
        raise SetupError("setup/bot", "careful_seats", seats=seats, found=len(bots))


def batch_of(games: Sequence[Played], seats: int, sides: tuple[str, ...]) -> Batch:
    """The games as rows of numbers, with the words that the numbers stand for."""
    words = Words(
        sides=(*sides, *others_than(sides, [game.outcome.winner for game in games])),
        reasons=tuple(others_than((), [game.outcome.reason for game in games])),
        roles=tuple(others_than((), [role for game in games for role in game.roles])),
    )
    batch = Batch.blank(len(games), seats, words)
    for row, (outcome, roles, length) in enumerate(games):
        batch.winner[row] = place_of(outcome.winner, words.sides)
        batch.reason[row] = place_of(outcome.reason, words.reasons)
        batch.roles[row] = [place_of(role, words.roles) for role in roles]
        batch.won[row, list(outcome.seats)] = True
        batch.length[row] = min(length, LONGEST)
    return batch


def others_than(known: Sequence[str], words: Iterable[str | None]) -> list[str]:
    """The words that are not known yet, in a fixed order."""
    return sorted({word for word in words if word is not None} - set(known))


def place_of(word: str | None, words: tuple[str, ...]) -> int:
    return NONE if word is None else words.index(word)
