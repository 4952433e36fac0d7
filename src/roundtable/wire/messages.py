"""Every message between a table and a player's program. There are eight, and each has an example in docs/wire.md.

No message names its sender: whose words they are follows from where they arrive, so nobody can speak for another seat.
There are no fractions in any message, so that every language spells a message in the same bytes.
"""

from __future__ import annotations

from roundtable.table.actions import Action
from roundtable.table.events import Event, Outcome
from roundtable.table.seats import Seat
from roundtable.table.setup import Setup
from roundtable.table.values import Unremembered, Value, sealed, value
from roundtable.wire.offers import Offer

PROTOCOL = 1  # raised when a program written for the old messages would misread the new ones


@value
class Message(Value, metaclass=Unremembered):
    """One line of the conversation."""


# From the table to a player


@value
class Welcome(Message):
    """The first line: which game, where you sit, what was agreed on, and what the seats are called."""

    protocol: int
    game: str
    seat: Seat
    setup: Setup
    names: tuple[str, ...]


@value
class Heard(Message):
    """Something happened, and you may know. Your numbers go up by one; they tell nothing of what others heard."""

    number: int
    event: Event = sealed()


@value
class Asked(Message):
    """A phase began: this is all you may do in it, and how long you may think. Answer with one Act or a Pass."""

    phase: int
    name: str
    milliseconds: int
    options: tuple[Offer, ...] = sealed()


@value
class Answered(Message):
    """Your act with this id is done and written down."""

    id: str


@value
class Refused(Message):
    """Your act with this id has changed nothing, and why (docs/errors.md). No id: the line could not be read."""

    id: str
    code: str
    message: str = sealed()


@value
class Over(Message):
    """The last line: how the game ended."""

    outcome: Outcome


# From a player to the table


@value
class Act(Message):
    """Do this: a move that was offered, or a line of talk. `id` is your own name for it, and never used twice."""

    id: str
    action: Action = sealed()


@value
class Pass(Message):
    """Nothing (more) from you in this phase."""

    phase: int


TO_PLAYER: tuple[type[Message], ...] = (Welcome, Heard, Asked, Answered, Refused, Over)
TO_TABLE: tuple[type[Message], ...] = (Act, Pass)
