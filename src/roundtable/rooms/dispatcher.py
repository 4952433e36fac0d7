"""The tables of handlers by command and by request, and what follows when a handler refuses or fails."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

from roundtable.core.actions import Remark
from roundtable.core.errors import IllegalAction, RoundTableError
from roundtable.protocol import Answered
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import ENCODER, is_id
from roundtable.rooms import claims, commands, game, lobby, looking, members, snapshot, timers
from roundtable.rooms.commands import (
    NOTHING,
    Close,
    Command,
    Context,
    Decision,
    Handler,
    RequestHandler,
    broken,
    no_such_room,
    refuse,
    require_budget,
)
from roundtable.rooms.events import RoomRow
from roundtable.rooms.networks import Payer, payer_of
from roundtable.rooms.sessions import refused_message
from roundtable.rooms.state import RoomState, fingerprint

MOST_REQUESTS = 1_000  # of a member between two starts of a game, talk not counted

logger = logging.getLogger("roundtable.rooms")


# Requests


def request_over_socket(room: RoomState, context: Context, command: commands.AskCommand) -> Decision:
    session, message = command
    if not session.is_connected:
        return NOTHING
    if session.member is None:
        refuse("room/watching", "join")
    game.require_id(message.id)
    payer = payer_of(session.network, room.code)
    decision = decide_request(room, context, session.member, message.request, message.id, payer)
    return decision._replace(reply=Answered(id=message.id))


def request_over_http(room: RoomState, context: Context, command: commands.RequestCommand) -> Decision:
    member = room.member_with(command.token)
    if member is None:
        raise no_such_room()
    if command.id:
        game.require_id(command.id)
    payer = payer_of(command.network, room.code)
    return decide_request(room, context, member, command.request, command.id, payer)


def decide_request(
    room: RoomState, context: Context, member: int, request: Any, id: str, payer: Payer | None
) -> Decision:
    """Decide on a request. A repeat of a granted one changes nothing."""
    text = ENCODER.encode(request)
    if room.request_ids.has(member, id):
        room.request_ids.require_same(member, id, text)
        return NOTHING
    require_budget(context, payer)
    if isinstance(request, ask.Chat):
        game.require_talk_limit(context.presence, member, id, context.now)
        game.require_talk_left(room.usage.chat.get(member, 0))
    members.require_member(room, member)
    route = REQUESTS[type(request)]
    if route.host_only and member != room.host:
        refuse("room/not_host")
    if isinstance(request, ask.Start | ask.Rematch) and not context.starts_games:
        refuse("server/full", "draining")
    if route.in_lobby and room.is_table_set:
        refuse("room/stage", "table")
    if route.is_limited and room.usage.requests.get(member, 0) >= MOST_REQUESTS:
        refuse("action/too_often", "requests", most=MOST_REQUESTS)
    decision = route.handler(room, context, member, request)
    if isinstance(request, ask.Chat):
        decision = decision._replace(presence=context.presence.with_line(room, member, id, context.now))
    return _with_request(decision, member, id, fingerprint(text) if id else 0)._replace(payer=payer)


def _with_request(decision: Decision, member: int, id: str, mark: int) -> Decision:
    """Write the request's id with the events that it caused, or by itself where there are none."""
    rows = list(decision.rows)
    place = next((place for place, row in enumerate(rows) if isinstance(row, RoomRow)), None)
    if place is not None:
        caused = rows[place]
        assert isinstance(caused, RoomRow)
        rows[place] = RoomRow(events=caused.events, member=member, id=id, fingerprint=mark)
    elif id:
        rows.append(RoomRow(events=[], member=member, id=id, fingerprint=mark))
    return decision._replace(rows=rows)


class RequestRoute(NamedTuple):
    handler: RequestHandler
    host_only: bool = False
    in_lobby: bool = False  # whether it is refused while a game is on the table
    is_limited: bool = True  # whether a member may send only so many of it; not where that would hold up the room


REQUESTS: dict[type, RequestRoute] = {
    ask.TakeSeat: RequestRoute(lobby.take_seat),
    ask.LeaveSeat: RequestRoute(lobby.leave_seat, in_lobby=True),
    ask.SayReady: RequestRoute(lobby.say_ready, in_lobby=True),
    ask.SayLooked: RequestRoute(looking.say_looked),
    ask.ClaimSeat: RequestRoute(claims.claim_seat),
    ask.AnswerClaim: RequestRoute(claims.answer_claim),
    ask.ChangeProfile: RequestRoute(members.change_profile),
    ask.Chat: RequestRoute(members.chat, is_limited=False),
    ask.StepAway: RequestRoute(members.step_away),
    ask.Leave: RequestRoute(members.leave_room, is_limited=False),
    ask.ChangeTable: RequestRoute(lobby.change_table, host_only=True, in_lobby=True),
    ask.ChangeSettings: RequestRoute(lobby.change_settings, host_only=True),
    ask.SeatBot: RequestRoute(lobby.seat_bot, host_only=True, in_lobby=True),
    ask.RemoveBot: RequestRoute(lobby.remove_bot, host_only=True, in_lobby=True),
    ask.Kick: RequestRoute(members.kick, host_only=True, is_limited=False),
    ask.Pardon: RequestRoute(members.pardon, host_only=True),
    ask.Silence: RequestRoute(members.silence, host_only=True),
    ask.SilenceBot: RequestRoute(lobby.silence_bot, host_only=True),
    ask.HandOver: RequestRoute(members.hand_over, host_only=True),
    ask.Start: RequestRoute(game.start, host_only=True, in_lobby=True, is_limited=False),
    ask.Rematch: RequestRoute(game.rematch, host_only=True, is_limited=False),
    ask.HoldClock: RequestRoute(game.hold_clock, host_only=True),
    ask.CallItOff: RequestRoute(game.call_it_off, host_only=True, is_limited=False),
    ask.AnnounceOutcome: RequestRoute(game.announce_outcome, host_only=True, is_limited=False),
}


# Commands


class HandlerCall(NamedTuple):
    handler: Handler
    is_optional: bool = False  # whether the command continues if this decision cannot be written


class Route(NamedTuple):
    calls: tuple[HandlerCall, ...]
    publishes: bool = False  # at the end, even if no row was written
    draws_seed: bool = False  # whether a handler may start a game


RETURN = HandlerCall(members.come_back, is_optional=True)

ROUTES: dict[type, Route] = {
    commands.EnterCommand: Route((HandlerCall(members.enter), RETURN), publishes=True),
    commands.ConnectionLost: Route((HandlerCall(members.connection_lost),), publishes=True),
    commands.ConnectionReady: Route((HandlerCall(members.connection_ready),)),
    commands.ActCommand: Route((HandlerCall(game.act),)),
    commands.PassCommand: Route((HandlerCall(game.pass_turn),)),
    commands.AskCommand: Route((RETURN, HandlerCall(request_over_socket)), draws_seed=True),
    commands.HereCommand: Route((RETURN,)),
    commands.JoinCommand: Route((HandlerCall(members.join),)),
    commands.RequestCommand: Route(
        (HandlerCall(members.come_back_by_token), HandlerCall(request_over_http)), draws_seed=True
    ),
    commands.LookCommand: Route((HandlerCall(snapshot.look),)),
    commands.ReadCommand: Route((HandlerCall(snapshot.read),)),
    commands.CloseUnused: Route((HandlerCall(timers.close_unused),)),
    commands.CloseRoom: Route((HandlerCall(timers.close_room),)),
    commands.WriteSummary: Route((HandlerCall(timers.write_summary),)),
    commands.Tick: Route((HandlerCall(timers.tick),), publishes=True),
    commands.BotMove: Route((HandlerCall(game.bot_move),)),
}


def refused(room: RoomState, context: Context, command: Command, error: RoundTableError) -> Decision:
    """What follows when a command is refused and no caller waits for its reply."""
    match command:
        case commands.ActCommand(session, message) | commands.AskCommand(session, message):
            return Decision(reply=refused_message(session, _id_of(message), error))
        case commands.EnterCommand(session, _):
            code = 4003 if error.code in ("room/unknown", "room/removed") else 1013
            return Decision(effects=(Close(session, code, error.code),))
        case commands.BotMove(_, _, Remark()):  # the floor was taken from the bot meanwhile
            return NOTHING
        case commands.BotMove(seat, _, _) if isinstance(error, IllegalAction):
            return Decision(turns=context.turns.ask_again(room, seat, context.now))
        case commands.BotMove():
            logger.warning("a bot's move was refused: %s", error.code)
        case commands.Tick():
            logger.warning("a timer's command was refused: %s", error.code)
    return NOTHING


def _id_of(message: Any) -> str:
    return message.id if is_id(message.id) else ""


def failed(command: Command) -> Decision:
    """What a client is told when a handler has a defect."""
    match command:
        case commands.ActCommand(session, message) | commands.AskCommand(session, message):
            return Decision(reply=refused_message(session, _id_of(message), broken()))
        case commands.EnterCommand(session, _):
            return Decision(effects=(Close(session, 1011, "server/broken"),))
        case _:
            return NOTHING
