"""What happens in Saviom, by day and by night."""

from __future__ import annotations

from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.core.values import sealed, value
from roundtable.games.saviom.setup import Role


@value
class RoleDealt(Event):
    """A seat's role; heard by that seat alone."""

    seat: Seat
    role: Role = sealed()


@value
class PackMet(Event):
    """The Wolves know one another; heard by them alone (S4)."""

    wolves: tuple[Seat, ...] = sealed()


@value
class AccusationMade(Event):
    seat: Seat
    target: Seat


@value
class AccusationWithdrawn(Event):
    seat: Seat


@value
class LockedIn(Event):
    """A seat holds to its vote, or at night to its choice; a night's is heard by that seat alone (S11)."""

    seat: Seat


@value
class PutOnTrial(Event):
    seat: Seat


@value
class VerdictMarked(Event):
    """How a seat judges as things stand; heard by that seat alone (S7)."""

    seat: Seat
    eliminate: bool = sealed()


@value
class VerdictsCounted(Event):
    """Who wanted the accused gone and who wanted them saved."""

    accused: Seat
    eliminate: tuple[Seat, ...]
    save: tuple[Seat, ...]
    eliminated: bool


@value
class DayEnded(Event):
    """Night falls. `quiet` counts the days and nights in a row without a death (S15)."""

    quiet: int


@value
class HuntMarked(Event):
    """A Wolf's vote as it stands; heard by the living Wolves (S8)."""

    seat: Seat
    target: Seat = sealed()


@value
class HuntWithdrawn(Event):
    """A Wolf who leaves at dawn hunts no more; heard by the living Wolves (S12)."""

    seat: Seat


@value
class ProtectionChosen(Event):
    """Heard by the Protector alone."""

    seat: Seat
    target: Seat = sealed()


@value
class InspectionChosen(Event):
    """Heard by the Seer alone."""

    seat: Seat
    target: Seat = sealed()


@value
class SuspectNamed(Event):
    """Heard by the seat that named them alone."""

    seat: Seat
    target: Seat = sealed()


@value
class InspectionShown(Event):
    """Whether the player inspected is a Wolf; heard by the Seer alone (S10)."""

    seat: Seat
    target: Seat = sealed()
    is_wolf: bool = sealed()


@value
class NightEnded(Event):
    """Dawn: whom the night took, if anyone. A rescue and a night without agreement read the same (S11)."""

    killed: Seat | None
    quiet: int


@value
class PlayerDied(Event):
    """`cause` is verdict, night or surrender."""

    seat: Seat
    cause: str


@value
class FateRevealed(Event):
    """The side or the role of the dead, where the table plays so (S11)."""

    seat: Seat
    revealed: str


@value
class SurrenderPledged(Event):
    """A surrender by night, which takes effect at dawn; heard by that seat alone (S12)."""

    seat: Seat


SAVIOM_EVENTS: tuple[type[Event], ...] = (
    RoleDealt,
    PackMet,
    AccusationMade,
    AccusationWithdrawn,
    LockedIn,
    PutOnTrial,
    VerdictMarked,
    VerdictsCounted,
    DayEnded,
    HuntMarked,
    HuntWithdrawn,
    ProtectionChosen,
    InspectionChosen,
    SuspectNamed,
    InspectionShown,
    NightEnded,
    PlayerDied,
    FateRevealed,
    SurrenderPledged,
)
