"""Who gets which card in Avalon, and who sees whom."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.chance import Chance, pick, shuffled
from roundtable.core.seats import Seat, only
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Role, Sight, glimpses
from roundtable.games.quests.state import QuestDeal

# Who sees whom as what.
SIGHTS = (
    Sight(frozenset((Role.MERLIN,)), EVIL_ROLES - {Role.MORDRED}, "Evil"),  # A7, A8
    Sight(frozenset((Role.PERCIVAL,)), frozenset((Role.MERLIN, Role.MORGANA)), "Merlin or Morgana"),  # A9
    Sight(EVIL_ROLES - {Role.OBERON}, EVIL_ROLES - {Role.OBERON}, "Evil"),  # A6, A7
)


def deal_cards(setup: AvalonSetup, chance: Chance) -> QuestDeal:
    """A5: every seating of the cards and every first leader is equally likely."""
    roles = tuple(shuffled(chance, cards_of(setup)))
    leader = chance.below(setup.seats)
    return QuestDeal(roles, leader, draw_assassin(setup, roles, chance))


@lru_cache(maxsize=256)
def cards_of(setup: AvalonSetup) -> tuple[Role, ...]:
    return setup.all_roles


def can_have_dealt(setup: AvalonSetup, deal: QuestDeal) -> bool:
    """Whether these cards, this leader and this Assassin can come of the setup (A4, A5, A27)."""
    if sorted(deal.roles) != sorted(setup.all_roles) or deal.leader not in range(setup.seats):
        return False
    if not setup.merlin:
        return deal.assassin is None
    if setup.has_duty:
        able = EVIL_ROLES - {Role.OBERON}
        return deal.assassin in [seat for seat, role in enumerate(deal.roles) if role in able]
    return deal.assassin == deal.roles.index(Role.ASSASSIN)


def draw_assassin(setup: AvalonSetup, roles: tuple[Role, ...], chance: Chance) -> Seat | None:
    """A4: the Assassin is a card, or a duty that falls on any Evil player but Oberon."""
    if not setup.merlin:
        return None
    if setup.has_duty:
        return pick(chance, [seat for seat, role in enumerate(roles) if role in EVIL_ROLES - {Role.OBERON}])
    return roles.index(Role.ASSASSIN)


@lru_cache(maxsize=8192)
def hand_out(roles: tuple[Role, ...], assassin: Seat | None) -> tuple[RoleDealt, ...]:
    """What each seat is told, each alone."""
    return tuple(
        RoleDealt(
            audience=only(seat),
            seat=seat,
            role=role,
            sees=glimpses(SIGHTS, roles, seat),
            roles_in_game=(),
            notices=(),
            is_assassin=seat == assassin,
        )
        for seat, role in enumerate(roles)
    )
