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

PROTOCOL = 1  # raised when a program written for the old messages would misread the new ones


class Message(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="is", tag=True):
    """One line of the conversation. What the table itself speaks of (events, actions, a setup) is in it as encoded
    by `protocol.encoding`, so that an event that many hear is encoded once."""

    def __repr__(self) -> str:
        """A message may hold secrets, and must be safe to log."""
        return f"<{type(self).__name__}>"


# From the table to a player


class Welcome(Message):
    """The first line: which game, where you sit, what was agreed on, and what the seats are called."""

    protocol: int
    game: str
    seat: Seat
    setup: Annotated[Raw, Setup]
    names: tuple[str, ...]


class Heard(Message):
    """Something happened, and you may know. Your numbers go up by one; they tell nothing of what others heard."""

    number: int
    event: Annotated[Raw, Event]


class Asked(Message):
    """This is all you may do in a phase, and how long you may think. Answer with one Act or a Pass."""

    phase: int
    name: str
    milliseconds: int | None
    options: Annotated[Raw, tuple[Offer, ...]]


class Answered(Message):
    """Your act with this id is done and written down."""

    id: str


class Refused(Message, omit_defaults=True):
    """Your act with this id has changed nothing, and why (docs/errors.md). No id: the line could not be read."""

    id: str
    code: str
    message: str
    variant: str = ""  # of the sentence (refusal.* in the catalogues), and the values in it, for clients that say it
    values: dict[str, Any] = {}  # in another language


class Over(Message):
    """The last line: how the game ended."""

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
