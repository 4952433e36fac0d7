"""Tokens of tables that a person joined, so that the same command returns to the same seat: a file for them alone."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from roundtable.protocol.bodies import Membership

Kept = dict[str, Any]  # server, room, name, member, token
MOST_KEPT = 50  # memberships; the oldest are forgotten


class Memberships:
    """What is kept by server, room and name."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / "memberships.json"

    def names(self, server: str, room: str) -> dict[str, Membership]:
        """The memberships of a room by the names under which it was joined, the latest last."""
        return {
            kept["name"]: Membership(room=kept["room"], member=kept["member"], token=kept["token"])
            for kept in self._read()
            if (kept["server"], kept["room"]) == (server, room)
        }

    def keep(self, server: str, name: str, membership: Membership) -> None:
        others = self._without(server, membership.room, name)
        kept = {
            "server": server,
            "room": membership.room,
            "name": name,
            "member": membership.member,
            "token": membership.token,
        }
        self._write([*others, kept][-MOST_KEPT:])

    def forget(self, server: str, room: str, name: str) -> None:
        self._write(self._without(server, room, name))

    def _without(self, server: str, room: str, name: str) -> list[Kept]:
        gone = (server, room, name)
        return [kept for kept in self._read() if (kept["server"], kept["room"], kept["name"]) != gone]

    def _read(self) -> list[Kept]:
        """What is kept; nothing where the file is missing or is none of ours."""
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [kept for kept in found if is_kept(kept)] if isinstance(found, list) else []

    def _write(self, kept: list[Kept]) -> None:
        """The whole file at once, readable by its owner alone."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with NamedTemporaryFile("w", dir=self.path.parent, delete=False, encoding="utf-8") as new:  # made with 0600
            try:
                json.dump(kept, new, ensure_ascii=False, indent=1)
                new.close()
                os.replace(new.name, self.path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(new.name)
                raise


def is_kept(found: object) -> bool:
    words = ("server", "room", "name", "token")
    return (
        isinstance(found, dict)
        and all(isinstance(found.get(word), str) for word in words)
        and type(found.get("member")) is int
    )


def data_folder() -> Path:
    """Where this system keeps what programs remember for a person."""
    if folder := os.environ.get("XDG_DATA_HOME"):
        return Path(folder) / "roundtable"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "roundtable"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "roundtable"
    return Path.home() / ".local" / "share" / "roundtable"
