"""What a moderator sees: everyone's role, of a game that was dealt under a setting which every member could read."""

from __future__ import annotations

from msgspec import Struct

from roundtable.core.errors import RoomRefused
from roundtable.games import spec_named
from roundtable.rooms.state import RoomState
from roundtable.text.cards import cards_of


class DealtRole(Struct, kw_only=True):
    """A seat's role, and what its card tells."""

    seat: int
    role: str
    knows: list[str]


class DealtRoles(Struct, kw_only=True):
    """The roles of the game on the table, for its moderator."""

    number: int
    roles: list[DealtRole]


def dealt_roles(room: RoomState, token: str, lang: str) -> DealtRoles:
    """Refused to everyone but the member who was the moderator when the game was dealt, and has no seat in it."""
    member = room.member_with(token)
    if member is None:
        raise RoomRefused("server/unauthorised")
    if room.moderator != member or room.seat_of(member) is not None:
        raise RoomRefused("room/not_host", "moderator")
    play = room.play
    if play is None or not play.is_dealt:
        raise RoomRefused("room/stage", "not_dealt")
    seats = range(len(room.places))
    held = [room.members[place.member].name if place.member in room.members else "" for place in room.places]
    cards = cards_of(spec_named(room.setup.game), room.setup, held, lang)
    return DealtRoles(
        number=room.number,
        roles=[
            DealtRole(
                seat=seat,
                role=cards.role(seat, play.view(seat)),
                knows=[line for line in cards.knowledge(seat, play.events_for(seat)) if line],
            )
            for seat in seats
        ],
    )
