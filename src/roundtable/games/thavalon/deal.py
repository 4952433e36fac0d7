"""Who is who in THavalon: the draw, the lovers, the Assassin, and who sees whom."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.chance import Chance, draw, pick, shuffled
from roundtable.core.seats import Seat, only
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, SIDE_OF, Role, Side, Sight, glimpses, seats_on
from roundtable.games.quests.state import QuestDeal
from roundtable.games.thavalon.setup import LOVERS, ThavalonSetup

SEEN_BY_EVIL = EVIL_ROLES - {Role.COLGREVANCE}

# Who sees whom as what.
SIGHTS = (
    Sight(frozenset((Role.MERLIN,)), EVIL_ROLES - {Role.MORDRED} | {Role.LANCELOT}, "Evil"),  # T6
    Sight(frozenset((Role.PERCIVAL,)), frozenset((Role.MERLIN, Role.MORGANA)), "Merlin or Morgana"),  # T7
    Sight(frozenset((Role.TRISTAN,)), frozenset((Role.ISEULT,)), Role.ISEULT),  # T8
    Sight(frozenset((Role.ISEULT,)), frozenset((Role.TRISTAN,)), Role.TRISTAN),  # T8
    Sight(SEEN_BY_EVIL, SEEN_BY_EVIL | {Role.TITANIA}, "Evil"),  # T11
    *(  # T12
        Sight(frozenset((Role.COLGREVANCE,)), frozenset((role,)), role, told_when_empty=False)
        for role in Role
        if role in SEEN_BY_EVIL
    ),
)

# What Evil is told besides, when the role is in the game (T11).
COLGREVANCE_IS_HIDDEN = "colgrevance_is_hidden"
TITANIA_IS_AMONG_THEM = "titania_is_among_them"


def deal_roles(setup: ThavalonSetup, chance: Chance) -> QuestDeal:
    """T2 to T4, and of A5 the uniform seating and first leader."""
    good, evil = setup.sides
    drawn = draw_good(setup.good_pool, good, chance) + draw(chance, setup.evil_pool, evil)
    roles = tuple(shuffled(chance, drawn))
    leader = chance.below(setup.seats)
    return QuestDeal(roles, leader, pick(chance, seats_on(Side.EVIL, roles)))


def can_have_dealt(setup: ThavalonSetup, deal: QuestDeal) -> bool:
    """Whether these roles, this leader and this Assassin can come of the setup (T1 to T4)."""
    drawn = set(deal.roles)
    good, evil = drawn & set(setup.good_pool), drawn & set(setup.evil_pool)
    return (
        len(deal.roles) == len(drawn) == setup.seats
        and (len(good), len(evil)) == setup.sides
        and len(drawn & LOVERS) != 1
        and deal.leader in range(setup.seats)
        and deal.assassin in seats_on(Side.EVIL, deal.roles)
    )


def draw_good(pool: tuple[Role, ...], places: int, chance: Chance) -> list[Role]:
    """T3: the lovers come together or not at all."""
    drawn = draw(chance, pool, places)
    lone = [role for role in drawn if role in LOVERS]
    if len(lone) != 1:
        return drawn
    rest = [role for role in drawn if role not in LOVERS]
    replacements = [role for role in pool if role not in drawn and role not in LOVERS]
    if replacements and chance.below(2) == 0:
        return [*rest, pick(chance, replacements)]
    rest.remove(pick(chance, rest))
    return [*rest, Role.TRISTAN, Role.ISEULT]


@lru_cache(maxsize=8192)
def hand_out(roles: tuple[Role, ...], assassin: Seat) -> tuple[RoleDealt, ...]:
    """What each seat is told, each alone (T6 to T13)."""
    return tuple(
        RoleDealt(
            audience=only(seat),
            seat=seat,
            role=role,
            sees=glimpses(SIGHTS, roles, seat),
            roles_in_game=roles_known_to(role, roles),
            notices=notices_to(role, roles),
            is_assassin=seat == assassin,
        )
        for seat, role in enumerate(roles)
    )


def roles_known_to(role: Role, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """T9, T10: which other roles are in the game, in the order of the role list, so that order tells nothing."""
    if role is Role.NIMUE:
        return tuple(other for other in Role if other in roles and other is not role)
    if role is Role.ARTHUR:
        return tuple(other for other in Role if other in roles and other is not role and SIDE_OF[other] is Side.GOOD)
    return ()


def notices_to(role: Role, roles: tuple[Role, ...]) -> tuple[str, ...]:
    """T11: Colgrevance is unseen but known to exist; Titania is among those seen."""
    if role not in SEEN_BY_EVIL:
        return ()
    told = ((Role.COLGREVANCE, COLGREVANCE_IS_HIDDEN), (Role.TITANIA, TITANIA_IS_AMONG_THEM))
    return tuple(notice for hidden, notice in told if hidden in roles)
