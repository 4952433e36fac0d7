"""The first look at a dealt role: who has looked, and when the game stops waiting for the others.

While it waits, seats are asked for nothing, moves are refused, and no clock runs. When a player looks is the player's
own choice, and public; it depends on no role.
"""

from __future__ import annotations

from roundtable.protocol import rooms as ask
from roundtable.rooms import events
from roundtable.rooms.commands import NOTHING, Context, Decision, happened, refuse
from roundtable.rooms.state import RoomState


def say_looked(room: RoomState, context: Context, member: int, request: ask.SayLooked) -> Decision:
    seat = room.seat_of(member)
    if seat is None:
        refuse("room/watching", "look")
    if room.play is None or not room.is_table_set or not room.play.is_dealt:
        refuse("room/stage", "not_dealt")
    if seat in room.looked:
        return NOTHING
    is_last = room.clock.held_until is not None and set(room.seats_to_look) <= {seat}
    return happened(events.RoleSeen(seat=seat), *([events.LookingEnded()] if is_last else []))


def seats_that_looked(room: RoomState) -> tuple[int, ...]:
    """The seats that have looked at their roles. A bot always has; one that stands in for a player has not."""
    if not room.is_table_set:
        return ()
    return tuple(seat for seat, place in enumerate(room.places) if place.bot or seat in room.looked)


def ends_at(room: RoomState, held_until: int) -> int:
    """When the game stops waiting for looks: at once if those who have not looked have left, or bots play for them."""
    return held_until if room.seats_to_look else min(held_until, room.written_at)


def ended() -> Decision:
    return happened(events.LookingEnded())._replace(is_more_due=True)
