"""What is erased from the rows of a room: what a person typed, and the person's name.

A line of talk becomes a dash, and a name becomes the member's number. Everything else stays as it is, so a game without
its talk still replays and its record verifies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

import msgspec

from roundtable.core.names import look_alike
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms.events import READER, GameRow, LineChatted, MemberJoined, ProfileChanged, RoomRow
from roundtable.rooms.reducer import absorb
from roundtable.rooms.state import RoomState
from roundtable.storage import Row

ERASED_LINE = "—"
BOT = -1  # instead of a member's number

IsErased = Callable[[int], bool]
IsSame = Callable[[str, str], bool]  # of two names


def erased_name(member: int) -> str:
    return f"#{member}"


def is_written_alike(one: str, other: str) -> bool:
    """Whether two names are the same, however their accents were typed."""
    return normalize("NFC", one.strip()) == normalize("NFC", other.strip())


class Appearance(NamedTuple):
    """A member of a room under a name."""

    member: int
    name: str
    at: int  # milliseconds since 1970: when the member came to have it


def appearances(rows: Sequence[Row], name: str, is_same: IsSame = look_alike) -> list[Appearance]:
    """The members who ever had this name in the room, or one that looks like it. Erased names do not count."""
    found: dict[int, Appearance] = {}
    for at, event in _namings(rows):
        if event.name is not None and event.name != erased_name(event.member) and is_same(event.name, name):
            found.setdefault(event.member, Appearance(event.member, event.name, at))
    return list(found.values())


def members_called(rows: Sequence[Row], name: str) -> set[int]:
    """The members who ever had just this name in the room; `#3` is the third member."""
    numbered = {event.member for _, event in _namings(rows) if name == erased_name(event.member)}
    return numbered or {one.member for one in appearances(rows, name, is_written_alike)}


def _namings(rows: Sequence[Row]) -> Iterator[tuple[int, MemberJoined | ProfileChanged]]:
    """With the times of their rows."""
    for row in rows:
        read = READER.decode(row.line)
        for event in read.events if isinstance(read, RoomRow) else ():
            if isinstance(event, MemberJoined | ProfileChanged):
                yield row.at, event


def without_person(rows: Sequence[Row], members: set[int]) -> dict[int, bytes]:
    """The rows that change if the talk and the names of these members are erased, by number."""
    return _changed(rows, lambda member: member in members, erases_names=True)


def without_talk(rows: Sequence[Row]) -> dict[int, bytes]:
    """The rows that change if all talk is erased."""
    return _changed(rows, lambda member: True, erases_names=False)


def _changed(rows: Sequence[Row], is_erased: IsErased, *, erases_names: bool) -> dict[int, bytes]:
    room = RoomState()
    changed = {}
    for number, row in enumerate(rows, 1):
        read = READER.decode(row.line)
        has_changed = False
        if isinstance(read, GameRow):
            has_changed = _erase_said(read, room, is_erased)
        else:
            for event in read.events:
                absorb(room, event)
                has_changed |= _erase_from(event, is_erased, erases_names=erases_names)
        if has_changed:
            changed[number] = ENCODER.encode(read)
    return changed


def _erase_from(event: Any, is_erased: IsErased, *, erases_names: bool) -> bool:
    """Whether the event has changed."""
    if not isinstance(event, MemberJoined | ProfileChanged | LineChatted) or not is_erased(event.member):
        return False
    before = ENCODER.encode(event)
    if isinstance(event, LineChatted):
        event.text = ERASED_LINE
    if erases_names and event.name is not None:
        event.name = erased_name(event.member)
    return ENCODER.encode(event) != before


def _erase_said(row: GameRow, room: RoomState, is_erased: IsErased) -> bool:
    """A line at the table is in the action and in the event that follows from it."""
    entry = msgspec.json.decode(row.entry)
    if entry["action"]["is"] != "Say" or not 0 <= entry["actor"] < len(room.places):
        return False
    member = room.places[entry["actor"]].member
    if not is_erased(BOT if member is None else member) or entry["action"]["text"] == ERASED_LINE:
        return False
    for part in (entry["action"], *entry["events"]):
        if "text" in part:
            part["text"] = ERASED_LINE
    row.entry = msgspec.Raw(ENCODER.encode(entry))
    return True
