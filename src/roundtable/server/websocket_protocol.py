"""uvicorn's WebSocket protocol with two shortcuts: text goes straight to the transport, and received text straight to
the application.

A frame to each of five seats by way of ASGI costs more than the move itself, and no library takes its place. picows
2.3.1 was tried, with uvicorn handing the transport over at the upgrade. A move took 0.97 times the CPU time (ours
compared with itself: 0.99), an idle connection 1.11 times the memory, and the code grew from 321 to 425 lines, because
picows leaves fragments, reserved bits, slow readers and ASGI to its user. Its public API only serves a port of its
own, so a private class is needed there too. It refuses Firefox's handshake ("Connection: keep-alive, Upgrade"), and
over a transport of uvloop it corrupts frames of more than 8 KiB that have to wait for a slow reader. The sans-I/O
layer of websockets without uvicorn's class is as fast and takes 0.81 times the memory, but 140 lines more. So this
class stays, and pyproject.toml caps the versions of uvicorn and websockets.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from starlette.types import Message
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from roundtable.rooms.networks import Bucket
from roundtable.server.frames import decode_text_frame, is_whole_messages
from roundtable.server.lazy_event import LazyEvent
from roundtable.server.limits import TOO_FAST, Limits
from roundtable.server.single_consumer_queue import SingleConsumerQueue

EXTENSION = "roundtable.direct"
SAID_WINDOW = 20.0  # seconds in which a client may send `Limits.said_in_window` messages
FRAMES_PER_MESSAGE = 8  # a message may come in fragments, with pings in between
MOST_UNREAD_PONGS = 64 * 1024  # bytes at which a client that pings and does not read is cut off
SLOWEST_READ = 16 * 1024  # bytes that a slow client has to read within the ping timeout to count as alive
DROP_SECONDS = 1.0  # in which a flooding client can still read the close frame


OnText = Callable[[str], object]


class Direct(Protocol):
    """A connection that is written to without waiting, and that calls a function with each text it receives."""

    def listen(self, hear: OnText) -> None:
        """Call `hear` with each text that arrives in a frame by itself. `receive` returns the others, and the end; the
        order of all of them is kept."""
        ...

    def write(self, frames: bytes) -> None:
        """Send these frames."""
        ...

    @property
    def is_writable(self) -> bool:
        """Whether the buffer of the transport is below its limit."""
        ...

    def when_writable(self, call: Callable[[], None]) -> None:
        """Call this when the buffer is below its limit again; soon, if it is now."""
        ...

    def waiting(self) -> int:
        """How many bytes the system has not taken yet."""
        ...

    def close_with(self, code: int, reason: str) -> None: ...

    def drop(self, code: int, reason: str) -> None:
        """Close, and end the connection soon, whether the client has read why or not."""
        ...


class DirectSocket(WebSocketsSansIOProtocol):
    """One connection. Handshake, parsing and keepalive are uvicorn's; shortcuts and limits are ours."""

    # Attributes of uvicorn's class. Instances with more than thirty attributes in their dictionary do not share its
    # keys with other instances, and take up 1.3 KiB more.
    __slots__ = (
        "app_state",
        "asgi_version",
        "client",
        "close_timeout",
        "close_timer",
        "connections",
        "curr_msg_data_type",
        "default_headers",
        "frames",
        "initial_response",
        "last_ping_rtt",
        "pending_ping_payload",
        "ping_interval",
        "ping_sent_at",
        "ping_timeout",
        "ping_timer",
        "pong_timer",
        "read_paused",
        "root_path",
        "scheme",
        "server",
        "tasks",
    )

    most_frames = FRAMES_PER_MESSAGE * Limits().said_in_window
    _hear: OnText | None = None
    _on_writable: Callable[[], None] | None = None
    is_writable = True
    _frames: Bucket | None = None
    _heard_at = 0.0  # when the client last sent a text
    _is_aligned = True  # whether all data so far ended with the end of a message
    _written = 0  # bytes of text that were sent
    _taken = 0  # of them, those that the system had taken at the last keepalive
    _is_behind = False  # whether it had not taken all

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = SingleConsumerQueue()  # type: ignore[assignment]
        self.writable = LazyEvent()  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Most data is one text message in a single frame, which needs no parser and no queue. `hear` limits these."""
        text = decode_text_frame(data) if self._is_listening() else None
        if text is not None and self._hear is not None:
            self._heard_at = self.loop.time()
            self._hear(text)
            return
        if self.handshake_initiated and self._is_aligned:
            self._is_aligned = is_whole_messages(data)
        super().data_received(data)

    def _is_listening(self) -> bool:
        """Whether new data begins a message, and no earlier message waits in the queue."""
        return self._is_aligned and self._hear is not None and not self.close_sent and self.queue.empty()

    def handle_events(self) -> None:
        """Every frame counts against the limit, also pings and the fragments of a message that never ends."""
        if self._may_receive(len(self.conn.events)):
            super().handle_events()
        else:
            self.drop(*TOO_FAST)

    def _may_receive(self, frames: int) -> bool:
        now = self.loop.time()
        if self._frames is None:
            self._frames = Bucket(self.most_frames, SAID_WINDOW, now)
        return self._frames.take(now, frames)

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNREAD_PONGS:
            self.transport.abort()

    def drop(self, code: int, reason: str) -> None:
        """Close with the reason, and stop reading: reading on is what a flood is meant to cause."""
        self.close_with(code, reason)
        self.transport.pause_reading()
        self.loop.call_later(DROP_SECONDS, self.transport.abort)

    def listen(self, hear: OnText) -> None:
        """Start to hand texts over, and drop the headers of the handshake: a fifth of a connection's memory."""
        self._hear = hear
        self.scope["headers"] = []
        self.request.headers.clear()  # the parser refers to the request for as long as the connection lasts
        del self.request, self.response

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]
        await super().run_asgi()
        self._abort_later()
        self._hear = self._on_writable = None  # break the reference cycle between the connection and its session
        self.scope["extensions"].clear()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # break the cycle between the parser and its generator, which waits for more data

    def send_keepalive_ping(self) -> None:
        """A client that has just sent a text is alive. Not pinging it saves a good deal at ten thousand connections."""
        self._is_reading()
        silence = self.loop.time() - self._heard_at
        if self.ping_interval and silence < self.ping_interval:
            self.ping_timer = self.loop.call_later(self.ping_interval - silence, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def _is_reading(self) -> bool:
        """Whether a client that was behind has read enough since the last call."""
        was_behind, before = self._is_behind, self._taken
        self._is_behind, self._taken = self.waiting() > 0, self._written - self.waiting()
        return was_behind and self._taken - before >= SLOWEST_READ

    def keepalive_timeout(self) -> None:
        """A ping waits behind everything that a slow client has not read; as long as it reads, it is alive."""
        if self._is_reading() and not self.close_sent:
            self.pong_timer = self.loop.call_later(self.ping_timeout or 0, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        self._abort_later()

    def _abort_later(self) -> None:
        """A closed transport waits until its buffer is empty, which never happens where the client does not read."""
        self.loop.call_later(self.close_timeout, self.transport.abort)

    def when_writable(self, call: Callable[[], None]) -> None:
        self._on_writable = call
        if self.is_writable:
            self.loop.call_soon(self._call_on_writable)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_writable = False

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_writable = True
        self._call_on_writable()

    def _call_on_writable(self) -> None:
        if (call := self._on_writable) is not None and self.is_writable:
            self._on_writable = None
            call()

    def write(self, frames: bytes) -> None:
        if not (self.close_sent or self.disconnected):
            self.transport.write(frames)
            self._written += len(frames)

    def waiting(self) -> int:
        return 0 if self.close_sent or self.disconnected else int(self.transport.get_write_buffer_size())

    def close_with(self, code: int, reason: str) -> None:
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:  # the client's own close frame has to be read
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)


def websocket_class(limits: Limits) -> type[DirectSocket]:
    """The class that uvicorn makes one of for each connection of a server with these limits."""

    class Limited(DirectSocket):
        most_frames = FRAMES_PER_MESSAGE * limits.said_in_window

    return Limited


def is_server_error(record: logging.LogRecord) -> bool:
    """Filter for uvicorn's log, which reports text of a client that is no UTF-8 as an error."""
    return not str(record.msg).startswith("Invalid UTF-8")


def said_in(message: Message) -> str | None:
    """The text of a frame; a binary one is read as text, and None is the end."""
    if message["type"] != "websocket.receive":
        return None
    text: str | None = message.get("text")
    return text if text is not None else (message.get("bytes") or b"").decode(errors="replace")


class Peer(NamedTuple):
    """The address of a client, and its connection under our own server."""

    address: str
    direct: Direct | None


def peer_of(scope: Any) -> Peer:
    client = scope.get("client")
    return Peer(client[0] if client else "", scope.get("extensions", {}).get(EXTENSION))
