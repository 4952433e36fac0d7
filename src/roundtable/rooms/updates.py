"""What has happened in a room, encoded once for all sessions that catch up with it, and padded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw

from roundtable.core.events import Event
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, SPECTATOR, Seat
from roundtable.core.state import Phase
from roundtable.protocol import Asked, Message, encoded
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER, text_of_told, told_offers
from roundtable.protocol.messages import NO_OFFERS
from roundtable.protocol.room_changes import changes_between
from roundtable.rooms.state import RoomState

PIECE = 24 * 1024  # characters of public or of private news that are sent before the client has to read on

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


def listed(values: Sequence[str]) -> str:
    """Values that are encoded already, as a list in JSON."""
    return f"[{','.join(values)}]"


def text_of(message: Message) -> str:
    return ENCODER.encode(message).decode()


def padded(text: str, secret: int, step: int) -> str:
    """The text with spaces, so that its secret characters and the spaces together are a multiple of `step`, and more
    than zero."""
    return text + " " * (-secret % step if secret > 0 else step - secret)


def size_of(text: str) -> int:
    """Its bytes in UTF-8, as the network sees them."""
    return len(text) if text.isascii() else len(text.encode())
