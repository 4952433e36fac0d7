"""Rooms as a server leaves them in its log: written by the parts that a server writes them with."""

from __future__ import annotations

from typing import Any

from roundtable.core.play import Play
from roundtable.protocol import spelled
from roundtable.protocol.rooms import Settings
from roundtable.rooms import facts as was
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.facts import Fact
from roundtable.rooms.guests import key_of
from roundtable.rooms.summary import summary_of
from roundtable.storage import Log, Row


async def write_room(
    log: Log, code: str, play: Play[Any, Any], at: int, *, settings: Settings | None = None, people: int | None = None
) -> None:
    """A room in which this game is played, by so many people (all, where that is not said) and careful bots. The token
    of member 1 is "token 1"."""
    room = RoomAggregate(code, lambda: at)
    held = settings or Settings(takeover_seconds=None)
    seats = play.state.setup.seats
    lines = room.take(_opened(code, play, held, seats if people is None else people))
    lines += room.take([was.GameStarted(number=1)])
    lines += map(room.take_entry, play.entries)
    room.play = play
    await log.append(code, 0, [Row(at, line) for line in lines], summary_of(room))


def _opened(code: str, play: Play[Any, Any], settings: Settings, people: int) -> list[Fact]:
    setup = play.state.setup
    facts: list[Fact] = [
        was.RoomOpened(code=code, settings=settings),
        was.TableLaid(game=setup.game, setup=spelled(setup)),
    ]
    for seat in range(setup.seats):
        member = seat + 1
        if seat >= people:
            facts.append(was.SeatTaken(seat=seat, bot="careful"))
        else:
            facts.append(was.MemberJoined(member=member, name=f"Guest {member}", key=key_of(f"token {member}")))
            facts.append(was.SeatTaken(seat=seat, member=member))
    return [*facts, was.HostNamed(member=1)]
