"""What the house knows of a room without reading it: when it has to be woken, and what the list of rooms shows."""

from __future__ import annotations

from roundtable.record.log import Card
from roundtable.room.standing import Standing
from roundtable.wire.rooms import RoomListed
from roundtable.wire.spelling import ENCODER

HOUR = 3_600_000  # milliseconds
LOBBY_LASTS = 2 * HOUR  # without anything written, and with nobody there
GAME_LASTS = 24 * HOUR


def card_of(room: Standing) -> Card:
    """A room is woken at a full hour, which may be too early, so that the card need not change with every row; and at
    once where somebody has to move without being asked."""
    due = lasts_until(room) // HOUR * HOUR
    if room.is_playing:
        if room.play is None or not room.play.is_dealt or any(place.player for place in room.state.places):
            due = 0
        elif room.clock.ends_at is not None:
            due = min(due, room.clock.ends_at)
    return Card(due, not room.state.is_closed, listed(room) if room.state.settings.is_public else b"")


def lasts_until(room: Standing) -> int:
    """When a room is closed if nobody is there and nothing more is heard."""
    return room.told_at + (GAME_LASTS if room.is_playing else LOBBY_LASTS)


def listed(room: Standing) -> bytes:
    """What the list of public rooms shows."""
    state = room.state
    host = state.members.get(state.host or 0)
    shown = RoomListed(
        code=room.code,
        game=state.setup.game,
        stage=room.stage,
        seats=len(state.places),
        free=sum(place.is_free for place in state.places),
        host=host.name if host else "",
    )
    return ENCODER.encode(shown)
