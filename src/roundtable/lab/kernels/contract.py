"""What every compiled game promises: a batch of whole games in one call, and any one of them again, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from roundtable.core.actions import Action, Move
from roundtable.core.errors import Problem, SetupError
from roundtable.core.setup import Setup

COMPILED_BOTS = ("random", "careful")
SEEDS = 1 << 64
GOES_ON = -1  # in place of the reason why a game ended

Leanings = tuple[tuple[Move, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """How games ended, a row for each, in the order of their numbers."""

    winner: npt.NDArray[np.int8]  # index in the kernel's `sides`, -1 for nobody
    reason: npt.NDArray[np.int8]  # index in its `reasons`
    roles: npt.NDArray[np.int8]  # by seat: index in its `roles`
    won: npt.NDArray[np.bool_]  # by seat
    length: npt.NDArray[np.int16]  # how many actions it took: moves, and phases whose time ran out

    @classmethod
    def blank(cls, games: int, seats: int) -> Batch:
        return cls(
            winner=np.zeros(games, np.int8),
            reason=np.zeros(games, np.int8),
            roles=np.zeros((games, seats), np.int8),
            won=np.zeros((games, seats), np.bool_),
            length=np.zeros(games, np.int16),
        )


class Step(NamedTuple):
    """Something that was done, or left undone by a bot that was asked and waited (`action` is None)."""

    actor: int  # a seat, or CLOCK
    action: Action | None
    drawn: tuple[int, ...] = ()  # what chance answered when time ran out
    leanings: Leanings | None = None  # of a careful bot: every move it would have made, with its weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One game as the kernel played it: the deal, and every action in order."""

    setup: Setup
    deal: Any  # as the game's own `begin` takes it
    steps: tuple[Step, ...]


class Crew(NamedTuple):
    """Where careful bots sit: in seats by number, or on a side. Everybody else plays at random."""

    seats: int  # a mask
    good: bool
    evil: bool


class Kernel(Protocol):
    """A game compiled. Game number i of a seed is the same game, whatever batch it is played in."""

    @property
    def game(self) -> str: ...

    @property
    def sides(self) -> tuple[str, ...]: ...

    @property
    def reasons(self) -> tuple[str, ...]:
        """The game's own words for why it ended."""
        ...

    @property
    def roles(self) -> tuple[str, ...]: ...

    def tables(self, setup: Setup) -> Any:
        """The rules of this table as arrays and whole numbers, made from the game's own tables."""
        ...

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> Batch:
        """Play the games with the numbers first to first + count - 1."""
        ...

    def actions(self, setup: Setup, bots: Sequence[str], seed: int, number: int) -> Script:
        """That one game again, move by move."""
        ...


def crew_of(bots: Sequence[str], seats: int) -> Crew:
    """`bots` names one bot for everybody, two for the sides (Good first), or one for each seat."""
    for name in bots:
        if name not in COMPILED_BOTS:
            raise bad_bots(f"No bot called {name!r} plays in a kernel; choose {' or '.join(COMPILED_BOTS)}.")
    careful = [name == "careful" for name in bots]
    if len(bots) == 1:
        return Crew(0, careful[0], careful[0])
    if len(bots) == 2:
        return Crew(0, careful[0], careful[1])
    if len(bots) != seats:
        raise bad_bots(f"{seats} seats take one bot, two (Good and Evil) or {seats}, not {len(bots)}.")
    return Crew(sum(1 << seat for seat, is_careful in enumerate(careful) if is_careful), False, False)


def bad_bots(message: str) -> SetupError:
    return SetupError([Problem("setup/bot", message)])


def check_numbers(seed: int, first: int, count: int) -> None:
    if not 0 <= seed < SEEDS:
        raise SetupError([Problem("setup/seed", f"A seed of the lab lies from 0 to 2**64 - 1; {seed} does not.")])
    if first < 0 or count < 0 or first + count > 1 << 63:
        raise ValueError(f"Games are numbered from 0 to 2**63 - 1; {count} from {first} on are not.")
