"""A connection to a room: what it was told last, and what it has to be told next."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from roundtable.room.clock import GameClock
from roundtable.room.state import RoomState
from roundtable.table.play import Play
from roundtable.table.seats import SPECTATOR, Seat
from roundtable.wire import PROTOCOL, Asked, Message, Over, Welcome, spelled, spelled_offers
from roundtable.wire import rooms as told
from roundtable.wire.spelling import ENCODER, text_of_event


class Port(Protocol):
    """The far end of a connection. Neither call waits: what a slow reader does not take is the port's own affair."""

    def send(self, text: str) -> None: ...

    def close(self, code: int, reason: str) -> None: ...


class Now(NamedTuple):
    """What a session is brought up to date with."""

    state: RoomState
    play: Play[Any, Any] | None
    clock: GameClock
    time: int
    room_text: str
    has_room_changed: bool
    visible: int | None  # how much of the game those who watch may have heard by now; all of it where None


class Session:
    """One socket in a room. It knows who sits there, and how far they have heard."""

    def __init__(self, port: Port) -> None:
        self.port = port
        self.member: int | None = None
        self.wants_views = False
        self.number = 0
        self.heard = 0
        self.chatted = 0
        self._is_new = True
        self._listener: Seat = SPECTATOR
        self._greeted = 0
        self._options: object = None
        self._clock: object = None
        self._is_over = False
        self._waiting: list[str] = []

    def enter(self, member: int | None, enter: told.Enter, now: int) -> None:
        self.member = member
        self.wants_views = enter.views
        self.number, self.heard, self.chatted = enter.number, max(0, enter.heard), max(0, enter.chatted)
        self.send(told.Entered(member=member, now=now))

    def send(self, message: Message) -> None:
        self._waiting.append(text_of(message))

    def flush(self) -> None:
        """Send what has gathered, in one frame."""
        if self._waiting:
            self.port.send("\n".join(self._waiting))
            self._waiting.clear()

    def catch_up(self, now: Now) -> None:
        """Gather everything that this listener does not know yet."""
        lines = [now.room_text] if now.has_room_changed or self._is_new else []
        self._is_new = False
        lines += self._chat(now.state)
        if now.play is not None and now.state.is_table_set:
            lines += self._game(now, now.play)
        self._waiting += lines

    def _chat(self, state: RoomState) -> list[str]:
        first = state.chatted - len(state.chat)  # how many lines are no longer kept
        missing = state.chat[max(0, self.chatted - first) :] if self.chatted < state.chatted else []
        begin = state.chatted - len(missing) + 1
        self.chatted = state.chatted
        return [
            text_of(told.Chatted(number=number, member=line.member, name=line.name, text=line.text))
            for number, line in enumerate(missing, begin)
        ]

    def _game(self, now: Now, play: Play[Any, Any]) -> list[str]:
        listener = self._listener
        if now.has_room_changed or not self._greeted:
            seat = now.state.seat_of(self.member)
            listener = SPECTATOR if seat is None else seat
        lines = []
        if self._greeted != now.state.number or listener != self._listener:
            lines += self._greet(now, play, listener)
        news = play.heard(listener, self.heard)
        if listener == SPECTATOR and now.visible is not None:
            news = news[: max(0, now.visible - self.heard)]
        for line in news:
            lines.append(f'{{"event":{text_of_event(line.event)},"is":"Heard","number":{line.number}}}')
        if news:
            self.heard = news[-1].number
        is_current = listener != SPECTATOR or now.visible is None
        if listener != SPECTATOR and (news or self._options is None):
            lines += self._ask(now, play, listener)
        if is_current:
            lines += self._tell_clock(now, play)
        if self.wants_views and news and is_current:
            view = play.view(listener)
            lines.append(text_of(told.View(number=self.heard, view=spelled(view.facts()))))
        if play.outcome is not None and not self._is_over and self.heard == len(play.heard(listener)):
            self._is_over = True
            lines.append(text_of(Over(outcome=spelled(play.outcome))))
        return lines

    def _greet(self, now: Now, play: Play[Any, Any], listener: Seat) -> list[str]:
        """A game that this socket has not heard of: where it sits, and from where on it listens."""
        is_same = self.number == now.state.number and (not self._greeted or listener == self._listener)
        told = len(play.heard(listener)) if listener != SPECTATOR or now.visible is None else now.visible
        if not is_same or self.heard > told:
            self.heard = 0
        self._greeted = self.number = now.state.number
        self._listener = listener
        self._options = self._clock = None
        self._is_over = False
        setup = play.state.setup
        names = seat_names(now.state)
        return [text_of(Welcome(protocol=PROTOCOL, game=setup.game, seat=listener, setup=spelled(setup), names=names))]

    def _ask(self, now: Now, play: Play[Any, Any], seat: Seat) -> list[str]:
        """What this seat may do, whenever that has changed. Options are the same asked of the truth as of a seat's
        own view: a law of every game (C4)."""
        if play.is_over or not play.is_dealt:
            return []
        phase, options = play.phase, play.options(seat)
        if (phase.number, options) == self._options:
            return []
        self._options = (phase.number, options)
        ends_at = now.clock.ends_at
        left = now.clock.left if ends_at is None else max(0, ends_at - now.time)
        offered = spelled_offers(options, phase.number)
        return [text_of(Asked(phase=phase.number, name=phase.name, milliseconds=left, options=offered))]

    def _tell_clock(self, now: Now, play: Play[Any, Any]) -> list[str]:
        clock = (play.phase.number, now.clock.ends_at, now.clock.is_paused)
        if clock == self._clock:
            return []
        self._clock = clock
        phase, ends_at, is_paused = clock
        return [text_of(told.Clock(phase=phase, ends_at=ends_at, is_paused=is_paused, now=now.time))]


def text_of(message: Message) -> str:
    return ENCODER.encode(message).decode()


def seat_names(state: RoomState) -> tuple[str, ...]:
    """What the seats are called: by their members, and bots by their kind and seat."""
    return tuple(
        state.members[place.member].name
        if place.member is not None and place.member in state.members
        else f"{(place.bot or 'seat').capitalize()} {seat}"
        for seat, place in enumerate(state.places)
    )
