"""What `reset(options=…)` may ask for, and deals in which some seats have chosen roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roundtable.core.chance import Chance
from roundtable.core.game import Game
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup

ENOUGH_TO_SEE_EVERY_ROLE = 1_000  # deals; the rarest role is in one of five
MOST_DEALS = 20_000  # a fraction of a second
PLACEHOLDER = "options"  # PettingZoo's API test sends {"options": 1}

Roles = Mapping[Seat, str]


def require_known(options: Mapping[str, Any] | None, known: tuple[str, ...]) -> Mapping[str, Any]:
    """The options of a reset; `ValueError` for what is none, and for one that would change nothing."""
    options = {} if options is None else options
    if not isinstance(options, Mapping):
        raise ValueError(f"reset(options=…) takes a dictionary, not {options!r}.")
    if strange := sorted(str(name) for name in options if name not in (*known, PLACEHOLDER)):
        raise ValueError(
            f"reset(options=…) takes {' and '.join(known)}, not {', '.join(strange)}. The rules of a table are chosen "
            "when the environment is made, since actions and observations follow from them."
        )
    return options


def deal_with(game: Game[Any, Any], setup: Setup, roles: Roles, chance: Chance) -> Any:
    """A deal in which these seats have these roles, drawn as the game draws it: others are drawn and put aside."""
    seen: set[str] = set()
    for tried in range(MOST_DEALS):
        deal = game.deal(setup, chance)
        dealt = roles_in(deal)
        if all(dealt[seat] == role for seat, role in roles.items()):
            return deal
        if tried < ENOUGH_TO_SEE_EVERY_ROLE:
            seen.update(dealt)
        elif strange := sorted(set(roles.values()) - seen):
            raise ValueError(f"{strange[0]!r} is no role of this table; there are {', '.join(sorted(seen))}.")
    wanted = ", ".join(f"{role} in seat {seat}" for seat, role in sorted(roles.items()))
    raise ValueError(f"None of {MOST_DEALS:,} deals had {wanted}; choose fewer roles.")


def roles_in(deal: Any) -> tuple[str, ...]:
    """The role of each seat. The deal of a game without a leader or an Assassin is nothing but roles."""
    return tuple(map(str, getattr(deal, "roles", deal)))
