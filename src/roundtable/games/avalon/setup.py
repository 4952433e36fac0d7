"""What an Avalon table chooses: the special roles and the variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from roundtable.core.errors import Problem, problem
from roundtable.core.phrases import IDENTITY_CLAIMS
from roundtable.core.setup import Casting, Notice, added
from roundtable.games.quests.roles import SIDE_OF, Role, Side
from roundtable.games.quests.setup import QuestSetup
from roundtable.games.quests.tables import REJECTIONS, SIDES_BY_COUNT, fails_needed

LAST_ATTEMPT = REJECTIONS  # A15
OPTIONAL_ROLES = frozenset((Role.PERCIVAL, Role.MORGANA, Role.MORDRED, Role.OBERON))

# The roles that the text of a role names, in groups. Where one of a group is not dealt, the text has a variant, named
# after the first of the group.
NAMED_ROLES: Mapping[Role, tuple[tuple[Role, ...], ...]] = {
    Role.MERLIN: ((Role.MORDRED,),),
    Role.PERCIVAL: ((Role.MERLIN,), (Role.MORGANA,)),
    Role.ASSASSIN: ((Role.OBERON,),),
    Role.MORGANA: ((Role.PERCIVAL, Role.MERLIN), (Role.OBERON,)),
    Role.MORDRED: ((Role.MERLIN,), (Role.OBERON,)),
    Role.OBERON: ((Role.MERLIN,),),
    Role.MINION: ((Role.OBERON,),),
}


def default_roles(seats: int) -> frozenset[Role]:
    """A4: Percival and Morgana, with Oberon from 7 on; docs/balance.md says why."""
    few = frozenset((Role.PERCIVAL, Role.MORGANA))
    return few | {Role.OBERON} if seats >= 7 else few


@dataclass(frozen=True, slots=True, kw_only=True)
class AvalonSetup(QuestSetup):
    """Avalon's house rules. `roles` are the optional ones; None takes the usual set for the number of seats."""

    game: ClassVar[str] = "avalon"
    members: ClassVar[Mapping[str, tuple[str, ...]]] = {"roles": tuple(sorted(OPTIONAL_ROLES))}

    roles: frozenset[Role] | None = None  # A4
    merlin: bool = True  # A27
    assassin: Literal["role", "duty"] = "role"  # A4
    hammer: Literal["vote", "auto"] = "vote"  # A15
    two_fails_from: int = 7  # A19
    lady: bool = False  # A23
    choose_quests: bool = False  # A24
    excalibur: Literal["off", "both", "fail_only"] = "off"  # A25
    lady_seconds: int | None = None
    excalibur_seconds: int | None = None
    lady_may_pass: bool = added(False)  # A23
    identity_claims: Literal["free", "forbidden"] = added("free")  # A10

    @property
    def special_roles(self) -> tuple[Role, ...]:
        """Merlin, the Assassin and the chosen ones, in the order of the role list."""
        chosen = default_roles(self.seats) if self.roles is None else self.roles & OPTIONAL_ROLES
        if self.merlin:
            chosen = chosen | {Role.MERLIN}
            if self.assassin == "role":
                chosen = chosen | {Role.ASSASSIN}
        return tuple(role for role in Role if role in chosen)

    @property
    def has_duty(self) -> bool:
        """Whether the Assassin's duty goes to an Evil player of whatever role (A4)."""
        return self.merlin and self.assassin == "duty"

    @property
    def all_roles(self) -> tuple[Role, ...]:
        """Every card of the deal; everyone knows them (A10)."""
        good, evil = SIDES_BY_COUNT[self.seats]
        special = self.special_roles
        count = Counter(SIDE_OF[role] for role in special)
        servants = (Role.SERVANT,) * (good - count[Side.GOOD])
        minions = (Role.MINION,) * (evil - count[Side.EVIL])
        return special + servants + minions

    def fails_needed(self, quest: int) -> int:
        return fails_needed(self.seats, quest, self.two_fails_from)

    def proposals_allowed(self, quest: int) -> int:
        return LAST_ATTEMPT

    def problems(self) -> list[Problem]:
        found = QuestSetup.problems(self)
        if self.roles is not None and not isinstance(self.roles, frozenset):
            return found
        strange = [] if self.roles is None else sorted(str(role) for role in self.roles if role not in OPTIONAL_ROLES)
        found += [problem("setup/role", role=role, roles=sorted(OPTIONAL_ROLES)) for role in strange]
        if not self.seat_problems():
            found += self._crowded_sides()
        return found

    def _crowded_sides(self) -> list[Problem]:
        places = dict(zip(Side, SIDES_BY_COUNT[self.seats], strict=True))
        crowded = []
        for side in Side:
            special = [role for role in self.special_roles if SIDE_OF[role] is side]
            if len(special) > places[side]:
                crowded.append(
                    problem(
                        "setup/too_many_roles",
                        side=side,
                        count=len(special),
                        roles=special,
                        places=places[side],
                        seats=self.seats,
                    )
                )
        return crowded

    def casting(self) -> tuple[Casting, ...]:
        places = zip(Side, SIDES_BY_COUNT[self.seats], strict=True)
        cards = self.all_roles
        return tuple(
            Casting(side, seats, tuple(card for card in cards if SIDE_OF[card] is side)) for side, seats in places
        )

    def role_variant(self, role: str) -> str:
        """`no_merlin_no_oberon`: a card names no role that everyone knows to be missing (A10)."""
        dealt, groups = self.special_roles, NAMED_ROLES.get(Role(role), ())
        missing = [group[0] for group in groups if not set(group) <= set(dealt)]
        return "_".join(f"no_{named.lower()}" for named in missing)

    def unsaid_phrases(self) -> frozenset[str]:
        """A10."""
        return IDENTITY_CLAIMS if self.identity_claims == "forbidden" else frozenset()

    def notices(self) -> list[Notice]:
        early = [Notice("lady_early")] if self.lady and self.seats < 7 else []
        silent = [Notice("no_claims")] if self.identity_claims == "forbidden" else []
        return early + silent
