"""The table before a game: its setup, its settings, who sits where, and what keeps a game from starting."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from roundtable.bots import require_bot
from roundtable.core.codec import plain
from roundtable.core.errors import Problem, RoomRefused, problem
from roundtable.core.setup import Setup
from roundtable.games import make_setup, spec_named
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import encoded
from roundtable.rooms import events
from roundtable.rooms.commands import refuse
from roundtable.rooms.events import RoomEvent
from roundtable.rooms.presence import Presence
from roundtable.rooms.state import RoomState

# Seats


def take_seat(room: RoomState, member: int, seat: int, no_shows: Collection[int]) -> list[RoomEvent]:
    _require_seat(room, seat)
    holder = room.places[seat].member
    if holder == member:
        return []
    if holder is not None and holder not in no_shows:
        refuse("room/seat", seat=seat)
    return [*stand_up(room, holder), *stand_up(room, member), events.SeatTaken(seat=seat, member=member)]


def stand_up(room: RoomState, member: int | None) -> list[RoomEvent]:
    if member is None:
        return []
    seat = room.seat_of(member)
    return [] if seat is None else [events.SeatFreed(seat=seat), events.ReadySaid(member=member, is_ready=False)]


def say_ready(room: RoomState, member: int, *, is_ready: bool) -> list[RoomEvent]:
    if room.seat_of(member) is None:
        refuse("room/watching", "ready")
    return [events.ReadySaid(member=member, is_ready=is_ready)]


def claim_seat(room: RoomState, member: int, seat: int, lost: Collection[int]) -> list[RoomEvent]:
    """A member says that a seat is theirs, and that they have lost the device that held it."""
    _require_seat(room, seat)
    if room.seat_of(member) is not None:
        refuse("room/seat", "seated")
    if room.places[seat].member is None:
        refuse("room/seat", "no_player", seat=seat)
    if room.places[seat].member not in lost:
        refuse("room/seat", "present", seat=seat)
    return [] if room.asked_for.get(member) == seat else [events.SeatAskedFor(seat=seat, member=member)]


def grant_seat(room: RoomState, member: int, connected: Collection[int], *, is_granted: bool) -> list[RoomEvent]:
    seat = room.asked_for.get(member)
    if seat is None:
        refuse("room/no_member", "not_asking", member=member)
    if not is_granted:
        return [events.SeatDenied(member=member)]
    if room.places[seat].member in connected:
        refuse("room/seat", "present", seat=seat)
    return [events.SeatRegained(seat=seat, member=member)]


def seat_bot(room: RoomState, seat: int | None, bot: str) -> list[RoomEvent]:
    """At this seat, or at every free one."""
    require_bot(bot)
    if seat is None:
        return [events.SeatTaken(seat=free, bot=bot) for free in room.free_seats]
    _require_seat(room, seat)
    if not room.places[seat].is_free:
        refuse("room/seat", seat=seat)
    return [events.SeatTaken(seat=seat, bot=bot)]


def remove_bot(room: RoomState, seat: int) -> list[RoomEvent]:
    _require_seat(room, seat)
    if room.places[seat].bot is None:
        refuse("room/seat", "no_bot", seat=seat)
    return [events.SeatFreed(seat=seat)]


def seats_to_free(room: RoomState, presence: Presence, now: int) -> list[RoomEvent]:
    """For a rematch: the seats of members who are gone for longer than the room waits, and those of bots that played
    for members who left."""
    return [
        events.SeatFreed(seat=seat)
        for seat, place in enumerate(room.places)
        if place.is_left_behind or (place.member is not None and presence.is_given_up(room, place.member, now))
    ]


def _require_seat(room: RoomState, seat: int) -> None:
    if not 0 <= seat < len(room.places):
        refuse("room/seat", "unknown", seat=seat, last=len(room.places) - 1)


# The table


def opening(code: str, settings: ask.Settings, setup: Setup) -> list[RoomEvent]:
    """The first events of a room."""
    return [
        events.RoomOpened(code=code, settings=settings),
        events.SetupChanged(game=setup.game, setup=encoded(setup)),
    ]


def change_settings(room: RoomState, change: ask.SettingsChange) -> list[RoomEvent]:
    settings = room.settings.changed(change)
    require_bot(settings.takeover_bot)
    if room.is_table_set and settings.is_deal_only != room.settings.is_deal_only:
        refuse("room/stage", "deal_only_setting")
    return [events.SettingsChosen(settings=settings)]


def change_table(room: RoomState, request: ask.ChangeTable) -> list[RoomEvent]:
    """Another game, other options or another number of seats."""
    before = room.setup
    game = request.game or before.game
    options = request.options
    if options is None:
        kept = plain(before) if game == before.game else {}
        options = {name: part for name, part in kept.items() if name not in ("is", "game", "rules_version", "seats")}
    setup = make_setup(game, before.seats if request.seats is None else request.seats, options)
    return [*_moved_up(room, setup.seats), events.SetupChanged(game=game, setup=encoded(setup))]


def _moved_up(room: RoomState, seats: int) -> list[RoomEvent]:
    """Members beyond the last seat move to a free one or take a bot's; where there is none, they stand up."""
    kept, lost = room.places[:seats], range(seats, len(room.places))
    bots_last = sorted(
        (seat for seat, place in enumerate(kept) if place.member is None), key=lambda seat: not kept[seat].is_free
    )
    people = [place.member for place in room.places[seats:] if place.member is not None]
    return [
        *(events.SeatFreed(seat=seat) for seat in lost if not room.places[seat].is_free),
        *(events.SeatTaken(seat=seat, member=member) for seat, member in zip(bots_last, people, strict=False)),
    ]


# What keeps a game from starting


def problems(room: RoomState) -> list[Problem]:
    """Every reason why the game cannot start."""
    found = [*_problems_of(room.setup)]
    if free := room.free_seats:
        found.append(problem("room/seat", "free", count=len(free), seats=list(free)))
    if room.settings.is_deal_only:  # players round a real table need no ready check, and a bot cannot read its card
        bots = [seat for seat, place in enumerate(room.places) if place.bot]
        return [*found, problem("room/seat", "bots", count=len(bots), seats=bots)] if bots else found
    waiting = [
        room.members[place.member].name
        for place in room.places
        if place.member is not None and not room.members[place.member].is_ready
    ]
    if waiting:
        found.append(problem("room/not_ready", "players", names=waiting))
    return found


@lru_cache(maxsize=256)
def _problems_of(setup: Setup) -> tuple[Problem, ...]:
    return tuple(setup.problems())


def require_can_start(room: RoomState) -> None:
    if found := problems(room):
        raise RoomRefused.of([problem("room/not_ready"), *found], spec_named(room.setup.game).text)
