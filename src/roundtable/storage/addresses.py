"""Addresses of databases as an operator writes them: sqlite:///FILE, postgresql://USER@HOST/NAME."""

from __future__ import annotations

import errno
import os
import re
from importlib.util import find_spec
from pathlib import Path

from roundtable.core.errors import SetupError, shown

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")
DRIVER = "asyncpg"


def sqlite_file(address: str, *, is_kept: bool = False) -> Path | None:
    """The file of a SQLite database; None where the address is PostgreSQL's. `SetupError` for any other address, and
    for PostgreSQL's where its driver is not installed; `is_kept` where a server's memory would not do."""
    if address.startswith(POSTGRES):
        if find_spec(DRIVER) is None:
            raise SetupError("setup/option", "database_driver", command="pip install 'roundtable-games[postgres]'")
        return None
    if not address.startswith(SQLITE) or address == SQLITE:
        raise SetupError(
            "setup/option", "database_kept" if is_kept else "database", found=shown(without_password(address))
        )
    return Path(address.removeprefix(SQLITE))


def require_file(path: Path) -> None:
    """`SetupError` where there is no such database to open."""
    if not path.exists():
        raise SetupError("setup/option", "database_file", path=str(path), reason=os.strerror(errno.ENOENT))


def without_password(address: str) -> str:
    """The address as it may be shown, however it was mistyped."""
    hidden = re.sub(r"^(\w*:/*)?.*@", r"\1…@", address)
    hidden = re.sub(r"(//[^/:@[]*:)(?!\d*([/,?]|$)).*", r"\1…", hidden)  # a password where a port belongs
    return re.sub(r"(?i)(password=)[^&]*", r"\1…", hidden)
