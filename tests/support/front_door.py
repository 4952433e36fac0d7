"""A proxy before several workers, as nginx is one: each connection goes to a worker that answers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

LARGEST = 65_536  # bytes that are copied at once
PATIENCE = 1.0  # seconds for the first answer of a worker, before another one is tried; more in the next round


@asynccontextmanager
async def front_door(urls: Sequence[str], dice: random.Random) -> AsyncIterator[str]:
    """The address under which clients find any of the workers."""
    tasks: set[asyncio.Task[None]] = set()

    def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_serve(list(urls), dice, reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _serve(
    urls: list[str], dice: random.Random, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    with suppress(OSError):
        try:
            request = await reader.read(LARGEST)
            answered = await _first_answer(dice.sample(urls, len(urls)), request) if request else None
            if answered is not None:
                await _copy_both_ways(reader, writer, *answered)
        finally:
            writer.close()


async def _first_answer(
    urls: list[str], request: bytes
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes] | None:
    """A connection to a worker, with the first bytes that it has sent. A repeated request changes nothing: memberships
    go by their token, requests by their id."""
    for patience in (PATIENCE, 4 * PATIENCE):
        for url in urls:
            place, writer, first = urlsplit(url), None, b""
            try:
                async with asyncio.timeout(patience):
                    reader, writer = await asyncio.open_connection(place.hostname, place.port)
                    writer.write(request)
                    if first := await reader.read(LARGEST):
                        return reader, writer, first
            except (OSError, TimeoutError):
                pass
            finally:
                if writer is not None and not first:
                    writer.close()
    return None


async def _copy_both_ways(
    client_reader: asyncio.StreamReader,
    client_writer: asyncio.StreamWriter,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    first: bytes,
) -> None:
    """Until one side ends."""
    client_writer.write(first)
    copying = [
        asyncio.create_task(_copy(client_reader, writer)),
        asyncio.create_task(_copy(reader, client_writer)),
    ]
    try:
        await asyncio.wait(copying, return_when=asyncio.FIRST_COMPLETED)
    finally:
        writer.close()
        for task in copying:
            task.cancel()
        await asyncio.gather(*copying, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(LARGEST):
        writer.write(chunk)
        await writer.drain()
