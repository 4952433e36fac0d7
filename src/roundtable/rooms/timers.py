"""What is due in a room as time passes: deals, looks, deadlines, bots, stand-ins, claims, a new host, the end."""

from __future__ import annotations

from bisect import bisect_right

from roundtable.core import actions as act
from roundtable.core.seats import HOST, Seat
from roundtable.rooms import claims, events, game, looking, members
from roundtable.rooms.bot_scheduler import BotTurns, take_turns
from roundtable.rooms.commands import (
    NOTHING,
    CloseAll,
    CloseRoom,
    CloseUnused,
    Context,
    Decision,
    Tick,
    WriteSummary,
    happened,
)
from roundtable.rooms.site_policy import USUAL_LIMITS, IdleLimits
from roundtable.rooms.state import RoomState

HOST_AWAY_SECONDS = 60  # without a connection while another member is connected, before that member becomes the host
STUCK_SECONDS = 5  # for a phase without a clock in which only bots are awaited, and have answered
RECHECK_MS = 60_000  # after which an idle room with connections is checked again
RETURN_MS = 60_000  # after a room was read, in which it is not closed
COME_BACK_MS = (
    20_000  # after a room was read, in which no one is replaced: clients wait up to 19 s between two attempts
)

# When. All times are in milliseconds since 1970.


def next_due(room: RoomState, context: Context) -> int:
    return min(_dues(room, context))


def _dues(room: RoomState, context: Context) -> list[int]:
    due = [expires_at(room, context), *handovers(room, context), *(at for at, _ in grants(room, context))]
    play = room.play
    if not room.is_playing or play is None:
        return due
    if not play.is_dealt:
        return [*due, game.deal_at(room)]
    due += context.turns.due
    if room.clock.held_until is not None:
        due.append(looking.ends_at(room, room.clock.held_until))
    if room.clock.ends_at is not None:
        due.append(room.clock.ends_at)
    due += [at for at, _ in takeovers(room, context)]
    if _is_stuck(room, context):
        due.append(_stuck_until(room, context.turns))
    if delay := room.settings.spectator_delay * 1000:
        unheard = bisect_right(room.times, context.now - delay)  # the first entry that spectators have not heard
        due += [room.times[unheard] + delay] if unheard < len(room.times) else []
    return due


def lasts_until(room: RoomState, idle: IdleLimits = USUAL_LIMITS, up_since: int = 0) -> int:
    """When a room is closed if there are no connections and no new rows. Time before the server started does not count:
    no one could connect."""
    return max(room.public_at, up_since) + (idle.game if room.is_playing else idle.lobby)


def expires_at(room: RoomState, context: Context) -> int:
    """Members of a room that another worker ran until now get some time to come back."""
    lasts = max(lasts_until(room, context.idle, context.presence.up_since), context.presence.since + RETURN_MS)
    return max(lasts, context.now + RECHECK_MS) if context.has_connections else lasts


def handovers(room: RoomState, context: Context) -> list[int]:
    """When a connected member becomes the host for one who is away. Not while dealt cards are played at a real table,
    where phones are in pockets."""
    presence = context.presence
    if room.settings.only_deals and room.is_table_set:
        return []
    if room.host is None or room.host in presence.connected or members.next_host(room, presence.connected) is None:
        return []
    away_since = presence.last_seen_in(room, room.host)
    return [max(away_since, presence.here_since(context.now)) + HOST_AWAY_SECONDS * 1000]


def grants(room: RoomState, context: Context) -> list[tuple[int, int]]:
    """When a member gets the seat that they claim, although too few players have agreed."""
    return claims.automatic_grants(room, context.presence) if room.seat_claims else []


def takeovers(room: RoomState, context: Context) -> list[tuple[int, Seat]]:
    """When a bot stands in for a player who is away, or connected and idle."""
    settings, presence = room.settings, context.presence
    if settings.only_deals or (settings.takeover_seconds is None and settings.idle_seconds is None):
        return []
    due = []
    for seat, place in enumerate(room.places):
        if place.member is None or place.player:
            continue
        limit = settings.idle_seconds if place.member in presence.connected else settings.takeover_seconds
        if limit is not None:
            away_until = presence.last_seen_in(room, place.member) + limit * 1000
            due.append((max(away_until, presence.since + COME_BACK_MS), seat))
    return due


def _is_stuck(room: RoomState, context: Context) -> bool:
    """C6: whether a phase without a clock waits for bots alone, and all of them have answered."""
    play, clock = room.play, room.clock
    is_stopped = clock.is_paused or clock.held_until is not None
    if play is None or clock.ends_at is not None or is_stopped or context.turns.due or context.is_thinking:
        return False
    return all(room.places[seat].player for seat in play.phase.awaited or range(len(room.places)))


def _stuck_until(room: RoomState, turns: BotTurns) -> int:
    """Counted from what everyone heard and from the bots' turns, so that no secret move changes it (C8)."""
    return max(room.public_at, turns.last_answer(room)) + STUCK_SECONDS * 1000


# What


def close_unused(room: RoomState, context: Context, command: CloseUnused) -> Decision:
    if room.is_closed or context.has_connections or context.presence.is_used(context.now):
        return Decision(reply=False)
    return closed()._replace(reply=True)


def close_room(room: RoomState, context: Context, command: CloseRoom) -> Decision:
    return NOTHING if room.is_closed else closed()


def write_summary(room: RoomState, context: Context, command: WriteSummary) -> Decision:
    return NOTHING if room.is_closed else Decision([events.RoomRow(events=[])])


def closed() -> Decision:
    return happened(events.RoomClosed())._replace(effects=[CloseAll(4004, "room/unknown")])


def tick(room: RoomState, context: Context, command: Tick) -> Decision:
    """The first thing that is due, and whether more may be. Each is decided on the room as it is when it is written."""
    now = context.now
    if room.is_closed:
        return NOTHING
    if expires_at(room, context) <= now:
        return closed()
    if any(at <= now for at in handovers(room, context)):
        host = members.next_host(room, context.presence.connected)
        return happened(events.HostNamed(member=host, was_vacant=True))._replace(is_more_due=True)
    for at, claimant in grants(room, context):
        if at <= now:
            granted = events.SeatGranted(seat=room.seat_claims[claimant].seat, member=claimant)
            return happened(granted)._replace(is_more_due=True)
    if room.play is None or not room.is_playing:
        return NOTHING
    if not room.play.is_dealt:
        return Decision(game.deal(room) if game.deal_at(room) <= now else ())
    for at, seat in takeovers(room, context):
        if at <= now:
            stood_in = events.BotStoodIn(seat=seat, bot=room.settings.takeover_bot)
            return happened(stood_in)._replace(is_more_due=True)
    if room.clock.held_until is not None:
        return looking.ended() if looking.ends_at(room, room.clock.held_until) <= now else NOTHING
    return _tick_phase(room, context)


def _tick_phase(room: RoomState, context: Context) -> Decision:
    turns, questions = take_turns(context.turns, room, context.now)
    if turns != context.turns:
        return Decision(turns=turns, questions=questions, is_more_due=True)
    if room.clock.ends_at is not None and room.clock.ends_at <= context.now:
        return Decision(game.time_is_up(room, context.now))
    if _is_stuck(room, context) and _stuck_until(room, context.turns) <= context.now:
        assert room.play is not None
        countdown = act.StartCountdown(phase=room.play.phase.number, seconds=STUCK_SECONDS)
        return Decision(game.played(room, context.now, HOST, countdown))
    return NOTHING
