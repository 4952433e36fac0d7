"""The refusals that several modules share."""

from __future__ import annotations

from typing import NoReturn

from roundtable.core.errors import RoomRefused


def refuse(code: str, message: str) -> NoReturn:
    raise RoomRefused(code, message)


def no_such_room() -> RoomRefused:
    """The same answer whether the room never existed, is closed, or has no such member."""
    return RoomRefused("room/unknown", "There is no such room, or you are not in it.")


def busy() -> RoomRefused:
    return RoomRefused("room/busy", "The server could not write that down; nothing has changed. Send it again.")


def unreadable() -> RoomRefused:
    return RoomRefused("room/busy", "The room could not be read; ask again.")
