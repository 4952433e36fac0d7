"""A connection to one room: opened again when it is lost, without losing or repeating a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from msgspec import Raw
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.frames import Close

from roundtable.client.retries import Retries, kind_of, refusal
from roundtable.core.errors import IllegalAction, NotConnected, RoundTableError, Unreadable
from roundtable.core.play import LONGEST_ID
from roundtable.protocol.encoding import CLIENT_PADDING, ENCODER, LONGEST, Reader, is_id
from roundtable.protocol.messages import Act, Answered, Heard, Message, Refused, Welcome
from roundtable.protocol.room_changes import with_changes
from roundtable.protocol.rooms import FROM_SERVER, Ask, Chatted, Enter, Entered, Here, Pong, Room, RoomChanged, View

READER = Reader(*FROM_SERVER, has_lists=True)
SOCKET: dict[str, Any] = {"compression": None, "max_size": 2**24, "close_timeout": 2, "ping_interval": None}
PING_SECONDS = 1.0  # between two pings
PONG_TURNS, TURN_SECONDS = 4, 0.5  # how often the answer to a ping is looked for before the server counts as gone
UNKNOWN = "room/unknown"
# Close codes after which the same Enter would be refused again (docs/protocol.md), with the variant of the sentence.
FINAL = {4003: "membership", 4004: "closed", 4008: "first"}
PADDED = (Act, Enter)
UNREADABLE_FRAMES = (1002, 1007, 1009)  # close codes that this side sends when it cannot read what came


@dataclass(frozen=True)
class ConnectionLost:
    """The connection is gone; the client tries to open another."""


@dataclass(frozen=True)
class ConnectionRestored:
    """Another connection has been opened, and continues where the last one ended."""


class Connection:
    """Carries requests to a room and messages from it, over as many sockets as it takes."""

    def __init__(
        self, url: str, code: str, enter: Enter, retries: Retries, headers: Mapping[str, str] | None = None
    ) -> None:
        self._headers = dict(headers or {})
        self._url = "ws" + url.removeprefix("http") + f"/socket/{quote(code, safe='')}"
        self._retries = retries
        self._enter = enter  # kept up to date: the next socket continues from here
        self._waiting: dict[str, tuple[str, asyncio.Future[None]]] = {}  # requests without an answer, by id
        self._socket: ClientConnection | None = None
        self._room: Room | None = None  # the latest
        self._failure: Exception | None = None
        self._has_entered = self._is_lost = False

    async def messages(self) -> AsyncGenerator[Message | ConnectionLost | ConnectionRestored, None]:
        """Every message but the answers to requests, each once; and what becomes of the connection. It ends with an
        error only."""
        cause: Exception
        while True:
            try:
                async with connect(self._url, additional_headers=self._headers, **SOCKET) as socket, _watched(socket):
                    await self._begin(socket)
                    while True:
                        for line in _text(await socket.recv()).split("\n"):
                            for message in self._read(line):
                                if self._is_news(message):
                                    yield message
                                elif isinstance(message, Entered) and self._is_back():
                                    yield ConnectionRestored()
            except (ConnectionClosed, InvalidHandshake, OSError) as lost:
                self._socket, cause = None, lost
            _require_temporary(cause)
            if self._has_entered and not self._is_lost:
                self._is_lost = True
                yield ConnectionLost()
            await self._retries.wait(cause)

    async def request(self, message: Act | Ask) -> None:
        """Send until it is answered, on this socket or a later one; a refusal is raised."""
        if self._failure is not None:
            raise self._failure
        if not is_id(message.id) or message.id in self._waiting:
            raise IllegalAction("action/bad_id", "twice" if message.id in self._waiting else "", most=LONGEST_ID)
        text = sendable(message)
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[message.id] = text, answer
        try:
            await self._send(text)
            await answer
        finally:
            del self._waiting[message.id]

    async def here(self) -> None:
        await self._send(sendable(Here()))

    def fail(self, failure: Exception) -> None:
        """Nothing more will come: whatever waits for an answer gets this error, and so does every later request."""
        self._failure = failure
        for _, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(failure)

    async def _send(self, text: str) -> None:
        """Without a socket nothing is sent; `_begin` sends what still waits for an answer."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(text)

    async def _begin(self, socket: ClientConnection) -> None:
        await socket.send(sendable(self._enter))
        self._socket = socket
        for text, _ in [*self._waiting.values()]:
            await socket.send(text)

    def _read(self, line: str) -> list[Message]:
        """The message in a line; for a RoomChanged, the Room that follows; for a list, a Heard for each event."""
        message: Message | list[Raw] = READER.read(line)
        if isinstance(message, list):
            return [Heard(number=number, event=event) for number, event in enumerate(message, self._enter.heard + 1)]
        if isinstance(message, RoomChanged):
            if self._room is None:
                raise Unreadable("text/unreadable", "misfit", found="RoomChanged")
            message = with_changes(self._room, message)
        if isinstance(message, Room):
            self._room = message
        return [message]

    def _is_news(self, message: Message) -> bool:
        """Note how far the room was heard; whether the message is for the table."""
        match message:
            case Entered():
                self._retries.reset()
            case Answered(id=id):
                self._answer(id, None)
            case Refused(id=id):
                self._answer(id, refusal(message))
            case Room(number=number) if number != self._enter.number:
                self._enter.number, self._enter.heard = number, 0
            case Welcome(seat=seat, heard=heard):
                self._continue(seat, heard)
            case Heard(number=number):
                self._enter.heard = number
            case Chatted(number=number):
                self._enter.chatted = number
        return not isinstance(message, Entered | Answered | Refused | Pong | View)

    def _is_back(self) -> bool:
        """Whether the room has let this client in again, after a lost connection."""
        was_lost, self._is_lost, self._has_entered = self._is_lost, False, True
        return was_lost

    def _continue(self, seat: int, heard: int) -> None:
        """The server goes on after the last event that was heard, or tells the game from its beginning."""
        if heard not in (0, self._enter.heard):
            raise Unreadable("text/unreadable", "number", expected=self._enter.heard, found=heard)
        self._enter.heard_as, self._enter.heard = seat, heard

    def _answer(self, id: str, error: RoundTableError | None) -> None:
        _, answer = self._waiting.get(id, ("", None))
        if answer is None or answer.done():  # a repeat that was answered twice, or a caller that gave up
            return
        if error is None:
            answer.set_result(None)
        else:
            answer.set_exception(error)


@asynccontextmanager
async def _watched(socket: ClientConnection) -> AsyncIterator[None]:
    watching = asyncio.create_task(_abort_when_silent(socket))
    try:
        yield
    finally:
        watching.cancel()


async def _abort_when_silent(socket: ClientConnection) -> None:
    """Let go of a server that is asleep or cut off. Not by the clock alone, as the pings of websockets do: a program
    that was busy itself reads the answer in the next turn."""
    with suppress(ConnectionClosed):
        while True:
            pong = await socket.ping()
            for _ in range(PONG_TURNS):
                if not pong.done():  # type: ignore[attr-defined]
                    await asyncio.sleep(TURN_SECONDS)
            if not pong.done():  # type: ignore[attr-defined]
                socket.transport.abort()
            await asyncio.sleep(PING_SECONDS)


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode(errors="replace")


def sendable(message: Message) -> str:
    """The text of a message. Some are padded with spaces, so that their lengths do not tell an observer of the network
    which move an Act is, or how many events an Enter says that the client has heard: some of them were private."""
    text = ENCODER.encode(message)
    if len(text) > LONGEST:
        raise Unreadable("text/unreadable", "long", most=LONGEST)
    return (text + b" " * (-len(text) % CLIENT_PADDING) if isinstance(message, PADDED) else text).decode()


def _require_temporary(lost: Exception) -> None:
    """Whether to come back after this; an error of ours where another attempt would end in the same way."""
    match lost:
        case ConnectionClosed(rcvd=Close(code=code, reason=reason)) if code in FINAL:
            raise kind_of(reason or UNKNOWN)(reason or UNKNOWN, FINAL[code]) from None
        case ConnectionClosed(sent=Close(code=code), rcvd_then_sent=None | False) if code in UNREADABLE_FRAMES:
            raise Unreadable("text/unreadable", "frame", reason=str(lost)) from lost
        case InvalidStatus(response=response) if not _is_temporary(response.status_code):
            raise NotConnected("client/unreachable", "status", status=response.status_code) from lost


def _is_temporary(status: int) -> bool:
    """Whether a server that is being restarted, a proxy before it, or one that is asked too much may answer so."""
    return status >= 500 or status in (408, 425, 429)
