"""What has changed in a Room, so that not all of it is sent again; and a Room with these changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from roundtable.core.errors import Unreadable
from roundtable.protocol.encoding import ENCODER
from roundtable.protocol.rooms import Path, Room, RoomChanged


def changes_between(before: Room, after: Room) -> RoomChanged:
    """Of members and seats, only the fields that differ; lists that have become longer or shorter are sent whole."""
    return RoomChanged(changes=tuple(_changes(before, after, ())))


def _changes(before: Struct, after: Struct, path: Path) -> Iterator[tuple[Path, Any]]:
    for name, old, new in zip(after.__struct_fields__, astuple(before), astuple(after), strict=True):
        if old is new or old == new:
            continue
        place = (*path, name)
        if isinstance(new, Struct) and isinstance(old, Struct):
            yield from _changes(old, new, place)
        elif isinstance(new, tuple) and len(old) == len(new) and isinstance(new[0], Struct):
            for number, (one, other) in enumerate(zip(old, new, strict=True)):
                if one != other:
                    yield from _changes(one, other, (*place, number))
        else:
            yield place, new


def with_changes(room: Room, changed: RoomChanged) -> Room:
    """`Unreadable` where the changes do not fit the room."""
    parts = msgspec.json.decode(ENCODER.encode(room))
    try:
        for path, value in changed.changes:
            within = parts
            for step in path[:-1]:
                within = within[step]
            within[path[-1]] = value
        return msgspec.json.decode(ENCODER.encode(parts), type=Room)
    except (LookupError, TypeError, msgspec.ValidationError) as misfit:
        raise Unreadable("text/unreadable", "misfit", found="RoomChanged") from misfit
