"""Which handlers decide on a command, which functions on a request, and what follows when they refuse or fail."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

from roundtable.core.chance import SEED_BYTES
from roundtable.core.errors import IllegalAction, RoomRefused, RoundTableError
from roundtable.protocol import Answered
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import ENCODER, is_id
from roundtable.rooms import commands, events, game, lobby, members, snapshot, timers
from roundtable.rooms.commands import (
    NOTHING,
    Close,
    Command,
    Context,
    Decision,
    Handler,
    no_such_room,
    refuse,
)
from roundtable.rooms.events import RoomEvent, RoomRow, fingerprint
from roundtable.rooms.sessions import refused_message
from roundtable.rooms.state import RoomState

logger = logging.getLogger("roundtable.rooms")


HOST_ONLY = (
    ask.ChangeTable,
    ask.ChangeSettings,
    ask.SeatBot,
    ask.RemoveBot,
    ask.Kick,
    ask.Pardon,
    ask.GrantSeat,
    ask.Silence,
    ask.HandOver,
    ask.Start,
    ask.Rematch,
    ask.HoldClock,
    ask.CallItOff,
)
IN_LOBBY = (ask.TakeSeat, ask.LeaveSeat, ask.SayReady, ask.ChangeTable, ask.SeatBot, ask.RemoveBot, ask.Start)


# Requests


def grant_over_socket(room: RoomState, context: Context, command: commands.Ask) -> Decision:
    session, message = command
    if not session.is_connected:
        return Decision()
    if session.member is None:
        return Decision(reply=refused_message(session, message.id, RoomRefused("room/watching", "join")))
    game.require_id(message.id)
    decision = grant(room, context, session.member, message.request, message.id)
    return decision._replace(reply=Answered(id=message.id))


def grant_over_http(room: RoomState, context: Context, command: commands.Request) -> Decision:
    member = room.member_with(command.token)
    if member is None:
        raise no_such_room()
    if command.id:
        game.require_id(command.id)
    return grant(room, context, member, command.request, command.id)


def grant(room: RoomState, context: Context, member: int, request: Any, id: str) -> Decision:
    """Decide on a request. A repeat of a granted one changes nothing."""
    mark = fingerprint(ENCODER.encode(request)) if id else 0
    before = room.answered.get(member, id)
    if before is not None:
        game.require_same(before or mark, mark)
        return Decision()
    if isinstance(request, ask.Chat):
        game.require_talk_limit(context.presence, member, id, context.now)
    require_may(room, member, request)
    decision = _decide(room, context, member, request, id)
    return _with_request(decision, member, id, mark)


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


def _decide(room: RoomState, context: Context, member: int, request: Any, id: str) -> Decision:
    presence, now = context.presence, context.now
    match request:
        case ask.Start():
            lobby.require_can_start(room)
            return game.start(room, context, context.entropy(SEED_BYTES))
        case ask.HoldClock() | ask.CallItOff():
            return Decision([game.host_acts(room, request)])
        case ask.Rematch() if room.settings.is_deal_only:  # a phone in a pocket is no empty seat
            return Decision([*game.call_off(room), RoomRow(events=[events.TableCleared()])])
        case ask.Rematch():
            return _row([events.TableCleared(), *lobby.seats_to_free(room, presence, now)])
        case ask.Chat(text=text):
            said = members.chat(room, member, text)
            return _row(said)._replace(presence=presence.with_line(room, member, id, now))
        case ask.Kick(member=other):
            left = members.kick(room, presence, member, other)
            return _row(left)._replace(presence=presence.with_ban(room, other, now))
        case _:
            return _row(_room_events(room, context, member, request))


def _room_events(room: RoomState, context: Context, member: int, request: Any) -> list[RoomEvent]:
    presence, now = context.presence, context.now
    match request:
        case ask.TakeSeat(seat=seat):
            return lobby.take_seat(room, member, seat, presence.no_shows(now))
        case ask.LeaveSeat():
            return lobby.stand_up(room, member)
        case ask.SayReady(is_ready=is_ready):
            return lobby.say_ready(room, member, is_ready=is_ready)
        case ask.RegainSeat(seat=seat):
            return lobby.claim_seat(room, member, seat, presence.lost(room, now))
        case ask.GrantSeat(member=other, is_granted=is_granted):
            return lobby.grant_seat(room, other, presence.connected, is_granted=is_granted)
        case ask.ChangeTable():
            return lobby.change_table(room, request)
        case ask.ChangeSettings(settings=change):
            return lobby.change_settings(room, change)
        case ask.SeatBot(seat=seat, bot=bot):
            return lobby.seat_bot(room, seat, bot)
        case ask.RemoveBot(seat=seat):
            return lobby.remove_bot(room, seat)
        case ask.Leave():
            return members.leave_room(room, member, presence.connected)
        case ask.Pardon(member=other):
            return members.pardon(room, other)
        case ask.Silence(member=other, is_silenced=is_silenced):
            return members.silence(room, other, is_silenced=is_silenced)
        case ask.HandOver(member=other):
            return members.hand_over(room, member, other)
        case _:
            raise TypeError(f"{type(request).__name__} is not a request to a room.")


def _row(happened: list[RoomEvent]) -> Decision:
    return Decision([RoomRow(events=happened)] if happened else [])


def require_may(room: RoomState, member: int, request: Any) -> None:
    """Refuse what this member may not ask for, or not at this stage."""
    members.require_member(room, member)
    if isinstance(request, HOST_ONLY) and member != room.host:
        refuse("room/not_host")
    if isinstance(request, IN_LOBBY) and room.is_table_set:
        refuse("room/stage", "table")
    is_playing, is_deal_only = room.is_playing, room.settings.is_deal_only
    if isinstance(request, ask.Rematch) and ((is_playing and not is_deal_only) or not room.is_table_set):
        refuse("room/stage", "rematch")
    if isinstance(request, ask.HoldClock) and is_deal_only:
        refuse("room/stage", "deal_only_clock")
    if isinstance(request, ask.HoldClock | ask.CallItOff) and not is_playing:
        refuse("room/stage", "no_game")
    if isinstance(request, ask.Chat) and is_playing and not is_deal_only:
        refuse("room/stage", "chat")


# Commands


class Step(NamedTuple):
    handler: Handler
    is_optional: bool = False  # whether the command goes on where this step cannot be written


class Route(NamedTuple):
    steps: tuple[Step, ...] = ()
    reads_log: bool = False  # first: the client may come from another server, and know more than this one
    publishes: bool = False  # in the end, even if no row was written


CAME_BACK = Step(members.come_back, is_optional=True)

ROUTES: dict[type, Route] = {
    commands.Enter: Route((Step(members.enter), CAME_BACK), reads_log=True, publishes=True),
    commands.Leave: Route((Step(members.leave),), publishes=True),
    commands.Act: Route((Step(game.act),)),
    commands.Pass: Route((Step(game.pass_on),)),
    commands.Ask: Route((CAME_BACK, Step(grant_over_socket))),
    commands.Here: Route((CAME_BACK,)),
    commands.Join: Route((Step(members.join),)),
    commands.Request: Route((Step(members.come_back_by_token), Step(grant_over_http))),
    commands.Look: Route((Step(snapshot.look),)),
    commands.ReadOn: Route(reads_log=True),
    commands.Tick: Route((Step(timers.tick),), publishes=True),
    commands.BotMove: Route((Step(game.bot_move),)),
}


def refused(room: RoomState, context: Context, command: Command, error: RoundTableError) -> Decision:
    """What follows when a command is refused that did not come over HTTP."""
    match command:
        case commands.Act(session, message) | commands.Ask(session, message):
            return Decision(reply=refused_message(session, message.id if is_id(message.id) else "", error))
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


def failed(command: Command) -> Decision:
    """What a client is told when a handler has a defect."""
    match command:
        case commands.Act(session, message) | commands.Ask(session, message):
            return Decision(reply=refused_message(session, message.id, RoomRefused("server/broken")))
        case commands.Enter(session, _):
            return Decision(effects=(Close(session, 1011, "server/broken"),))
        case _:
            return NOTHING
