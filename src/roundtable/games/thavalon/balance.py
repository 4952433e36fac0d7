"""Which tables of THavalon a balance study compares."""

from __future__ import annotations

from roundtable.core.balance import Balance, Options


def usual(seats: int) -> list[tuple[str, Options]]:
    return [("usual rules", {})]


BALANCE = Balance(
    usual=usual,
    variants=({"nine_evil": "4"}, {"first_round": "paired"}, {"no_target_call": "yes"}),
    only_at={"nine_evil": (9,)},
    called_unfair=(6, 9),  # T5: "heavily imbalanced in favour of Good"
)
