"""The table before a game: its setup, its settings, who sits where, and what keeps a game from starting."""

from __future__ import annotations

from functools import lru_cache

from roundtable.bots import require_bot
from roundtable.core.codec import plain
from roundtable.core.errors import Problem, RoomRefused, problem
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.games import make_setup, spec_named
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import encoded
from roundtable.rooms import events, newcomers
from roundtable.rooms.commands import NOTHING, Context, Decision, happened, refuse
from roundtable.rooms.events import RoomEvent
from roundtable.rooms.presence import Presence
from roundtable.rooms.state import RoomState

# Seats


def take_seat(room: RoomState, context: Context, member: int, request: ask.TakeSeat) -> Decision:
    """Before a game a free seat, a bot's or that of a no-show; in a running game a bot's."""
    seat = request.seat
    require_seat(room, seat)
    if room.is_table_set:
        return newcomers.take_over(room, context, member, seat)
    holder = room.places[seat].member
    if holder == member:
        return NOTHING
    if holder is not None and holder not in context.presence.no_shows(context.now):
        refuse("room/seat", seat=seat)
    taken = events.SeatTaken(seat=seat, member=member)
    return happened(*stand_up(room, holder), *stand_up(room, member), taken)


def leave_seat(room: RoomState, context: Context, member: int, request: ask.LeaveSeat) -> Decision:
    return happened(*stand_up(room, member))


def stand_up(room: RoomState, member: int | None) -> list[RoomEvent]:
    if member is None:
        return []
    seat = room.seat_of(member)
    return [] if seat is None else [events.SeatFreed(seat=seat), events.ReadySaid(member=member, is_ready=False)]


def say_ready(room: RoomState, context: Context, member: int, request: ask.SayReady) -> Decision:
    if room.seat_of(member) is None:
        refuse("room/watching", "ready")
    return happened(events.ReadySaid(member=member, is_ready=request.is_ready))


def seat_bot(room: RoomState, context: Context, member: int, request: ask.SeatBot) -> Decision:
    """At this seat, or at every free one."""
    seat, bot = request.seat, request.bot
    require_bot(bot)
    if seat is None:
        return happened(*(events.SeatTaken(seat=free, bot=bot) for free in room.free_seats))
    require_seat(room, seat)
    if not room.places[seat].is_free:
        refuse("room/seat", seat=seat)
    return happened(events.SeatTaken(seat=seat, bot=bot))


def remove_bot(room: RoomState, context: Context, member: int, request: ask.RemoveBot) -> Decision:
    require_seat(room, request.seat)
    if room.places[request.seat].bot is None:
        refuse("room/seat", "no_bot", seat=request.seat)
    return happened(events.SeatFreed(seat=request.seat))


def silence_bot(room: RoomState, context: Context, member: int, request: ask.SilenceBot) -> Decision:
    require_seat(room, request.seat)
    if room.places[request.seat].player is None:
        refuse("room/seat", "no_bot", seat=request.seat)
    return happened(events.BotSilenced(seat=request.seat, is_silenced=request.is_silenced))


def seats_to_free(room: RoomState, presence: Presence, now: int) -> list[RoomEvent]:
    """For a rematch: the seats of members who have been away for longer than the room waits, and those of bots that
    finished a game for members who left."""
    return [
        events.SeatFreed(seat=seat)
        for seat, place in enumerate(room.places)
        if place.finishes_game or (place.member is not None and presence.is_given_up(room, place.member, now))
    ]


def require_seat(room: RoomState, seat: int) -> None:
    if not 0 <= seat < len(room.places):
        refuse("room/seat", "unknown", seat=seat, last=len(room.places) - 1)


# The table


def opening(code: str, settings: ask.Settings, setup: Setup) -> list[RoomEvent]:
    """The first events of a room."""
    return [
        events.RoomOpened(code=code, settings=settings),
        events.SetupChanged(game=setup.game, setup=encoded(setup)),
    ]


def change_settings(room: RoomState, context: Context, member: int, request: ask.ChangeSettings) -> Decision:
    settings = room.settings.changed(request.settings)
    require_bot(settings.takeover_bot)
    if room.is_table_set and settings.in_person != room.settings.in_person:
        refuse("room/stage", "deal_only_setting")
    if room.is_table_set and settings.has_moderator != room.settings.has_moderator:
        refuse("room/stage", "moderator_setting")
    return happened(events.SettingsChosen(settings=settings))


def change_table(room: RoomState, context: Context, member: int, request: ask.ChangeTable) -> Decision:
    """Another game, other options or another number of seats."""
    before = room.setup
    game = request.game or before.game
    options = request.options
    if options is None:
        kept = plain(before) if game == before.game else {}
        options = {name: part for name, part in kept.items() if name not in ("is", "game", "rules_version", "seats")}
    setup = make_setup(game, before.seats if request.seats is None else request.seats, options)
    return happened(*_moved_up(room, setup.seats), events.SetupChanged(game=game, setup=encoded(setup)))


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
    """The reasons why the game cannot start; a room shows by itself which of its members are not ready."""
    found = [*_problems_of(room.setup)]
    if free := room.free_seats:
        found.append(problem("room/seat", "free", count=len(free), seats=list(free)))
    if room.settings.is_moderated and room.host is not None and room.seat_of(room.host) is not None:
        found.append(problem("room/seat", "moderator", name=room.members[room.host].name))
    if room.settings.only_deals:  # a bot cannot read its card
        bots = [seat for seat, place in enumerate(room.places) if place.bot]
        found += [problem("room/seat", "bots", count=len(bots), seats=bots)] if bots else []
    return found


def unready(room: RoomState) -> dict[Seat, int]:
    """The members who have a seat and are not ready, by seat."""
    return {
        seat: place.member
        for seat, place in enumerate(room.places)
        if place.member is not None and not room.members[place.member].is_ready
    }


@lru_cache(maxsize=256)
def _problems_of(setup: Setup) -> tuple[Problem, ...]:
    return tuple(setup.problems())


def require_can_start(room: RoomState, *, without_unready: bool) -> None:
    found = problems(room)
    is_checked = not (without_unready or room.settings.only_deals)  # players round a real table see who is ready
    if is_checked and (waiting := [room.members[member].name for member in unready(room).values()]):
        found.append(problem("room/not_ready", "players", names=waiting))
    if found:
        raise RoomRefused.of([problem("room/not_ready"), *found], spec_named(room.setup.game).text)
