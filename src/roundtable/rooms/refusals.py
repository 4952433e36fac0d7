"""The few sentences with which a room turns somebody away."""

from __future__ import annotations

from typing import NoReturn

from roundtable.core.errors import RoomRefused


def refuse(code: str, message: str) -> NoReturn:
    raise RoomRefused(code, message)


def no_such_room() -> RoomRefused:
    """One answer, whether a room never was, is closed, or is none of the asker's business."""
    return RoomRefused("room/unknown", "There is no such room, or you are not in it.")


def busy() -> RoomRefused:
    return RoomRefused("room/busy", "The server could not write that down; nothing has changed. Send it again.")


def unreadable() -> RoomRefused:
    return RoomRefused("room/busy", "The room could not be read; ask again.")
