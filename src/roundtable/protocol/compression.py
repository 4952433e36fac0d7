"""Response bodies that are compressed once and sent many times."""

from __future__ import annotations

import gzip
from typing import NamedTuple

SMALLEST = 1_000  # bytes; what is shorter fits into one packet as it is


class CompressedBody(NamedTuple):
    """A body as it is, and gzipped where that is worth it. Never for secrets beside text that a client chose: the size
    would reveal whether they have words in common (BREACH)."""

    plain: bytes
    gzipped: bytes | None = None

    @property
    def size(self) -> int:
        """The bytes that it takes in memory."""
        return len(self.plain) + len(self.gzipped or b"")


def compress(plain: bytes) -> CompressedBody:
    """Takes about 20 ms for each MB: long bodies belong into an executor, where the event loop goes on."""
    return CompressedBody(plain, gzip.compress(plain, 6, mtime=0) if len(plain) >= SMALLEST else None)
