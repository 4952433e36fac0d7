"""A WebSocket client by hand, frame by frame (RFC 6455, 5.2), which reads only when the test says so."""

from __future__ import annotations

import json
import socket
from typing import Any

from support.waiting import PATIENCE

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A  # how frames begin


class RawSocket:
    """A connection with a small receive buffer, so that the server notices soon that nothing is read."""

    def __init__(self, port: int, room: str, host: str = "127.0.0.1", headers: str = "") -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(PATIENCE)
        self._socket.connect((host, port))
        self._socket.sendall(
            f"GET /socket/{room} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{headers}\r\n".encode()
        )
        self._stream = self._socket.makefile("rb")
        while (line := self._stream.readline()) != b"\r\n":
            if not line:
                raise ConnectionError("the server hung up")

    def say(self, kind: str, **more: Any) -> None:
        self.send(TEXT, json.dumps({"is": kind, **more}).encode())

    def send(self, first: int, payload: bytes) -> None:
        self._socket.sendall(bytes((first, 0x80 | 126, *len(payload).to_bytes(2, "big"), 0, 0, 0, 0)) + payload)

    def read_frame(self) -> tuple[int, bytes]:
        first, length = self._stream.read(2)
        if length >= 126:
            length = int.from_bytes(self._stream.read(2 if length == 126 else 8), "big")
        return first, self._stream.read(length)

    def close_code(self) -> int:
        """Read everything up to the close frame."""
        while True:
            first, payload = self.read_frame()
            if first == CLOSE:
                return int.from_bytes(payload[:2], "big")

    def hang_up(self) -> None:
        self._stream.close()
        self._socket.close()
