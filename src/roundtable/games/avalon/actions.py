"""What Avalon's players ask for besides teams, votes and cards."""

from __future__ import annotations

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.values import value


@value
class UseExcalibur(Move):
    target: Seat


@value
class LeaveExcalibur(Move):
    """Decline to turn a card."""


@value
class ExamineLoyalty(Move):
    """The Lady of the Lake's question."""

    target: Seat


@value
class KeepLady(Move):
    """Ask nothing and keep the Lady until the next time, where the table plays so."""


@value
class ShootMerlin(Move):
    target: Seat


AVALON_ACTIONS: tuple[type[Move], ...] = (UseExcalibur, LeaveExcalibur, ExamineLoyalty, KeepLady, ShootMerlin)
