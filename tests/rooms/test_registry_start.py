"""The registry of a server that starts on many rooms: which it reads first, and when it is ready."""

from __future__ import annotations

import asyncio

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.rooms.site_policy import USUAL_LIMITS
from roundtable.storage import Log, MemoryLog, Row
from support.room_harness import HOUR, TIMED, expiries, room_with_game, room_with_members, settle, virtual_time_test
from support.virtual_time import VirtualLoop, registry_of

READING = 0.1  # seconds that it takes to read a room


class SlowLog(MemoryLog):
    """A log that reads slowly, and keeps which rooms were read."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.pause = 0.0

    async def read(self, room: str, after: int = 0) -> list[Row]:
        self.asked.append(room)
        await asyncio.sleep(self.pause)
        return await super().read(room, after)


async def left_behind(loop: VirtualLoop, log: Log, count: int, people: int, seed: str, **more: object) -> list[str]:
    """Rooms with a running game, whose server has stopped. Returns their codes."""
    codes = []
    for number in range(count):
        harness = await room_with_game(loop, people, log=log, seed=f"{seed}{number}", takeover_seconds=None, **more)
        codes.append(harness.code)
        await harness.registry.stop()
    return codes


@pytest.mark.slow
@virtual_time_test
async def test_rooms_with_a_deadline_are_read_before_those_whose_bots_want_to_go_on(loop: VirtualLoop) -> None:  # C5
    log = SlowLog()
    later = await left_behind(loop, log, 2, 5, "later", options={**TIMED, "propose_seconds": 60})
    with_bots = await left_behind(loop, log, 100, 1, "bots", bot_pace="slow")
    due = await left_behind(loop, log, 3, 5, "due", options=TIMED)
    await asyncio.sleep(31)
    log.asked.clear()
    log.pause = READING
    registry = registry_of(loop, log)
    await registry.start()
    await asyncio.sleep(2.5)
    assert set(log.asked[:3]) == {*due}
    assert set(log.asked[3:20]) <= {*with_bots}
    assert all(expiries(registry.rooms[code]) for code in due)
    await asyncio.sleep(60 - 31 - 2.5 + 0.9)
    assert all(expiries(registry.rooms[code]) for code in later)
    await registry.stop()


@virtual_time_test
async def test_a_server_is_in_time_once_all_that_was_overdue_is_read(loop: VirtualLoop) -> None:  # C5
    log = SlowLog()
    await left_behind(loop, log, 9, 5, "due", options=TIMED)
    await left_behind(loop, log, 50, 1, "bots", bot_pace="slow")
    await asyncio.sleep(100)
    log.pause = READING
    registry = registry_of(loop, log)
    await registry.start()
    assert not registry.has_caught_up
    await asyncio.sleep(2.9 * READING)
    assert not registry.has_caught_up
    await asyncio.sleep(0.2 * READING)
    await settle()
    assert registry.has_caught_up
    assert len(registry.rooms) < 20
    await registry.stop()


@virtual_time_test
async def test_a_room_that_cannot_be_read_does_not_keep_the_others_waiting(loop: VirtualLoop) -> None:
    log = SlowLog()
    broken, *others = await left_behind(loop, log, 3, 5, "due", options=TIMED)
    log._rows[broken][3] = Row(1, b"no row of ours")
    await asyncio.sleep(100)
    registry = registry_of(loop, log)
    await registry.start()
    await asyncio.sleep(0.5)
    assert registry.has_caught_up
    assert all(expiries(registry.rooms[code]) for code in others)
    await registry.stop()


@virtual_time_test
@pytest.mark.parametrize("down", [0.5 * HOUR, 3 * HOUR, 100 * HOUR])
async def test_time_without_a_server_does_not_count_as_idle(loop: VirtualLoop, down: float) -> None:
    log = MemoryLog()
    lobby = await room_with_members(loop, 2, log=log, seed="lobby")
    game = await room_with_game(loop, 5, log=log, seed="game", takeover_seconds=None)
    for harness in (lobby, game):
        await harness.registry.stop()
    await asyncio.sleep(down)
    registry = registry_of(loop, log)
    await registry.start()
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 - 60)
    assert not (await registry.find(lobby.code)).state.is_closed
    await asyncio.sleep(120)
    with pytest.raises(RoomRefused, match="no such table"):
        await registry.find(lobby.code)
    assert (await registry.find(game.code)).state.is_playing
    await registry.stop()


@virtual_time_test
async def test_a_lobby_that_nobody_asks_for_is_closed_after_its_idle_time_with_a_server(loop: VirtualLoop) -> None:
    log = SlowLog()
    lobby = await room_with_members(loop, 2, log=log)
    await lobby.registry.stop()
    await asyncio.sleep(3 * HOUR)
    log.asked.clear()
    registry = registry_of(loop, log)
    await registry.start()
    await asyncio.sleep(USUAL_LIMITS.lobby / 1000 - 5)
    assert not log.asked  # a start with thousands of idle lobbies does not read them
    await asyncio.sleep(10)
    assert await log.open_rooms() == 0
    await registry.stop()


@virtual_time_test
async def test_no_member_was_away_while_there_was_no_server(loop: VirtualLoop) -> None:
    log = MemoryLog()
    harness = await room_with_game(loop, 5, log=log, takeover_seconds=30)
    await harness.restart(log, after=3 * HOUR)
    room = harness.room
    assert not room._presence.no_shows(room.now())
    assert room._presence.to_evict(room.state, room.now()) is None
    await asyncio.sleep(25)
    assert [place.stand_in for place in room.state.places] == [None] * 5
    await asyncio.sleep(10)
    assert [place.stand_in for place in room.state.places] != [None] * 5
    await harness.registry.stop()
