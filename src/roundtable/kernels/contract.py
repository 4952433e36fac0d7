"""What a kernel promises: a batch of whole games in one call; and a compiled one any of them again, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from roundtable.core.actions import Action
from roundtable.core.errors import SetupError, shown
from roundtable.core.policy import Leanings
from roundtable.core.setup import Setup

COMPILED_BOTS = ("random", "careful")
SEEDS = 1 << 64
NOT_OVER = -1  # in place of the reason why a game ended


class Words(NamedTuple):
    """What the numbers of a batch stand for."""

    sides: tuple[str, ...]
    reasons: tuple[str, ...]
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """How games ended, a row for each, in the order of their numbers."""

    words: Words
    winner: npt.NDArray[np.int8]  # index in the `sides` of its words, -1 for none
    reason: npt.NDArray[np.int8]  # index in the `reasons`
    roles: npt.NDArray[np.int8]  # by seat: index in the `roles`, -1 where the game names none
    won: npt.NDArray[np.bool_]  # by seat
    length: npt.NDArray[np.int16]  # how many actions it took: moves, and phases whose time ran out

    @classmethod
    def blank(cls, games: int, seats: int, words: Words) -> Batch:
        return cls(
            words=words,
            winner=np.zeros(games, np.int8),
            reason=np.zeros(games, np.int8),
            roles=np.zeros((games, seats), np.int8),
            won=np.zeros((games, seats), np.bool_),
            length=np.zeros(games, np.int16),
        )

    def shaped(self, positions: int, count: int) -> Batch:
        """The same with a row for each position, and in it one for each game."""
        parts = {name: getattr(self, name) for name in ("winner", "reason", "roles", "won", "length")}
        return Batch(
            words=self.words, **{name: of.reshape(positions, count, *of.shape[1:]) for name, of in parts.items()}
        )


class TraceStep(NamedTuple):
    """An action, or none by a bot that was asked and waited."""

    actor: int  # a seat, or CLOCK
    action: Action | None
    drawn: tuple[int, ...] = ()  # what chance answered when time ran out
    leanings: Leanings | None = None  # of a careful bot: every move it would have made, with its weight


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTrace:
    """One game as the kernel played it: the deal, and every action in order."""

    setup: Setup
    deal: Any  # as the game's own `begin` takes it
    steps: tuple[TraceStep, ...]


# Who plays: careful bots in seats by number, or on a side; all others play at random, unless they are asked.
CREW = np.dtype(
    [
        ("careful", np.int64),  # a mask of seats
        ("first_side", np.bool_),
        ("second_side", np.bool_),
        ("bots", np.int64),  # the seats that are not asked where games are stepped through; a mask
        ("seat", np.int64),  # a seat that is dealt …
        ("role", np.int64),  # … this role, or -1
        ("goes_on", np.bool_),  # whether a game that ends is followed by another
        ("remembers", np.bool_),  # whether the history of a game is written down for those who read it
    ]
)
Crew = npt.NDArray[Any]


class Kernel(Protocol):
    """Plays a game by the batch. Game number i of a seed is the same game, whatever batch it is played in."""

    @property
    def game(self) -> str: ...

    @property
    def is_compiled(self) -> bool:
        """Whether it is machine code, which threads run side by side."""
        ...

    @property
    def sides(self) -> tuple[str, ...]: ...

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role in the game's own order, as far as it is known before the games are played."""
        ...

    def run(self, setup: Setup, bots: Sequence[str], seed: int, first: int, count: int) -> Batch:
        """Play the games with the numbers first to first + count - 1."""
        ...


def crew_of(bots: Sequence[str], seats: int) -> Crew:
    """`bots` names one bot for everyone, two for the game's sides in their order, or one for each seat."""
    bots = (bots,) if isinstance(bots, str) else bots
    careful = [is_careful(name) for name in bots]
    if len(bots) not in (1, 2, seats):
        raise SetupError("setup/bot", "careful_seats", seats=seats, found=len(bots))
    crew = np.zeros(1, CREW)
    crew["role"] = -1
    if len(bots) == seats:
        crew["careful"] = sum(1 << seat for seat in range(seats) if careful[seat])
    else:
        crew["first_side"], crew["second_side"] = careful[0], careful[-1]
    return crew


def is_careful(bot: str) -> bool:
    if bot not in COMPILED_BOTS:
        raise SetupError("setup/bot", "kernel", name=shown(bot), choices=list(COMPILED_BOTS))
    return bot == "careful"


def check_numbers(seed: int, first: int, count: int) -> None:
    if not 0 <= seed < SEEDS:
        raise SetupError("setup/seed", "lab", seed=str(seed))
    if first < 0 or count < 0 or first + count > 1 << 63:
        raise ValueError(f"Games are numbered from 0 to 2**63 - 1; {count} from {first} on are not.")
