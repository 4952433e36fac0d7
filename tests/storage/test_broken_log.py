"""A room whose log can neither write nor read: it publishes nothing that was not written, and is read again later."""

from __future__ import annotations

import asyncio
import logging

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from support.room_harness import UnreliableLog
from support.virtual_time import FakeConnection, VirtualLoop, registry_of, run


def test_nothing_is_built_on_what_could_neither_be_written_nor_read(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    async def main(loop: VirtualLoop) -> None:
        log = UnreliableLog()
        registry = registry_of(loop, log)
        opened = await registry.open(bodies.OpenRoom(name="Anna"))
        room = await registry.find(opened.room)
        anna, guest = FakeConnection(opened.token), FakeConnection()
        room.enter(anna.session, anna.entering())
        await asyncio.sleep(1)
        log.writes = log.reads = False
        room.say(anna.session, ask.Ask(id="bot", request=ask.SeatBot(seat=3)))
        room.enter(guest.session, guest.entering())
        await asyncio.sleep(1)
        assert anna.last("Refused")["code"] == "room/busy"
        assert anna.closed == (1013, "room/busy")  # try again later
        assert not guest.frames  # the bot was not written, so it is not published
        with pytest.raises(RoomRefused, match="couldn’t be loaded"):
            await registry.find(opened.room)
        log.writes = log.reads = True
        room = await registry.find(opened.room)
        room.enter(guest.session, guest.entering())
        await room.ask(opened.token, ask.SeatBot(seat=2))
        await asyncio.sleep(1)
        assert [seat["bot"] for seat in guest.last("Room")["seats"]] == [None, None, "careful", None, None]
        await registry.stop()

    run(main)
