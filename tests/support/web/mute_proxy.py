"""A TCP proxy that can fall silent: it passes no more bytes, and closes no connection."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing, suppress
from typing import Self


class MuteProxy:
    """A proxy between a browser and a server, in a thread of its own; it keeps its address when the server changes."""

    def __init__(self, server_url: str) -> None:
        self.server_url = server_url  # empty while there is none
        self._is_silent = False
        self._is_open = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self.url = ""

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_open.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def fall_silent(self) -> None:
        """Pass nothing more, and close nothing."""
        self._is_silent = True

    def speak_again(self) -> None:
        """Pass the bytes of new connections; silent ones stay silent."""
        self._is_silent = False

    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._is_open.set()
        await self._end.wait()
        server.close()  # without waiting for connections, which may be open still

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self.server_url.removeprefix("http://").partition(":")
        with closing(writer), suppress(asyncio.CancelledError):  # cancelled when all of it ends
            if not port:
                return
            there, back = await asyncio.open_connection(host, int(port))
            line = Line()
            with closing(back):
                await asyncio.gather(self._carry(reader, back, line), self._carry(there, writer, line))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: Line) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                line.is_dead = line.is_dead or self._is_silent
                if not line.is_dead:
                    writer.write(data)
                    await writer.drain()
        if not line.is_dead:
            writer.close()


class Line:
    """One connection through the proxy."""

    is_dead = False
