"""What happens in a room because time goes by: deals and deadlines, bots' turns, stand-ins, and the end of the room."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from roundtable.core import actions as act
from roundtable.core.errors import RoundTableError
from roundtable.core.play import Play
from roundtable.core.seats import HOST, Seat
from roundtable.rooms import deciding, playing
from roundtable.rooms import facts as was
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.bot_scheduler import BotScheduler
from roundtable.rooms.presence import Presence
from roundtable.rooms.summary import lasts_until
from roundtable.rooms.writing import Writer

HOST_AWAY_SECONDS = 60  # without a connection while somebody else is here, before the room goes to them
STUCK_SECONDS = 5  # for a phase in which nobody who is awaited will ever answer
WATCHED_LASTS = 60_000  # milliseconds before an idle room with people in it is looked at again

logger = logging.getLogger("roundtable.rooms")


class Timekeeper:
    """Knows when something is due in a room, and does it."""

    def __init__(self, standing: RoomAggregate, attendance: Presence, turns: BotScheduler, writer: Writer) -> None:
        self._standing = standing
        self._attendance = attendance
        self._turns = turns
        self._writer = writer

    # When

    def next_due(self) -> int:
        return min(self._dues())

    def _dues(self) -> list[int]:
        """Every moment at which something is due, in milliseconds since 1970."""
        standing = self._standing
        due = [self._expires_at(), *self._handovers()]
        if not standing.is_playing or standing.play is None:
            return due
        if not standing.play.is_dealt:
            return [*due, playing.deal_at(standing)]
        due += self._turns.due
        if standing.clock.ends_at is not None:
            due.append(standing.clock.ends_at)
        due += [at for at, _ in self._takeovers()]
        if self._is_stuck():
            due.append(self._stuck_until())
        if delay := standing.state.settings.spectator_delay * 1000:
            now = standing.now()
            due += [at + delay for at in standing.times if at + delay > now][:1]
        return due

    def _handovers(self) -> list[int]:
        """When a room whose host is gone goes to somebody who is here. While people play with cards that were dealt to
        them, a phone in a pocket is no empty chair."""
        state, attendance = self._standing.state, self._attendance
        if state.settings.is_deal_only and state.is_table_set:
            return []
        if state.host is None or attendance.is_here(state.host) or deciding.heir(state, attendance.here) is None:
            return []
        return [max(attendance.last_seen(state.host), attendance.here_since) + HOST_AWAY_SECONDS * 1000]

    def _takeovers(self) -> list[tuple[int, Seat]]:
        """When a bot takes the seat of a player who is gone, or who is here and does not stir."""
        settings = self._standing.state.settings
        if settings.is_deal_only or (settings.takeover_seconds is None and settings.idle_seconds is None):
            return []
        due = []
        here = {session.member for session in self._attendance.sessions}
        for seat, place in enumerate(self._standing.state.places):
            if place.member is None or place.player:
                continue
            patience = settings.idle_seconds if place.member in here else settings.takeover_seconds
            if patience is not None:
                due.append((self._attendance.last_seen(place.member) + patience * 1000, seat))
        return due

    def _is_stuck(self) -> bool:
        """C6: nobody can hold a table up. Whether a phase without a clock waits for bots and stand-ins alone."""
        play, clock = self._standing.play, self._standing.clock
        if play is None or clock.ends_at is not None or clock.is_paused or self._turns.due or self._turns.is_thinking:
            return False
        places = self._standing.state.places
        return all(places[seat].player for seat in play.phase.awaited or range(len(places)))

    def _stuck_until(self) -> int:
        """Counted from what everybody heard and from the bots' turns: no secret move moves the moment (C8)."""
        return max(self._standing.told_at, self._turns.last_answer) + STUCK_SECONDS * 1000

    def _expires_at(self) -> int:
        lasts = lasts_until(self._standing)
        return max(lasts, self._standing.now() + WATCHED_LASTS) if self._attendance.sessions else lasts

    # What

    async def tick(self) -> None:
        """Do whatever is due."""
        now = self._standing.now()
        try:
            if self._expires_at() <= now:
                await self._expire_room()
                return
            if any(at <= now for at in self._handovers()):
                await self._writer.attempt(self._hand_over)
            if self._standing.play is not None and self._standing.is_playing:
                await self._tick_game(self._standing.play, now)
        except RoundTableError as refused:
            logger.warning("the clock was refused: %s", refused.code)

    async def _tick_game(self, play: Play[Any, Any], now: int) -> None:
        standing, attempt = self._standing, self._writer.attempt
        if not play.is_dealt:
            if playing.deal_at(standing) <= now:
                await attempt(lambda: playing.deal(standing))
            return
        for at, seat in self._takeovers():
            if at <= now:
                await attempt(partial(self._take_over, seat))
        self._turns.ask(now)
        if standing.clock.ends_at is not None and standing.clock.ends_at <= now:
            await attempt(lambda: playing.time_is_up(standing))
        elif self._is_stuck() and self._stuck_until() <= now:
            await attempt(self._unstick)

    def _hand_over(self) -> list[bytes]:
        """Another server may have been quicker."""
        standing = self._standing
        if not any(at <= standing.now() for at in self._handovers()):
            return []
        heir = deciding.heir(standing.state, self._attendance.here)
        return standing.take([was.HostNamed(member=heir, was_vacant=True)])

    def _take_over(self, seat: Seat) -> list[bytes]:
        """Another server may have been quicker, or the player is gone for good."""
        standing = self._standing
        is_due = any(at <= standing.now() and other == seat for at, other in self._takeovers())
        bot = standing.state.settings.takeover_bot
        return standing.take([was.BotStoodIn(seat=seat, bot=bot)]) if is_due and standing.is_playing else []

    def _unstick(self) -> list[bytes]:
        standing = self._standing
        if standing.play is None or not standing.is_playing or not self._is_stuck():
            return []
        countdown = act.StartCountdown(phase=standing.play.phase.number, seconds=STUCK_SECONDS)
        return playing.played(standing, HOST, countdown)

    def _close(self) -> list[bytes]:
        """Unless somebody has been there, on another server."""
        return self._standing.take([was.RoomClosed()]) if self._expires_at() <= self._standing.now() else []

    async def _expire_room(self) -> None:
        await self._writer.attempt(self._close)
        if self._standing.state.is_closed:
            self._attendance.send_away(4004, "room/unknown")
