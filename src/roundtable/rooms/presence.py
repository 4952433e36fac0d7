"""Who is connected to a room, and what else is known of its members without being in the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from roundtable.rooms.state import RoomState

NO_SHOW_SECONDS = 30  # in which a new member has to connect, or to ask for anything
LOST_SECONDS = 30  # of absence, after which a member may have lost their device
AWAY_SECONDS = 60  # of absence, after which a member without a seat can be evicted from a full room
KEPT_SECONDS = 5  # for which a connection has to last before its room counts as used
BAN_MS = 10 * 60_000  # milliseconds for which the network of a removed member stays banned
TALK_LINES, TALK_WINDOW_MS = 3, 3_000  # lines of talk in so many milliseconds


class Unsaved(NamedTuple):
    """What a room knows besides its log; the registry keeps it while the room is not in memory."""

    since: int  # when the server began to see members of the room, by the server's clock
    last_seen: Mapping[int, int] = {}  # by the room's clock
    ahead: int = 0  # milliseconds by which the room's clock is ahead of the server's
    up_since: int = 0  # when the server started, by its clock; 0 where that is the same as `since`


class Presence(NamedTuple):
    """An immutable snapshot; every change makes a new one. Times are in milliseconds since 1970."""

    connected: frozenset[int] = frozenset()
    last_seen: Mapping[int, int] = {}
    arrived: Mapping[int, int] = {}  # when each member connected; those who never did are missing
    networks: Mapping[int, str] = {}  # the rate-limit key each member came from; never written to the log
    banned: Mapping[int, int] = {}  # when each banned member was removed
    since: int = 0  # when the server began to see members; before that, absence is unknown
    up_since: int = 0  # when the server started; time before that does not count as idle
    lines: Mapping[int, tuple[tuple[int, str], ...]] = {}  # the latest lines of talk by member: time and id
    was_kept: bool = False  # whether a member's connection has lasted for some seconds

    # Changes

    def seen(self, member: int, now: int) -> Presence:
        return Presence(self.connected, {**self.last_seen, member: now}, *self[2:])

    def entered(self, member: int, now: int) -> Presence:
        return self if member in self.connected else self._replace(arrived={**self.arrived, member: now})

    def left(self, member: int, now: int) -> Presence:
        """A connection of a member has ended."""
        was_kept = self.was_kept or now - self.arrived.get(member, now) >= KEPT_SECONDS * 1000
        return self.seen(member, now)._replace(was_kept=was_kept)

    def from_network(self, room: RoomState, member: int, network: str) -> Presence:
        if not network or self.networks.get(member) == network:
            return self
        known = {one: theirs for one, theirs in self.networks.items() if one in room.members or one in self.banned}
        return self._replace(networks={**known, member: network})

    def with_ban(self, room: RoomState, member: int, now: int) -> Presence:
        still_banned = {one: at for one, at in self.banned.items() if one in room.removed}
        return self._replace(banned={**still_banned, member: now})

    def with_line(self, room: RoomState, member: int, id: str, now: int) -> Presence:
        """Count a line of talk, once for each id."""
        said = self.lines.get(member, ())
        if _has_id(said, id):
            return self
        known = self.lines if said else {one: lines for one, lines in self.lines.items() if one in room.members}
        return self._replace(lines={**known, member: (*said, (now, id))[-TALK_LINES:]})

    def of_members(self, room: RoomState, now: int) -> Presence:
        """Drop former members; new ones were last seen now."""
        return self._replace(
            last_seen={member: self.last_seen.get(member, now) for member in room.members},
            arrived={member: at for member, at in self.arrived.items() if member in room.members},
        )

    @classmethod
    def restored(cls, room: RoomState, unsaved: Unsaved) -> Presence:
        """After a room was read from the log. Members could not be seen before `unsaved.since`."""
        since, up_since = (at + room.ahead for at in (unsaved.since, unsaved.up_since or unsaved.since))
        seen = {member: unsaved.last_seen.get(member, since) for member in room.members}
        return cls(last_seen=seen, arrived=dict.fromkeys(seen, since), since=since, up_since=up_since)

    # Questions

    def is_used(self, now: int) -> bool:
        """Whether a member's connection has lasted for some seconds, or does now."""
        return self.was_kept or self.here_since(now) + KEPT_SECONDS * 1000 <= now

    def here_since(self, now: int) -> int:
        """Since when at least one member has been connected without a break."""
        return min((self.arrived[member] for member in self.connected if member in self.arrived), default=now)

    def last_seen_in(self, room: RoomState, member: int) -> int:
        """When a member was last seen; absence counts from the start of the game."""
        return max(self.last_seen.get(member, 0), room.started_at)

    def is_given_up(self, room: RoomState, member: int, now: int) -> bool:
        """Whether a member has been away for longer than the room waits."""
        limit = room.settings.takeover_seconds
        if limit is None or member in self.connected:
            return False
        return self.last_seen_in(room, member) + limit * 1000 <= now

    def lost_at(self, member: int, claimed_at: int) -> int:
        """When a member whose seat is claimed may have lost their device: some seconds after they were last seen."""
        return min(self.last_seen.get(member, 0), claimed_at) + LOST_SECONDS * 1000

    def no_shows(self, now: int) -> set[int]:
        """Members who joined and never connected."""
        strangers = self.last_seen.keys() - self.arrived.keys()
        return {member for member in strangers if self._is_absent(member, NO_SHOW_SECONDS, now)}

    def to_evict(self, room: RoomState, now: int) -> int | None:
        """Whom a full room evicts for a new member: a no-show without a seat, else the longest absent."""
        no_shows = self.no_shows(now)
        away = [
            member
            for member in room.members
            if member != room.host
            and room.seat_of(member) is None
            and (member in no_shows or self._is_absent(member, AWAY_SECONDS, now))
        ]
        return min(away, key=lambda member: (member not in no_shows, self.last_seen.get(member, 0)), default=None)

    def is_banned(self, room: RoomState, network: str, now: int) -> bool:
        """Whether a member from this network was removed lately. The host's network is never banned."""
        if not network or network == self.networks.get(room.host or 0):
            return False
        lately = [member for member, at in self.banned.items() if member in room.removed and now < at + BAN_MS]
        return any(self.networks.get(member) == network for member in lately)

    def may_speak(self, member: int, id: str, now: int) -> bool:
        """Whether the member is within the limit of talk. A line with an id that was counted is the same line."""
        said = self.lines.get(member, ())
        return len(said) < TALK_LINES or now - said[0][0] >= TALK_WINDOW_MS or _has_id(said, id)

    def _is_absent(self, member: int, seconds: int, now: int) -> bool:
        return member not in self.connected and self.last_seen.get(member, 0) + seconds * 1000 <= now


def _has_id(said: tuple[tuple[int, str], ...], id: str) -> bool:
    return bool(id) and any(id == other for _, other in said)
