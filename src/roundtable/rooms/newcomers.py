"""Seats that bots play: which of them a newcomer gets, and who may take one over in a running game."""

from __future__ import annotations

from collections.abc import Collection

from roundtable.core.game import OPEN_TALK
from roundtable.core.seats import Seat
from roundtable.rooms import events
from roundtable.rooms.commands import NOTHING, Context, Decision, happened, refuse
from roundtable.rooms.state import RoomState


def seats_without_player(room: RoomState) -> list[Seat]:
    """The seats that a newcomer can take: free ones, then those of bots. In a running game only bots give up theirs;
    first those whose player has left, so that no person learns a second role by leaving and joining again; last those
    that are out of the game."""
    if not room.is_table_set:
        return [*room.free_seats, *room.bot_seats]
    if not room.is_playing or room.settings.only_deals:
        return []
    active = _active_seats(room)
    return sorted(room.bot_seats, key=lambda seat: (not room.places[seat].finishes_game, seat not in active))


def _active_seats(room: RoomState) -> Collection[Seat]:
    """The seats that still have something to do or to say, by public facts."""
    if room.play is None:
        return ()
    state = room.play.state
    floor = state.floors.get(OPEN_TALK)
    speakers: frozenset[Seat] = floor.speakers if floor else frozenset()
    return speakers | room.play.phase.awaited


def seat_for(room: RoomState, key: str, no_shows: Collection[int] = ()) -> Seat | None:
    """The seat of a new member with this key. Members who come back to the game that they left get their own, and no
    other: they know what it knows. In the lobby the seats of no-shows are given away, too."""
    open_seats = seats_without_player(room)
    if room.is_table_set and key in room.known_seats:
        own = room.known_seats[key]
        return own if own in open_seats else None
    if not room.is_table_set:
        open_seats += [seat for seat, place in enumerate(room.places) if place.member in no_shows]
    return next(iter(open_seats), None)


def take_over(room: RoomState, context: Context, member: int, seat: Seat) -> Decision:
    """In a running game a member without a seat takes a bot's, with all that the seat knows."""
    own = room.seat_of(member)
    if own == seat:
        return NOTHING
    if not room.is_playing or room.settings.only_deals:
        refuse("room/stage", "table")
    if own is not None:
        refuse("room/seat", "playing")
    if (holder := room.places[seat].member) is not None:
        refuse("room/seat", "" if holder in context.presence.connected else "held", seat=seat)
    require_knows_no_other(room, member, seat)
    if room.emptied_by.get(seat) == member:
        refuse("room/seat", "emptied", seat=seat)
    require_no_vacated_seat(room, member, seat)
    return happened(events.SeatTaken(seat=seat, member=member))


def require_knows_no_other(room: RoomState, member: int, seat: Seat) -> None:
    """A person who has played another seat in this game would know the secrets of two; a moderator knows all."""
    if room.moderator == member:
        refuse("room/seat", "moderates")
    known = room.known_seats.get(room.members[member].key, seat)
    if room.is_playing and known != seat:
        refuse("room/seat", "two_roles")


def require_no_vacated_seat(room: RoomState, member: int, seat: Seat) -> None:
    """The seat of a player who has left is taken before another bot's: the newcomer may be that player."""
    vacated = [one for one in room.bot_seats if room.places[one].finishes_game and room.emptied_by.get(one) != member]
    if vacated and seat not in vacated:
        refuse("room/seat", "vacated", seat=vacated[0])
