"""Members come and go: they enter, join, return, leave, are removed, talk, and become the host."""

from __future__ import annotations

from collections.abc import Collection

from roundtable.core.conduct import LONGEST_LINE, is_showable
from roundtable.core.names import distinct_name
from roundtable.core.setup import Setup
from roundtable.protocol import rooms as ask
from roundtable.protocol.rooms import Settings
from roundtable.rooms import events, lobby, newcomers
from roundtable.rooms.commands import (
    NOTHING,
    CatchUp,
    Connect,
    ConnectionCommand,
    ConnectionLost,
    ConnectionReady,
    Context,
    Decision,
    Disconnect,
    EnterCommand,
    JoinCommand,
    RequestCommand,
    happened,
    no_such_room,
    refuse,
    require_budget,
)
from roundtable.rooms.events import RoomEvent
from roundtable.rooms.guests import clean_name, key_of
from roundtable.rooms.networks import payer_of
from roundtable.rooms.reducer import absorb_all
from roundtable.rooms.state import RoomState

MOST_MEMBERS = 40
MOST_NAMES = 10  # of a member between two starts of a game: others see each one, even of a silenced member

# Connections


def enter(room: RoomState, context: Context, command: EnterCommand) -> Decision:
    session, entering = command
    member = None if entering.token is None else room.member_with(entering.token)
    if member is None:
        if entering.token is not None or not room.settings.has_spectators:
            if entering.token is not None and room.was_removed(entering.token):
                refuse("room/removed")
            raise no_such_room()
        return Decision(effects=[Connect(session, None, entering)])
    presence = context.presence.entered(member, context.now).from_network(room, member, session.network)
    return Decision(presence=presence, effects=[Connect(session, member, entering)])


def connection_lost(room: RoomState, context: Context, command: ConnectionLost) -> Decision:
    """The connection has ended."""
    session = command.session
    if not session.is_connected:
        return NOTHING
    member = session.member
    presence = None if member is None else context.presence.left(member, context.now)
    return Decision(presence=presence, effects=[Disconnect(session)])


def connection_ready(room: RoomState, context: Context, command: ConnectionReady) -> Decision:
    return Decision(effects=[CatchUp(command.session)]) if command.session.is_connected else NOTHING


def come_back(room: RoomState, context: Context, command: ConnectionCommand) -> Decision:
    """A sign of life over a connection."""
    session = command.session
    if not session.is_connected or session.member is None:
        return NOTHING
    return returned(room, context, session.member)


def come_back_by_token(room: RoomState, context: Context, command: RequestCommand) -> Decision:
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
    back: list[RoomEvent] = [events.SeatReturned(seat=seat)] if room.places[seat].stand_in else []
    denied = (events.ClaimDenied(member=other) for other, claim in room.seat_claims.items() if claim.seat == seat)
    return happened(*back, *denied)._replace(presence=presence)


# Joining


def join(room: RoomState, context: Context, command: JoinCommand) -> Decision:
    """A new member, or the one who joined with the same token before; a repeat is a sign of life."""
    known = room.member_with(command.token)
    presence, now = context.presence, context.now
    if known is not None:
        presence = presence.from_network(room, known, command.network)
        return returned(room, context._replace(presence=presence), known)._replace(reply=known)
    if room.was_removed(command.token):
        refuse("room/removed")
    if presence.is_banned(room, command.network, now):
        refuse("room/removed", "network")
    payer = payer_of(command.network, room.code)
    require_budget(context, payer)
    is_full = len(room.members) >= MOST_MEMBERS
    evicted = presence.to_evict(room, now) if is_full else None
    if is_full and evicted is None:
        refuse("room/full", most=MOST_MEMBERS)
    key = key_of(command.token)
    seat = newcomers.seat_for(room, key, presence.no_shows(now))
    is_away = any(place.member is not None and place.member not in presence.connected for place in room.places)
    if not (room.settings.has_spectators or seat is not None or is_away):  # to claim a seat, one has to join first
        refuse("room/full", "seats")
    name = distinct_name(clean_name(command.name), room.names_taken)
    left: list[RoomEvent] = [] if evicted is None else [events.MemberLeft(member=evicted)]
    new = joined(room, name, key, command.avatar, None if command.is_watching else seat)
    member = room.joined + 1
    presence = presence.from_network(room, member, command.network)
    return happened(*left, *new)._replace(presence=presence, reply=member, payer=payer)


def opened(code: str, settings: Settings, setup: Setup, name: str, token: str, avatar: str) -> list[RoomEvent]:
    """The first events of a room: its table, and the member who opened it as the host."""
    first = lobby.opening(code, settings, setup)
    room = RoomState()
    absorb_all(room, first)
    key = key_of(token)
    return [*first, *joined(room, clean_name(name), key, avatar, newcomers.seat_for(room, key))]


def joined(room: RoomState, name: str, key: str, avatar: str, seat: int | None) -> list[RoomEvent]:
    """The new member takes this seat: a free one, a bot's or that of a no-show. Without one they watch."""
    member = room.joined + 1
    first: list[RoomEvent] = [events.MemberJoined(member=member, name=name, key=key, avatar=avatar)]
    if room.host is None:
        first.append(events.HostNamed(member=member))
    if seat is not None:
        first += [*lobby.stand_up(room, room.places[seat].member), events.SeatTaken(seat=seat, member=member)]
    return first


def change_profile(room: RoomState, context: Context, member: int, request: ask.ChangeProfile) -> Decision:
    """Another name, distinct from all others in the room, or another avatar."""
    own = room.members[member]
    name, avatar = request.name, request.avatar
    if name is not None:
        others = [one for one in room.names_taken if one != own.name]
        name = distinct_name(clean_name(name), others)
        if name != own.name and room.usage.names.get(member, 0) >= MOST_NAMES:
            refuse("action/too_often", "names", most=MOST_NAMES)
    changed = events.ProfileChanged(
        member=member, name=None if name == own.name else name, avatar=None if avatar == own.avatar else avatar
    )
    return NOTHING if changed.name is None and changed.avatar is None else happened(changed)


# Leaving, and the host


def step_away(room: RoomState, context: Context, member: int, request: ask.StepAway) -> Decision:
    """A bot stands in at once, without the time that others wait for an absent player."""
    seat = room.seat_of(member)
    if seat is None or not room.is_playing or room.settings.only_deals or room.places[seat].player:
        return NOTHING
    return happened(events.BotStoodIn(seat=seat, bot=room.settings.takeover_bot))


def leave_room(room: RoomState, context: Context, member: int, request: ask.Leave) -> Decision:
    return happened(*_left(room, member, context.presence.connected))


def _left(room: RoomState, member: int, connected: Collection[int], *, is_removed: bool = False) -> list[RoomEvent]:
    """A member is gone for good. In a running game a bot finishes for them. The new host is a connected member, or else
    the member who joined first."""
    left: list[RoomEvent] = []
    if (seat := room.seat_of(member)) is not None:
        bot = room.settings.takeover_bot
        is_played_on = room.is_playing and not room.settings.only_deals
        left.append(events.SeatTaken(seat=seat, bot=bot) if is_played_on else events.SeatFreed(seat=seat))
    left.append(events.MemberLeft(member=member, is_removed=is_removed))
    if room.host == member:
        others = [other for other in room.members if other != member]
        left.append(events.HostNamed(member=next_host(room, connected) or min(others, default=None)))
    return left


def next_host(room: RoomState, connected: Collection[int]) -> int | None:
    """The connected member who joined first; those who play come before those who watch or have a stand-in."""
    others = [member for member in room.members if member in connected and member != room.host]
    return min(others, key=lambda one: (room.seat_of(one) is None or room.is_played_for(one), one), default=None)


def kick(room: RoomState, context: Context, member: int, request: ask.Kick) -> Decision:
    other, presence = request.member, context.presence
    require_other(room, member, other)
    removed = _left(room, other, presence.connected, is_removed=True)
    return happened(*removed)._replace(presence=presence.with_ban(room, other, context.now))


def pardon(room: RoomState, context: Context, member: int, request: ask.Pardon) -> Decision:
    if request.member not in room.removed:
        refuse("room/no_member", "removed", member=request.member)
    return happened(events.MemberPardoned(member=request.member))


def hand_over(room: RoomState, context: Context, member: int, request: ask.HandOver) -> Decision:
    require_other(room, member, request.member)
    return happened(events.HostNamed(member=request.member))


# Talk


def chat(room: RoomState, context: Context, member: int, request: ask.Chat) -> Decision:
    if room.is_playing and not room.settings.only_deals:
        refuse("room/stage", "chat")
    require_may_talk(room, member)
    text = request.text
    if len(text) > LONGEST_LINE or not is_showable(text):
        refuse("talk/text", most=LONGEST_LINE)
    return happened(events.LineChatted(member=member, name=room.members[member].name, text=text))


def silence(room: RoomState, context: Context, member: int, request: ask.Silence) -> Decision:
    require_member(room, request.member)
    return happened(events.MemberSilenced(member=request.member, is_silenced=request.is_silenced))


def require_may_talk(room: RoomState, member: int) -> None:
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
