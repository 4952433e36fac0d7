"""What the registry knows of a room without reading it: when the room has to be read, and its line in the list."""

from __future__ import annotations

from roundtable.protocol.bodies import RoomListed
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms import game
from roundtable.rooms.state import HOUR, RoomState
from roundtable.storage import RoomSummary

MINUTE = 60_000  # milliseconds
LOBBY_LASTS = 2 * HOUR  # without new rows and connections; a multiple of an hour, as RoomState.summary_key expects
GAME_LASTS = 24 * HOUR


def summary_of(room: RoomState) -> RoomSummary:
    """An idle room wakes at a full hour, possibly too early, so that its summary does not change with every row."""
    shown = listed(room) if room.settings.is_public else b""
    wakes_at = lasts_until(room) // HOUR * HOUR
    return RoomSummary(wakes_at, not room.is_closed, shown, _deadline(room), _patience(room))


def _deadline(room: RoomState) -> int | None:
    if room.play is None or not room.is_playing:
        return None
    return room.clock.ends_at if room.play.is_dealt else game.deal_at(room)


def _patience(room: RoomState) -> int | None:
    """How long after a server's start the room can stay unread: bots move without being asked, and they stand in for
    players who do not reconnect."""
    settings = room.settings
    if not room.is_playing or settings.is_deal_only:
        return None
    if any(place.player for place in room.places):
        return 0
    waits = [] if settings.takeover_seconds is None else [settings.takeover_seconds * 1000]
    if room.clock.ends_at is not None:  # by a clock that may have been set since
        waits.append(MINUTE)
    return min(waits, default=None)


def lasts_until(room: RoomState) -> int:
    """When a room is closed if there are no connections and no new rows."""
    return room.told_at + (GAME_LASTS if room.is_playing else LOBBY_LASTS)


def listed(room: RoomState) -> bytes:
    """The room's line in the list of public rooms."""
    host = room.members.get(room.host or 0)
    shown = RoomListed(
        code=room.code,
        game=room.setup.game,
        stage=room.stage,
        seats=len(room.places),
        free=sum(place.is_free for place in room.places),
        host=host.name if host else "",
    )
    return ENCODER.encode(shown)
