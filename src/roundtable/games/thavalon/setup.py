"""What a THavalon table chooses, and which roles can come up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from roundtable.core.setup import Casting, Notice
from roundtable.games.quests.roles import Role, Side
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.tables import SIDES_BY_COUNT, fails_needed

# T2: role -> the numbers of players at which it can come up
GOOD_POOL = {
    Role.MERLIN: range(5, 11),
    Role.PERCIVAL: range(5, 11),
    Role.TRISTAN: range(5, 11),
    Role.ISEULT: range(5, 11),
    Role.LANCELOT: range(5, 11),
    Role.NIMUE: range(5, 6),
    Role.ARTHUR: range(7, 11),
    Role.TITANIA: range(7, 11),
}
EVIL_POOL = {
    Role.MORDRED: range(5, 11),
    Role.MORGANA: range(5, 11),
    Role.MAELAGANT: range(5, 11),
    Role.AGRAVAINE: range(8, 11),
    Role.COLGREVANCE: range(10, 11),
}

FIRST_ROUND_PROPOSALS = 2  # T14
TWO_FAILS_FROM = 7  # T20
AGRAVAINE_FROM = 8  # T21


@dataclass(frozen=True, slots=True, kw_only=True)
class ThavalonSetup(QuestSetup):
    """THavalon's house rules. Without a clock, declaration windows end when every seat has said to continue (T21)."""

    game: ClassVar[str] = "thavalon"

    nine_evil: Literal[3, 4] = 3  # T1
    first_round: Literal["in_turn", "paired"] = "in_turn"  # T14
    no_target_call: bool = False  # T23
    declare_seconds: int = 20  # T21
    clock: bool = True  # T21

    @property
    def sides(self) -> tuple[int, int]:
        """How many are Good and how many Evil (T1)."""
        return (5, 4) if self.seats == 9 and self.nine_evil == 4 else SIDES_BY_COUNT[self.seats]

    @property
    def good_pool(self) -> tuple[Role, ...]:
        return tuple(role for role, counts in GOOD_POOL.items() if self.seats in counts)

    @property
    def evil_pool(self) -> tuple[Role, ...]:
        return tuple(role for role, counts in EVIL_POOL.items() if self.seats in counts)

    @property
    def later_proposals(self) -> int:
        """Proposals allowed in a round after the first (T14)."""
        return self.sides[1] + 1

    def fails_needed(self, quest: int) -> int:
        return fails_needed(self.seats, quest, TWO_FAILS_FROM)

    def proposals_allowed(self, quest: int) -> int:
        return FIRST_ROUND_PROPOSALS if quest == 1 else self.later_proposals

    def casting(self) -> tuple[Casting, ...]:
        pools = (self.good_pool, self.evil_pool)
        return tuple(Casting(side, seats, pool) for side, seats, pool in zip(Side, self.sides, pools, strict=True))

    def notices(self) -> list[Notice]:
        if self.seats in (6, 9):  # T5
            return [Notice("good_favoured", {"seats": self.seats})]
        return []
