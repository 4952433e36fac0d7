"""Metrics at a port of their own: behind a proxy all clients have its address, so no path could be kept from them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

from roundtable.server.hosts import AllowedHosts

SECONDS = 10.0  # in which a client has to ask and to read
LONGEST_HEAD = 8_192  # bytes of a request


async def listen_for_metrics(
    listening: socket.socket, exposition: Callable[[], bytes], hosts: AllowedHosts
) -> asyncio.Server:
    """Answer GET /metrics until the server is closed."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(SECONDS):
                writer.write(answer_to(await reader.readuntil(b"\r\n\r\n"), exposition, hosts))
                await writer.drain()
        writer.close()
        asyncio.get_running_loop().call_later(SECONDS, writer.transport.abort)  # if the client does not read

    return await asyncio.start_server(converse, sock=listening, limit=LONGEST_HEAD)


def answer_to(head: bytes, exposition: Callable[[], bytes], hosts: AllowedHosts) -> bytes:
    """The whole answer to a request. A page that points its own name at this machine is refused."""
    first, *headers = head.decode("latin-1").split("\r\n")
    host = next((line.partition(":")[2].strip() for line in headers if line.lower().startswith("host:")), "")
    if not hosts.allows(host):
        status, body = "403 Forbidden", b""
    elif first.startswith("GET /metrics "):
        status, body = "200 OK", exposition()
    else:
        status, body = "404 Not Found", b""
    kind = "content-type: text/plain; version=0.0.4; charset=utf-8"
    return f"HTTP/1.1 {status}\r\n{kind}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
