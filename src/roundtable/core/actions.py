"""What can be asked for at any table, whatever is played there."""

from __future__ import annotations

from typing import ClassVar

from roundtable.core.values import Uncached, Value, sealed, value


@value
class Action(Value):
    """Something a seat, the host, the clock or the table itself asks for."""


@value
class Move(Action):
    """A player's action in the game. It names the phase it answers, so a late vote never answers the next question."""

    gives_up: ClassVar[bool] = False
    """Whether the move gives the game up; bots and learners leave such moves out."""

    phase: int


@value
class OpenTable(Action):
    pass


@value
class Contribute(Action, metaclass=Uncached):
    """Stir the deal with 16 to 64 bytes of one's own, as hex digits (C1)."""

    entropy: str


@value
class DealRoles(Action):
    """Deal. `chosen` says that the deal was given to the table and not drawn from its seed."""

    chosen: bool = False


@value
class Expire(Action):
    """Time is up for a phase."""

    phase: int


@value
class Say(Action, metaclass=Uncached):
    channel: str
    text: str = sealed()


@value
class Remark(Action):
    """A claim or a short remark out of the phrase book, with the seat and the word that belong to it."""

    channel: str
    phrase: str
    about: int | None
    word: str | None


@value
class AskCountdown(Action):
    """A seat's wish to put a countdown on the current phase (C6)."""

    phase: int


@value
class StartCountdown(Action):
    """The host's countdown on the current phase (C6)."""

    phase: int
    seconds: int


@value
class Pause(Action):
    pass


@value
class Resume(Action):
    pass


@value
class Extend(Action):
    """The host gives the current phase more time."""

    phase: int
    seconds: int


@value
class AskCallOff(Action):
    """A seat's wish to end the game without a winner (C7)."""


@value
class CallOff(Action):
    """The host ends the game without a winner (C7)."""


@value
class AnnounceOutcome(Action):
    """The host says how a game ended that was dealt here and played elsewhere: the winner and the reason (C7)."""

    winner: str | None
    reason: str


COMMON_ACTIONS: tuple[type[Action], ...] = (
    OpenTable,
    Contribute,
    DealRoles,
    Expire,
    Say,
    Remark,
    AskCountdown,
    StartCountdown,
    Pause,
    Resume,
    Extend,
    AskCallOff,
    CallOff,
    AnnounceOutcome,
)
