"""Members come and go: they enter, join, return, leave, are removed, talk, and become the host."""

from __future__ import annotations

from collections.abc import Collection

from roundtable.core.conduct import LONGEST_LINE, is_showable
from roundtable.core.names import distinct_name
from roundtable.core.setup import Setup
from roundtable.protocol.rooms import Settings
from roundtable.rooms import commands, events, lobby
from roundtable.rooms.commands import (
    NOTHING,
    Connect,
    Context,
    Decision,
    Disconnect,
    Join,
    OverConnection,
    no_such_room,
    refuse,
)
from roundtable.rooms.events import RoomEvent, RoomRow
from roundtable.rooms.guests import clean_name, key_of
from roundtable.rooms.presence import Presence
from roundtable.rooms.reducer import absorb_all
from roundtable.rooms.state import RoomState

MOST_MEMBERS = 40

# Connections


def enter(room: RoomState, context: Context, command: commands.Enter) -> Decision:
    session, entering = command
    member = None if entering.token is None else room.member_with(entering.token)
    if member is None:
        if entering.token is not None or not room.settings.has_spectators:
            raise no_such_room()
        return Decision(effects=[Connect(session, None, entering)])
    presence = context.presence.entered(member, context.now).from_network(room, member, session.network)
    return Decision(presence=presence, effects=[Connect(session, member, entering)])


def leave(room: RoomState, context: Context, command: commands.Leave) -> Decision:
    """The connection has ended."""
    session = command.session
    if not session.is_connected:
        return NOTHING
    member = session.member
    presence = None if member is None else context.presence.seen(member, context.now)
    return Decision(presence=presence, effects=[Disconnect(session)])


def come_back(room: RoomState, context: Context, command: OverConnection) -> Decision:
    """A sign of life over a connection."""
    session = command.session
    if not session.is_connected or session.member is None:
        return NOTHING
    return returned(room, context, session.member)


def come_back_by_token(room: RoomState, context: Context, command: commands.Request) -> Decision:
    member = room.member_with(command.token)
    if member is None:
        raise no_such_room()
    return returned(room, context, member)


def returned(room: RoomState, context: Context, member: int) -> Decision:
    """A member who returns gets their seat back from a bot, and claims on it are off."""
    presence = context.presence.seen(member, context.now)
    seat = room.seat_of(member)
    if seat is None:
        return Decision(presence=presence)
    happened: list[RoomEvent] = [events.SeatReturned(seat=seat)] if room.places[seat].stand_in else []
    happened += [events.SeatDenied(member=other) for other, wanted in room.asked_for.items() if wanted == seat]
    return Decision([RoomRow(events=happened)] if happened else (), presence=presence)


# Joining


def join(room: RoomState, context: Context, command: Join) -> Decision:
    """A new member, or the one who joined with the same token before."""
    known = room.member_with(command.token)
    presence, now = context.presence, context.now
    if known is not None:
        return Decision(presence=presence.from_network(room, known, command.network), reply=known)
    if room.was_removed(command.token):
        refuse("room/removed")
    if presence.is_banned(room, command.network, now):
        refuse("room/removed", "network")
    is_full = len(room.members) >= MOST_MEMBERS
    evicted = presence.to_evict(room, now) if is_full else None
    if is_full and evicted is None:
        refuse("room/full", most=MOST_MEMBERS)
    lost = presence.lost(room, now)
    can_sit = any(place.is_free or place.member in lost for place in room.places)
    if not (room.settings.has_spectators or can_sit):  # a member who claims a seat has to join first
        refuse("room/full", "seats")
    name = distinct_name(clean_name(command.name), room.names_taken)
    happened: list[RoomEvent] = [] if evicted is None else [events.MemberLeft(member=evicted)]
    happened += joined(room, name, key_of(command.token), presence.no_shows(now), is_watching=command.is_watching)
    member = room.joined + 1
    presence = presence.from_network(room, member, command.network)
    return Decision([RoomRow(events=happened)], presence=presence, reply=member)


def opened(code: str, settings: Settings, setup: Setup, name: str, token: str) -> list[RoomEvent]:
    """The first events of a room: its table, and the member who opened it as the host."""
    first = lobby.opening(code, settings, setup)
    room = RoomState()
    absorb_all(room, first)
    return [*first, *joined(room, clean_name(name), key_of(token), is_watching=False)]


def joined(
    room: RoomState, name: str, key: str, no_shows: Collection[int] = (), *, is_watching: bool
) -> list[RoomEvent]:
    """The new member takes a free seat, or the seat of a no-show."""
    member = room.joined + 1
    happened: list[RoomEvent] = [events.MemberJoined(member=member, name=name, key=key)]
    if room.host is None:
        happened.append(events.HostNamed(member=member))
    if is_watching or room.is_table_set:
        return happened
    of_no_shows = [seat for seat, place in enumerate(room.places) if place.member in no_shows]
    for seat in [*room.free_seats, *of_no_shows][:1]:
        happened += [*lobby.stand_up(room, room.places[seat].member), events.SeatTaken(seat=seat, member=member)]
    return happened


# Leaving, and the host


def leave_room(
    room: RoomState, member: int, connected: Collection[int], *, is_removed: bool = False
) -> list[RoomEvent]:
    """A member is gone for good. In a running game a bot finishes for them. A new host is one who is connected, or else
    the member who joined first."""
    happened: list[RoomEvent] = []
    if (seat := room.seat_of(member)) is not None:
        bot = room.settings.takeover_bot
        is_played_on = room.is_playing and not room.settings.is_deal_only
        happened.append(events.SeatTaken(seat=seat, bot=bot) if is_played_on else events.SeatFreed(seat=seat))
    happened.append(events.MemberLeft(member=member, is_removed=is_removed))
    if room.host == member:
        others = [other for other in room.members if other != member]
        happened.append(events.HostNamed(member=next_host(room, connected) or min(others, default=None)))
    return happened


def next_host(room: RoomState, connected: Collection[int]) -> int | None:
    """The connected member who joined first; those who play come before those who watch or have a stand-in."""
    others = [member for member in room.members if member in connected and member != room.host]
    return min(others, key=lambda one: (room.seat_of(one) is None or room.is_played_for(one), one), default=None)


def kick(room: RoomState, presence: Presence, member: int, other: int) -> list[RoomEvent]:
    require_other(room, member, other)
    return leave_room(room, other, presence.connected, is_removed=True)


def pardon(room: RoomState, other: int) -> list[RoomEvent]:
    if other not in room.removed:
        refuse("room/no_member", "removed", member=other)
    return [events.MemberPardoned(member=other)]


def hand_over(room: RoomState, member: int, other: int) -> list[RoomEvent]:
    require_other(room, member, other)
    return [events.HostNamed(member=other)]


# Talk


def chat(room: RoomState, member: int, text: str) -> list[RoomEvent]:
    require_voice(room, member)
    if len(text) > LONGEST_LINE or not is_showable(text):
        refuse("talk/text", most=LONGEST_LINE)
    return [events.LineChatted(member=member, name=room.members[member].name, text=text)]


def silence(room: RoomState, other: int, *, is_silenced: bool) -> list[RoomEvent]:
    require_member(room, other)
    return [events.MemberSilenced(member=other, is_silenced=is_silenced)]


def require_voice(room: RoomState, member: int) -> None:
    if not room.settings.has_chat:
        refuse("talk/silenced", "chat")
    if room.members[member].is_silenced:
        refuse("talk/silenced")


def require_member(room: RoomState, member: int) -> None:
    if member not in room.members:
        refuse("room/no_member", member=member)


def require_other(room: RoomState, member: int, other: int) -> None:
    require_member(room, other)
    if member == other:
        refuse("room/no_member", "self")
