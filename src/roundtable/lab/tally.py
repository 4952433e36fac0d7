"""How games ended: who won and why, by side and by role, with confidence intervals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from roundtable.kernels.contract import Batch

NOBODY = "nobody"
Z_95 = 1.959963984540054  # standard deviations to either side that hold 95 in a hundred


class Share(NamedTuple):
    """A proportion, with its 95 % Wilson interval."""

    cases: int
    out_of: int

    @property
    def rate(self) -> float:
        return self.cases / self.out_of if self.out_of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        if not self.out_of:
            return 0.0, 1.0
        games, rate = self.out_of, self.rate
        middle = (rate + Z_95**2 / (2 * games)) / (1 + Z_95**2 / games)
        reach = Z_95 / (1 + Z_95**2 / games) * sqrt(rate * (1 - rate) / games + Z_95**2 / (4 * games**2))
        return min(rate, max(0.0, middle - reach)), max(rate, min(1.0, middle + reach))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Whole numbers only, so that batches can be added up in any order."""

    games: int = 0
    moves: int = 0
    endings: Counter[tuple[str, str]] = field(default_factory=Counter)  # (winner, reason)
    dealt: Counter[str] = field(default_factory=Counter)  # games in which a role was dealt
    won: Counter[str] = field(default_factory=Counter)  # ... and won

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            games=self.games + other.games,
            moves=self.moves + other.moves,
            endings=self.endings + other.endings,
            dealt=self.dealt + other.dealt,
            won=self.won + other.won,
        )

    def wins(self, side: str) -> Share:
        return Share(sum(count for (winner, _), count in self.endings.items() if winner == side), self.games)

    def role(self, role: str) -> Share:
        """How often it won, of the games in which it was dealt."""
        return Share(self.won[role], self.dealt[role])

    def plain(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "moves": self.moves,
            "endings": [[*ending, count] for ending, count in sorted(self.endings.items())],
            "roles": {role: [self.dealt[role], self.won[role]] for role in sorted(self.dealt)},
        }

    @classmethod
    def read(cls, text: dict[str, Any]) -> Tally:
        return cls(
            games=text["games"],
            moves=text["moves"],
            endings=Counter({(winner, reason): count for winner, reason, count in text["endings"]}),
            dealt=Counter({role: dealt for role, (dealt, _) in text["roles"].items()}),
            won=Counter({role: won for role, (_, won) in text["roles"].items()}),
        )


def tally_of(batch: Batch) -> Tally:
    dealt, won = Counter[str](), Counter[str]()
    for number, role in enumerate(batch.words.roles):
        has_role = batch.roles == number
        dealt[str(role)] = int(has_role.any(axis=1).sum())
        won[str(role)] = int((has_role & batch.won).any(axis=1).sum())
    endings = Counter(zip(batch.winner.tolist(), batch.reason.tolist(), strict=True))
    names = (*map(str, batch.words.sides), NOBODY)  # -1 is the last
    return Tally(
        games=len(batch.reason),
        moves=int(batch.length.sum(dtype="int64")),
        endings=Counter({(names[side], batch.words.reasons[why]): count for (side, why), count in endings.items()}),
        dealt=+dealt,
        won=+won,
    )
