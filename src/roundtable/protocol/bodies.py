"""What the HTTP API takes and answers (docs/protocol.md), but for a room, which is told as everywhere else."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Raw, field

from roundtable.core.events import Event
from roundtable.core.state import TableState
from roundtable.games import DEFAULT_GAME
from roundtable.protocol.rooms import Part, QuestShown, SeatNumber, Settings

Token = Annotated[str, Meta(pattern="^[0-9a-f]{32,64}$")]


class OpenRoom(Part):
    """Open a room and become its host. Said again with the same token, it opens no other."""

    name: str
    game: str = DEFAULT_GAME
    seats: SeatNumber = 5
    options: dict[str, Any] = field(default_factory=dict)
    settings: Settings = Settings()
    token: Token | None = None  # one's own, at least 128 random bits; else the server draws one


class Join(Part):
    """Join a room under a name; `watch` takes no seat. Repeated with the same token, it adds no other member."""

    name: str
    watch: bool = False
    token: Token | None = None  # as in OpenRoom


class Membership(Part):
    """Who you are now. Keep the token: it is the only proof, and the server keeps nothing to show it by again."""

    room: str
    member: int
    token: str


class Step(Part):
    """One step of a game that is told again: what was heard, and which parts of the view are different after it."""

    events: Annotated[Raw, tuple[Event, ...]]
    changes: Annotated[Raw, TableState]


class Replay(Part):
    """A finished game as one listener followed it. The changes of the first step are a whole view."""

    game: str
    names: tuple[str, ...]
    quests: tuple[QuestShown, ...]
    steps: tuple[Step, ...]


class RoomListed(Part):
    """A public room in the list."""

    code: str
    game: str
    stage: str
    seats: int
    free: int
    host: str


class Fault(Part, omit_defaults=True):
    """Why a request was refused (docs/errors.md)."""

    code: str
    message: str
    variant: str = ""  # as in Refused
    values: dict[str, Any] = field(default_factory=dict)
