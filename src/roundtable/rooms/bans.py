"""Who may come in: whoever was shown out needs the host's leave, and so, for a while, do all from where they came.

Where people come from is known only while the room is in memory; no address is ever written down.
"""

from __future__ import annotations

from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.refusals import refuse

BARRED = 10 * 60_000  # milliseconds for which nobody joins from the rate_limit_key of somebody who was shown out


class Bans:
    """Remembers from which rate_limit_key each member came, and when the host showed somebody out."""

    def __init__(self, standing: RoomAggregate) -> None:
        self._standing = standing
        self._homes: dict[int, str] = {}
        self._shut: dict[int, int] = {}  # when somebody was shown out

    def let_in(self, member: int, home: str) -> None:
        if home and self._homes.get(member) != home:
            known = {*self._standing.state.members, *self._shut}
            self._homes = {one: theirs for one, theirs in self._homes.items() if one in known} | {member: home}

    def shut_behind(self, member: int) -> None:
        since, shown_out = self._standing.now(), self._standing.state.shown_out
        self._shut = {one: at for one, at in self._shut.items() if one in shown_out} | {member: since}

    def require_welcome(self, token: str, home: str) -> None:
        """`RoomRefused` where somebody has to ask the host first."""
        if self._standing.state.was_shown_out(token) or self._is_barred(home):
            refuse("room/shown_out", "The host has shown you out, or somebody where you are; ask the host.")

    def _is_barred(self, home: str) -> bool:
        """Those who sit in one house with the host settle it there."""
        state, now = self._standing.state, self._standing.now()
        if not home or home == self._homes.get(state.host or 0):
            return False
        recent = [one for one, at in self._shut.items() if one in state.shown_out and now < at + BARRED]
        return any(self._homes.get(member) == home for member in recent)
