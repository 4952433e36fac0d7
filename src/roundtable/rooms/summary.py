"""What the house knows of a room without reading it: when it has to be woken, and what the list of rooms shows."""

from __future__ import annotations

from roundtable.protocol.bodies import RoomListed
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms import playing
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.storage import RoomSummary

HOUR = 3_600_000  # milliseconds
A_MINUTE = 60_000
LOBBY_LASTS = 2 * HOUR  # without anything written, and with nobody there
GAME_LASTS = 24 * HOUR


def summary_of(room: RoomAggregate) -> RoomSummary:
    """What the registry needs to know without reading the room.

    An idle room wakes at a full hour, possibly too early, so that the summary does not change with every row.
    """
    shown = listed(room) if room.state.settings.is_public else b""
    wakes_at = lasts_until(room) // HOUR * HOUR
    return RoomSummary(wakes_at, not room.state.is_closed, shown, _deadline(room), _patience(room))


def signs_of(room: RoomAggregate) -> object:
    """As long as this is the same, so is the summary."""
    play = room.play
    game = play and (play.is_dealt, play.is_over)
    return room.changes, game, room.clock.ends_at, lasts_until(room) // HOUR


def _deadline(room: RoomAggregate) -> int | None:
    if room.play is None or not room.is_playing:
        return None
    return room.clock.ends_at if room.play.is_dealt else playing.deal_at(room)


def _patience(room: RoomAggregate) -> int | None:
    """Bots move without being asked; and whoever is away, or does not return from a restart, is played for."""
    settings = room.state.settings
    if not room.is_playing or settings.is_deal_only:
        return None
    if any(place.player for place in room.state.places):
        return 0
    waits = [] if settings.takeover_seconds is None else [settings.takeover_seconds * 1000]
    if room.clock.ends_at is not None:  # by a clock that may have been set since
        waits.append(A_MINUTE)
    return min(waits, default=None)


def lasts_until(room: RoomAggregate) -> int:
    """When a room is closed if nobody is there and nothing more is heard."""
    return room.told_at + (GAME_LASTS if room.is_playing else LOBBY_LASTS)


def listed(room: RoomAggregate) -> bytes:
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
