"""Compression: large answers are gzipped for clients that accept it, and answers with secrets never are."""

from __future__ import annotations

import asyncio
import gzip
import secrets

import httpx
import pytest

from roundtable.core.actions import CallOff, Say
from roundtable.core.seats import HOST
from roundtable.games import new_game
from roundtable.protocol.compression import SMALLEST
from roundtable.rooms import InlineBotWorkers, Services
from roundtable.server.app import Application
from roundtable.server.clock import steady_clock
from roundtable.storage import MemoryLog
from support.scenes import SEED
from support.stored_rooms import write_room

CODE = "QUXET2"
LARGE = [
    "/openapi.json",
    "/schemas/messages.json",
    "/api/games",
    "/api/games/avalon/text/vi",
    f"/api/rooms/{CODE}/games/1/record",
    f"/api/rooms/{CODE}/games/1/replay/all",
]
NEVER = [f"/api/rooms/{CODE}", "/api/rooms", f"/api/rooms/{CODE}/games/2/record", "/metrics"]


async def answers(paths: list[str], accepted: str) -> list[tuple[httpx.Headers, bytes]]:
    """The headers of each answer, and its body as it was sent."""
    play, log = new_game("avalon", 5, SEED), MemoryLog()
    for _ in range(4):
        play.act(0, Say(channel="table", text="Well played! " * 30))
    play.act(HOST, CallOff())
    await write_room(log, CODE, play, steady_clock()())
    app = Application(Services(log, steady_clock(), secrets.token_bytes, InlineBotWorkers()))
    sent = []
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://localhost") as http:
        for path in paths:
            async with http.stream("GET", path, headers={"accept-encoding": accepted}) as answer:
                sent.append((answer.headers, b"".join([part async for part in answer.aiter_raw()])))
    return sent


@pytest.mark.parametrize("accepted", ["gzip", "br, GZIP;q=0.5", "deflate , gzip ; q=1"])
def test_large_answers_are_compressed_for_those_who_accept_it(accepted: str) -> None:
    packed, plain = (asyncio.run(answers(LARGE, coding)) for coding in (accepted, "identity"))
    for path, (headers, body), (others, text) in zip(LARGE, packed, plain, strict=True):
        assert (headers["content-encoding"], headers["vary"]) == ("gzip", "accept-encoding"), path
        assert int(headers["content-length"]) == len(body) < len(text) / 2, path
        assert gzip.decompress(body) == text, path
        assert ("content-encoding" in others, others["vary"]) == (False, "accept-encoding"), path
        assert headers["content-type"] == others["content-type"], path


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "gzip; q=0.0", "gzipped"])
def test_those_who_do_not_accept_it_get_the_text_as_it_is(accepted: str) -> None:
    for headers, body in asyncio.run(answers(LARGE, accepted)):
        assert "content-encoding" not in headers
        assert len(body) > SMALLEST


def test_what_is_small_or_changes_all_the_time_is_sent_as_it_is() -> None:
    assert not any("content-encoding" in headers for headers, _ in asyncio.run(answers(NEVER, "gzip")))
