"""Belief in THavalon: which roles come together, and what declarations prove."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.games.quests.belief import QuestBelief, Rules, Told
from roundtable.games.quests.roles import Role, Side, Sight, seats_on
from roundtable.games.thavalon.deal import SIGHTS, notices_to, roles_known_to
from roundtable.games.thavalon.events import AgravaineDeclared, ArthurDeclared
from roundtable.games.thavalon.setup import LOVERS, ThavalonSetup

Chances = dict[frozenset[Role], Fraction]


class ThavalonBelief(QuestBelief):
    sights: ClassVar[tuple[Sight, ...]] = SIGHTS

    def rules(self) -> Rules:
        assert isinstance(self.setup, ThavalonSetup)
        good, evil = self.setup.sides
        draws = (good_chances(self.setup.good_pool, good), even_chances(self.setup.evil_pool, evil))
        return Rules(*(tuple((in_order(roles), float(chance)) for roles, chance in draw.items()) for draw in draws))

    def told(self, role: Role, roles: tuple[Role, ...]) -> Told:
        return roles_known_to(role, roles), notices_to(role, roles)

    def able_assassins(self, roles: Sequence[Role]) -> list[Seat]:
        """T4."""
        return list(seats_on(Side.EVIL, roles))

    def notice(self, event: Event) -> None:
        match event:
            case ArthurDeclared(seat=seat):
                self.learn_role(seat, (Role.ARTHUR,))  # T16
            case AgravaineDeclared(seat=seat):
                self.learn_role(seat, (Role.AGRAVAINE,))  # T21
            case _:
                super().notice(event)


def in_order(roles: frozenset[Role]) -> tuple[Role, ...]:
    return tuple(role for role in Role if role in roles)


@lru_cache(maxsize=64)
def even_chances(pool: tuple[Role, ...], places: int) -> Chances:
    """Each selection alike."""
    every = [frozenset(picked) for picked in combinations(pool, places)]
    return {picked: Fraction(1, len(every)) for picked in every}


@lru_cache(maxsize=64)
def good_chances(pool: tuple[Role, ...], places: int) -> Chances:
    """T3, as `draw_good` draws: how likely each set of Good roles is."""
    found: Chances = {}
    for drawn, chance in even_chances(pool, places).items():
        for roles, share in after_lone_lover(pool, drawn).items():
            found[roles] = found.get(roles, Fraction(0)) + chance * share
    return found


def after_lone_lover(pool: tuple[Role, ...], drawn: frozenset[Role]) -> Chances:
    """What becomes of a draw: a lone lover is replaced, or the other one comes too."""
    if len(drawn & LOVERS) != 1:
        return {drawn: Fraction(1)}
    rest = drawn - LOVERS
    replacements = [role for role in pool if role not in drawn and role not in LOVERS]
    paired = Fraction(1, 2) if replacements else Fraction(1)
    found = {rest | {role}: (1 - paired) / len(replacements) for role in replacements}
    return found | {(rest - {role}) | LOVERS: paired / len(rest) for role in rest}
