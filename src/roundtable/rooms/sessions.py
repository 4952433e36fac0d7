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
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat
from roundtable.core.state import Phase
from roundtable.protocol import PROTOCOL, Asked, Message, Over, Refused, Welcome, encoded
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER, text_of_told, told_offers
from roundtable.protocol.messages import NO_OFFERS
from roundtable.protocol.room_changes import changes_between
from roundtable.rooms.state import RoomState

LARGEST_FRAME = 64 * 1024  # characters, unless a single message is longer
PIECE = 24 * 1024  # characters of public or of private news that are sent before the client has to read on
MOST_CONNECTIONS = 8  # of one member; one more closes the oldest

# Lengths. TLS hides what a frame says, but not how long it is. So messages to a seat end with spaces, up to a multiple
# of a step: then an observer of the network cannot tell roles apart. How many spaces depends on public facts and on the
# seat's own message, never on another seat's secrets: otherwise the spaces would tell them to this seat.
# tests/rooms/test_frame_lengths.py shows that one step has room for the secret part of every role.
NEWS_STEP = 256  # bytes, for the secret part of the events of a move
OPEN_STEP = 64  # for the same in an open phase (core/game.py), in which it is no secret that there is a secret part
DEAL_STEP = 320  # for that of the events with which a game begins
BACKLOG_STEP = 8192  # for that of the events a client hears when it enters
VIEW_STEP = 512  # for what a View has beyond the spectators' View
HEARD_STEP = 8  # for the number of events in a Welcome, which depends on how many were private
REFUSED_STEP = 512  # for a Refused
ASKED_STEP, ASKED_STEP_PER_SEAT = 192, 56  # for an Asked, which lists at most two choices for each seat

NOTHING_OFFERED = Raw(b"[]")

logger = logging.getLogger("roundtable.rooms")


def padded(text: str, secret: int, step: int) -> str:
    """The text with spaces, so that its secret characters and the spaces together are a multiple of `step`, and more
    than zero."""
    return text + " " * (-secret % step if secret > 0 else step - secret)


def size_of(text: str) -> int:
    """Its bytes in UTF-8, as the network sees them."""
    return len(text) if text.isascii() else len(text.encode())


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


class PublicRoom:
    """What everyone may see of a room, and what has changed since it was last published; each encoded once."""

    def __init__(self, room: protocol.Room, before: PublicRoom | None = None) -> None:
        self.room = room
        self.number: int = 1 if before is None else before.number + 1  # how often the room was published
        self._text = ""
        self._changes = "" if before is None else text_of(changes_between(before.room, room))

    @property
    def text(self) -> str:
        """A Room in JSON."""
        if not self._text:
            self._text = text_of(self.room)
        return self._text

    def news_since(self, number: int) -> str:
        """For a client that was sent the room as it was published then."""
        return self._changes if number and number == self.number - 1 else self.text


class Piece:
    """Events that a listener is told together, as a list in JSON."""

    __slots__ = ("events", "has_secret", "text")

    def __init__(self, text: str, events: int, has_secret: bool) -> None:
        self.text = text
        self.events = events  # how many they are
        self.has_secret = has_secret  # whether one of them is not public


class Update:
    """The room as sessions catch up with it. What several listeners are told is encoded once."""

    __slots__ = (
        "_offers",
        "_pieces",
        "_questions",
        "_texts",
        "_views",
        "clock",
        "has_room_changed",
        "is_open",
        "is_over",
        "phase",
        "play",
        "public",
        "room",
        "step",
        "time",
        "visible",
    )

    def __init__(
        self, room: RoomState, time: int, public: PublicRoom, *, has_room_changed: bool, visible: int | None = None
    ) -> None:
        self.room, self.time = room, time
        play = self.play = room.play
        phase = None if play is None else play.phase
        self.is_over = play is not None and play.is_over
        is_asking = play is not None and play.is_dealt and not self.is_over and room.clock.held_until is None
        self.phase = phase if is_asking else None  # in which seats are asked
        self.is_open = phase is not None and play is not None and phase.name in play.game.open_phases
        self.step = OPEN_STEP if self.is_open else NEWS_STEP
        self.clock = None if phase is None else (phase.number, room.clock.ends_at, room.clock.is_paused)
        self.public, self.has_room_changed = public, has_room_changed
        self.visible = visible  # how many events spectators may have heard by now; None where there is no delay
        self._pieces: dict[tuple[int, ...], Piece] = {}  # by the step and the events' identities
        self._texts: dict[int, str] = {}  # by the events' identities
        self._offers: dict[int, Raw] = {}  # by the options' identities
        self._questions: dict[tuple[int, bool, bool], str] = {}  # by the options' identities, and what is left out
        self._views: dict[tuple[Seat, int], str] = {}

    @property
    def may_be_watched(self) -> bool:
        """Whether spectators may hear of the game now. Where they are not allowed, they may when it is over."""
        return self.room.settings.has_spectators or self.is_over

    def piece(self, news: Sequence[Event], step: int) -> Piece:
        """The first of these events, as many as are told together."""
        key = (step, id(news[0])) if len(news) == 1 else (step, *[id(event) for event in news])
        piece = self._pieces.get(key)
        if piece is None:
            piece = self._pieces[key] = self._piece_of(news, step)
        return piece

    def _piece_of(self, news: Sequence[Event], step: int) -> Piece:
        """Where the piece ends depends on the public events, unless a seat has heard too much in private."""
        told: list[str] = []
        public: list[str] = []
        public_size = secret_size = 0
        for event in news:
            if public_size >= PIECE or secret_size >= PIECE:
                break
            text = self._told(event)
            told.append(text)
            if event.audience is EVERYONE or SPECTATOR in event.audience:
                public.append(text)
                public_size += len(text)
            else:
                secret_size += len(text)
        line = listed(told)
        if step and (secret_size or step != OPEN_STEP):
            line = padded(line, size_of(line) - size_of(listed(public)), step)
        return Piece(line, len(told), secret_size > 0)

    def _told(self, event: Event) -> str:
        try:
            return event.told
        except AttributeError:  # for the first time, or too large or too rare to be kept
            text = self._texts[id(event)] = self._texts.get(id(event)) or text_of_told(event)
            return text

    @property
    def step_of_question(self) -> int:
        """Up to a multiple of which an Asked is padded; 0 where it is not."""
        assert self.play is not None
        state = self.play.state
        return self.play.game.open_phases.get(state.phase.name, ASKED_STEP + ASKED_STEP_PER_SEAT * state.setup.seats)

    def offers(self, phase: Phase, options: Options) -> Raw:
        """The offers of an Asked in JSON."""
        offered = self._offers.get(id(options))
        if offered is None:
            offered = self._offers[id(options)] = told_offers(options, phase.number)
        return offered

    def question(self, phase: Phase, options: Options, *, is_phase_known: bool, are_known: bool) -> str:
        """An Asked in JSON, without a phase or options that the client knows."""
        key = (id(options), is_phase_known, are_known)
        text = self._questions.get(key)
        if text is None:
            clock = self.room.clock
            left = clock.left if clock.ends_at is None else max(0, clock.ends_at - self.time)
            offered = NO_OFFERS if are_known else self.offers(phase, options)
            number, name = (0, "") if is_phase_known else (phase.number, phase.name)
            text = text_of(Asked(phase=number, name=name, milliseconds=left, options=offered))
            step = 0 if are_known else self.step_of_question
            text = self._questions[key] = padded(text, len(text), step) if step else text
        return text

    def view(self, play: Play[Any, Any], listener: Seat, heard: int) -> str:
        """A View in JSON: the fold of the first so many events that a listener heard."""
        text = self._views.get((listener, heard))
        if text is None:
            text = text_of(protocol.View(number=heard, view=encoded(play.view(listener, heard).facts())))
            self._views[listener, heard] = text
        return text

    def view_of_seat(self, play: Play[Any, Any], seat: Seat, heard: int) -> str:
        """A View of everything that a seat has heard, with spaces that hide how much of it is secret."""
        public = self.view(play, SPECTATOR, len(play.events_for(SPECTATOR)))
        text = self.view(play, seat, heard)
        return padded(text, size_of(text) - size_of(public), VIEW_STEP)


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


def listed(values: Sequence[str]) -> str:
    """Values that are encoded already, as a list in JSON."""
    return f"[{','.join(values)}]"


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
