"""The tables from which a client repeats a deal of Avalon, and chooses the variant of a role's text."""

from __future__ import annotations

from roundtable.games.avalon.setup import NAMED_ROLES, OPTIONAL_ROLES, default_roles
from roundtable.games.quests.roles import Role
from roundtable.games.quests.tables import SIDES_BY_COUNT


def tables() -> dict[str, object]:
    """Roles are in the order of the role list, which is the order of the cards before they are shuffled."""
    return {
        "order": list(Role),
        "optional": [role for role in Role if role in OPTIONAL_ROLES],
        "usual": {seats: [role for role in Role if role in default_roles(seats)] for seats in SIDES_BY_COUNT},
        "sides": SIDES_BY_COUNT,
        "named": NAMED_ROLES,
    }
