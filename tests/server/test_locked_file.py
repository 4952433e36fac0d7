"""A database file is for one server: it is locked on every system."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from roundtable.core.errors import SetupError
from roundtable.storage.database_files import lock_database


def test_a_file_is_locked_once_where_the_system_has_no_flock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no fcntl: a file beside the database is locked, since SQLite could not read a locked one."""
    locked = []

    def locking(file: int, how: str, count: int) -> None:
        path = Path(f"/proc/self/fd/{file}").readlink()
        if path in locked:
            raise OSError("locked by another process")
        locked.append(path)

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK="at once"))
    lock_database(tmp_path / "rooms.db")
    assert [path.name for path in locked] == ["rooms.db.lock"]
    with pytest.raises(SetupError, match="Another server uses"):
        lock_database(tmp_path / "rooms.db")
