"""A live room, as the server sees it. Whatever comes in is decided, written down, and only then told to anybody.

Members, bots and the clock all go through the same inbox. What a room is made of, each part in a module of its own:

    standing.py    how it stands, out of its rows            inbox.py        one job after the other
    attendance.py  who is connected                          writing.py      decided, written down, then told
    reception.py   people come in, speak, are answered       turns.py        when bots are asked, and what
    granting.py    what members may have and do              timekeeping.py  what is due, and that it is done
    playing.py     the steps of the game on the table        alarm.py        rings when the next thing is due
    card.py        what the house knows without reading it   showing.py      what everybody may see
    door.py        who was shown out, and who may come in
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from roundtable.core.play import Play
from roundtable.protocol import bodies
from roundtable.protocol import rooms as protocol
from roundtable.rooms import deciding
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.alarm import Alarm
from roundtable.rooms.archive import Elsewhere, here
from roundtable.rooms.bot_scheduler import BotScheduler
from roundtable.rooms.bot_workers import BotWorkers
from roundtable.rooms.clock import GameClock
from roundtable.rooms.dispatcher import Dispatcher
from roundtable.rooms.granting import Steward
from roundtable.rooms.guests import Entropy, clean_name, key_of, new_token
from roundtable.rooms.inbox import Inbox, Job
from roundtable.rooms.presence import Presence
from roundtable.rooms.sessions import Session
from roundtable.rooms.snapshot import Snapshot
from roundtable.rooms.state import RoomState
from roundtable.rooms.timekeeping import Timekeeper
from roundtable.rooms.writing import Writer
from roundtable.storage import Log, LogFailed

COME_AGAIN = (1013, "room/busy")  # how a connection to a room is closed that cannot be read

logger = logging.getLogger("roundtable.rooms")


class Services(NamedTuple):
    """What a room needs of the world."""

    log: Log
    now: Callable[[], int]  # milliseconds since 1970
    entropy: Entropy
    thinker: BotWorkers
    elsewhere: Elsewhere = here  # where records are put together


class Unwritten(NamedTuple):
    """What is known of a room and in no log."""

    since: int  # since when anybody could be heard of, by the house's clock
    seen: Mapping[int, int] = {}  # when each of its members was last heard of, by its own
    ahead: int = 0  # by how much its own is ahead


class Room:
    """Everything about one room. Its methods may be called at any time; they take effect one after the other."""

    def __init__(self, code: str, services: Services, given_up: Callable[[Room], None] = lambda room: None) -> None:
        self.code = code
        self._given_up = given_up  # told when the room can no longer be trusted, and has to be read anew
        self._entropy = services.entropy
        self._moment: object = None  # for which the alarm was set
        link = self._link = [self]  # how its parts reach the room; cut by `stop`, after which nothing keeps it alive
        self._standing = standing = RoomAggregate(code, services.now)
        self._attendance = attendance = Presence(standing)
        self._display = Snapshot(standing, attendance)
        self._steward = Steward(standing, attendance, services.entropy)
        self._inbox = inbox = Inbox(do=lambda job: link[0]._do(job))
        self._alarm = alarm = Alarm(
            standing, next_due=lambda: link[0]._timekeeper.next_due(), ring=lambda: link[0]._ring()
        )
        self._writer = writer = Writer(services.log, standing, alarm, publish=lambda: link[0]._settle())
        self._reception = Dispatcher(standing, attendance, self._steward, writer, settle=lambda: link[0]._settle())
        self._turns = BotScheduler(standing, services.thinker, inbox, writer, alarm)
        self._timekeeper = Timekeeper(standing, attendance, self._turns, writer)

    # How it stands

    @property
    def state(self) -> RoomState:
        return self._standing.state

    @property
    def play(self) -> Play[Any, Any] | None:
        return self._standing.play

    @property
    def clock(self) -> GameClock:
        return self._standing.clock

    @property
    def sessions(self) -> dict[Session, None]:
        return self._attendance.sessions

    @property
    def stage(self) -> str:
        return self._standing.stage

    @property
    def is_playing(self) -> bool:
        return self._standing.is_playing

    @property
    def is_broken(self) -> bool:
        """Whether the room has to be read anew by whoever wants it."""
        return self._inbox.is_closed

    @property
    def is_idle(self) -> bool:
        """Whether nothing would be lost if the room were put away and read again when it is needed."""
        return self._inbox.is_idle and not self.sessions and not self._turns.is_thinking

    @property
    def unwritten(self) -> Unwritten:
        """What has to be remembered when the room is put away."""
        return Unwritten(0, self._attendance.seen, self._standing.ahead)

    @property
    def rests_for(self) -> int:
        """Milliseconds until something is due."""
        return self._timekeeper.next_due() - self._standing.now()

    # What the server asks

    async def open(self, opened: bodies.OpenRoom, setup: Any, token: str, home: str) -> int:
        """The first rows; `Conflict` where there is a room of this code already."""
        facts = deciding.open_room(self.code, opened.settings, setup, clean_name(opened.name), key_of(token))
        await self._writer.append(self._standing.take(facts))
        self._steward.let_in(1, home)
        self._settle()
        return 1

    async def load(self, unwritten: Unwritten) -> bool:
        """Read the room as it was written; whether there is one."""
        self._standing.ahead = unwritten.ahead
        if not await self._writer.load():
            return False
        self._attendance.remember(unwritten.seen, unwritten.since + self._standing.ahead)
        self._settle()
        return not self.state.is_closed

    async def join(self, name: str, *, watch: bool, token: str | None = None, home: str = "") -> tuple[int, str]:
        """A new member, or the one who joined with the same token; `home` is their rate-limit key."""
        token = token or new_token(self._entropy)
        decide = partial(self._steward.join, name, token, home, watch=watch)
        await self._inbox.ask(partial(self._writer.attempt, decide))
        member = self.state.member_with(token) or 0
        self._steward.let_in(member, home)
        return member, token

    async def ask(self, token: str, request: Any, id: str = "") -> None:
        """A member's request; `RoomRefused` or another error of ours where it is not granted."""
        await self._inbox.ask(partial(self._reception.ask, token, request, id))

    async def look(self) -> str:
        """The room as everybody may see it, in JSON."""
        text = ""

        async def job() -> None:
            nonlocal text
            self._settle()
            text = self._display.text  # now, because what comes next in the inbox may not be written down yet

        await self._inbox.ask(job)
        return text

    async def read_on(self) -> None:
        """Take in what another server has written since."""

        async def job() -> None:
            await self._writer.has_read_on()

        await self._inbox.ask(job)

    def look_at_the_clock(self) -> None:
        """Time has made a leap: what is due by now is done now."""
        self._alarm.look_at_the_clock()

    def stop(self) -> None:
        """Put the room away for good. What was answered is written down; whoever still waits has to ask again."""
        for session in list(self._attendance.entering):
            self._attendance.let_go(session, *COME_AGAIN)
        self._alarm.stop()
        self._turns.stop()
        self._inbox.close()
        self._link.clear()

    def enter(self, session: Session, enter: protocol.Enter) -> None:
        """A socket says who it is and what it saw last; it gets the rest, or has to come again."""
        self._attendance.entering[session] = None
        if self.is_broken:
            self._attendance.let_go(session, *COME_AGAIN)
        else:
            self._inbox.post(partial(self._reception.enter, session, enter))

    def said(self, session: Session, message: Any) -> None:
        """Something a client said after it entered."""
        self._inbox.post(partial(self._reception.hear, session, message))

    def gone(self, session: Session) -> None:
        self._inbox.post(partial(self._reception.leave, session))

    # One job after the other

    async def _do(self, job: Job) -> None:
        try:
            if self._writer.is_unsure:
                await self._writer.read_again()
            await job()
        except LogFailed as failed:
            logger.error("a room cannot be read: %s", failed)
            self._give_up()
        except Exception:
            logger.exception("a job failed in a room")
            self._writer.doubt()
        self._attendance.flush()

    def _give_up(self) -> None:
        """What is in memory may not be what is written, and that cannot be read: everybody has to come again."""
        self._attendance.send_away(*COME_AGAIN)
        self.stop()
        self._given_up(self)

    def _ring(self) -> None:
        self._inbox.post(self._tick)

    async def _tick(self) -> None:
        await self._timekeeper.tick()
        self._settle()

    def _settle(self) -> None:
        """Tell everybody what is new to them, draw the bots' turns, and set the alarm."""
        if self._writer.is_unsure:  # nobody is told what may never have been written
            self._alarm.set()
            return
        now = self._display.now()
        self._attendance.catch_up(now)
        play, clock = now.play, now.clock
        moment = play and (now.state.number, play.phase.number, clock.ends_at, clock.is_paused)
        if now.has_room_changed or moment != self._moment or now.visible is not None or not self._alarm.is_set:
            self._moment = moment  # within a phase nothing is due sooner than it was
            self._turns.draw()
            self._alarm.set()
