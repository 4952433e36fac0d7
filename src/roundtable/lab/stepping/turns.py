"""Whose turn it is in a phase: one seat after the other, in seat order."""

from __future__ import annotations

from typing import Any

from roundtable.lab.kernels.compiling import compiled
from roundtable.table import seats as seats_of_tables

Now = Any  # a row of a game's state

left_of = compiled(seats_of_tables.left_of)


@compiled
def ask_all(now: Now, stage: int, seats: int) -> None:
    """A new phase, in which these seats are asked."""
    now.stage = stage
    now.asked = seats
    ask_next(now)


@compiled
def ask_next(now: Now) -> None:
    """The lowest seat that is still to be asked."""
    now.turn = ((now.asked & -now.asked) - 1).bit_count()
