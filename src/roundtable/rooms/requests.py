"""What a member asks of the room: granted, or refused with a sentence."""

from __future__ import annotations

from typing import Any

from roundtable.core.chance import SEED_BYTES
from roundtable.protocol import Answered, Refused
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms import events, game, lobby, members
from roundtable.rooms.commands import Ask, Context, Decision, Request, Send
from roundtable.rooms.events import RoomEvent, RoomRow, fingerprint
from roundtable.rooms.refusals import no_such_room, refuse
from roundtable.rooms.state import RoomState

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


def over_socket(room: RoomState, context: Context, command: Ask) -> Decision:
    session, message = command
    if not session.is_connected:
        return Decision()
    if session.member is None:
        told = Refused(id=message.id, code="room/watching", message="Join the room first.")
        return Decision(effects=[Send(session, told)])
    game.require_id(message.id)
    decision = grant(room, context, session.member, message.request, message.id)
    return decision._replace(effects=[Send(session, Answered(id=message.id))])


def over_http(room: RoomState, context: Context, command: Request) -> Decision:
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
        rows[place] = RoomRow(facts=caused.facts, member=member, id=id, gist=mark)
    elif id:
        rows.append(RoomRow(facts=[], member=member, id=id, gist=mark))
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
            return Decision([*game.call_off(room), RoomRow(facts=[events.TableCleared()])])
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
    return Decision([RoomRow(facts=happened)] if happened else [])


def require_may(room: RoomState, member: int, request: Any) -> None:
    """Refuse what this member may not ask for, or not at this stage."""
    members.require_member(room, member)
    if isinstance(request, HOST_ONLY) and member != room.host:
        refuse("room/not_host", "Only the host may do that.")
    if isinstance(request, IN_LOBBY) and room.is_table_set:
        refuse("room/stage", "A game is on the table; that can be done before it, or after a rematch is called.")
    is_playing, is_deal_only = room.is_playing, room.settings.is_deal_only
    if isinstance(request, ask.Rematch) and ((is_playing and not is_deal_only) or not room.is_table_set):
        refuse("room/stage", "A rematch can be called when a game is over.")
    if isinstance(request, ask.HoldClock) and is_deal_only:
        refuse("room/stage", "Cards are only dealt here; no clock runs.")
    if isinstance(request, ask.HoldClock | ask.CallItOff) and not is_playing:
        refuse("room/stage", "No game is being played.")
    if isinstance(request, ask.Chat) and is_playing and not is_deal_only:
        refuse("room/stage", "While a game is played, talk goes through the game's own channels.")
