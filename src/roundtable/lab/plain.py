"""Games by the plain engine, for games and bots that have no machine code: slower, and with the same figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

import numpy as np

from roundtable.bots import play_out
from roundtable.bots.dice import Dice
from roundtable.core.actions import Expire, Move
from roundtable.core.errors import SetupError
from roundtable.core.events import Outcome
from roundtable.core.game import Game
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.kernels.contract import Batch, GameTrace, TraceStep, Words, check_numbers
from roundtable.lab.own_bots import studied

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
        games = self._games(setup, bots, seed, range(first, first + count))
        return batch_of([played_in(play) for play in games], setup.seats, self.sides)

    def run_traced(
        self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int
    ) -> tuple[Batch, list[GameTrace]]:
        """The same, and every game move by move."""
        games = list(self._games(setup, bots, seed, range(first, first + count)))
        batch = batch_of([played_in(play) for play in games], setup.seats, self.sides)
        return batch, [trace_of(play) for play in games]

    def _games(self, setup: Setup, bots: Sequence[str], seed: int, numbers: range) -> Iterator[Play[Any, Any]]:
        check_numbers(seed, numbers.start, len(numbers))
        setup.require_ready()
        check_crew(bots, setup.seats, self.sides)
        for number in numbers:
            yield self._play(setup, bots, seed, number)

    def _play(self, setup: Setup, bots: Sequence[str], seed: int, number: int) -> Play[Any, Any]:
        play = dealt_game(self._game, setup, seed, number)
        self._play_out(play, self._seated(play, bots), dice_of(seed, number), number)
        return play

    def _play_out(self, play: Play[Any, Any], seated: Mapping[Seat, str], dice: Dice, number: int) -> None:
        play_out(play, {seat: studied(name, seat, number) for seat, name in seated.items()}, dice)

    def _seated(self, play: Play[Any, Any], bots: Sequence[str]) -> dict[Seat, str]:
        """Which bot sits where, by name."""
        seats = range(play.state.setup.seats)
        if len(bots) == 2:
            first_side = self._game.seats_of(play.state, self._game.sides[0])
            return {seat: bots[0] if seat in first_side else bots[1] for seat in seats}
        return {seat: bots[seat % len(bots)] for seat in seats}


def dealt_game(game: Game[Any, Any], setup: Setup, seed: int, number: int) -> Play[Any, Any]:
    """Game number `number` of a seed before its first move: the same deal, whichever bots play it."""
    play = Play.open(game, setup, start_of(seed, number))
    play.deal()
    return play


def dice_of(seed: int, number: int) -> Dice:
    """The chance with which bots play that game."""
    return Dice(int.from_bytes(sha256(start_of(seed, number)).digest()[:8], "big"))


def start_of(seed: int, number: int) -> bytes:
    return sha256(f"{seed}/{number}".encode()).digest()


def check_crew(bots: Sequence[str], seats: int, sides: tuple[str, ...]) -> None:
    if len(bots) == 2 and len(sides) != 2:
        raise SetupError("setup/bot", "sides")
    if len(bots) not in (1, 2, seats):
        raise SetupError("setup/bot", "careful_seats", seats=seats, found=len(bots))


def played_in(play: Play[Any, Any]) -> Played:
    assert play.outcome is not None
    roles = getattr(play.state, "roles", {})
    seats = range(play.state.setup.seats)
    return Played(
        outcome=play.outcome,
        roles=tuple([str(roles[seat]) if seat in roles else None for seat in seats]),
        length=sum(isinstance(entry.action, (Move, Expire)) for entry in play.entries),
    )


def trace_of(play: Play[Any, Any]) -> GameTrace:
    done = [entry for entry in play.entries if isinstance(entry.action, (Move, Expire))]
    steps = tuple(TraceStep(entry.actor, entry.action) for entry in done)
    return GameTrace(setup=play.state.setup, deal=play.game.read_deal(play.events), steps=steps)


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
