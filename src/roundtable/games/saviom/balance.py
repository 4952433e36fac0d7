"""Which tables of Saviom a balance study compares."""

from __future__ import annotations

from roundtable.core.balance import Balance, Options


def usual(seats: int) -> list[tuple[str, Options]]:
    """Both modes are usual."""
    return [(mode, {"mode": mode}) for mode in ("classic", "advanced")]


BALANCE = Balance(
    usual=usual,
    variants=({"begins_with": "night"}, {"trial_by": "cast"}, {"reveal_on_death": "side"}, {"quiet_limit": "20"}),
)
