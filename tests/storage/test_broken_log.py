"""A disk that fails: nothing that was not written down is ever told, or built upon."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.protocol import bodies
from roundtable.protocol import rooms as ask
from roundtable.storage import LogFailed, MemoryLog, RoomSummary, Row
from support.virtual import Client, VirtualLoop, registry_of, run


class FailingLog(MemoryLog):
    """Neither writes nor reads while it is broken."""

    is_broken = False

    async def append(self, room: str, known: int, rows: Sequence[Row], summary: RoomSummary | None) -> None:
        self._check()
        await super().append(room, known, rows, summary)

    async def read(self, room: str, after: int = 0) -> list[Row]:
        self._check()
        return await super().read(room, after)

    def _check(self) -> None:
        if self.is_broken:
            raise LogFailed("disk I/O error")


def test_nothing_is_built_on_what_could_neither_be_written_nor_read(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    async def main(loop: VirtualLoop) -> None:
        log = FailingLog()
        registry = registry_of(loop, log)
        opened = await registry.open(bodies.OpenRoom(name="Anna"))
        room = await registry.find(opened.room)
        anna, guest = Client(opened.token), Client()
        room.enter(anna.session, anna.entering(opened.room))
        await asyncio.sleep(1)
        log.is_broken = True
        room.say(anna.session, ask.Ask(id="bot", request=ask.SeatBot(seat=3)))
        room.enter(guest.session, guest.entering(opened.room))
        await asyncio.sleep(1)
        assert anna.last("Refused")["code"] == "room/busy"
        assert anna.closed == (1013, "room/busy")  # come back when the disk is whole
        assert not guest.frames  # nobody hears of a bot that never was there
        with pytest.raises(RoomRefused, match="couldn't be read"):
            await registry.find(opened.room)
        log.is_broken = False
        room = await registry.find(opened.room)
        room.enter(guest.session, guest.entering(opened.room))
        await room.ask(opened.token, ask.SeatBot(seat=2))
        await asyncio.sleep(1)
        assert [seat["bot"] for seat in guest.last("Room")["seats"]] == [None, None, "careful", None, None]
        await registry.stop()

    run(main)
