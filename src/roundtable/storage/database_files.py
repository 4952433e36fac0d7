"""The files of a SQLite database: locked, still the ones that were opened, and who may read them."""

from __future__ import annotations

import importlib
import logging
import os
import shlex
import threading
from functools import partial
from pathlib import Path
from typing import Any

from roundtable.core.errors import SetupError
from roundtable.storage.contract import LogLost

SIDE_FILES = ("-wal", "-shm")

logger = logging.getLogger("roundtable.storage")


class DatabaseFiles:
    """The database and its side files, as they are now that the database is open.

    SQLite goes on writing to a file that was removed or replaced; such rows would be gone at the next start. The
    write-ahead log holds rows that are not in the file yet, and other programs find the locks in `-shm`: so all three
    have to stay.
    """

    def __init__(self, path: str) -> None:
        beside = os.path.realpath(path)  # SQLite follows a link, and puts its side files beside the real file
        self._paths = (path, *(beside + suffix for suffix in SIDE_FILES))
        self._opened = [_identity(path) for path in self._paths]
        self._lost: str | None = None  # the file that was missing at the last check
        self._lock = threading.Lock()  # the writer and the reader check, each in its thread

    def require(self) -> None:
        """`LogLost` unless every file is the one that was opened."""
        with self._lock:
            lost = self._first_lost()
            if lost != self._lost:
                self._report(lost)
            self._lost = lost
        if lost is not None:
            raise LogLost(f"{lost} was removed or replaced")

    def _first_lost(self) -> str | None:
        files = zip(self._paths, self._opened, strict=True)
        return next((path for path, opened in files if _identity(path) != opened), None)

    def _report(self, lost: str | None) -> None:
        if lost is None:
            logger.warning("%s is back: rooms are written again", self._lost)
        else:
            logger.error(
                "%s was removed or replaced while the server runs. Nothing is written until the same file is back at "
                "its path. If you replaced it on purpose, restart the server.",
                lost,
            )


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def warn_if_readable(path: str) -> None:
    """One warning if others than the owner may read or write the files: they hold every secret of their games."""
    beside = os.path.realpath(path)
    files = [file for file in (beside, *(beside + suffix for suffix in SIDE_FILES)) if _is_open_to_others(file)]
    if files:
        logger.warning(
            "other users of this machine can read %s, and with it every role, card and private line. Run: chmod 600 %s",
            " and ".join(files),
            " ".join(map(shlex.quote, files)),
        )


def _is_open_to_others(path: str) -> bool:
    """Never on Windows, where the mode does not say who may read a file."""
    try:
        return os.name == "posix" and bool(os.stat(path).st_mode & 0o077)
    except OSError:
        return False


def lock_database(path: Path) -> int:
    """Lock the file for this process alone. Each of two servers on one file would let bots stand in for players who are
    connected to the other. The lock ends with the process, or when the descriptor is closed that is returned."""
    try:
        import fcntl
    except ImportError:  # Windows, where a lock on the file itself would keep SQLite out
        held = _open_private(path.with_name(f"{path.name}.lock"))
        msvcrt: Any = importlib.import_module("msvcrt")
        lock = partial(msvcrt.locking, held, msvcrt.LK_NBLCK, 1)
    else:
        held = _open_private(path)
        lock = partial(fcntl.flock, held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        lock()
    except OSError as taken:
        raise SetupError("setup/option", "database_taken", path=str(path)) from taken
    return held


def _open_private(path: Path) -> int:
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as broken:
        raise SetupError("setup/option", "database_file", path=str(path), reason=str(broken.strerror)) from broken
