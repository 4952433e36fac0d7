"""What a THavalon table chooses, and which roles can come up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from roundtable.core.errors import Problem, problem
from roundtable.core.setup import Casting, Notice, added
from roundtable.games.quests.roles import CARDS_BY_ROLE, Card, Role, Side
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.tables import REJECTIONS, SIDES_BY_COUNT, fails_needed

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

POOL_ROLES = (*GOOD_POOL, *EVIL_POOL)
LOVERS = frozenset((Role.TRISTAN, Role.ISEULT))
TARGETS = LOVERS | {Role.MERLIN, Role.NIMUE}  # T23

FIRST_ROUND_PROPOSALS = 2  # T14
TWO_FAILS_FROM = 7  # T20
IMBALANCED = (6, 9)  # T5

# T26: which roles each option changes when it is off, and the variant of their text
VARIANTS = {
    "no_reverse": (Role.LANCELOT, Role.MAELAGANT),
    "no_declaration": (Role.ARTHUR, Role.AGRAVAINE),
    "no_target": (Role.TRISTAN, Role.ISEULT, Role.NIMUE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThavalonSetup(QuestSetup):
    """THavalon's house rules. Without a clock, declaration windows end when every seat has said to continue (T21)."""

    game: ClassVar[str] = "thavalon"
    members: ClassVar[Mapping[str, tuple[str, ...]]] = {"pool": POOL_ROLES}

    nine_evil: Literal[3, 4] = 3  # T1
    pool: frozenset[Role] | None = added(None)  # T26; None takes the pools of T2
    proposals: Literal["limited", "five_rejections"] = added("limited")  # T14, T15; T26
    first_round: Literal["in_turn", "paired"] = "in_turn"  # T14
    reversal: bool = added(True)  # T17; T26
    declarations: bool = added(True)  # T16, T21; T26
    targets: Literal["all", "merlin"] = added("all")  # T23; T26
    no_target_call: bool = False  # T23
    declare_seconds: int = 20  # T21
    clock: bool = True  # T21

    # The deal

    @property
    def sides(self) -> tuple[int, int]:
        """How many are Good and how many Evil (T1)."""
        return (5, 4) if self.seats == 9 and self.nine_evil == 4 else SIDES_BY_COUNT[self.seats]

    @property
    def good_pool(self) -> tuple[Role, ...]:
        return self._drawn_from(GOOD_POOL)

    @property
    def evil_pool(self) -> tuple[Role, ...]:
        return self._drawn_from(EVIL_POOL)

    def _drawn_from(self, side: Mapping[Role, range]) -> tuple[Role, ...]:
        """The roles of a side that can come up: those of the count (T2), or those that the table chose (T26)."""
        if self.pool is None:
            return tuple(role for role, counts in side.items() if self.seats in counts)
        return tuple(role for role in side if role in self.pool)

    def casting(self) -> tuple[Casting, ...]:
        pools = (self.good_pool, self.evil_pool)
        return tuple(Casting(side, seats, pool) for side, seats, pool in zip(Side, self.sides, pools, strict=True))

    # What can happen

    @property
    def has_vote_track(self) -> bool:
        """Whether every proposal is voted on, and the fifth rejection wins for Evil (T26, A14 to A16)."""
        return self.proposals == "five_rejections"

    @property
    def later_proposals(self) -> int:
        """Proposals allowed in a round after the first (T14)."""
        return self.proposals_allowed(2)

    def proposals_allowed(self, quest: int) -> int:
        if self.has_vote_track:
            return REJECTIONS
        return FIRST_ROUND_PROPOSALS if quest == 1 else self.sides[1] + 1

    def fails_needed(self, quest: int) -> int:
        return fails_needed(self.seats, quest, TWO_FAILS_FROM)

    def cards_of(self, role: Role) -> tuple[Card, ...]:
        """T17; without Reverse cards, those of A17 (T26)."""
        return tuple(card for card in CARDS_BY_ROLE[role] if self.reversal or card is not Card.REVERSE)

    @property
    def has_arthur(self) -> bool:
        """Whether a player could declare as Arthur (T16)."""
        return self.declarations and Role.ARTHUR in self.good_pool

    @property
    def has_agravaine(self) -> bool:
        """Whether a player could declare as Agravaine, so that windows open (T21)."""
        return self.declarations and Role.AGRAVAINE in self.evil_pool

    @property
    def target_roles(self) -> frozenset[Role]:
        """Whom the Assassin can win by: with `merlin`, Merlin alone (T23, A22)."""
        return TARGETS if self.targets == "all" else frozenset((Role.MERLIN,))

    @property
    def calls_lovers(self) -> bool:
        return self.targets == "all"

    @property
    def calls_nimue(self) -> bool:
        """T24: wherever the table could hold her."""
        return self.targets == "all" and Role.NIMUE in self.good_pool

    def role_variant(self, role: str) -> str:
        is_off = {
            "no_reverse": not self.reversal,
            "no_declaration": not self.declarations,
            "no_target": self.targets == "merlin",
        }
        return next((variant for variant, roles in VARIANTS.items() if is_off[variant] and role in roles), "")

    # What is wrong with it

    def problems(self) -> list[Problem]:
        found = QuestSetup.problems(self)
        if self.proposals == "five_rejections" and self.first_round == "paired":
            found.append(problem("setup/paired"))
        return found + self._pool_problems()

    def _pool_problems(self) -> list[Problem]:
        """T26: what keeps a pool from being drawn from, or the Assassin from ever being right."""
        if not isinstance(self.pool, frozenset):
            return []
        strange = sorted(str(role) for role in self.pool if role not in POOL_ROLES)
        found = [problem("setup/role", role=role, roles=list(POOL_ROLES)) for role in strange]
        if len(LOVERS & self.pool) == 1:
            found.append(problem("setup/pool", "lovers"))
        if not self.target_roles & self.pool:
            found.append(problem("setup/pool", "merlin" if self.targets == "merlin" else "targets"))
        return found + ([] if self.seat_problems() else self._small_sides())

    def _small_sides(self) -> list[Problem]:
        return [
            problem("setup/pool", side=side, count=len(pool), places=places, seats=self.seats)
            for side, places, pool in self.casting()
            if len(pool) < places
        ]

    def notices(self) -> list[Notice]:
        """T5: with four Evil players of nine the reason for the warning is gone."""
        if self.seats in IMBALANCED and self.sides == SIDES_BY_COUNT[self.seats]:
            return [Notice("good_favoured", {"seats": self.seats})]
        return []
