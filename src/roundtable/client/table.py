"""A table as one client knows it: the room, the view of its seat, its options, and what it can do there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from itertools import count
from secrets import token_hex
from typing import Any

from msgspec import Raw

from roundtable.client.connection import Connection, ConnectionLost, ConnectionRestored
from roundtable.core.actions import Action, Say
from roundtable.core.errors import NotConnected, RoomRefused, Unreadable
from roundtable.core.events import Event
from roundtable.core.game import Game, evolve, fold
from roundtable.core.options import Options
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.state import TableState
from roundtable.games import game_named
from roundtable.protocol.bodies import Membership
from roundtable.protocol.encoding import encoded, reader_of
from roundtable.protocol.messages import NO_SETUP, PROTOCOL, Act, Asked, Heard, Message, Over, Welcome
from roundtable.protocol.rooms import Ask, Chat, Chatted, Clock, Leave, Request, Room

NOTHING_OFFERED = Raw(b"[]")
# What `events` yields.
News = Event | Room | Chatted | Welcome | Asked | Clock | Over | ConnectionLost | ConnectionRestored


class Table:
    """A place in a room, kept over lost connections until `leave` or `close`.

    `room`, `view`, `options` and `clock` include everything heard so far, also what `events` has yet to yield.
    """

    def __init__(self, connection: Connection, membership: Membership | None) -> None:
        self.membership = membership  # keep it to come back later with `Client.enter`; None for spectators
        self.names: tuple[str, ...] = ()  # of the seats, in the game on the table; a seat can get another holder
        self.view: Any = None  # all that this seat knows: the `TableState` of its game, None before the first
        self.clock: Clock | None = None
        self._connection = connection
        self._game: Game[Any, Any] | None = None
        self._asked: Asked | None = None
        self._offered: dict[str, Raw] = {}  # what was last offered in a phase, by the phase's name
        self._ids = (f"{prefix}-{number}" for prefix in [token_hex(4)] for number in count(1))
        self._news: asyncio.Queue[News | Exception | None] = asyncio.Queue()  # None: closed by this side
        self._room: Room | None = None
        loop = asyncio.get_running_loop()
        self._entered: asyncio.Future[None] = loop.create_future()
        self._listening = loop.create_task(self._listen())

    @property
    def room(self) -> Room:
        """All there is to know about the room outside the game."""
        assert self._room is not None  # `enter` waits for it
        return self._room

    @property
    def seat(self) -> Seat:
        """This member's seat, or SPECTATOR."""
        if self.membership is None:
            return SPECTATOR
        members = [place.member for place in self.room.seats]
        return members.index(self.membership.member) if self.membership.member in members else SPECTATOR

    @property
    def options(self) -> Options:
        """What this seat may do now."""
        view, seat = self.view, self.seat
        if self._game is None or view is None or not view.phase.number or view.outcome is not None or seat < 0:
            return ()
        return self._game.options(view, seat)

    async def events(self) -> AsyncIterator[News]:
        """What happens, in order, each thing once: the game's events, and the room's messages.

        An `Asked` is left out when a later one has replaced it. The iteration ends when this side leaves or closes;
        it raises `RoomRefused` when the room does, and `NotConnected` when the server cannot be reached any more.
        """
        while True:
            news = await self._news.get()
            if news is None or isinstance(news, Exception):
                self._news.put_nowait(news)  # for the next iteration
                if news is None:
                    return
                raise news
            if not isinstance(news, Asked) or news is self._asked:
                yield news

    @property
    def is_told(self) -> bool:
        """Whether `events` has yielded everything heard so far."""
        return self._news.empty()

    async def act(self, action: Action, id: str = "") -> None:
        """Do this in the game; `IllegalAction` if it was refused. It is done once, however often it has to be sent."""
        await self._connection.request(Act(id=id or next(self._ids), action=encoded(action)))

    async def say(self, text: str, channel: str = "table") -> None:
        """A line for a channel of the game, or for the whole room while no game is played."""
        if self.room.stage == "playing":
            await self.act(Say(channel=channel, text=text))
        else:
            await self.ask(Chat(text=text))

    async def ask(self, request: Request, id: str = "") -> None:
        """Ask something of the room, such as `TakeSeat`, `SayReady` or `Start`; `RoomRefused` if it was refused."""
        await self._connection.request(Ask(id=id or next(self._ids), request=request))  # type: ignore[arg-type]

    async def here(self) -> None:
        """Tell the server that the player is still there, where the room has `idle_seconds`."""
        await self._connection.here()

    async def leave(self) -> None:
        """Leave the room for good; the membership is void afterwards."""
        if self.membership is not None:
            try:
                await self.ask(Leave())
            except RoomRefused as refused:
                if refused.code != "room/unknown":  # the request was sent before, and its answer was lost
                    raise
        await self.close()

    async def close(self) -> None:
        """Close the connection. The member stays in the room, and `Client.enter` comes back."""
        self._listening.cancel()
        await asyncio.wait([self._listening])

    async def _listen(self) -> None:
        """Take every message. At the end, fail everything that waits for the room, an answer or news."""
        end: Exception | None = None
        try:
            async with aclosing(self._connection.messages()) as messages:
                async for message in messages:
                    self._news.put_nowait(self._take(message))
        except Exception as failure:
            end = failure
        finally:
            closed = end or NotConnected("client/closed")
            self._connection.fail(closed)
            if not self._entered.done():
                self._entered.set_exception(closed)
            self._news.put_nowait(end)

    def _take(self, message: Message | ConnectionLost | ConnectionRestored) -> Any:
        """Note what the message changes; what `events` yields for it."""
        match message:
            case Room():
                self._show(message)
            case Welcome():
                self._welcome(message)
            case Heard():
                return self._hear(message)
            case Asked():
                self._complete(message)
                self._asked = message
            case Clock():
                self.clock = message
        return message

    def _show(self, room: Room) -> None:
        self._room = room
        if not self._entered.done():
            self._entered.set_result(None)
        if room.stage == "lobby":
            self.view = self.clock = self._asked = None
            return
        people = {member.member: member.name for member in room.members}
        held = zip(room.seats, self.names, strict=False)
        self.names = tuple(people.get(place.member or 0, name) for place, name in held)

    def _welcome(self, welcome: Welcome) -> None:
        if welcome.protocol != PROTOCOL:
            raise Unreadable("text/unreadable", "protocol", found=welcome.protocol, expected=PROTOCOL)
        self._game, self.names, self.clock = game_named(welcome.game), welcome.names, None
        self._offered = {}

    def _complete(self, asked: Asked) -> None:
        """Without a number and a name, an Asked is of the phase that began last. Without options it offers what the
        last one of a phase with this name did that offered anything."""
        if not asked.phase and self.view is not None:
            asked.phase, asked.name = self.view.phase.number, self.view.phase.name
        if not asked.options:
            if asked.name not in self._offered:
                raise Unreadable("text/unreadable", "misfit", found="Asked")
            asked.options = self._offered[asked.name]
        elif asked.options != NOTHING_OFFERED:
            self._offered[asked.name] = asked.options.copy()

    def _hear(self, heard: Heard) -> Event:
        """Fold an event into the view, with the reducer that the server uses."""
        if self._game is None:
            raise Unreadable("text/unreadable", "no_welcome")
        event = reader_of(self._game).event(heard.event, NO_SETUP if self._room is None else self._room.setup)
        try:
            known: TableState | None = None if heard.number == 1 else self.view
            self.view = fold(self._game, [event]) if known is None else evolve(self._game, known, [event])
        except (ValueError, LookupError, TypeError) as misfit:
            raise Unreadable("text/unreadable", "misfit", found=type(event).__name__) from misfit
        return event


async def enter(connection: Connection, membership: Membership | None) -> Table:
    """A table, as soon as the server has let the client in."""
    table = Table(connection, membership)
    try:
        await table._entered
    except BaseException:
        await table.close()
        raise
    return table
