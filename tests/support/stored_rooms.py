"""Writes rooms into a log as a server would have left them, so that a test can start from there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from roundtable.core.actions import CallOff, Say
from roundtable.core.entries import Entry
from roundtable.core.play import Play
from roundtable.core.seats import HOST
from roundtable.games import new_game
from roundtable.protocol import encoded
from roundtable.protocol.encoding import ENCODER, encoded_entry
from roundtable.protocol.rooms import Settings
from roundtable.rooms import events
from roundtable.rooms.events import GameRow, RoomEvent, RoomRow
from roundtable.rooms.guests import key_of
from roundtable.rooms.reducer import absorb_row
from roundtable.rooms.snapshot import summary_of
from roundtable.rooms.state import RoomState
from roundtable.server.clock import steady_clock
from roundtable.storage import Log, Row
from support.scenes import SEED

LINES = 1_500  # of talk in a long game, about 650 bytes each
OVER, RUNNING, IDLE = "QUXET2", "QUXET3", "QUXET4"  # rooms with a long game


async def write_long_games(log: Log) -> None:
    """Three rooms with a long game each, of which one is over; then the log is closed."""
    play, now = new_game("avalon", 5, SEED), steady_clock()()
    for number in range(LINES):
        play.act(number % 5, Say(channel="table", text="Tôi nghĩ ghế số bốn là phe ác. " * 16))
    for code in (RUNNING, IDLE, OVER):
        if code == OVER:
            play.act(HOST, CallOff())
        await write_room(log, code, play, now)
    await log.close()


async def write_room(
    log: Log, code: str, play: Play[Any, Any], at: int, *, settings: Settings | None = None, people: int | None = None
) -> None:
    """A room with this game. `people` seats are members (by default all), the others careful bots. The token of member
    1 is "token 1"."""
    room = RoomState(code=code)
    held = settings or Settings(takeover_seconds=None)
    seats = play.state.setup.seats
    opened = _opened(code, play, held, seats if people is None else people)
    opened.append(events.GameStarted(number=1))
    absorb_row(room, RoomRow[RoomEvent](events=opened), at)
    for entry in play.entries:
        room.absorb_entry(entry, at)
    room.play = play
    lines = written_lines(opened, play.entries)
    await log.append(code, 0, [Row(at, line) for line in lines], summary_of(room))


def written_lines(happened: list[RoomEvent], entries: Iterable[Entry]) -> list[bytes]:
    """The rows of a log: events of the room, then the entries of its game."""
    room = RoomRow[RoomEvent](events=happened)
    return [ENCODER.encode(room), *(ENCODER.encode(GameRow(entry=encoded_entry(entry))) for entry in entries)]


def _opened(code: str, play: Play[Any, Any], settings: Settings, people: int) -> list[RoomEvent]:
    setup = play.state.setup
    facts: list[RoomEvent] = [
        events.RoomOpened(code=code, settings=settings),
        events.SetupChanged(game=setup.game, setup=encoded(setup)),
    ]
    for seat in range(setup.seats):
        member = seat + 1
        if seat >= people:
            facts.append(events.SeatTaken(seat=seat, bot="careful"))
        else:
            facts.append(events.MemberJoined(member=member, name=f"Guest {member}", key=key_of(f"token {member}")))
            facts.append(events.SeatTaken(seat=seat, member=member))
    return [*facts, events.HostNamed(member=1)]
