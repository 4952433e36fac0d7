"""Bodies of the HTTP API (docs/protocol.md), except a room's, which is the message `Room`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Raw, field

from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.setup import Round
from roundtable.core.state import TableState
from roundtable.games import DEFAULT_GAME
from roundtable.protocol.rooms import Avatar, Part, SeatNumber, Settings

Token = Annotated[str, Meta(pattern="^[0-9a-f]{32,64}$")]


class OpenRoom(Part):
    """Open a room and become its host. Repeated with the same token, it opens no other."""

    name: str
    game: str = DEFAULT_GAME
    seats: SeatNumber = 5
    options: dict[str, Any] = field(default_factory=dict)
    settings: Settings = Settings()
    avatar: Avatar = ""
    token: Token | None = None  # the client's own, at least 128 random bits; without one, the server draws it


class Join(Part):
    """Join a room under a name, and take a free seat or a bot's; `watch` takes no seat. Repeated with the same token,
    it adds no other member."""

    name: str
    watch: bool = False
    avatar: Avatar = ""
    token: Token | None = None  # as in OpenRoom


class Membership(Part):
    """Your membership. Keep the token: the server stores only its hash, and cannot send it again."""

    room: str
    member: int
    token: str


class ReplayStep(Part):
    """One step of a replay: the events that the listener heard, and the parts of the view that changed."""

    events: Annotated[Raw, tuple[Event, ...]]
    changes: Annotated[Raw, TableState]


class BotMove(Part):
    """A move of a bot that can say why: the step of the replay in which it moved, from 0, and its seat."""

    step: int
    seat: SeatNumber


class Replay(Part):
    """A finished game as one listener followed it. The changes of the first step are a whole view. `all` also gets the
    moves of bots that can say why."""

    game: str
    names: tuple[str, ...]
    rounds: Annotated[Raw, tuple[Round, ...]]
    steps: tuple[ReplayStep, ...]
    bot_moves: tuple[BotMove, ...] = ()


class WeighedMove(Part):
    """A move that a bot had in mind (null: to do nothing), its chance to win after it, and how likely it was to make
    it."""

    move: Annotated[Raw, Move | None]
    value: float
    chance: float


class BotReason(Part):
    """One decision of a bot, in a step of the replay for `all`: what it did, which moves it weighed, the likeliest
    first, and how likely it believed each seat to be of `side`. No moves: it went by rules of thumb."""

    step: int
    done: Annotated[Raw, Move]
    side: str
    suspicion: tuple[float, ...]
    weighed: tuple[WeighedMove, ...]
    is_solved: bool  # whether the rest of the game was solved, and not estimated


class BotReasons(Part):
    """Why a bot did what it did in a finished game."""

    reasons: tuple[BotReason, ...]


class ListedRoom(Part):
    """A public room in the list."""

    code: str
    game: str
    stage: str
    seats: int
    free: int  # seats that a newcomer can take, also from a bot
    host: str


class PlayedSeat(Part):
    """A seat in a finished game: the person or bot who played there last, and what they were."""

    name: str
    role: str
    side: str
    has_won: bool


class PlayedGame(Part):
    """A finished game of a room, in short; times in milliseconds since 1970."""

    number: int
    game: str
    began_at: int
    ended_at: int
    winner: str | None  # the side that won; null: none did
    reason: str
    seats: tuple[PlayedSeat, ...]


class PlayedGames(Part):
    """The finished games of a room, the last one first."""

    games: tuple[PlayedGame, ...]


class OwnTable(Part):
    """A room as one of its members finds it: enough for a list of their tables."""

    room: str
    game: str
    stage: str
    number: int  # as in Room
    seats: int
    host: str  # the host's name; empty where there is none
    name: str  # the member's
    seat: int | None  # null: they have none
    has_stand_in: bool  # whether a bot plays for them


class ErrorBody(Part, omit_defaults=True):
    """Why a request was refused (docs/errors.md)."""

    code: str
    message: str
    variant: str = ""  # as in Refused
    values: dict[str, Any] = field(default_factory=dict)
