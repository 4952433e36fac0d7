"""What the people of Saviom ask for, by day and by night."""

from __future__ import annotations

from typing import ClassVar

from roundtable.core.actions import Move
from roundtable.core.seats import Seat
from roundtable.core.values import sealed, value


@value
class Accuse(Move):
    """A public vote, by day, to bring a player to trial (S6)."""

    target: Seat


@value
class WithdrawAccusation(Move):
    pass


@value
class Judge(Move):
    """Save the accused, or eliminate them (S7)."""

    eliminate: bool = sealed()


@value
class LockIn(Move):
    """Hold to one's vote or choice; with `early_end` the phase ends when everyone has (S5, S11)."""


@value
class Hunt(Move):
    """A Wolf's vote, by night (S8)."""

    target: Seat = sealed()


@value
class Protect(Move):
    target: Seat = sealed()


@value
class Inspect(Move):
    target: Seat = sealed()


@value
class Suspect(Move):
    """What everyone else taps at night: recorded, private and without effect (S11)."""

    target: Seat = sealed()


@value
class Surrender(Move):
    """Leave the game (S12)."""

    gives_up: ClassVar[bool] = True


SAVIOM_ACTIONS: tuple[type[Move], ...] = (
    Accuse,
    WithdrawAccusation,
    Judge,
    LockIn,
    Hunt,
    Protect,
    Inspect,
    Suspect,
    Surrender,
)
