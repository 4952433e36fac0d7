"""Who is there: the connections to a room, and when each of its members was last heard of."""

from __future__ import annotations

import logging

from roundtable.room.sessions import Now, Session
from roundtable.room.standing import Standing
from roundtable.wire.rooms import Enter

logger = logging.getLogger("roundtable.room")


class Attendance:
    """Everybody who is connected. They are told things together, and shown out where they have no business here."""

    def __init__(self, standing: Standing) -> None:
        self.sessions: dict[Session, None] = {}
        self.changes = 0  # how often somebody came who was not here, or went who was
        self._standing = standing
        self._seen: dict[int, int] = {}  # when each member was last heard of
        self._must_look_round = False  # whether somebody may be here who should not be

    def is_here(self, member: int | None) -> bool:
        return member is not None and any(session.member == member for session in self.sessions)

    def enter(self, session: Session, member: int | None, enter: Enter) -> None:
        self.changes += member is not None and not self.is_here(member)
        self.sessions[session] = None
        session.enter(member, enter, self._standing.now())

    def leave(self, session: Session) -> None:
        del self.sessions[session]
        if session.member is not None:
            self.hear_of(session.member)
            self.changes += not self.is_here(session.member)

    # When they were heard of

    def hear_of(self, *members: int) -> None:
        now = self._standing.now()
        for member in members:
            self._seen[member] = now

    def last_seen(self, member: int) -> int:
        """When somebody was last heard of. Whoever has not connected yet is given time from the game's start."""
        return max(self._seen.get(member, 0), self._standing.started_at)

    # What they are told

    def catch_up(self, now: Now) -> None:
        """Everything that is new to somebody is gathered for them."""
        for session in list(self.sessions):
            try:
                session.catch_up(now)
            except Exception:  # whatever went wrong there, the others hear what they have to hear
                logger.exception("a connection could not be told")
                self._let_go(session, 1011, "house/broken")
        self._must_look_round |= now.has_room_changed

    def flush(self) -> None:
        """Whoever has no business here any more is shown out; all the others are sent what has gathered for them."""
        if self._must_look_round:
            self._show_out()
        for session in self.sessions:
            session.flush()

    def send_away(self, code: int, reason: str) -> None:
        for session in list(self.sessions):
            self._let_go(session, code, reason)

    def _show_out(self) -> None:
        """Whoever is no member any more, or watches without a name where the host wants nobody to watch."""
        self._must_look_round = False
        state = self._standing.state
        for session in list(self.sessions):
            if not (state.settings.has_spectators if session.member is None else session.member in state.members):
                self._let_go(session, 4003, "room/unknown")

    def _let_go(self, session: Session, code: int, reason: str) -> None:
        self.sessions.pop(session, None)
        session.flush()
        session.port.close(code, reason)
