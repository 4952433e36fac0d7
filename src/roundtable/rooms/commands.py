"""What can be asked of a room (commands), what a handler may know (Context), and what it decides or refuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from roundtable.core.actions import Action
from roundtable.core.entries import Entry
from roundtable.core.errors import RoomRefused
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.protocol import messages
from roundtable.protocol import rooms as protocol
from roundtable.rooms.bot_scheduler import BotTurns, GamePhase
from roundtable.rooms.bot_workers import Question
from roundtable.rooms.events import RoomEvent, RoomRow
from roundtable.rooms.networks import Payer, WriteBudget
from roundtable.rooms.presence import Presence
from roundtable.rooms.sessions import Session
from roundtable.rooms.site_policy import USUAL_LIMITS, IdleLimits
from roundtable.rooms.state import RoomState

# Over a connection


class EnterCommand(NamedTuple):
    session: Session
    enter: protocol.Enter


class ConnectionLost(NamedTuple):
    """The connection has ended; the member stays a member."""

    session: Session


class ConnectionReady(NamedTuple):
    """The client has read what was sent, and can be sent more."""

    session: Session


class ActCommand(NamedTuple):
    session: Session
    message: messages.Act


class PassCommand(NamedTuple):
    session: Session
    message: messages.Pass


class AskCommand(NamedTuple):
    session: Session
    message: protocol.Ask


class HereCommand(NamedTuple):
    session: Session
    message: protocol.Here


# Over HTTP


class JoinCommand(NamedTuple):
    """The reply is the member's number."""

    name: str
    token: str
    network: str
    is_watching: bool
    avatar: str = ""


class RequestCommand(NamedTuple):
    token: str
    request: Any
    id: str
    network: str


class LookCommand(NamedTuple):
    """The reply is the room as everyone may see it, in JSON."""


class ReadCommand(NamedTuple):
    """The reply is what `read` makes of the room's state. It may refuse, and changes nothing."""

    read: Callable[[RoomState], Any]


# From the registry


class CloseUnused(NamedTuple):
    """Close the room if no connection to it was ever kept. The reply is whether it was."""


class CloseRoom(NamedTuple):
    """The operator closes the room."""


class WriteSummary(NamedTuple):
    """Write a row without events, because the summary of the room in the log is out of date."""


# From the room's own timer and bots


class Tick(NamedTuple):
    """Something may be due."""


class BotMove(NamedTuple):
    """A bot's move, or a remark that it makes."""

    seat: Seat
    phase: GamePhase | None
    move: Action


ConnectionCommand = EnterCommand | ActCommand | PassCommand | AskCommand | HereCommand
HttpCommand = JoinCommand | RequestCommand | LookCommand | ReadCommand
RegistryCommand = CloseUnused | CloseRoom | WriteSummary
Command = ConnectionCommand | ConnectionLost | ConnectionReady | HttpCommand | RegistryCommand | Tick | BotMove

# The command for each message that a client sends after it has entered.
MESSAGES: dict[type, Callable[[Session, Any], Command]] = {
    messages.Act: ActCommand,
    messages.Pass: PassCommand,
    protocol.Ask: AskCommand,
    protocol.Here: HereCommand,
}


class Context(NamedTuple):
    """What a handler may know besides the room's state: immutable values, none of which is in the log, and a budget."""

    now: int  # when the command's turn came, in milliseconds since 1970
    presence: Presence
    has_connections: bool
    turns: BotTurns
    is_thinking: bool  # whether bots have been asked and have not answered yet
    seed: bytes = b""  # random bytes for a new game, if the route draws them
    budget: WriteBudget | None = None  # of what talk and requests may write
    starts_games: bool = True  # not while the operator drains the site
    idle: IdleLimits = USUAL_LIMITS


# Effects on connections


class Connect(NamedTuple):
    session: Session
    member: int | None
    enter: protocol.Enter


class Disconnect(NamedTuple):
    session: Session


class CatchUp(NamedTuple):
    """Send the next piece of what this session has not been sent yet."""

    session: Session


class Close(NamedTuple):
    session: Session
    code: int
    reason: str


class CloseAll(NamedTuple):
    code: int
    reason: str


Effect = Connect | Disconnect | CatchUp | Close | CloseAll


class Decision(NamedTuple):
    """What follows from a command. `Room` writes the rows, publishes them, and then does the rest."""

    rows: Sequence[RoomRow[Any] | Entry] = ()
    play: Play[Any, Any] | None = None  # the game that the rows start
    presence: Presence | None = None  # where it changes
    turns: BotTurns | None = None  # where they change
    questions: Sequence[Question] = ()  # for bots
    effects: Sequence[Effect] = ()
    reply: Any = None  # over a connection a message; over HTTP what the command says
    is_more_due: bool = False  # whether the same handler has to be called again
    payer: Payer | None = None  # against whose budget the rows count


NOTHING = Decision()

Handler = Callable[[RoomState, Context, Any], Decision]
RequestHandler = Callable[[RoomState, Context, int, Any], Decision]  # the integer is the member who asks


def happened(*events: RoomEvent) -> Decision:
    """A decision of one row with these events, or of none."""
    return Decision([RoomRow(events=list(events))] if events else ())


# Refusals


def refuse(code: str, variant: str = "", /, **values: Any) -> NoReturn:
    raise RoomRefused(code, variant, **values)


def require_budget(context: Context, payer: Payer | None) -> None:
    if payer is not None and context.budget is not None and not context.budget.has_left(payer):
        refuse("server/too_fast", "written" if payer.network else "private")


def no_such_room() -> RoomRefused:
    """The same answer whether the room never existed, is closed, or has no such member."""
    return RoomRefused("room/unknown")


def busy() -> RoomRefused:
    return RoomRefused("room/busy")


def broken() -> RoomRefused:
    """A defect of ours."""
    return RoomRefused("server/broken")


def unreadable() -> RoomRefused:
    return RoomRefused("room/busy", "read")
