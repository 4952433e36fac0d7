"""The connections to a room: what each has been sent, and what has to be sent next."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Raw

from roundtable.core.catalogue import SOURCE
from roundtable.core.errors import RoundTableError
from roundtable.core.events import Event
from roundtable.core.languages import language_or_english
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.state import Phase
from roundtable.protocol import PROTOCOL, Message, Over, Refused, Welcome, encoded
from roundtable.protocol import rooms as protocol
from roundtable.rooms.state import RoomState
from roundtable.rooms.updates import (
    BACKLOG_STEP,
    DEAL_STEP,
    HEARD_STEP,
    PIECE,
    REFUSED_STEP,
    Update,
    padded,
    size_of,
    text_of,
)

LARGEST_FRAME = 64 * 1024  # characters, unless a single message is longer
MOST_CONNECTIONS = 8  # of one member; one more closes the oldest

NOTHING_OFFERED = Raw(b"[]")

logger = logging.getLogger("roundtable.rooms")


class Port(Protocol):
    """The far end of a connection. No call waits."""

    @property
    def is_ready(self) -> bool:
        """Whether the client has read enough of what was sent to be sent more."""
        ...

    def when_ready(self, call: Callable[[], None]) -> None:
        """Call this when the client has read enough: soon, if it has already. A later call replaces an earlier one."""
        ...

    def send(self, *frames: str) -> None: ...

    def close(self, code: int, reason: str) -> None: ...


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
        self.is_behind = False  # whether there is more to send when the client has read on
        self._shown = 0  # the number of the PublicRoom that was sent last
        self._seat: Seat = SPECTATOR  # of its member
        self._is_seat_known = False  # whether the room has not changed since
        self._heard_as: Seat | None = None  # the seat under which the client says it heard that much
        self._listener: Seat = SPECTATOR  # as which it was welcomed
        self._welcomed = 0
        self._phase: Phase | None = None  # in which it was asked last
        self._options: Options = ()  # what it was offered then
        self._offered: dict[str, Raw] = {}  # what it was last offered in each phase, by the phase's name
        self._has_been_asked = False  # since it was welcomed: then it has heard which phase it is
        self._has_heard_secret = False  # in the latest piece
        self._clock: object = None
        self._may_run = False  # whether the clock ran, or was paused, when that was sent last
        self._is_over = False
        self._follows = False  # whether it is a player who has been sent everything up to the latest update
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
        text = text_of(message)
        self._waiting.append(padded(text, size_of(text), REFUSED_STEP) if isinstance(message, Refused) else text)

    def flush(self, known: dict[tuple[str, ...], list[str]] | None = None) -> None:
        """Send what is waiting, in one frame if it is not too large. Sessions with the same messages share `known`
        frames."""
        if not self._waiting:
            return
        lines, self._waiting = tuple(self._waiting), []
        if len(lines) == 1:
            self.port.send(lines[0])
            return
        frames = None if known is None else known.get(lines)
        if frames is None:
            frames = frames_of(lines)
            if known is not None:
                known[lines] = frames
        self.port.send(*frames)

    def catch_up(self, now: Update) -> None:
        """Queue what this listener has not been sent yet: a piece at a time, and nothing while the client does not
        read. So a slow reader occupies little memory, and finds the latest state when it has read on."""
        is_in_game = self._follows and not now.has_room_changed and self.chatted == now.room.chatted and not now.is_over
        if is_in_game and self.port.is_ready:
            self._follow(now)
            return
        self._follows = False
        if now.has_room_changed:
            self._is_seat_known = False
        has_missed = self.is_behind or not self._shown  # more than this update
        self.is_behind = not self.port.is_ready
        if self.is_behind:
            return
        if self._shown != now.public.number:
            self._waiting.append(now.public.news_since(self._shown))
            self._shown = now.public.number
        if self.chatted != now.room.chatted:
            self._chat(now.room)
        if now.play is not None and now.room.is_table_set and not self.is_behind:
            self._game(now, now.play, has_missed)

    def _chat(self, room: RoomState) -> None:
        first = room.chatted - len(room.chat)  # how many lines are no longer kept
        self.chatted = max(first, min(self.chatted, room.chatted))
        size = 0
        for line in room.chat[self.chatted - first :]:
            self.chatted += 1
            said = protocol.Chatted(number=self.chatted, member=line.member, name=line.name, text=line.text)
            self._waiting.append(text_of(said))
            size += len(self._waiting[-1])
            if size > PIECE and self.chatted < room.chatted:
                self.is_behind = True
                return

    def _game(self, now: Update, play: Play[Any, Any], has_missed: bool) -> None:
        listener, waiting = self._current_seat(now.room), self._waiting
        is_watching = listener == SPECTATOR
        if is_watching and not now.may_be_watched:
            return
        is_new = self._welcomed != now.room.number
        is_welcomed = is_new or listener != self._listener
        if is_welcomed:
            waiting.append(self._welcome(now, play, listener))
        is_current = not is_watching or now.visible is None
        events = play.events_for(listener)
        end = len(events) if is_current else min(len(events), now.visible or 0)
        is_news = end > self.heard
        if is_news or is_welcomed:
            if is_watching or now.is_over:
                step = 0
            elif is_new and not has_missed:
                step = DEAL_STEP
            elif is_welcomed or has_missed:
                step = BACKLOG_STEP
            else:
                step = now.step
            self._hear(now, events[self.heard : end], end, step)
        if self.is_behind:
            return
        if not is_watching and now.phase is not None and (is_news or self._phase is None):
            self._ask(now, play, listener, now.phase)
        if is_current:
            self._send_clock(now)
        if self.wants_views and self.heard and (is_news or is_welcomed):
            view = now.view if is_watching else now.view_of_seat
            waiting.append(view(play, listener, self.heard))
        if play.outcome is not None and not self._is_over and self.heard == len(events):
            self._is_over = True
            waiting.append(text_of(Over(outcome=encoded(play.outcome))))
        self._follows = not (is_watching or self.wants_views or now.is_over)

    def _follow(self, now: Update) -> None:
        """The shorter way of a player who has been sent all of the previous updates."""
        play = now.play
        assert play is not None
        events = play.events_for(self._listener)
        end = len(events)
        if end > self.heard:
            self._hear(now, events[self.heard :], end, now.step)
            if self.is_behind:
                self._follows = False
                return
            if now.phase is not None:
                self._ask(now, play, self._listener, now.phase)
        if now.clock != self._clock:
            self._send_clock(now)

    def _current_seat(self, room: RoomState) -> Seat:
        """The member's seat now, also where the room changed while the client did not read."""
        if not self._is_seat_known:
            seat = room.seat_of(self.member)
            self._seat, self._is_seat_known = SPECTATOR if seat is None else seat, True
        return self._seat

    def _hear(self, now: Update, news: Sequence[Event], end: int, step: int) -> None:
        """Queue a piece of the events up to `end`."""
        piece = now.piece(news, step)
        self.heard += piece.events
        self._has_heard_secret = piece.has_secret
        self.is_behind = self.heard < end
        self._waiting.append(piece.text)

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
        self._offered = {}
        self._has_been_asked = self._may_run = self._is_over = False
        game, names = play.state.setup.game, now.room.seat_names
        text = text_of(Welcome(protocol=PROTOCOL, game=game, seat=listener, names=names, heard=self.heard))
        return padded(text, len(str(self.heard)), HEARD_STEP)

    def _ask(self, now: Update, play: Play[Any, Any], seat: Seat, phase: Phase) -> None:
        """The seat's options, whenever they have changed. They are the same computed from the whole state as from the
        seat's own view (C4). Whether they have changed after a secret event is hidden: it depends on the role."""
        options = play.options(seat)
        is_same_phase = self._phase is not None and self._phase.number == phase.number
        if is_same_phase and self._options == options:
            if self._has_heard_secret and not now.is_open:
                self._waiting[-1] += " " * (now.step_of_question + 1)  # as if a line followed
            return
        self._phase, self._options = phase, options
        if now.is_open and not (options or is_same_phase):
            return  # the new phase does not await this seat
        are_known = now.is_open and self._knows(phase, now.offers(phase, options))
        self._waiting.append(now.question(phase, options, is_phase_known=self._has_been_asked, are_known=are_known))
        self._has_been_asked = True

    def _knows(self, phase: Phase, offered: Raw) -> bool:
        """Whether the client was offered the same in the last phase of this name in which it was offered anything.

        For open phases: in others, the length of a question would tell that a seat's options have changed."""
        is_known = self._offered.get(phase.name) == offered
        if offered != NOTHING_OFFERED:
            self._offered[phase.name] = offered
        return is_known

    def _send_clock(self, now: Update) -> None:
        if now.clock is None or now.clock == self._clock:
            return
        phase, ends_at, is_paused = now.clock
        may_run = ends_at is not None or is_paused
        is_news = may_run or self._may_run
        self._clock, self._may_run = now.clock, may_run
        if not is_news:
            return
        self.send(protocol.Clock(phase=phase, ends_at=ends_at, is_paused=is_paused, now=now.time))


class Connections:
    """All sessions of a room."""

    def __init__(self) -> None:
        self.sessions: dict[Session, None] = {}
        self.entering: dict[Session, None] = {}  # those whose Enter waits in the queue
        self.members: frozenset[int] = frozenset()  # who is connected
        self._must_check_members = False  # whether a session may no longer belong here
        self._has_news = False  # whether there may be something to send to every session

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
            self.catch_up(session, update)
        self._has_news = True
        self._must_check_members = self._must_check_members or update.has_room_changed

    def catch_up(self, session: Session, update: Update) -> None:
        try:
            session.catch_up(update)
        except Exception:  # the other sessions are served all the same
            logger.exception("messages for a connection could not be made")
            self.close(session, 1011, "server/broken")

    def flush(self, room: RoomState, asking: Session | None) -> list[Session]:
        """Close the sessions that no longer belong here; send what is waiting: without news, only the reply to the
        session that asked. Those that are behind are returned."""
        if self._must_check_members:
            self._close_former(room)
        touched = list(self.sessions) if self._has_news else [asking] if asking in self.sessions else []
        self._has_news = False
        known: dict[tuple[str, ...], list[str]] = {}
        for session in touched:
            session.flush(known)
        return [session for session in touched if session.is_behind]

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
