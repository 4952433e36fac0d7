"""The messages between a table and a player during a game. Each has an example in docs/bot-programs.md.

No message names its sender. The connection it arrives on determines the seat, so no client can speak for another.
There are no fractions in any message, so that every language encodes a message in the same bytes.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Raw, Struct

from roundtable.core.actions import Action
from roundtable.core.events import Event, Outcome
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.protocol.offers import Offer

NO_SETUP = NO_OFFERS = Raw()
PROTOCOL = 1  # raised when a program written for the old messages would misread the new ones


class Message(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="is", tag=True):
    """A message. Values of the game in it (events, actions, a setup) are encoded beforehand by `protocol.encoding`, so
    that an event for many listeners is encoded once."""

    def __repr__(self) -> str:
        """A message may hold secrets, and must be safe to log."""
        return f"<{type(self).__name__}>"


# From the table to a player


class Welcome(Message, omit_defaults=True):
    """The first message of a game: which game, your seat, the setup, and the names of the seats."""

    protocol: int
    game: str
    seat: Seat
    names: tuple[str, ...]
    setup: Annotated[Raw, Setup] = NO_SETUP  # left out by a server: the first event has it
    heard: int = 0  # how many events of this game you have already; the next one has the number after it


class Heard(Message):
    """An event that you may know. Your numbers go up by one, and reveal nothing of what others heard."""

    number: int
    event: Annotated[Raw, Event]


class Asked(Message, omit_defaults=True):
    """All that you may do in this phase, and for how long. Answer with one Act or a Pass."""

    phase: int = 0  # number and name are left out by a server where the client has heard which phase it is
    name: str = ""
    options: Annotated[Raw, tuple[Offer, ...]] = NO_OFFERS  # left out by a server that has offered the same before
    milliseconds: int | None = None  # left; none where no clock runs


class Answered(Message):
    """Your act with this id was done and recorded."""

    id: str


class Refused(Message, omit_defaults=True):
    """Your act with this id was refused and changed nothing (docs/errors.md). No id: the line could not be read."""

    id: str
    code: str
    message: str
    variant: str = ""  # of the sentence (refusal.* in the catalogues), for clients that translate it
    values: dict[str, Any] = {}  # in the sentence


class Over(Message):
    """The last message of a game: how it ended."""

    outcome: Annotated[Raw, Outcome]


# From a player to the table


class Act(Message):
    """Do this: a move that was offered, or a line of talk. `id` is your own name for it, and never used twice."""

    id: str
    action: Annotated[Raw, Action]


class Pass(Message):
    """Nothing (more) from you in this phase."""

    phase: int


TO_PLAYER: tuple[type[Message], ...] = (Welcome, Heard, Asked, Answered, Refused, Over)
TO_TABLE: tuple[type[Message], ...] = (Act, Pass)
