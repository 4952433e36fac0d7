"""Memory of a real server under attack: it stays bounded, and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from roundtable.storage import SqliteLog
from support.live_server import LiveServer, traceback_free
from support.raw_protocol import Listener, http_to
from support.sizes import REFUSED_RECORDS
from support.stored_rooms import IDLE, OVER, RUNNING, write_long_games

MOST_GROWTH = 30  # MB
AT_ONCE = 20  # requests


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with three long games: one is over, one is played, one waits for players who are all away."""
    database = tmp_path / "rooms.db"
    asyncio.run(write_long_games(SqliteLog(database)))
    with LiveServer(database) as live:
        yield live


@pytest.mark.slow
def test_refused_records_and_replays_keep_no_game_in_memory(server: LiveServer) -> None:
    refused = {
        f"/api/rooms/{OVER}/games/1/replay/99": 404,
        f"/api/rooms/{OVER}/games/2/record": 404,
        f"/api/rooms/{RUNNING}/games/1/record": 409,
        f"/api/rooms/{RUNNING}/games/1/replay/all": 409,
        f"/api/rooms/{IDLE}/games/1/record": 409,
        f"/api/rooms/{IDLE}/games/7/replay/0": 404,
    }

    async def ask_in_vain(http: httpx.AsyncClient) -> float:
        """The most that the server had in memory meanwhile."""
        most = 0.0
        for _ in range(REFUSED_RECORDS // AT_ONCE):
            asked = [*refused] * (AT_ONCE // len(refused))
            answers = await asyncio.gather(*map(http.get, asked))
            assert {answer.status_code for answer in answers} == {404, 409}
            most = max(most, server.memory() / 2**20)
        return most

    async def main() -> None:
        player = await Listener.enter(server.socket_url, RUNNING, "token 1")
        await player.caught_up()
        async with http_to(server.url) as http:
            before = server.memory() / 2**20
            for path, status in refused.items():
                assert (await http.get(path)).status_code == status
            most = await ask_in_vain(http)
        assert most - before < MOST_GROWTH, f"from {before:.0f} to {most:.0f} MB"
        await player.leave()

    asyncio.run(main())
    assert traceback_free([server.logged()])
