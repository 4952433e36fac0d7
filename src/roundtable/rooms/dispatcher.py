"""Which handlers a command goes through, and what follows when it is refused or fails."""

from __future__ import annotations

import logging
from typing import NamedTuple

from roundtable.core.errors import IllegalAction, RoundTableError
from roundtable.protocol import Refused
from roundtable.protocol.encoding import is_id
from roundtable.rooms import commands, game, members, requests, snapshot, timers
from roundtable.rooms.commands import NOTHING, Close, Command, Context, Decision, Effect, Handler, Send
from roundtable.rooms.state import RoomState

logger = logging.getLogger("roundtable.rooms")


class Step(NamedTuple):
    handler: Handler
    is_optional: bool = False  # whether the command goes on where this step cannot be written


class Route(NamedTuple):
    steps: tuple[Step, ...] = ()
    reads_log: bool = False  # first: the client may come from another server, and know more than this one
    publishes: bool = False  # in the end, even if no row was written


MOVED = Step(game.take_back_seat, is_optional=True)
CAME_BACK = Step(members.come_back, is_optional=True)

ROUTES: dict[type, Route] = {
    commands.Enter: Route((Step(members.enter), CAME_BACK), reads_log=True, publishes=True),
    commands.Leave: Route((Step(members.leave),), publishes=True),
    commands.Act: Route((MOVED, Step(game.act))),
    commands.Pass: Route((MOVED,)),
    commands.Ask: Route((CAME_BACK, Step(requests.over_socket))),
    commands.Here: Route((CAME_BACK,)),
    commands.Join: Route((Step(members.join),)),
    commands.Request: Route((Step(members.come_back_by_token), Step(requests.over_http))),
    commands.Look: Route((Step(snapshot.look),)),
    commands.ReadOn: Route(reads_log=True),
    commands.Tick: Route((Step(timers.tick),), publishes=True),
    commands.BotMove: Route((Step(game.bot_move),)),
}


def refused(room: RoomState, context: Context, command: Command, error: RoundTableError) -> Decision:
    """What follows when a command is refused that did not come over HTTP."""
    match command:
        case commands.Act(session, message) | commands.Ask(session, message):
            shown = message.id if is_id(message.id) else ""
            told = Refused(id=shown, code=error.code, message=error.message, told=dict(error.told))
            return Decision(effects=(Send(session, told),))
        case commands.Enter(session, _):
            code = 4003 if error.code == "room/unknown" else 1013
            return Decision(effects=(Close(session, code, error.code),))
        case commands.BotMove(seat, _, _) if isinstance(error, IllegalAction):
            return Decision(turns=context.turns.again(room, seat, context.now))
        case commands.BotMove():
            logger.warning("a bot's move could not be written down")
        case commands.Tick():
            logger.warning("the clock was refused: %s", error.code)
    return NOTHING


def failed(command: Command) -> tuple[Effect, ...]:
    """What a client is told when a handler has a defect."""
    match command:
        case commands.Act(session, message) | commands.Ask(session, message):
            told = "The server made a mistake; nothing was lost."
            return (Send(session, Refused(id=message.id, code="house/broken", message=told)),)
        case commands.Enter(session, _):
            return (Close(session, 1011, "house/broken"),)
        case _:
            return ()
