"""What a room grants its members outside the game, and what it refuses."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from roundtable.bots import require_bot
from roundtable.core.codec import plain
from roundtable.core.conduct import LONGEST_LINE, UNSAYABLE, is_showable
from roundtable.core.errors import Problem
from roundtable.core.setup import Setup
from roundtable.games import make_setup
from roundtable.protocol import rooms as ask
from roundtable.protocol.encoding import spelled
from roundtable.rooms import facts as was
from roundtable.rooms.facts import Fact
from roundtable.rooms.presence import Presence
from roundtable.rooms.refusals import refuse
from roundtable.rooms.state import RoomState

HOST_ONLY = (
    ask.ChangeTable,
    ask.ChangeSettings,
    ask.SeatBot,
    ask.RemoveBot,
    ask.Kick,
    ask.Pardon,
    ask.GrantSeat,
    ask.Silence,
    ask.HandOver,
    ask.Start,
    ask.Rematch,
    ask.HoldClock,
    ask.CallItOff,
)
IN_LOBBY = (ask.TakeSeat, ask.LeaveSeat, ask.SayReady, ask.ChangeTable, ask.SeatBot, ask.RemoveBot, ask.Start)


def decide(room: RoomState, member: int, request: Any, attendance: Presence, *, is_playing: bool) -> list[Fact]:
    """What follows from a request that concerns the room alone; `RoomRefused` where nothing may."""
    require_may(room, member, request, is_playing=is_playing)
    match request:
        case ask.TakeSeat(seat=seat):
            return _take_seat(room, member, seat, attendance.no_shows)
        case ask.LeaveSeat():
            return _stand_up(room, member)
        case ask.SayReady(is_ready=is_ready):
            if room.seat_of(member) is None:
                refuse("room/watching", "Take a seat first; those who watch need not be ready.")
            return [was.ReadySaid(member=member, is_ready=is_ready)]
        case ask.RegainSeat(seat=seat):
            return _ask_for_seat(room, member, seat, attendance.gone)
        case ask.GrantSeat(member=other, is_granted=is_granted):
            return _grant_seat(room, other, attendance.here, is_granted=is_granted)
        case ask.Chat(text=text):
            return _chat(room, member, text)
        case ask.Leave():
            return leave(room, member, attendance.here, is_playing=is_playing)
        case ask.ChangeTable():
            return _change_table(room, request)
        case ask.ChangeSettings(settings=change):
            settings = room.settings.changed(change)
            require_bot(settings.takeover_bot)
            if room.is_table_set and settings.is_deal_only != room.settings.is_deal_only:
                refuse("room/stage", "Whether cards are only dealt is settled before a game, or after it.")
            return [was.SettingsChosen(settings=settings)]
        case ask.SeatBot(seat=None, bot=bot):
            require_bot(bot)
            return [was.SeatTaken(seat=free, bot=bot) for free in free_seats(room)]
        case ask.SeatBot(seat=int(seat), bot=bot):
            require_bot(bot)
            _require_seat(room, seat)
            if not room.places[seat].is_free:
                refuse("room/seat", f"Seat {seat} is taken.")
            return [was.SeatTaken(seat=seat, bot=bot)]
        case ask.RemoveBot(seat=seat):
            _require_seat(room, seat)
            if room.places[seat].bot is None:
                refuse("room/seat", f"No bot sits at seat {seat}.")
            return [was.SeatFreed(seat=seat)]
        case ask.Kick(member=other):
            _require_other(room, member, other)
            return leave(room, other, attendance.here, is_playing=is_playing, is_shown_out=True)
        case ask.Pardon(member=other):
            if other not in room.shown_out:
                refuse("room/no_member", f"Nobody was shown out as member {other}.")
            return [was.MemberPardoned(member=other)]
        case ask.Silence(member=other, is_silenced=is_silenced):
            _require_member(room, other)
            return [was.MemberSilenced(member=other, is_silenced=is_silenced)]
        case ask.HandOver(member=other):
            _require_other(room, member, other)
            return [was.HostNamed(member=other)]
        case ask.Rematch():
            return [was.TableCleared()]
        case _:
            raise TypeError(f"{type(request).__name__} is not for the room to decide.")


def require_may(room: RoomState, member: int, request: Any, *, is_playing: bool) -> None:
    """Whether this member may ask for such a thing at this stage."""
    _require_member(room, member)
    if isinstance(request, HOST_ONLY) and member != room.host:
        refuse("room/not_host", "Only the host may do that.")
    if isinstance(request, IN_LOBBY) and room.is_table_set:
        refuse("room/stage", "A game is on the table; that can be done before it, or after a rematch is called.")
    is_deal_only = room.settings.is_deal_only
    if isinstance(request, ask.Rematch) and ((is_playing and not is_deal_only) or not room.is_table_set):
        refuse("room/stage", "A rematch can be called when a game is over.")
    if isinstance(request, ask.HoldClock) and is_deal_only:
        refuse("room/stage", "Cards are only dealt here; no clock runs.")
    if isinstance(request, ask.HoldClock | ask.CallItOff) and not is_playing:
        refuse("room/stage", "No game is being played.")
    if isinstance(request, ask.Chat) and is_playing and not is_deal_only:
        refuse("room/stage", "While a game is played, talk goes through the game's own channels.")


def problems(room: RoomState) -> list[Problem]:
    """Every reason why the game cannot start."""
    found = [*_problems_of(room.setup)]
    if free := free_seats(room):
        found.append(Problem("room/seat", f"Nobody sits at {', '.join(map(str, free))} yet; bots can."))
    if room.settings.is_deal_only:  # those in the same room need no ready check, and a bot cannot read its card
        bots = [str(seat) for seat, place in enumerate(room.places) if place.bot]
        return [*found, *_bots_at_a_real_table(bots)]
    waiting = [
        room.members[place.member].name
        for place in room.places
        if place.member is not None and not room.members[place.member].is_ready
    ]
    if waiting:
        found.append(Problem("room/not_ready", f"Not ready yet: {', '.join(waiting)}."))
    return found


def _bots_at_a_real_table(seats: list[str]) -> list[Problem]:
    said = f"Bots sit at {', '.join(seats)}; where cards are only dealt, every seat needs a person."
    return [Problem("room/seat", said)] if seats else []


@lru_cache(maxsize=256)
def _problems_of(setup: Setup) -> tuple[Problem, ...]:
    return tuple(setup.problems())


def require_can_start(room: RoomState) -> None:
    if found := problems(room):
        refuse("room/not_ready", " ".join(problem.message for problem in found))


def open_room(code: str, settings: ask.Settings, setup: Setup, name: str, key: str) -> list[Fact]:
    """How a room begins: with its table, and with whoever opened it as its host."""
    first: list[Fact] = [
        was.RoomOpened(code=code, settings=settings),
        was.TableLaid(game=setup.game, setup=spelled(setup)),
    ]
    room = RoomState()
    for fact in first:
        room.absorb(fact)
    return [*first, *join(room, name, key, watch=False)]


def join(room: RoomState, name: str, key: str, no_shows: Collection[int] = (), *, watch: bool) -> list[Fact]:
    """Somebody comes in, and sits down where there is room, or where somebody who never came would sit."""
    member = room.joined + 1
    happened: list[Fact] = [was.MemberJoined(member=member, name=name, key=key)]
    if room.host is None:
        happened.append(was.HostNamed(member=member))
    if watch or room.is_table_set:
        return happened
    for seat in [*free_seats(room), *(seat for seat, place in enumerate(room.places) if place.member in no_shows)][:1]:
        happened += [*_stand_up(room, room.places[seat].member), was.SeatTaken(seat=seat, member=member)]
    return happened


def give_back_seat(room: RoomState, member: int) -> list[Fact]:
    """Whoever shows up gets their seat back from the bot that played for them, and nobody else can have it."""
    seat = room.seat_of(member)
    if seat is None:
        return []
    returned: list[Fact] = [was.SeatReturned(seat=seat)] if room.places[seat].stand_in else []
    return [*returned, *(was.SeatDenied(member=other) for other, wanted in room.asked_for.items() if wanted == seat)]


def free_seats(room: RoomState) -> list[int]:
    return [seat for seat, place in enumerate(room.places) if place.is_free]


def heir(room: RoomState, here: Collection[int]) -> int | None:
    """Who becomes the host when the host is gone: of those who are here, whoever came first, and rather one who plays
    than one who watches or has a bot play for them."""
    others = [member for member in room.members if member in here and member != room.host]
    return min(others, key=lambda one: (room.seat_of(one) is None or room.is_played_for(one), one), default=None)


def leave(
    room: RoomState, member: int, here: Collection[int], *, is_playing: bool, is_shown_out: bool = False
) -> list[Fact]:
    """Somebody is gone for good. In a game a bot plays on for them; where nobody is here to be the host, the room goes
    to whoever came next."""
    happened: list[Fact] = []
    if (seat := room.seat_of(member)) is not None:
        bot = room.settings.takeover_bot
        is_played_on = is_playing and not room.settings.is_deal_only
        happened.append(was.SeatTaken(seat=seat, bot=bot) if is_played_on else was.SeatFreed(seat=seat))
    happened.append(was.MemberLeft(member=member, is_shown_out=is_shown_out))
    if room.host == member:
        others = [other for other in room.members if other != member]
        happened.append(was.HostNamed(member=heir(room, here) or min(others, default=None)))
    return happened


def _take_seat(room: RoomState, member: int, seat: int, no_shows: Collection[int]) -> list[Fact]:
    _require_seat(room, seat)
    holder = room.places[seat].member
    if holder == member:
        return []
    if holder is not None and holder not in no_shows:
        refuse("room/seat", f"Seat {seat} is taken.")
    return [*_stand_up(room, holder), *_stand_up(room, member), was.SeatTaken(seat=seat, member=member)]


def _stand_up(room: RoomState, member: int | None) -> list[Fact]:
    if member is None:
        return []
    seat = room.seat_of(member)
    return [] if seat is None else [was.SeatFreed(seat=seat), was.ReadySaid(member=member, is_ready=False)]


def _ask_for_seat(room: RoomState, member: int, seat: int, gone: Collection[int]) -> list[Fact]:
    _require_seat(room, seat)
    if room.seat_of(member) is not None:
        refuse("room/seat", "You have a seat; whoever asks for another one has to stand up first.")
    if room.places[seat].member is None:
        refuse("room/seat", f"Seat {seat} is nobody's whose token could be lost.")
    if room.places[seat].member not in gone:
        refuse("room/seat", f"Whoever holds seat {seat} is here, or was a moment ago.")
    return [] if room.asked_for.get(member) == seat else [was.SeatAskedFor(seat=seat, member=member)]


def _grant_seat(room: RoomState, member: int, here: Collection[int], *, is_granted: bool) -> list[Fact]:
    seat = room.asked_for.get(member)
    if seat is None:
        refuse("room/no_member", f"No member {member} asks for a seat.")
    if not is_granted:
        return [was.SeatDenied(member=member)]
    if room.places[seat].member in here:
        refuse("room/seat", f"Whoever holds seat {seat} is here.")
    return [was.SeatRegained(seat=seat, member=member)]


def _chat(room: RoomState, member: int, text: str) -> list[Fact]:
    require_word(room, member)
    if len(text) > LONGEST_LINE or not is_showable(text):
        refuse("talk/text", UNSAYABLE)
    return [was.LineChatted(member=member, name=room.members[member].name, text=text)]


def require_word(room: RoomState, member: int) -> None:
    if not room.settings.has_chat:
        refuse("talk/silenced", "The host has switched the chat off.")
    if room.members[member].is_silenced:
        refuse("talk/silenced", "The host has taken your word away.")


def _change_table(room: RoomState, request: ask.ChangeTable) -> list[Fact]:
    """Another game or number of seats; people beyond the last seat move up."""
    before = room.setup
    game = request.game or before.game
    options = request.options
    if options is None:
        kept = plain(before) if game == before.game else {}
        options = {name: part for name, part in kept.items() if name not in ("is", "game", "rules_version", "seats")}
    setup = make_setup(game, before.seats if request.seats is None else request.seats, options)
    return [*_moved_up(room, setup.seats), was.TableLaid(game=game, setup=spelled(setup))]


def _moved_up(room: RoomState, seats: int) -> list[Fact]:
    """Whoever sits beyond the last seat moves to a free one or takes a bot's, and stands up where there is none."""
    kept, lost = room.places[:seats], range(seats, len(room.places))
    bots_last = sorted(
        (seat for seat, place in enumerate(kept) if place.member is None), key=lambda seat: not kept[seat].is_free
    )
    people = [place.member for place in room.places[seats:] if place.member is not None]
    return [
        *(was.SeatFreed(seat=seat) for seat in lost if not room.places[seat].is_free),
        *(was.SeatTaken(seat=seat, member=member) for seat, member in zip(bots_last, people, strict=False)),
    ]


def _require_seat(room: RoomState, seat: int) -> None:
    if not 0 <= seat < len(room.places):
        refuse("room/seat", f"Seats go from 0 to {len(room.places) - 1}; {seat} is none.")


def _require_member(room: RoomState, member: int) -> None:
    if member not in room.members:
        refuse("room/no_member", f"There is no member {member} in this room.")


def _require_other(room: RoomState, member: int, other: int) -> None:
    _require_member(room, other)
    if member == other:
        refuse("room/no_member", "That can be done to others only.")
