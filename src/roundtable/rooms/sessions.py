"""The connections to a room: what each has been sent, and what has to be sent next."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Protocol

from roundtable.core.catalogue import SOURCE
from roundtable.core.errors import RoundTableError
from roundtable.core.events import Event
from roundtable.core.game import fold
from roundtable.core.languages import language_or_english
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.state import Phase
from roundtable.protocol import PROTOCOL, Asked, Message, Over, Refused, Welcome, encoded, encoded_offers
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER, encoded_setup, text_of_value
from roundtable.rooms.state import RoomState

LARGEST_FRAME = 64 * 1024  # characters, unless a single message is longer
MOST_CONNECTIONS = 8  # of one member; one more closes the oldest

logger = logging.getLogger("roundtable.rooms")


class Port(Protocol):
    """The far end of a connection. Neither call waits: the port buffers for a slow reader, or closes."""

    def send(self, *frames: str) -> None:
        """More than one frame is a backlog, which may take a client a while to read."""
        ...

    def close(self, code: int, reason: str) -> None: ...


class Update:
    """The room as sessions catch up with it. An event for several listeners is encoded once."""

    __slots__ = (
        "_texts",
        "_views",
        "clock",
        "has_room_changed",
        "phase",
        "play",
        "room",
        "room_text",
        "time",
        "visible",
    )

    def __init__(
        self, room: RoomState, time: int, room_text: str, *, has_room_changed: bool, visible: int | None = None
    ) -> None:
        self.room, self.time = room, time
        play = self.play = room.play
        self.phase = None if play is None or play.is_over or not play.is_dealt else play.phase  # the running one
        self.clock = None if play is None else (play.phase.number, room.clock.ends_at, room.clock.is_paused)
        self.room_text, self.has_room_changed = room_text, has_room_changed
        self.visible = visible  # how many events spectators may have heard by now; None where there is no delay
        self._texts: dict[int, str] = {}
        self._views: dict[tuple[Seat, int], str] = {}

    @property
    def may_be_watched(self) -> bool:
        """Whether spectators may hear of the game now. Where they are not allowed, they may when it is over."""
        is_over = self.play is not None and self.play.is_over
        return self.room.settings.has_spectators or is_over

    def line(self, event: Event, number: int) -> str:
        """A Heard in JSON."""
        try:
            text = event.encoded
        except AttributeError:  # for the first time, or too large or too rare to be kept
            text = self._texts[id(event)] = self._texts.get(id(event)) or text_of_value(event)
        return f'{{"event":{text},"is":"Heard","number":{number}}}'

    def view(self, play: Play[Any, Any], listener: Seat, heard: int) -> str:
        """A View in JSON: the fold of the first so many events that a listener heard."""
        text = self._views.get((listener, heard))
        if text is None:
            events = play.events_for(listener)
            known = play.view(listener) if heard == len(events) else fold(play.game, events[:heard])
            text = text_of(protocol.View(number=heard, view=encoded(known.facts())))
            self._views[listener, heard] = text
        return text


class Session:
    """One socket in a room: its member, and what has been sent to it."""

    def __init__(self, port: Port, network: str = "") -> None:
        self.port = port
        self.network = network  # the rate-limit key that it comes from
        self.is_connected = False  # whether it has entered the room, and has not left it
        self.member: int | None = None
        self.wants_views = False
        self.lang = SOURCE
        self.number = 0
        self.heard = 0
        self.chatted = 0
        self._is_new = True
        self._heard_as: Seat | None = None  # the seat under which the client says it heard that much
        self._listener: Seat = SPECTATOR
        self._welcomed = 0
        self._phase: Phase | None = None  # in which it was asked last
        self._options: Options = ()  # what it was offered then
        self._clock: object = None
        self._is_over = False
        self._waiting: list[str] = []

    def enter(self, member: int | None, enter: protocol.Enter, now: int) -> None:
        self.is_connected = True
        self.member = member
        self.wants_views = enter.views
        self.lang = language_or_english(enter.lang)
        self.number, self.heard, self.chatted = enter.number, max(0, enter.heard), max(0, enter.chatted)
        self._heard_as = enter.heard_as
        self.send(protocol.Entered(member=member, now=now))

    def send(self, message: Message) -> None:
        self._waiting.append(text_of(message))

    def flush(self) -> None:
        """Send what is waiting, in one frame if it is not too large."""
        if self._waiting:
            self.port.send(*frames_of(self._waiting))
            self._waiting = []

    def catch_up(self, now: Update) -> None:
        """Queue everything that this listener has not been sent yet."""
        if now.has_room_changed or self._is_new:
            self._waiting.append(now.room_text)
            self._is_new = False
        if self.chatted != now.room.chatted:
            self._waiting += self._chat(now.room)
        if now.play is not None and now.room.is_table_set:
            self._game(now, now.play)

    def _chat(self, room: RoomState) -> list[str]:
        first = room.chatted - len(room.chat)  # how many lines are no longer kept
        missing = room.chat[max(0, self.chatted - first) :] if self.chatted < room.chatted else []
        begin = room.chatted - len(missing) + 1
        self.chatted = room.chatted
        return [
            text_of(protocol.Chatted(number=number, member=line.member, name=line.name, text=line.text))
            for number, line in enumerate(missing, begin)
        ]

    def _game(self, now: Update, play: Play[Any, Any]) -> None:
        listener, waiting = self._listener, self._waiting
        if now.has_room_changed or not self._welcomed:
            seat = now.room.seat_of(self.member)
            listener = SPECTATOR if seat is None else seat
        is_watching = listener == SPECTATOR
        if is_watching and not now.may_be_watched:
            return
        is_welcomed = self._welcomed != now.room.number or listener != self._listener
        if is_welcomed:
            waiting.append(self._welcome(now, play, listener))
        is_current = not is_watching or now.visible is None
        events = play.events_for(listener)
        end = len(events) if is_current else min(len(events), now.visible or 0)
        is_news = end > self.heard
        if is_news:
            for place in range(self.heard, end):
                waiting.append(now.line(events[place], place + 1))
            self.heard = end
        if not is_watching and now.phase is not None and (is_news or self._phase is None):
            self._ask(now, play, listener, now.phase)
        if is_current:
            self._send_clock(now)
        if self.wants_views and self.heard and (is_news or is_welcomed):
            waiting.append(now.view(play, listener, self.heard))
        if play.outcome is not None and not self._is_over and self.heard == len(events):
            self._is_over = True
            waiting.append(text_of(Over(outcome=encoded(play.outcome))))

    def _welcome(self, now: Update, play: Play[Any, Any], listener: Seat) -> str:
        """A Welcome to a game that is new to this socket, which also sets the event from which it catches up."""
        heard_as = self._listener if self._welcomed else self._heard_as
        is_same = self.number == now.room.number and heard_as in (None, listener)
        end = len(play.events_for(listener)) if listener != SPECTATOR or now.visible is None else now.visible
        if not is_same or self.heard > end:
            self.heard = 0
        self._welcomed = self.number = now.room.number
        self._listener = listener
        self._phase = self._clock = None
        self._is_over = False
        setup = play.state.setup
        names = now.room.seat_names
        return text_of(
            Welcome(protocol=PROTOCOL, game=setup.game, seat=listener, setup=encoded_setup(setup), names=names)
        )

    def _ask(self, now: Update, play: Play[Any, Any], seat: Seat, phase: Phase) -> None:
        """The seat's options, whenever they have changed. They are the same computed from the whole state as from the
        seat's own view (C4)."""
        options = play.options(seat)
        if self._phase is not None and self._phase.number == phase.number and self._options == options:
            return
        self._phase, self._options = phase, options
        clock = now.room.clock
        left = clock.left if clock.ends_at is None else max(0, clock.ends_at - now.time)
        offered = encoded_offers(options, phase.number)
        self.send(Asked(phase=phase.number, name=phase.name, milliseconds=left, options=offered))

    def _send_clock(self, now: Update) -> None:
        if now.clock is None or now.clock == self._clock:
            return
        self._clock = now.clock
        phase, ends_at, is_paused = now.clock
        self.send(protocol.Clock(phase=phase, ends_at=ends_at, is_paused=is_paused, now=now.time))


def frames_of(lines: Sequence[str]) -> list[str]:
    """Messages in as few frames as possible, none of them too large."""
    together = "\n".join(lines)
    if len(together) <= LARGEST_FRAME:
        return [together]
    frames: list[list[str]] = [[]]
    size = 0
    for line in lines:
        if size and size + len(line) > LARGEST_FRAME:
            frames.append([])
            size = 0
        frames[-1].append(line)
        size += len(line)
    return ["\n".join(frame) for frame in frames]


def refused_message(session: Session, id: str, error: RoundTableError) -> Refused:
    """A refusal in the language of the connection."""
    message, values = error.text(session.lang), dict(error.values)
    return Refused(id=id, code=error.code, message=message, variant=error.variant, values=values)


def text_of(message: Message) -> str:
    return ENCODER.encode(message).decode()


class Connections:
    """All sessions of a room."""

    def __init__(self) -> None:
        self.sessions: dict[Session, None] = {}
        self.entering: dict[Session, None] = {}  # those whose Enter waits in the queue
        self.members: frozenset[int] = frozenset()  # who is connected
        self._must_check_members = False  # whether a session may no longer belong here

    def connect(self, session: Session, member: int | None, enter: protocol.Enter, now: int) -> None:
        self.entering.pop(session, None)
        self.sessions[session] = None
        session.enter(member, enter, now)
        own = [one for one in self.sessions if member is not None and one.member == member]
        if len(own) > MOST_CONNECTIONS:
            self.close(own[0], 1013, "server/full")
        self._update_members()

    def disconnect(self, session: Session) -> None:
        session.is_connected = False
        del self.sessions[session]
        self._update_members()

    def close(self, session: Session, code: int, reason: str) -> None:
        session.is_connected = False
        self.sessions.pop(session, None)
        self.entering.pop(session, None)
        self._update_members()
        session.flush()
        session.port.close(code, reason)

    def close_entering(self, code: int, reason: str) -> None:
        for session in list(self.entering):
            self.close(session, code, reason)

    def close_all(self, code: int, reason: str) -> None:
        for session in [*self.sessions, *self.entering]:
            self.close(session, code, reason)

    def publish(self, update: Update) -> None:
        for session in list(self.sessions):
            try:
                session.catch_up(update)
            except Exception:  # the other sessions are served all the same
                logger.exception("messages for a connection could not be made")
                self.close(session, 1011, "server/broken")
        self._must_check_members = self._must_check_members or update.has_room_changed

    def flush(self, room: RoomState) -> None:
        """Close the sessions that no longer belong here; send all others what is waiting for them."""
        if self._must_check_members:
            self._close_former(room)
        for session in self.sessions:
            session.flush()

    def _close_former(self, room: RoomState) -> None:
        """Sessions of former members, and spectators where they are no longer allowed."""
        self._must_check_members = False
        for session in list(self.sessions):
            if not (room.settings.has_spectators if session.member is None else session.member in room.members):
                self.close(session, 4003, "room/removed" if session.member in room.removed else "room/unknown")

    def _update_members(self) -> None:
        members = frozenset(session.member for session in self.sessions if session.member is not None)
        if members != self.members:
            self.members = members
