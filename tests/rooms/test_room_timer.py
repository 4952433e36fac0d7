"""A room's timer, when the loop's clock and the server's clock disagree."""

from __future__ import annotations

import asyncio

from roundtable.protocol.bodies import OpenRoom
from roundtable.rooms import InlineBotWorkers, RoomRegistry, Services
from roundtable.storage import MemoryLog
from support.virtual_time import EPOCH, SeededBytes, VirtualLoop, run


def test_an_alarm_that_rings_too_early_rings_again() -> None:
    async def main(loop: VirtualLoop) -> bool:
        def slow_clock() -> int:
            return EPOCH + int(loop.time() * 999)

        registry = RoomRegistry(Services(MemoryLog(), slow_clock, SeededBytes(), InlineBotWorkers()))
        opened = await registry.open(OpenRoom(name="Ann"))
        room = registry.rooms[opened.room]
        await asyncio.sleep(2.1 * 3600)  # an empty lobby is closed after two hours
        return room.state.is_closed

    assert run(main)
