"""Rooms as a server leaves them in its log: written by the parts that a server writes them with."""

from __future__ import annotations

from typing import Any

from roundtable.core.play import Play
from roundtable.protocol import spelled
from roundtable.protocol.rooms import Settings
from roundtable.rooms import events
from roundtable.rooms.events import RoomEvent, RoomRow, line_of
from roundtable.rooms.guests import key_of
from roundtable.rooms.reducer import absorb_row
from roundtable.rooms.state import RoomState
from roundtable.rooms.summary import summary_of
from roundtable.storage import Log, Row


async def write_room(
    log: Log, code: str, play: Play[Any, Any], at: int, *, settings: Settings | None = None, people: int | None = None
) -> None:
    """A room in which this game is played, by so many people (all, where that is not said) and careful bots. The token
    of member 1 is "token 1"."""
    room = RoomState(code=code)
    held = settings or Settings(takeover_seconds=None)
    seats = play.state.setup.seats
    opened = _opened(code, play, held, seats if people is None else people)
    rows = [RoomRow[RoomEvent](facts=opened), RoomRow[RoomEvent](facts=[events.GameStarted(number=1)])]
    for row in rows:
        absorb_row(room, row, at)
    for entry in play.entries:
        room.absorb_entry(entry, at)
    room.play = play
    lines = [*map(line_of, rows), *map(line_of, play.entries)]
    await log.append(code, 0, [Row(at, line) for line in lines], summary_of(room))


def _opened(code: str, play: Play[Any, Any], settings: Settings, people: int) -> list[RoomEvent]:
    setup = play.state.setup
    facts: list[RoomEvent] = [
        events.RoomOpened(code=code, settings=settings),
        events.TableLaid(game=setup.game, setup=spelled(setup)),
    ]
    for seat in range(setup.seats):
        member = seat + 1
        if seat >= people:
            facts.append(events.SeatTaken(seat=seat, bot="careful"))
        else:
            facts.append(events.MemberJoined(member=member, name=f"Guest {member}", key=key_of(f"token {member}")))
            facts.append(events.SeatTaken(seat=seat, member=member))
    return [*facts, events.HostNamed(member=1)]
