"""A connection to a room: what it was told last, and what it has to be told next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from roundtable.core.events import Event
from roundtable.core.game import fold
from roundtable.core.names import distinct_name, look_alike
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.core.state import Phase
from roundtable.protocol import PROTOCOL, Asked, Message, Over, Welcome, encoded_offers, spelled
from roundtable.protocol import rooms as told_of
from roundtable.protocol.encoding import ENCODER, spelled_setup, text_of_value
from roundtable.rooms.clock import GameClock
from roundtable.rooms.state import RoomState

LARGEST_FRAME = 64 * 1024  # characters, unless a single message is longer


class Port(Protocol):
    """The far end of a connection. Neither call waits: what a slow reader does not take is the port's own affair."""

    def send(self, *frames: str) -> None:
        """More than one are what somebody has missed, and may take them a while."""
        ...

    def close(self, code: int, reason: str) -> None: ...


class Now:
    """What sessions are brought up to date with. An event that many hear is spelled once."""

    __slots__ = (
        "_texts",
        "_views",
        "clock",
        "has_room_changed",
        "phase",
        "play",
        "reading",
        "room_text",
        "state",
        "time",
        "visible",
    )

    def __init__(
        self,
        state: RoomState,
        play: Play[Any, Any] | None,
        clock: GameClock,
        time: int,
        room_text: str,
        *,
        has_room_changed: bool,
        visible: int | None,
    ) -> None:
        self.state, self.play, self.clock, self.time = state, play, clock, time
        self.phase = None if play is None or play.is_over or not play.is_dealt else play.phase  # that is being played
        self.reading = None if play is None else (play.phase.number, clock.ends_at, clock.is_paused)  # of the clock
        self.room_text, self.has_room_changed = room_text, has_room_changed
        self.visible = visible  # how much of the game those who watch may have heard by now; all of it where None
        self._texts: dict[int, str] = {}
        self._views: dict[tuple[Seat, int], str] = {}

    @property
    def may_be_watched(self) -> bool:
        """Whether those without a seat may hear of the game now: where the host wants nobody to watch, they wait
        outside until it is over."""
        is_over = self.play is not None and self.play.is_over
        return self.state.settings.has_spectators or is_over

    def line(self, event: Event, number: int) -> str:
        """A Heard in JSON."""
        try:
            text = event.spelled
        except AttributeError:  # for the first time, or too large or too rare to be kept
            text = self._texts[id(event)] = self._texts.get(id(event)) or text_of_value(event)
        return f'{{"event":{text},"is":"Heard","number":{number}}}'

    def view(self, play: Play[Any, Any], listener: Seat, heard: int) -> str:
        """A View in JSON: what the first so many things come to that a listener heard, for those who lag behind too."""
        text = self._views.get((listener, heard))
        if text is None:
            told = play.told(listener)
            known = play.view(listener) if heard == len(told) else fold(play.game, told[:heard])
            text = text_of(told_of.View(number=heard, view=spelled(known.facts())))
            self._views[listener, heard] = text
        return text


class Session:
    """One socket in a room. It knows who sits there, and how far they have heard."""

    def __init__(self, port: Port, home: str = "") -> None:
        self.port = port
        self.home = home  # the rate_limit_key that it comes from
        self.member: int | None = None
        self.wants_views = False
        self.number = 0
        self.heard = 0
        self.chatted = 0
        self._is_new = True
        self._heard_as: Seat | None = None  # which seat, so they say; where they do not, it is the one that they have
        self._listener: Seat = SPECTATOR
        self._greeted = 0
        self._phase: Phase | None = None  # for which it was asked
        self._options: Options = ()  # and what it was offered
        self._clock: object = None
        self._is_over = False
        self._waiting: list[str] = []

    def enter(self, member: int | None, enter: told_of.Enter, now: int) -> None:
        self.member = member
        self.wants_views = enter.views
        self.number, self.heard, self.chatted = enter.number, max(0, enter.heard), max(0, enter.chatted)
        self._heard_as = enter.heard_as
        self.send(told_of.Entered(member=member, now=now))

    def send(self, message: Message) -> None:
        self._waiting.append(text_of(message))

    def flush(self) -> None:
        """Send what has gathered, in one frame if it is not very much."""
        if self._waiting:
            self.port.send(*frames_of(self._waiting))
            self._waiting = []

    def catch_up(self, now: Now) -> None:
        """Gather everything that this listener does not know yet."""
        if now.has_room_changed or self._is_new:
            self._waiting.append(now.room_text)
            self._is_new = False
        if self.chatted != now.state.chatted:
            self._waiting += self._chat(now.state)
        if now.play is not None and now.state.is_table_set:
            self._game(now, now.play)

    def _chat(self, state: RoomState) -> list[str]:
        first = state.chatted - len(state.chat)  # how many lines are no longer kept
        missing = state.chat[max(0, self.chatted - first) :] if self.chatted < state.chatted else []
        begin = state.chatted - len(missing) + 1
        self.chatted = state.chatted
        return [
            text_of(told_of.Chatted(number=number, member=line.member, name=line.name, text=line.text))
            for number, line in enumerate(missing, begin)
        ]

    def _game(self, now: Now, play: Play[Any, Any]) -> None:
        listener, waiting = self._listener, self._waiting
        if now.has_room_changed or not self._greeted:
            seat = now.state.seat_of(self.member)
            listener = SPECTATOR if seat is None else seat
        is_watching = listener == SPECTATOR
        if is_watching and not now.may_be_watched:
            return
        is_greeted = self._greeted != now.state.number or listener != self._listener
        if is_greeted:
            waiting.append(self._greet(now, play, listener))
        is_current = not is_watching or now.visible is None
        told = play.told(listener)
        end = len(told) if is_current else min(len(told), now.visible or 0)
        is_news = end > self.heard
        if is_news:
            for place in range(self.heard, end):
                waiting.append(now.line(told[place], place + 1))
            self.heard = end
        if not is_watching and now.phase is not None and (is_news or self._phase is None):
            self._ask(now, play, listener, now.phase)
        if is_current:
            self._tell_clock(now)
        if self.wants_views and self.heard and (is_news or is_greeted):
            waiting.append(now.view(play, listener, self.heard))
        if play.outcome is not None and not self._is_over and self.heard == len(told):
            self._is_over = True
            waiting.append(text_of(Over(outcome=spelled(play.outcome))))

    def _greet(self, now: Now, play: Play[Any, Any], listener: Seat) -> str:
        """A game that this socket has not heard of: where it sits, and from where on it listens."""
        heard_as = self._listener if self._greeted else self._heard_as
        is_same = self.number == now.state.number and heard_as in (None, listener)
        end = len(play.told(listener)) if listener != SPECTATOR or now.visible is None else now.visible
        if not is_same or self.heard > end:
            self.heard = 0
        self._greeted = self.number = now.state.number
        self._listener = listener
        self._phase = self._clock = None
        self._is_over = False
        setup = play.state.setup
        names = seat_names(now.state)
        return text_of(
            Welcome(protocol=PROTOCOL, game=setup.game, seat=listener, setup=spelled_setup(setup), names=names)
        )

    def _ask(self, now: Now, play: Play[Any, Any], seat: Seat, phase: Phase) -> None:
        """What this seat may do, whenever that has changed. Options are the same asked of the truth as of a seat's
        own view: a law of every game (C4)."""
        options = play.options(seat)
        if self._phase is not None and self._phase.number == phase.number and self._options == options:
            return
        self._phase, self._options = phase, options
        ends_at = now.clock.ends_at
        left = now.clock.left if ends_at is None else max(0, ends_at - now.time)
        offered = encoded_offers(options, phase.number)
        self.send(Asked(phase=phase.number, name=phase.name, milliseconds=left, options=offered))

    def _tell_clock(self, now: Now) -> None:
        if now.reading is None or now.reading == self._clock:
            return
        self._clock = now.reading
        phase, ends_at, is_paused = now.reading
        self.send(told_of.Clock(phase=phase, ends_at=ends_at, is_paused=is_paused, now=now.time))


def frames_of(lines: Sequence[str]) -> list[str]:
    """Messages in as few frames as can be, none of them much larger than it has to be."""
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


def text_of(message: Message) -> str:
    return ENCODER.encode(message).decode()


# What bots are called, by seat: knights that no game deals as a role.
KNIGHTS = (
    "Kay",
    "Bors",
    "Gareth",
    "Gawain",
    "Ector",
    "Dinadan",
    "Lamorak",
    "Bedivere",
    "Pelleas",
    "Sagramore",
    "Dagonet",
    "Palamedes",
)


def seat_names(state: RoomState) -> tuple[str, ...]:
    """What the seats are called: by their members, and where there is none by a knight."""
    return tuple(
        state.members[place.member].name
        if place.member is not None and place.member in state.members
        else knight_at(seat, state)
        for seat, place in enumerate(state.places)
    )


def knight_at(seat: Seat, state: RoomState) -> str:
    """The knight of a seat, told apart from every person in the room."""
    knight, people = KNIGHTS[seat % len(KNIGHTS)], [member.name for member in state.members.values()]
    is_taken = seat >= len(KNIGHTS) or any(look_alike(knight, name) for name in people)
    return distinct_name(f"{knight} {seat}", people) if is_taken else knight


def names_taken(state: RoomState) -> list[str]:
    """What people and bots in the room are called."""
    bots = [name for name, place in zip(seat_names(state), state.places, strict=True) if place.bot]
    return [*(member.name for member in state.members.values()), *bots]
