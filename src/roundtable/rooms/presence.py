"""Who is there: the connections to a room, and when each of its members was last heard of."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from roundtable.protocol.rooms import Enter
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.sessions import Now, Session

MOST_LINES = 8  # connections of one member; one more ends the oldest
NO_SHOW_SECONDS = 30  # in which whoever joins connects, or says anything at all
LOST_SECONDS = 30  # without a word, after which somebody else may say that they have lost the token to that seat
AWAY_SECONDS = 60  # without a word, after which somebody who only watches makes room where there is none

logger = logging.getLogger("roundtable.rooms")


class Presence:
    """Everybody who is connected. They are told things together, and shown out where they have no business here."""

    def __init__(self, standing: RoomAggregate) -> None:
        self.sessions: dict[Session, None] = {}
        self.entering: dict[Session, None] = {}  # who stands at the door, and has not had their turn
        self.changes = 0  # how often somebody came who was not here, or went who was
        self._standing = standing
        self._seen: dict[int, int] = {}  # when each member was last heard of
        self._came: dict[int, int] = {}  # since when each member who is here has been; others once were
        self._must_look_round = False  # whether somebody may be here who should not be

    @property
    def here(self) -> set[int]:
        """Every member who is connected."""
        return {session.member for session in self.sessions if session.member is not None}

    @property
    def here_since(self) -> int:
        """Since when somebody has been here without a break; now, where nobody is."""
        return min((self._came[member] for member in self.here if member in self._came), default=self._standing.now())

    def is_here(self, member: int | None) -> bool:
        return member is not None and any(session.member == member for session in self.sessions)

    def enter(self, session: Session, member: int | None, enter: Enter) -> None:
        if member is not None and not self.is_here(member):
            self.changes += 1
            self._came[member] = self._standing.now()
        self.entering.pop(session, None)
        self.sessions[session] = None
        session.enter(member, enter, self._standing.now())
        lines = [one for one in self.sessions if member is not None and one.member == member]
        if len(lines) > MOST_LINES:
            self.let_go(lines[0], 1013, "house/full")

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

    def remember(self, seen: Mapping[int, int], since: int) -> None:
        """What was known when the room was put away; nobody could be heard of before the server began."""
        self._seen = {member: seen.get(member, since) for member in self._standing.state.members}
        self._came = dict.fromkeys(self._seen, since)  # whether they ever were here is in no log

    @property
    def seen(self) -> Mapping[int, int]:
        return self._seen

    def _keep_book(self) -> None:
        """Of members only; whoever is new here counts as heard of now."""
        now, members = self._standing.now(), self._standing.state.members
        self._seen = {member: self._seen.get(member, now) for member in members}
        self._came = {member: came for member, came in self._came.items() if member in members}

    def last_seen(self, member: int) -> int:
        """When somebody was last heard of. Whoever has not connected yet is given time from the game's start."""
        return max(self._seen.get(member, 0), self._standing.started_at)

    def is_given_up(self, member: int) -> bool:
        """Whether somebody has been without a connection for longer than the room waits for them."""
        patience = self._standing.state.settings.takeover_seconds
        if patience is None or self.is_here(member):
            return False
        return self.last_seen(member) + patience * 1000 <= self._standing.now()

    @property
    def gone(self) -> set[int]:
        """Who has been away for so long that they may have lost their device."""
        return {member for member in self._standing.state.members if self._is_silent(member, LOST_SECONDS)}

    @property
    def no_shows(self) -> set[int]:
        """Who joined and never connected."""
        strangers = self._seen.keys() - self._came.keys()
        return {member for member in strangers if self._is_silent(member, NO_SHOW_SECONDS)}

    @property
    def most_absent(self) -> int | None:
        """Of those who hold no seat, somebody who never came, or else whoever has been away for the longest; nobody
        where all are here or just went."""
        state, no_shows = self._standing.state, self.no_shows
        away = [
            member
            for member in state.members
            if member != state.host
            and state.seat_of(member) is None
            and (member in no_shows or self._is_silent(member, AWAY_SECONDS))
        ]
        return min(away, key=lambda member: (member not in no_shows, self._seen.get(member, 0)), default=None)

    def _is_silent(self, member: int, seconds: int) -> bool:
        """Whether somebody is not connected, and has not been heard of for so long."""
        return not self.is_here(member) and self._seen.get(member, 0) + seconds * 1000 <= self._standing.now()

    # What they are told

    def catch_up(self, now: Now) -> None:
        """Everything that is new to somebody is gathered for them."""
        for session in list(self.sessions):
            try:
                session.catch_up(now)
            except Exception:  # whatever went wrong there, the others hear what they have to hear
                logger.exception("a connection could not be told")
                self.let_go(session, 1011, "house/broken")
        if now.has_room_changed:
            self._must_look_round = True
            self._keep_book()

    def flush(self) -> None:
        """Whoever has no business here any more is shown out; all the others are sent what has gathered for them."""
        if self._must_look_round:
            self._show_out()
        for session in self.sessions:
            session.flush()

    def send_away(self, code: int, reason: str) -> None:
        """Everybody, also those who stand at the door."""
        for session in [*self.sessions, *self.entering]:
            self.let_go(session, code, reason)

    def let_go(self, session: Session, code: int, reason: str) -> None:
        self.sessions.pop(session, None)
        self.entering.pop(session, None)
        session.flush()
        session.port.close(code, reason)

    def _show_out(self) -> None:
        """Whoever is no member any more, or watches without a name where the host wants nobody to watch."""
        self._must_look_round = False
        state = self._standing.state
        for session in list(self.sessions):
            if not (state.settings.has_spectators if session.member is None else session.member in state.members):
                self.let_go(session, 4003, "room/shown_out" if session.member in state.shown_out else "room/unknown")
