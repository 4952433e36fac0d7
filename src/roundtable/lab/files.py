"""Files that are whole or not there at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file beside it and rename it, so that no reader finds half a file."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(new)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)
