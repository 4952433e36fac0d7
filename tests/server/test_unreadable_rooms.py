"""A room with a row that cannot be decoded: its clients get a clear code, the log one line, and other rooms go on."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from roundtable.core.errors import RoomRefused
from roundtable.rooms import InlineBotWorkers
from roundtable.storage import MemoryLog, Row
from support.asgi_server import AsgiServer, Socket, Transcript
from support.live_server import LiveServer
from support.raw_protocol import Listener, http_to, seat_five
from support.room_harness import TIMED, room_with_game, settle, virtual_time_test
from support.virtual_time import VirtualLoop, registry_of

BROKEN_LINES = {
    "no JSON": b"\xff\x00nonsense",
    "no such event": b'{"is":"Room","events":[{"is":"Nothing"}]}',
    "a seat that does not exist": b'{"is":"Room","events":[{"is":"SeatFreed","seat":77}]}',
    "an empty row": b"",
}


def spoil(database: Path, room: str, row: int, line: bytes) -> None:
    with closing(sqlite3.connect(database)) as connection:
        changed = connection.execute("UPDATE rows SET line = ? WHERE room = ? AND version = ?", (line, room, row))
        assert changed.rowcount == 1
        connection.commit()


@pytest.mark.slow
@pytest.mark.parametrize("line", BROKEN_LINES.values(), ids=BROKEN_LINES)
def test_a_broken_row_is_told_by_a_code_and_one_line_of_the_log(tmp_path: Path, line: bytes) -> None:
    async def main() -> None:
        with LiveServer(tmp_path / "rooms.db") as server:
            async with http_to(server.url) as http:
                broken, whole = [(await seat_five(http, options=TIMED))[0] for _ in range(2)]
            server.stop()
            spoil(server.database, broken.room, 3, line)
            server.start()
            async with http_to(server.url) as http:
                for _ in range(3):
                    for token in (broken.token, None):
                        listener = await Listener.enter(server.socket_url, broken.room, token)
                        assert await listener.closed() == (1013, "room/busy")
                    looked = await http.get(f"/api/rooms/{broken.room}")
                    assert (looked.status_code, looked.json()["code"]) == (503, "room/busy")
                listener = await Listener.enter(server.socket_url, whole.room, whole.token)
                await listener.caught_up()
                await listener.leave()
                assert (await http.get("/ready")).status_code == 200
            lines = server.logged().splitlines()
            assert len(lines) == 1, server.logged()
            assert re.search(rf"room {broken.room}, row 3\b", lines[0])

    asyncio.run(main())


@virtual_time_test
async def test_a_broken_room_is_not_read_again_and_again(loop: VirtualLoop, caplog: pytest.LogCaptureFixture) -> None:
    log = CountingLog()
    harness = await room_with_game(loop, log=log, options=TIMED)
    await harness.registry.stop()
    log._rows[harness.code][2] = Row(0, b"nonsense")
    log.reads = 0
    registry = registry_of(loop, log)
    await registry.start()
    await asyncio.sleep(3600)
    assert log.reads == 1
    for _ in range(20):
        with pytest.raises(RoomRefused) as refused:
            await registry.find(harness.code)
        assert refused.value.code == "room/busy"
    assert log.reads == 2
    assert len([record for record in caplog.records if harness.code in record.getMessage()]) == 1
    await registry.stop()


@virtual_time_test
async def test_a_listing_that_cannot_be_read_hides_no_other_room(loop: VirtualLoop) -> None:
    log = MemoryLog()
    codes = [(await room_with_game(loop, log=log, seed=seed, is_public=True)).code for seed in range(2)]
    log._summaries[codes[0]] = log._summaries[codes[0]]._replace(listing=b"nonsense")
    assert [room.code for room in await registry_of(loop, log).listed()] == [codes[1]]


@virtual_time_test
async def test_a_defect_never_closes_a_connection_as_if_all_were_well(
    loop: VirtualLoop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    log = MemoryLog()
    harness = await room_with_game(loop, log=log)
    await harness.registry.stop()
    server = AsgiServer(loop, log, InlineBotWorkers())
    await server.start()

    async def fail(*_: Any) -> Any:
        raise KeyError("a defect")

    def fail_at_once(*_: Any) -> Any:
        raise KeyError("a defect")

    async def code_after(*said: str) -> str:
        socket = Socket(server.app, Transcript(loop.time), harness.code)
        for text in said:
            socket.say(text)
        await settle()
        await asyncio.sleep(6)
        return next(line for _, line in socket._transcript.lines if "websocket.close" in line)

    entering = '{"is":"Enter"}'
    with monkeypatch.context() as defect:
        defect.setattr(server.app.registry, "find", fail)
        assert '"code": 1011, "reason": "server/broken"' in await code_after(entering)
    with monkeypatch.context() as defect:
        defect.setattr("roundtable.server.sockets.Sockets._take", fail_at_once)
        assert '"code": 1011, "reason": "server/broken"' in await code_after(entering, '{"is":"Here"}')
    await server.stop()


class CountingLog(MemoryLog):
    reads = 0

    async def read(self, room: str, after: int = 0) -> list[Row]:
        self.reads += 1
        return await super().read(room, after)
