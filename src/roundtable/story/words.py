"""Names round the table, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable


class Names(tuple[str, ...]):
    """What the seats are called."""

    def list(self, seats: Iterable[int], nobody: str = "nobody") -> str:
        """`Alice, Bob and Eve`."""
        called = [self[seat] for seat in sorted(seats)]
        if len(called) < 2:
            return called[0] if called else nobody
        return f"{', '.join(called[:-1])} and {called[-1]}"
