"""A study: which table, who plays, and how many games. Every game of it is fixed by the seed and its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from roundtable.core.codec import plain
from roundtable.core.setup import Setup
from roundtable.lab.engines import kernel_for
from roundtable.lab.own_bots import Commands

if TYPE_CHECKING:
    from roundtable.kernels.contract import Kernel

BATCH = 50_000  # games in a batch; fixed, so that a study that goes on finds the batches that are finished
PLAIN_BATCH = 500  # the same where the plain engine plays, which takes seconds for so many
BATCH_WITH_MOVES = 5_000  # and where moves are kept, which are written down one by one
MOST_GAMES = 10**12


class Slice(NamedTuple):
    """A batch that is to be played."""

    number: int
    first: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    setup: Setup
    bots: tuple[str, ...]  # one for all, one for each side in their order, or one for each seat
    seed: str  # any text
    games: int
    commands: Commands = ()  # the programs among the bots
    keeps_moves: bool = False

    @property
    def kernel(self) -> Kernel:
        return kernel_for(self.setup.game, self.bots, self.commands)

    @property
    def batch(self) -> int:
        """How many games a batch has."""
        if not self.kernel.is_compiled:
            return PLAIN_BATCH
        return BATCH_WITH_MOVES if self.keeps_moves else BATCH

    @property
    def dice(self) -> int:
        """The seed as kernels take it."""
        return int.from_bytes(sha256(self.seed.encode(errors="surrogateescape")).digest()[:8], "big")

    def slices(self) -> Iterator[Slice]:
        batch = self.batch
        for number, first in enumerate(range(0, self.games, batch)):
            yield Slice(number, first, min(batch, self.games - first))

    def plan(self) -> dict[str, Any]:
        """All that its games follow from, in plain words."""
        return {
            "game": self.setup.game,
            "rules_version": self.setup.rules_version,
            "seats": self.setup.seats,
            "options": chosen_options(self.setup),
            "bots": list(self.bots),
            "seed": self.seed,
            "games": self.games,
            "batch": self.batch,
            **({"moves": True} if self.keeps_moves else {}),
            **({"programs": {name: list(command) for name, command in self.commands}} if self.commands else {}),
        }


def chosen_options(setup: Setup) -> dict[str, Any]:
    """The options that differ from the usual ones."""
    usual = type(setup)(seats=setup.seats)
    names = [option.name for option in fields(setup) if option.name != "seats"]
    return {name: plain(getattr(setup, name)) for name in names if getattr(setup, name) != getattr(usual, name)}
