"""What a person at a terminal asks of the room: words that become requests, and which of them apply now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from roundtable.core.catalogue import Catalogue
from roundtable.core.names import printable
from roundtable.core.seats import SPECTATOR, Seat
from roundtable.protocol.rooms import (
    ChangeSettings,
    Kick,
    LeaveSeat,
    Rematch,
    RemoveBot,
    Request,
    Room,
    SayReady,
    SeatBot,
    SettingsChange,
    Start,
    TakeSeat,
)
from roundtable.terminal.asking import Aside, whole_number

SWITCH = {"on": True, "off": False}
SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {  # what is typed: the field, and its values by what is typed
    "pace": ("bot_pace", {pace: pace for pace in ("instant", "quick", "human", "slow")}),
    "remarks": ("bots_speak", SWITCH),
    "chat": ("has_chat", SWITCH),
    "spectators": ("has_spectators", SWITCH),
    "public": ("is_public", SWITCH),
}


@dataclass(frozen=True)
class Place:
    """A member's place in a room."""

    room: Room
    me: int | None
    words: Catalogue

    @property
    def seat(self) -> Seat:
        members = [place.member for place in self.room.seats]
        return members.index(self.me) if self.me in members else SPECTATOR

    @property
    def is_host(self) -> bool:
        return self.me is not None and self.me == self.room.host

    @property
    def is_in_lobby(self) -> bool:
        return self.room.stage == "lobby"

    @property
    def is_ready(self) -> bool:
        return any(one.is_ready for one in self.room.members if one.member == self.me)

    @property
    def is_seated(self) -> bool:
        return self.seat != SPECTATOR

    @property
    def has_seat_to_take(self) -> bool:
        """Whether there is a seat for this member: a free one or a bot's, in a game only a bot's."""
        if self.room.stage == "playing":
            return not self.is_seated and any(seat.bot for seat in self.room.seats)
        return self.is_in_lobby and any(seat.member is None for seat in self.room.seats)

    @property
    def has_unready(self) -> bool:
        seated = {seat.member for seat in self.room.seats}
        return any(not one.is_ready for one in self.room.members if one.member in seated)

    def complain(self, key: str, **values: Any) -> Aside:
        return Aside(self.words.text(key, **values))

    def commands(self) -> Iterator[str]:
        """The commands that apply now."""
        return (name for name, command in ROOM_COMMANDS.items() if command.applies(self))


class RoomCommand(NamedTuple):
    request: Callable[[Place, str], Request | str]  # a text is shown to the person instead
    applies: Callable[[Place], bool]
    typed: str = ""  # with an example, where more than the word is typed


def sit(place: Place, typed: str) -> Request:
    return TakeSeat(seat=seat_typed(place, typed, "joining.which_seat"))


def start(place: Place, typed: str) -> Request:
    return Start(without_unready=typed.casefold() == "now")


def kick(place: Place, typed: str) -> Request:
    """Remove a member, by name or seat; or a bot, by its seat."""
    if named := [one for one in place.room.members if printable(one.name).casefold() == typed.casefold()]:
        return Kick(member=named[0].member)
    number = seat_typed(place, typed, "joining.which_player")
    holder = place.room.seats[number]
    if holder.member is not None:
        return Kick(member=holder.member)
    if holder.bot is None:
        raise place.complain("joining.which_player", last=len(place.room.seats))
    return RemoveBot(seat=number)


def seat_typed(place: Place, typed: str, complaint: str) -> Seat:
    number = whole_number(typed)
    if not 1 <= number <= len(place.room.seats):
        raise place.complain(complaint, last=len(place.room.seats))
    return number - 1


def change_setting(place: Place, typed: str) -> Request | str:
    """`set pace quick`; without a setting and its value: what can be set, and how it is now."""
    name, _, value = typed.casefold().partition(" ")
    field, values = SETTINGS.get(name, ("", {}))
    if value.strip() not in values:
        return "\n".join(setting_lines(place))
    return ChangeSettings(settings=SettingsChange(**{field: values[value.strip()]}))


def setting_lines(place: Place) -> Iterator[str]:
    yield place.words.text("joining.which_setting")
    for name, (field, values) in SETTINGS.items():
        now = getattr(place.room.settings, field)
        shown = "/".join(f"[{typed}]" if value == now else typed for typed, value in values.items())
        yield f"  {name:<12}{shown:<30}{place.words.text(f'joining.setting.{name}')}"


ROOM_COMMANDS = {
    "ready": RoomCommand(
        lambda place, typed: SayReady(is_ready=True),
        lambda place: place.is_in_lobby and place.is_seated and not place.is_ready,
    ),
    "wait": RoomCommand(
        lambda place, typed: SayReady(is_ready=False), lambda place: place.is_in_lobby and place.is_ready
    ),
    "sit": RoomCommand(sit, lambda place: place.has_seat_to_take, "sit 3"),
    "stand": RoomCommand(lambda place, typed: LeaveSeat(), lambda place: place.is_in_lobby and place.is_seated),
    "start": RoomCommand(start, lambda place: place.is_in_lobby and place.is_host),
    "start_now": RoomCommand(
        start, lambda place: place.is_in_lobby and place.is_host and place.has_unready, "start now"
    ),
    "bots": RoomCommand(
        lambda place, typed: SeatBot(bot=typed.strip()) if typed.strip() else SeatBot(),
        lambda place: place.is_in_lobby and place.is_host and any(free(place.room)),
        "bots fair",
    ),
    "again": RoomCommand(
        lambda place, typed: Rematch(),
        lambda place: (
            place.is_host
            and (place.room.stage == "over" or (place.room.stage == "playing" and place.room.settings.only_deals))
        ),
    ),
    "kick": RoomCommand(kick, lambda place: place.is_host and has_others(place), "kick 3"),
    "set": RoomCommand(change_setting, lambda place: place.is_host, "set"),
}


def free(room: Room) -> Iterator[bool]:
    return (seat.member is None and seat.bot is None for seat in room.seats)


def has_others(place: Place) -> bool:
    return len(place.room.members) > 1 or (place.is_in_lobby and any(seat.bot for seat in place.room.seats))
