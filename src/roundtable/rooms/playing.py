"""The game on a room's table: it is started, dealt, played, held up, called off. Each step becomes lines to write."""

from __future__ import annotations

from typing import Any

from roundtable.core import actions as act
from roundtable.core.actions import Action
from roundtable.core.entries import Entry
from roundtable.core.play import Play
from roundtable.core.seats import CLOCK, HOST, SPECTATOR, Seat
from roundtable.games import game_named
from roundtable.protocol import rooms as protocol
from roundtable.rooms import facts as was
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.facts import Claim


def start(room: RoomAggregate, seed: bytes, claim: Claim) -> list[bytes]:
    """A member's request to start is granted."""
    lines = room.take([was.GameStarted(number=room.state.number + 1)], claim)
    setup = room.state.setup
    room.play = Play.open(game_named(setup.game), setup, seed)
    lines.append(room.take_entry(room.play.entries[0]))
    if room.state.settings.is_deal_only:  # people round a real table keep their own time
        lines.append(room.take_entry(room.play.act(HOST, act.Pause())))
    return lines if _waits_for_stirring(room, room.play) else [*lines, *deal(room)]


def deal(room: RoomAggregate) -> list[bytes]:
    return [] if room.play is None or room.play.is_dealt else [room.take_entry(room.play.deal())]


def deal_at(room: RoomAggregate) -> int:
    """Until when a deal waits for the players' own randomness."""
    return (room.started_at or room.written_at()) + room.state.settings.stir_seconds * 1000


def _waits_for_stirring(room: RoomAggregate, play: Play[Any, Any]) -> bool:
    """Whether somebody at the table may still add their own randomness to the deal (C1)."""
    stirred = {entry.actor for entry in play.entries if isinstance(entry.action, act.Contribute)}
    missing = [seat for seat, place in enumerate(room.state.places) if not place.player and seat not in stirred]
    return bool(missing) and room.written_at() < deal_at(room)


def played(room: RoomAggregate, seat: Seat, action: Action, id: str = "") -> list[bytes]:
    """A move or a line of talk at the table; `IllegalAction` where the rules do not allow it."""
    play = room.play
    assert play is not None
    before = len(play.entries)
    entry = play.act(seat, action, id)
    if len(play.entries) == before:  # a repeat: it was answered and written down before
        return []
    lines = [room.take_entry(entry)]
    if isinstance(action, act.Contribute) and not _waits_for_stirring(room, play):
        lines += deal(room)
    return lines


def time_is_up(room: RoomAggregate) -> list[bytes]:
    """C5: whoever did not answer gets the default. Another server may have been quicker to say so."""
    is_due = room.clock.ends_at is not None and room.clock.ends_at <= room.now()
    if room.play is None or not room.is_playing or not is_due:
        return []
    return played(room, CLOCK, act.Expire(phase=room.play.phase.number))


def host_acts(room: RoomAggregate, request: Any) -> list[bytes]:
    """What the host does to a game that is being played."""
    assert room.play is not None
    phase = room.play.phase.number
    action: Action
    match request:
        case protocol.CallItOff():
            action = act.CallOff()
        case protocol.HoldClock(do="pause"):
            action = act.Pause()
        case protocol.HoldClock(do="resume"):
            action = act.Resume()
        case protocol.HoldClock(do="extend", seconds=seconds):
            action = act.Extend(phase=phase, seconds=seconds)
        case _:
            action = act.StartCountdown(phase=phase, seconds=request.seconds)
    return [room.take_entry(room.play.act(HOST, action))]


def call_in(room: RoomAggregate) -> list[bytes]:
    """Cards that were only dealt are called in (C7): the record is complete, and the deal can be verified."""
    if room.play is None or not room.is_playing:
        return []
    return [room.take_entry(room.play.act(HOST, act.CallOff()))]


def is_done_openly(entry: Entry) -> bool:
    """Whether everybody hears who did it. What comes first is what they did; the rest, such as the end of a quest with
    the last card, is what came of it."""
    return bool(entry.events) and SPECTATOR in entry.events[0].audience
