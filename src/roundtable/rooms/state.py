"""The state of a room: members, seats, the game on the table and its clock. All of it follows from the room's rows."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal

from roundtable.core import events as happened
from roundtable.core.actions import DealRoles, Remark, Say
from roundtable.core.entries import Entry
from roundtable.core.errors import IllegalAction
from roundtable.core.events import Event
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, HOST, SPECTATOR
from roundtable.core.setup import Setup
from roundtable.protocol.encoding import text_of_value
from roundtable.protocol.rooms import Settings
from roundtable.rooms.events import LineChatted
from roundtable.rooms.guests import is_key_of, seat_name

IDS_KEPT = 64  # of each member
TALK = (Say, Remark)
LINE_OVERHEAD = 40  # bytes of a line of chat besides its text, about as many as an act has
HOUR = 3_600_000  # milliseconds

CLOCK_EVENTS = frozenset(  # the events that change the clock
    {
        happened.PhaseBegan,
        happened.CountdownStarted,
        happened.ClockPaused,
        happened.ClockResumed,
        happened.ClockExtended,
        happened.GameEnded,
    }
)


@dataclass
class Member:
    """`key` is the hash of the member's token."""

    name: str
    key: str = field(repr=False)
    avatar: str = ""  # a shape and a colour, as `fox-teal`; "" where none was chosen
    is_ready: bool = False
    is_silenced: bool = False


@dataclass(frozen=True)
class SeatClaim:
    """A member without a seat asks for this one, whose holder is away."""

    seat: int
    at: int  # milliseconds since 1970
    agreed: tuple[int, ...] = ()  # members who agreed and still have the seat in which they did


@dataclass(frozen=True)
class EndedClaim:
    """How a claim to a seat ended, for the whole table to read; with the names that members had then."""

    name: str  # of the claimant
    holder: str
    by: tuple[str, ...]  # who agreed or refused; empty where time has passed, or the holder has come back
    is_granted: bool


@dataclass(frozen=True)
class SeatNews:
    """Another person in a bot's seat, or a player with another name, for the whole table to read."""

    notice: str  # the key of the sentence
    name: str
    former: str  # the name that the seat had before


@dataclass
class Place:
    """A seat: it is held by a member or a bot, or it is free; `stand_in` is the bot that plays for an absent member."""

    member: int | None = None
    bot: str | None = None
    stand_in: str | None = None
    finishes_game: bool = False  # whether the bot finishes a game for a member who left the room
    is_silenced: bool = False  # whether the host has silenced the bot

    @property
    def is_free(self) -> bool:
        return self.member is None and self.bot is None

    @property
    def player(self) -> str | None:
        """The bot that plays here now, if one does."""
        return self.bot or self.stand_in


def no_numbers() -> array[int]:
    """An array takes a fifth of the memory of a list with large numbers."""
    return array("q")


MARK = 7  # bytes of a hash


def fingerprint(text: bytes) -> int:
    """A short hash of a request or an action, the same on every server."""
    return int.from_bytes(hashed(text), "big")


@lru_cache(maxsize=256)  # an id is hashed when it is looked up and when it is kept; many actions are alike
def hashed(text: bytes) -> bytes:
    return blake2b(text, digest_size=MARK).digest()


class IdempotencyCache:
    """The latest ids of each member, of requests and of acts in any game, each with the fingerprint of its content.

    A member's are bytes, the hash of each id before its fingerprint: as strings in a dictionary they would take half of
    the memory of a table that has played a few games.
    """

    def __init__(self) -> None:
        self._by_member: dict[int, bytes] = {}

    def has(self, member: int | None, id: str) -> bool:
        return self._place(self._by_member.get(member or 0, b""), id) >= 0

    def require_same(self, member: int | None, id: str, text: bytes) -> None:
        """Refuse a known id that stood for something else."""
        kept = self._by_member[member or 0]
        begin = self._place(kept, id) + MARK
        if kept[begin : begin + MARK] != hashed(text):
            raise IllegalAction("action/id_reused")

    def keep(self, member: int, id: str, mark: int) -> None:
        kept = self._by_member.get(member, b"")
        if (place := self._place(kept, id)) >= 0:
            kept = kept[:place] + kept[place + 2 * MARK :]
        kept += hashed(id.encode()) + mark.to_bytes(MARK, "big")
        self._by_member[member] = kept[-2 * MARK * IDS_KEPT :]

    def forget(self, member: int) -> None:
        self._by_member.pop(member, None)

    def __len__(self) -> int:
        return sum(len(kept) for kept in self._by_member.values()) // (2 * MARK)

    @staticmethod
    def _place(kept: bytes, id: str) -> int:
        """Where the hash of this id begins; -1 where there is none."""
        own = hashed(id.encode())
        place = kept.find(own)
        while place >= 0 and place % (2 * MARK):
            place = kept.find(own, place + 1)
        return place


@dataclass
class GameClock:
    """When the phase ends: it follows from the events and the times at which they were written."""

    ends_at: int | None = None  # milliseconds since 1970
    left: int | None = None  # milliseconds, while it is paused or held
    is_paused: bool = False
    held_until: int | None = None  # while players look at their roles: when it starts, even if not all of them have

    def absorb(self, event: Event, at: int) -> None:
        match event:
            case happened.PhaseBegan(seconds=seconds):
                self._set(seconds, at)
            case happened.CountdownStarted(seconds=seconds):
                self._set(seconds, at)
            case happened.ClockPaused():
                self.is_paused = True
                if self.ends_at is not None:
                    self.left, self.ends_at = max(0, self.ends_at - at), None
            case happened.ClockResumed():
                self.is_paused = False
                self._go_on(at)
            case happened.ClockExtended(seconds=seconds):
                self.ends_at = None if self.ends_at is None else self.ends_at + seconds * 1000
                self.left = None if self.left is None else self.left + seconds * 1000
            case happened.GameEnded():
                self.ends_at = self.left = self.held_until = None

    def release(self, at: int) -> None:
        """The players have looked at their roles."""
        self.held_until = None
        self._go_on(at)

    def _go_on(self, at: int) -> None:
        if self.left is not None and not self._is_stopped:
            self.ends_at, self.left = at + self.left, None

    @property
    def _is_stopped(self) -> bool:
        return self.is_paused or self.held_until is not None

    def _set(self, seconds: int | None, at: int) -> None:
        """A phase that begins while the clock is stopped waits as well."""
        self.left, self.ends_at = None if seconds is None else seconds * 1000, None
        self._go_on(at)


@dataclass
class Usage:
    """How much was written since the last game began, so that none can grow a room without end. Each number counts
    what one seat or member did: it reaches its limit by nothing that others do, and others notice nothing (C8)."""

    acts_in_phase: dict[int, int] = field(default_factory=dict)  # by seat or HOST
    acts: dict[int, int] = field(default_factory=dict)  # by seat or HOST
    talk: dict[int, int] = field(default_factory=dict)  # bytes by seat
    chat: dict[int, int] = field(default_factory=dict)  # bytes by member
    requests: dict[int, int] = field(default_factory=dict)  # by member
    names: dict[int, int] = field(default_factory=dict)  # changes of a name, by member

    def count_act(self, entry: Entry, size: int) -> None:
        if isinstance(entry.action, TALK):
            self.talk[entry.actor] = self.talk.get(entry.actor, 0) + size
        else:
            self.acts[entry.actor] = self.acts.get(entry.actor, 0) + 1
            self.acts_in_phase[entry.actor] = self.acts_in_phase.get(entry.actor, 0) + 1

    def count_line(self, line: LineChatted) -> None:
        self.chat[line.member] = self.chat.get(line.member, 0) + LINE_OVERHEAD + len(line.text.encode())

    def count_request(self, member: int) -> None:
        self.requests[member] = self.requests.get(member, 0) + 1

    def count_name(self, member: int) -> None:
        self.names[member] = self.names.get(member, 0) + 1

    def forget(self, member: int) -> None:
        self.chat.pop(member, None)
        self.requests.pop(member, None)
        self.names.pop(member, None)


@dataclass
class RoomState:
    """`reducer.py` changes it by events of the room, `absorb_entry` by entries of the game."""

    code: str = ""
    settings: Settings = field(default_factory=Settings)
    setup: Setup = None  # type: ignore[assignment]  # every room begins with RoomOpened and SetupChanged
    members: dict[int, Member] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    removed: dict[int, Member] = field(default_factory=dict)  # removed by the host, and not let back in
    seat_claims: dict[int, SeatClaim] = field(default_factory=dict)  # by the member who asks
    claims_refused: dict[tuple[int, int], int] = field(default_factory=dict)  # when, by member and seat
    ended_claims: dict[int, EndedClaim] = field(default_factory=dict)  # the latest of each seat, until the next game
    seat_news: dict[int, SeatNews] = field(default_factory=dict)  # the latest of each seat, until the next game
    known_seats: dict[str, int] = field(default_factory=dict)  # the seat that a person has played in this game, by key
    emptied_by: dict[int, int] = field(default_factory=dict)  # the host who removed its player in this game, by seat
    host: int | None = None
    was_vacant: bool = False  # whether the previous host was away, until the next game
    joined: int = 0  # how many members there ever were
    is_closed: bool = False
    chatted: int = 0
    chat: list[LineChatted] = field(default_factory=list)  # the latest lines
    request_ids: IdempotencyCache = field(default_factory=IdempotencyCache)

    number: int = 0  # of the game on the table
    is_table_set: bool = False  # whether a game is on the table, running or over
    play: Play[Any, Any] | None = None
    clock: GameClock = field(default_factory=GameClock)
    moderator: int | None = None  # the member who may see all roles of the game on the table
    looked: set[int] = field(default_factory=set)  # seats whose players have looked at their roles
    usage: Usage = field(default_factory=Usage)
    times: array[int] = field(default_factory=no_numbers)  # when each entry of the game was written; never goes back
    spectator_events: array[int] = field(default_factory=no_numbers)  # how many spectators may hear up to each entry

    public_at: int = 0  # when the last row was written that everyone heard of
    written_at: int = 0  # when the last row was written
    version: int = 0  # how many rows there are
    changes: int = 0  # how often the room has come to look different
    reloads: int = 0  # how often it was read from the log
    ahead: int = 0  # milliseconds by which its rows are ahead of the server's clock, after that was set back

    @property
    def is_playing(self) -> bool:
        return self.is_table_set and self.play is not None and not self.play.is_over

    @property
    def stage(self) -> Literal["lobby", "playing", "over", "closed"]:
        if self.is_closed:
            return "closed"
        if not self.is_table_set:
            return "lobby"
        return "playing" if self.is_playing else "over"

    @property
    def started_at(self) -> int:
        """When the game on the table was started; 0 where there is none."""
        return self.times[0] if self.times else 0

    @property
    def phase_played(self) -> tuple[int, int] | None:
        """The numbers of the running game and of its phase."""
        return (self.number, self.play.phase.number) if self.play and self.is_playing else None

    @property
    def summary_key(self) -> object:
        """As long as this stays the same, so does the room's summary."""
        game = self.play and (self.play.is_dealt, self.play.is_over)
        return self.changes, game, self.clock.ends_at, self.public_at // HOUR

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Each seat by its member's name, or by the name of a bot."""
        people = [member.name for member in self.members.values()]
        return tuple(
            self.members[place.member].name if place.member in self.members else seat_name(seat, people)
            for seat, place in enumerate(self.places)
        )

    @property
    def names_taken(self) -> list[str]:
        """The names of members and bots."""
        bots = [name for name, place in zip(self.seat_names, self.places, strict=True) if place.bot]
        return [*(member.name for member in self.members.values()), *bots]

    @property
    def free_seats(self) -> list[int]:
        return [seat for seat, place in enumerate(self.places) if place.is_free]

    @property
    def seats_to_look(self) -> list[int]:
        """The seats whose players have not looked at their roles. Bots do not look."""
        return [
            seat
            for seat, place in enumerate(self.places)
            if place.member is not None and place.player is None and seat not in self.looked
        ]

    @property
    def bot_seats(self) -> list[int]:
        """The seats that belong to bots; not those where a bot stands in for a member."""
        return [seat for seat, place in enumerate(self.places) if place.bot is not None]

    def seat_of(self, member: int | None) -> int | None:
        if member is not None:
            for seat, place in enumerate(self.places):
                if place.member == member:
                    return seat
        return None

    def is_played_for(self, member: int) -> bool:
        """Whether a bot plays this member's seat until they return."""
        seat = self.seat_of(member)
        return seat is not None and self.places[seat].stand_in is not None

    def member_with(self, token: str) -> int | None:
        return _member_with(token, self.members)

    def was_removed(self, token: str) -> bool:
        return _member_with(token, self.removed) is not None

    def absorb_entry(self, entry: Entry, at: int) -> None:
        """Take in an entry of the game that was written at this time."""
        self.times.append(at)
        if entry.action.__class__ is DealRoles:
            self._wait_for_looks(at)
        if entry.id or entry.actor == HOST:  # bots and the clock act without an id, and without a limit
            text = text_of_value(entry.action).encode()
            self.remember_act(entry.actor, entry.id, text)
            self.usage.count_act(entry, len(text))
        heard = self.spectator_events[-1] if self.spectator_events else 0
        for event in entry.events:
            if event.__class__ in CLOCK_EVENTS:
                self.clock.absorb(event, at)
                if event.__class__ is happened.PhaseBegan:
                    self.usage.acts_in_phase.clear()
            if event.audience is EVERYONE or SPECTATOR in event.audience:
                self.public_at = at
                heard += 1
        self.spectator_events.append(heard)

    def _wait_for_looks(self, at: int) -> None:
        settings = self.settings
        if settings.look_seconds and not settings.only_deals and self.seats_to_look:
            self.clock.held_until = at + settings.look_seconds * 1000

    def remember_act(self, seat: int, id: str, action: bytes) -> None:
        """An id stays its member's through all games, so that no act is repeated in another game."""
        member = self.places[seat].member if 0 <= seat < len(self.places) else None
        if id and member is not None:
            self.request_ids.keep(member, id, fingerprint(action))


def _member_with(token: str, people: Mapping[int, Member]) -> int | None:
    return next((number for number, member in people.items() if is_key_of(member.key, token)), None)
