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

from roundtable.server.arrivals import Arrivals
from roundtable.server.frames import ends_with_a_frame, framed, text_in
from roundtable.server.limits import TOO_FAST, Bucket, Limits

EXTENSION = "roundtable.direct"
SAID_WINDOW = 20.0  # seconds in which a socket may say so much
FRAMES_A_MESSAGE = 8  # a message may come in pieces, and pings in between
MOST_PONGS = 64 * 1024  # bytes that wait for somebody who pings and does not read
SLOWEST = 16 * 1024  # bytes that somebody who catches up has to read in the time that a ping is given
DROPPED_AFTER = 1.0  # seconds in which a flooding client can still read why


Hear = Callable[[str], object]


class Direct(Protocol):
    """A connection that can be written to without waiting, and that says what it hears when it hears it."""

    def listen(self, hear: Hear) -> None:
        """From now on `hear` gets every text; `receive` has what came before, and the end."""
        ...

    def write_text(self, text: bytes) -> None:
        """Send a frame."""
        ...

    def waiting(self) -> int:
        """How many bytes are waiting to be read."""
        ...

    def close_with(self, code: int, reason: str) -> None: ...


class DirectSocket(WebSocketsSansIOProtocol):
    """One connection. Reading, handshake and pings stay uvicorn's; how much may be said is ours, frame by frame."""

    most_frames = FRAMES_A_MESSAGE * Limits().said_in_window
    _hear: Hear | None = None
    _frames: Bucket | None = None
    _heard_at = 0.0  # when somebody last said something
    _is_between_frames = False
    _written = 0  # bytes of text that were sent
    _taken = 0  # of them, those that the system had taken when we looked last
    _is_behind = False  # whether it had not taken all

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = Arrivals()  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Most of what comes is one whole frame of text, which is heard without further ado: whoever hears it counts
        what was said."""
        text = text_in(data) if self._is_listened_to() else None
        if text is not None and self._hear is not None:
            self._heard_at = self.loop.time()
            self._hear(text)
            return
        if not self.handshake_initiated:
            self._is_between_frames = data.endswith(b"\r\n\r\n")
        elif self._is_between_frames:
            self._is_between_frames = ends_with_a_frame(data)
        super().data_received(data)

    def _is_listened_to(self) -> bool:
        """Whether what comes now is the beginning of something said, and nothing that was said before still waits."""
        is_free = self._is_between_frames and self._hear is not None and not self.close_sent
        return is_free and self.conn.current_size is None and self.queue.empty()

    def handle_events(self) -> None:
        """Every frame counts, also those that are no message: pings, and pieces of one that never ends."""
        if self._may_say(len(self.conn.events)):
            super().handle_events()
        else:
            self._drop()

    def _may_say(self, frames: int) -> bool:
        now = self.loop.time()
        if self._frames is None:
            self._frames = Bucket(self.most_frames, SAID_WINDOW, now)
        return self._frames.take(now, frames)

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_PONGS:
            self.transport.abort()

    def _drop(self) -> None:
        """Say why, and listen no more: reading on is what they are after."""
        self.close_with(*TOO_FAST)
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

    def send_keepalive_ping(self) -> None:
        """Whoever has just said something is there, and is not asked: at ten thousand sockets that is a good deal."""
        self._reads_on()
        silence = self.loop.time() - self._heard_at
        if self.ping_interval and silence < self.ping_interval:
            self.ping_timer = self.loop.call_later(self.ping_interval - silence, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def _reads_on(self) -> bool:
        """Whether somebody who was behind has read a good deal since this was asked last."""
        was_behind, before = self._is_behind, self._taken
        self._is_behind, self._taken = self.waiting() > 0, self._written - self.waiting()
        return was_behind and self._taken - before >= SLOWEST

    def keepalive_timeout(self) -> None:
        """A ping waits behind whatever somebody has missed; as long as they read that, they are there."""
        if self._reads_on() and not self.close_sent:
            self.pong_timer = self.loop.call_later(self.ping_timeout or 0, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        self._cut_off_later()

    def _cut_off_later(self) -> None:
        """A transport that was closed waits until its buffer is empty: for ever, where nobody reads."""
        self.loop.call_later(self.close_timeout, self.transport.abort)

    def write_text(self, text: bytes) -> None:
        if not (self.close_sent or self.disconnected):
            self.transport.write(framed(text))
            self._written += len(text)

    def waiting(self) -> int:
        return 0 if self.close_sent or self.disconnected else int(self.transport.get_write_buffer_size())

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


class Peer(NamedTuple):
    """Who is at the other end, and how to reach them."""

    address: str
    direct: Direct | None


def peer_of(scope: Any) -> Peer:
    client = scope.get("client")
    return Peer(client[0] if client else "", scope.get("extensions", {}).get(EXTENSION))
