"""A minimal WebSocket client: it sends messages, and passes on every message that it receives."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

Hear = Callable[["Socket", bytes], None]


class Socket(asyncio.Protocol):
    """One connection. Frames from a server are not masked, so reading one is slicing."""

    def __init__(self, hear: Hear) -> None:
        self.hear = hear
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.bytes_received = 0  # of frames, with their headers
        self._received = bytearray()
        self._parts = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        if not self.opened.done():
            end = received.find(b"\r\n\r\n")
            if end < 0:
                return
            if not received.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(bytes(received[:200]).decode(errors="replace")))
                return
            del received[: end + 4]
            self.opened.set_result(None)
        start, size = 0, len(received)
        while size - start >= 2:
            length, begin = received[start + 1], start + 2
            if length == 126:
                if size - begin < 2:
                    break
                length, begin = int.from_bytes(received[begin : begin + 2], "big"), begin + 2
            elif length == 127:
                if size - begin < 8:
                    break
                length, begin = int.from_bytes(received[begin : begin + 8], "big"), begin + 8
            if size - begin < length:
                break
            self._frame(received[start], bytes(received[begin : begin + length]))
            self.bytes_received += begin + length - start
            start = begin + length
        del received[:start]

    def _frame(self, head: int, payload: bytes) -> None:
        opcode = head & 15
        if opcode == 9:
            self._write(0x8A, payload)
        elif opcode in (0, 1, 2):
            self._parts += payload
            if head & 128:
                message, self._parts = self._parts, b""
                self.hear(self, message)

    def connection_lost(self, problem: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed before it was opened"))
        if not self.closed.done():
            self.closed.set_result(None)

    def send(self, message: bytes, *, is_text: bool = True) -> None:
        self._write(0x81 if is_text else 0x82, message)

    def _write(self, head: int, payload: bytes) -> None:
        """Mask with zeros: a valid mask, and no work."""
        length = len(payload)
        size = bytes((128 | length,)) if length < 126 else bytes((254,)) + length.to_bytes(2, "big")
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(bytes((head,)) + size + b"\0\0\0\0" + payload)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def connect(port: int, path: str, hear: Hear) -> Socket:
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(hear), "127.0.0.1", port)
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert socket._transport is not None
    socket._transport.write(request.encode())
    await socket.opened
    return socket
