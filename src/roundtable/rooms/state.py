"""How a room stands: who is in it, who sits where, what will be played. It is the fold of its facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from roundtable.core.setup import Setup
from roundtable.games import codec_of, game_named
from roundtable.protocol.rooms import Settings
from roundtable.rooms import facts as was
from roundtable.rooms.guests import is_key_of
from roundtable.rooms.idempotency import IdempotencyCache

CHAT_KEPT = 200
SHOWN_OUT_KEPT = 40  # the latest


@dataclass
class Member:
    """Somebody in the room; `key` is the hash of their token."""

    name: str
    key: str = field(repr=False)
    is_ready: bool = False
    is_silenced: bool = False


@dataclass
class Place:
    """A seat: a member, a bot, or nobody; and the bot that plays for an absent member."""

    member: int | None = None
    bot: str | None = None
    stand_in: str | None = None
    is_left_behind: bool = False  # whether the bot plays a game to its end for somebody who left the room

    @property
    def is_free(self) -> bool:
        return self.member is None and self.bot is None

    @property
    def player(self) -> str | None:
        """The bot that plays here now, if one does."""
        return self.bot or self.stand_in


@dataclass
class RoomState:
    code: str = ""
    settings: Settings = field(default_factory=Settings)
    setup: Setup = None  # type: ignore[assignment]  # every room begins with RoomOpened and TableLaid
    members: dict[int, Member] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    shown_out: dict[int, Member] = field(default_factory=dict)  # who may not come back without the host's leave
    asked_for: dict[int, int] = field(default_factory=dict)  # who says that which seat is theirs
    regained: set[int] = field(default_factory=set)  # seats that went to another token, until the next game
    host: int | None = None
    was_vacant: bool = False  # whether the host has the chair because the one before was away, until the next game
    joined: int = 0  # how many members there ever were
    number: int = 0  # of the game on the table
    is_table_set: bool = False  # whether a game is on the table, played or over
    is_closed: bool = False
    chatted: int = 0
    chat: list[was.LineChatted] = field(default_factory=list)  # the latest lines
    answered: IdempotencyCache[int] = field(default_factory=IdempotencyCache)  # the gist of requests that were granted
    acted: IdempotencyCache[tuple[int, int]] = field(
        default_factory=IdempotencyCache
    )  # of acts: in which game, and a hash

    def seat_of(self, member: int | None) -> int | None:
        if member is not None:
            for seat, place in enumerate(self.places):
                if place.member == member:
                    return seat
        return None

    def is_asked_for(self, member: int) -> bool:
        """Whether somebody else says that their seat is theirs."""
        return bool(self.asked_for) and self.seat_of(member) in self.asked_for.values()

    def is_played_for(self, member: int) -> bool:
        """Whether a bot has their seat until they return."""
        seat = self.seat_of(member)
        return seat is not None and self.places[seat].stand_in is not None

    def member_with(self, token: str) -> int | None:
        return _whose(token, self.members)

    def was_shown_out(self, token: str) -> bool:
        return _whose(token, self.shown_out) is not None

    def remember_act(self, seat: int, id: str, spelled: str) -> None:
        """An act is its member's whatever is played next, so that it is never done again in another game. Nothing of
        this is written down, so any hash will do."""
        member = self.places[seat].member if 0 <= seat < len(self.places) else None
        if id and member is not None:
            self.acted.keep(member, id, (self.number, hash(spelled)))

    def absorb(self, fact: Any) -> None:
        match fact:
            case was.RoomOpened(code=code, settings=settings):
                self.code, self.settings = code, settings
            case was.TableLaid(game=game, setup=setup):
                self._lay(read_setup(game, bytes(setup)))
            case was.SettingsChosen(settings=settings):
                self.settings = settings
            case was.MemberJoined(member=member, name=name, key=key):
                self.members[member] = Member(name, key)
                self.joined = member
            case was.MemberLeft(member=member, is_shown_out=is_shown_out):
                left = self._forget(member)
                if is_shown_out and left:
                    self.shown_out = dict([*self.shown_out.items(), (member, left)][-SHOWN_OUT_KEPT:])
            case was.MemberPardoned(member=member):
                self.shown_out.pop(member, None)
            case was.HostNamed(member=member, was_vacant=was_vacant):
                self.host, self.was_vacant = member, was_vacant
            case was.SeatTaken(seat=seat, member=member, bot=bot):
                self._put(seat, Place(member, bot, is_left_behind=bot is not None and self.is_table_set))
            case was.SeatFreed(seat=seat):
                self._put(seat, Place())
            case was.BotStoodIn(seat=seat, bot=bot):
                self.places[seat].stand_in = bot
            case was.SeatReturned(seat=seat):
                self.places[seat].stand_in = None
            case was.SeatAskedFor(seat=seat, member=member):
                self.asked_for[member] = seat
            case was.SeatDenied(member=member):
                self.asked_for.pop(member, None)
            case was.SeatRegained(seat=seat, member=member):
                self._give_back(seat, member)
            case was.ReadySaid(member=member, is_ready=is_ready):
                self.members[member].is_ready = is_ready
            case was.MemberSilenced(member=member, is_silenced=is_silenced):
                self.members[member].is_silenced = is_silenced
            case was.LineChatted():
                self.chatted += 1
                self.chat = [*self.chat[-CHAT_KEPT + 1 :], fact]
            case was.GameStarted(number=number):
                self.number, self.is_table_set, self.was_vacant = number, True, False
                self.regained.clear()
            case was.TableCleared():
                self.is_table_set = self.was_vacant = False
                self.regained.clear()
                for place in self.places:
                    place.stand_in = None
                self._nobody_is_ready()
            case was.RoomClosed():
                self.is_closed = True
            case _:
                assert_never(fact)

    def _lay(self, setup: Setup) -> None:
        self.setup = setup
        self.places = [*self.places, *(Place() for _ in range(setup.seats))][: setup.seats]
        self._nobody_is_ready()

    def _put(self, seat: int, place: Place) -> None:
        """Somebody else holds the seat now, or nobody; what was said of it, and of theirs, counts no more."""
        self.places[seat] = place
        self.regained.discard(seat)
        self.asked_for = {
            member: wanted for member, wanted in self.asked_for.items() if wanted != seat and member != place.member
        }

    def _give_back(self, seat: int, member: int) -> None:
        """They have the name of whoever held it, who is gone; and the chair, if that was the host."""
        before = self.places[seat].member or 0
        former = self._forget(before)
        if former is not None:
            self.members[member] = replace(former, key=self.members[member].key)
        self._put(seat, Place(member))
        self.regained.add(seat)
        if self.host == before:
            self.host = member

    def _forget(self, member: int) -> Member | None:
        self.answered.forget(member)
        self.acted.forget(member)
        self.asked_for.pop(member, None)
        return self.members.pop(member, None)

    def _nobody_is_ready(self) -> None:
        for member in self.members.values():
            member.is_ready = False


def _whose(token: str, people: Mapping[int, Member]) -> int | None:
    return next((number for number, member in people.items() if is_key_of(member.key, token)), None)


def read_setup(game: str, spelled: bytes) -> Setup:
    return codec_of(game_named(game)).decode(Setup, spelled)
