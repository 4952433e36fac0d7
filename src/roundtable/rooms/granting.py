"""What members ask for and do: granted, or refused in a sentence. Whatever is granted becomes lines to write."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from msgspec import json

from roundtable.core import actions as act
from roundtable.core.chance import SEED_BYTES
from roundtable.core.errors import IllegalAction
from roundtable.core.names import distinct_name
from roundtable.protocol import Act
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER
from roundtable.protocol.lines import wire_of
from roundtable.rooms import deciding, playing
from roundtable.rooms import facts as was
from roundtable.rooms.aggregate import RoomAggregate
from roundtable.rooms.bans import Bans
from roundtable.rooms.facts import Claim, Fact, gist
from roundtable.rooms.guests import Entropy, clean_name, key_of
from roundtable.rooms.presence import Presence
from roundtable.rooms.refusals import refuse
from roundtable.rooms.sessions import names_taken

TALK = (act.Say, act.Remark)
MOST_MEMBERS = 40
TALK_LINES, TALK_WINDOW = 3, 3_000  # lines of talk in so many milliseconds


def require_same(before: int, now: int) -> list[bytes]:
    """A repeat is answered as before, and nothing is done; an id that stood for something else is refused."""
    if before != now:
        raise IllegalAction("action/id_reused", "This id already stands for something else; give everything its own.")
    return []


class Steward:
    """Looks after a room's members; `RoomRefused` or `IllegalAction` where they may not have what they want."""

    def __init__(self, standing: RoomAggregate, attendance: Presence, entropy: Entropy) -> None:
        self._standing = standing
        self._attendance = attendance
        self._entropy = entropy
        self._door = Bans(standing)
        self._talk: dict[int, deque[tuple[int, str]]] = {}  # when each member spoke, and under which id

    def let_in(self, member: int, home: str) -> None:
        """Somebody has come in, from this rate_limit_key."""
        self._door.let_in(member, home)

    def join(self, name: str, token: str, home: str, *, watch: bool) -> list[bytes]:
        state = self._standing.state
        if state.member_with(token) is not None:  # they have not heard the answer
            return []
        self._door.require_welcome(token, home)
        is_full = len(state.members) >= MOST_MEMBERS
        makes_way = self._attendance.most_absent if is_full else None
        if is_full and makes_way is None:
            refuse("room/full", f"The room holds {MOST_MEMBERS} people, and they are here.")
        gone = self._attendance.gone
        can_sit = any(place.is_free or place.member in gone for place in state.places)
        if not (state.settings.has_spectators or can_sit):  # somebody who has lost their token has to come in first
            refuse("room/full", "Every seat is taken, and the host wants nobody to watch.")
        shown = distinct_name(clean_name(name), names_taken(state))
        makes_room = [] if makes_way is None else [was.MemberLeft(member=makes_way)]
        came_in = deciding.join(state, shown, key_of(token), self._attendance.no_shows, watch=watch)
        return self._standing.take([*makes_room, *came_in])

    def give_back_seat(self, member: int) -> list[bytes]:
        return self._standing.take(deciding.give_back_seat(self._standing.state, member))

    def grant(self, member: int, request: Any, id: str) -> list[bytes]:
        """What a member asks of the room."""
        room = self._standing
        state, is_playing = room.state, room.is_playing
        claim = Claim(member, id, gist(ENCODER.encode(request)) if id else 0)
        if (before := state.answered.get(member, id)) is not None:
            return require_same(before or claim.gist, claim.gist)
        match request:
            case protocol.Start():
                deciding.require_may(state, member, request, is_playing=is_playing)
                deciding.require_can_start(state)
                return playing.start(room, self._entropy(SEED_BYTES), claim)
            case protocol.HoldClock() | protocol.CallItOff():
                deciding.require_may(state, member, request, is_playing=is_playing)
                return [*playing.host_acts(room, request), *room.take([], claim)]
            case protocol.Chat():
                self._require_patience(member, id)
        facts = deciding.decide(state, member, request, self._attendance, is_playing=is_playing)
        if isinstance(request, protocol.Chat):
            self._note_line(member, id)
        if isinstance(request, protocol.Kick):
            self._door.shut_behind(request.member)
        if isinstance(request, protocol.Rematch):
            if state.settings.is_deal_only:  # a phone in a pocket is no empty chair
                return [*playing.call_in(room), *room.take(facts, claim)]
            facts += self._seats_to_free()
        return room.take(facts, claim)

    def act(self, member: int | None, message: Act) -> list[bytes]:
        """A move or a line of talk of whoever holds the seat."""
        room, state = self._standing, self._standing.state
        if done := state.acted.get(member, message.id):
            number, was_done = done
            if number != state.number or not state.is_table_set:  # in a game that has been put away
                return require_same(was_done, hash(ENCODER.encode(json.decode(message.action)).decode()))
        if room.play is None or not state.is_table_set:
            refuse("room/stage", "No game is being played.")
        seat = state.seat_of(member)
        if seat is None or member is None:
            refuse("room/watching", "Only those at the table can do that.")
        action = wire_of(room.play.game).action(message)
        if state.settings.is_deal_only and not isinstance(action, act.Contribute):
            refuse("room/stage", "Cards are only dealt here; the rest is played at the real table.")
        is_line = isinstance(action, TALK) and not room.play.has_done(seat, action, message.id)
        if is_line:
            deciding.require_word(state, member)
            self._require_patience(member, message.id)
        lines = playing.played(room, seat, action, message.id)
        if is_line:
            self._note_line(member, message.id)
        return lines

    def _seats_to_free(self) -> list[Fact]:
        """For a rematch: whoever has been away for longer than the room waits leaves a seat to those who watched, and
        so does a bot that played for somebody who left."""
        return [
            was.SeatFreed(seat=seat)
            for seat, place in enumerate(self._standing.state.places)
            if place.is_left_behind or (place.member is not None and self._attendance.is_given_up(place.member))
        ]

    def _require_patience(self, member: int, id: str) -> None:
        """Whether it is not too soon for another line; one that is decided again is the same line."""
        said = self._talk.get(member, deque())
        is_soon = len(said) == TALK_LINES and self._standing.now() - said[0][0] < TALK_WINDOW
        if is_soon and not _is_among(said, id):
            refuse("talk/too_fast", f"At most {TALK_LINES} lines in {TALK_WINDOW // 1000} seconds; wait a bit.")

    def _note_line(self, member: int, id: str) -> None:
        """A line that was granted; what was refused costs nobody a word."""
        if member not in self._talk:
            members = self._standing.state.members
            self._talk = {one: said for one, said in self._talk.items() if one in members}
            self._talk[member] = deque(maxlen=TALK_LINES)
        if not _is_among(self._talk[member], id):
            self._talk[member].append((self._standing.now(), id))


def _is_among(said: Iterable[tuple[int, str]], id: str) -> bool:
    return bool(id) and any(id == other for _, other in said)
