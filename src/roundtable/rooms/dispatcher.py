"""People come into a room, speak, are answered, and go. Each of these is a job that has its turn in the inbox."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from roundtable.core.errors import IllegalAction, RoomRefused, RoundTableError
from roundtable.protocol import Act, Answered, Pass, Refused
from roundtable.protocol import rooms as protocol
from roundtable.protocol.lines import is_id
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.granting import Steward
from roundtable.rooms.inbox import Job
from roundtable.rooms.playing import is_done_openly
from roundtable.rooms.presence import Presence
from roundtable.rooms.refusals import no_such_room
from roundtable.rooms.sessions import Session
from roundtable.rooms.writing import Writer
from roundtable.storage import LogFailed

MOVES = (Act, Pass)


class Dispatcher:
    """Knows who is who, by their token or their socket, and gives exactly one answer to everything that wants one."""

    def __init__(
        self,
        standing: RoomAggregate,
        attendance: Presence,
        steward: Steward,
        writer: Writer,
        settle: Callable[[], None],
    ) -> None:
        self._standing = standing
        self._attendance = attendance
        self._steward = steward
        self._writer = writer
        self._settle = settle

    async def enter(self, session: Session, enter: protocol.Enter) -> None:
        """Whatever goes wrong, nobody is left standing at the door."""
        try:
            await self._let_in(session, enter)
        except RoomRefused as refused:
            self._attendance.let_go(session, 1013, refused.code)
        except LogFailed:  # everybody is sent away
            raise
        except Exception:
            self._attendance.let_go(session, 1011, "house/broken")
            raise

    async def _let_in(self, session: Session, enter: protocol.Enter) -> None:
        await self._writer.has_read_on()  # they may come from another server, and know more than this one
        state = self._standing.state
        member = None if enter.token is None else state.member_with(enter.token)
        if member is None and (enter.token is not None or not state.settings.has_spectators):
            self._attendance.let_go(session, 4003, "room/unknown")
            return
        self._attendance.enter(session, member, enter)
        if member is not None:
            self._steward.let_in(member, session.home)
            with suppress(RoomRefused):
                await self._is_back(member)
        self._settle()

    async def leave(self, session: Session) -> None:
        if session in self._attendance.sessions:
            self._attendance.leave(session)
            self._settle()

    async def ask(self, token: str, request: Any, id: str) -> None:
        """A request without a connection."""
        member = self._standing.state.member_with(token)
        if member is None and await self._writer.has_read_on():
            member = self._standing.state.member_with(token)
        if member is None:
            raise no_such_room()
        await self._is_back(member)
        await self._grant(member, request, id)

    async def hear(self, session: Session, message: Any) -> None:
        """Something that is said over a connection."""
        member = session.member
        if session not in self._attendance.sessions:
            return
        if member is not None and self._is_sign_of_life(member, message):
            with suppress(RoomRefused):  # it could not be written down; what they ask for may be
                await self._is_back(member)
        match message:
            case Act():
                await self._answer(session, message.id, partial(self._act, member, message))
            case protocol.Ask(id=id, request=request) if member is not None:
                await self._answer(session, id, partial(self._grant, member, request, id))
            case protocol.Ask(id=id):
                session.send(Refused(id=id, code="room/watching", message="Join the room first."))
            case Pass() | protocol.Here():
                pass

    async def _answer(self, session: Session, id: str, job: Job) -> None:
        """Exactly one answer to everything that carries an id."""
        try:
            _require_id(id)
            await job()
        except RoundTableError as refused:
            shown = id if is_id(id) else ""
            session.send(Refused(id=shown, code=refused.code, message=refused.message, told=dict(refused.told)))
        except LogFailed:  # everybody is sent away, and asks again when they come back
            raise
        except Exception:
            session.send(Refused(id=id, code="house/broken", message="The server made a mistake; nothing was lost."))
            raise
        else:
            session.send(Answered(id=id))

    async def _grant(self, member: int, request: Any, id: str) -> None:
        if id:
            _require_id(id)
        await self._writer.attempt(partial(self._steward.grant, member, request, id))

    async def _act(self, member: int | None, message: Act) -> None:
        """A move or a line of talk of whoever holds the seat; whose it is follows from the socket alone."""
        standing = self._standing
        before = len(standing.play.entries) if standing.play else 0
        await self._writer.attempt(partial(self._steward.act, member, message))
        done = standing.play.entries[before:] if standing.play else []
        if member is not None and any(entry.id == message.id and is_done_openly(entry) for entry in done):
            self._attendance.hear_of(member)

    async def _is_back(self, member: int) -> None:
        """Whoever shows up gets their seat back from the bot that played for them."""
        self._attendance.hear_of(member)
        if self._standing.state.is_played_for(member) or self._standing.state.is_asked_for(member):
            await self._writer.attempt(partial(self._steward.give_back_seat, member))

    def _is_sign_of_life(self, member: int, message: Any) -> bool:
        """Everybody sees when a bot stands in for somebody, so they would see when a card was laid or a night's choice
        made if that put it off (C5, C8). So a move is a sign of life only where all hear of it, or gets a seat back."""
        return not isinstance(message, MOVES) or self._standing.state.is_played_for(member)


def _require_id(id: str) -> None:
    if not is_id(id):
        raise IllegalAction("action/bad_id", "An id is 1 to 64 printable ASCII characters.")
