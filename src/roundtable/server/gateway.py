"""uvicorn's own sockets with short cuts: what is told to a seat goes into the connection's buffer at once, and what a
seat says is heard at once.

A frame to each of five seats by way of ASGI costs more than the move itself. The short cuts are offered to the
application as an extension of the connection's scope; under any other server they are missing, and ASGI does.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from roundtable.server.limits import Bucket, Limits

EXTENSION = "roundtable.direct"
SAID_WINDOW = 20.0  # seconds in which a socket may say so much
FRAMES_A_MESSAGE = 8  # a message may come in pieces, and pings in between
MOST_PONGS = 64 * 1024  # bytes that wait for somebody who pings and does not read
DROPPED_AFTER = 1.0  # seconds in which a flooding client can still read why
TEXT = 0x81  # the first byte of a whole frame of text


Hear = Callable[[str], object]


class Direct(Protocol):
    """A connection that can be written to without waiting, and that says what it hears when it hears it."""

    def listen(self, hear: Hear) -> None:
        """From now on `hear` gets every text; `receive` has what came before, and the end."""
        ...

    def write_text(self, text: bytes) -> int:
        """Send a frame; how many bytes are waiting to be read now."""
        ...

    def close_with(self, code: int, reason: str) -> None: ...


class DirectSocket(WebSocketsSansIOProtocol):
    """One connection. Reading, handshake and pings stay uvicorn's; how much may be said is ours, frame by frame."""

    most_frames = FRAMES_A_MESSAGE * Limits().said_in_window
    _hear: Hear | None = None
    _frames: Bucket | None = None

    def handle_events(self) -> None:
        """Every frame counts, also those that are no message: pings, and pieces of one that never ends."""
        if self._frames is None:
            self._frames = Bucket(self.most_frames, SAID_WINDOW, self.loop.time())
        if self._frames.take(self.loop.time(), len(self.conn.events)):
            super().handle_events()
        else:
            self._drop()

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_PONGS:
            self.transport.abort()

    def _drop(self) -> None:
        """Say why, and listen no more: reading on is what they are after."""
        self.close_with(1008, "house/too_fast")
        self.transport.pause_reading()
        self.loop.call_later(DROPPED_AFTER, self.transport.abort)

    def listen(self, hear: Hear) -> None:
        """The greeting at the door is over, and every header of it may be forgotten: an eighth of what a connection
        takes up."""
        self._hear = hear
        self.scope["headers"] = []
        del self.request, self.response

    def send_receive_event_to_app(self) -> None:
        hears = self._hear
        if hears is None or not self.queue.empty() or self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()
            return
        self.frames = []
        hears(text)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._cut_off_later()
        self._hear = None  # it knows us, and we must not keep each other alive
        self.scope["extensions"].clear()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._cut_off_later()

    def _cut_off_later(self) -> None:
        """A transport that was closed waits until its buffer is empty: for ever, where nobody reads."""
        self.loop.call_later(self.close_timeout, self.transport.abort)

    def write_text(self, text: bytes) -> int:
        if self.close_sent or self.disconnected:
            return 0
        self.transport.write(framed(text))
        return int(self.transport.get_write_buffer_size())

    def close_with(self, code: int, reason: str) -> None:
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:  # the other side's own goodbye has to be read
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)


def sockets_with(limits: Limits) -> type[DirectSocket]:
    """Sockets of a server with these limits."""

    class Limited(DirectSocket):
        most_frames = FRAMES_A_MESSAGE * limits.said_in_window

    return Limited


def is_our_affair(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's log tells of a mistake of ours: text that is no UTF-8 is the client's."""
    return not str(record.msg).startswith("Invalid UTF-8")


def framed(text: bytes) -> bytes:
    """A frame as a server sends it (RFC 6455, 5.2): unmasked, whole."""
    length = len(text)
    if length < 126:
        return bytes((TEXT, length)) + text
    if length < 65_536:
        return b"\x81\x7e" + length.to_bytes(2, "big") + text
    return b"\x81\x7f" + length.to_bytes(8, "big") + text


class Peer(NamedTuple):
    """Who is at the other end, and how to reach them."""

    address: str
    direct: Direct | None


def peer_of(scope: Any) -> Peer:
    client = scope.get("client")
    return Peer(client[0] if client else "", scope.get("extensions", {}).get(EXTENSION))
